import { bucketOf } from './bucket.js';
import { type CustomerFacts, decide, type TargetingTerms } from './decide.js';
import {
  experiment,
  facts,
  request,
  rule,
  sourceOf,
  targetingOf,
} from '../../test/support/targeting-terms.js';
import { presentationOf } from './placements.js';

describe('the order of a decision', () => {
  const world = { rules: [rule('r1'), rule('r2')], experiments: [experiment('e1'), experiment('e2')] };
  const inE2 = { enrollments: [{ experimentId: 'e2', variant: 'b' as const }] };

  it.each<[string, Partial<TargetingTerms>, Partial<CustomerFacts> | null, boolean, string]>([
    ['an override', world, { ...inE2, overrideOfferingId: 'x' }, true, 'override'],
    ['the experiment of the customer', world, inE2, true, 'enrolled e2'],
    [
      'also if it is paused',
      { ...world, experiments: [experiment('e1'), experiment('e2', { status: 'paused' })] },
      inE2,
      true,
      'enrolled e2',
    ],
    [
      'not if it has stopped',
      { ...world, experiments: [experiment('e1'), experiment('e2', { status: 'stopped' })] },
      inE2,
      true,
      'joins e1',
    ],
    ['the first experiment that admits', world, {}, true, 'joins e1'],
    [
      'the next for whom the first leaves out',
      {
        ...world,
        experiments: [
          experiment('e1', {
            conditions: [{ field: 'country', operator: 'in', value: ['DE'], context: null }],
          }),
          experiment('e2'),
        ],
      },
      {},
      true,
      'joins e2',
    ],
    ['no experiment for a backend', world, {}, false, 'r1'],
    ['no experiment without a look at the customer', world, null, true, 'r1'],
    ['no experiment for whom is blocked', world, { isBlocked: true }, true, 'r1'],
    ['no experiment before its start', world, { firstSeenAtMs: 1_999 }, true, 'r1'],
    ['an experiment for an unknown id', world, { firstSeenAtMs: null }, true, 'joins e1'],
    [
      'an experiment for everyone',
      { experiments: [experiment('e1', { enrollmentMode: 'new_and_existing' })] },
      { firstSeenAtMs: 1 },
      true,
      'joins e1',
    ],
    ['no experiment twice', world, { left: ['e1', 'e2'] }, true, 'r1'],
    [
      'no experiment for who is held out',
      { ...world, holdoutPercentage: 50 },
      { originalAppUserId: heldOut() },
      true,
      'r1',
    ],
    [
      'the first rule that is live',
      {
        rules: [
          rule('r1', { state: 'scheduled', schedule: { startsAtMs: 5_001, endsAtMs: null } }),
          rule('r2'),
        ],
      },
      {},
      true,
      'r2',
    ],
    ['the current offering', {}, {}, true, 'default'],
  ])('%s', (_, terms, change, mayJoin, expected) => {
    expect(sourceOf(terms, change, mayJoin)).toBe(expected);
  });

  function heldOut(): string {
    return Array.from({ length: 100 }, (_, index) => `u${index}`).find(
      (id) => bucketOf('proj1', 'holdout', id) < 5_000,
    ) as string;
  }
});

describe('what a decision shows', () => {
  const show = (terms: Partial<TargetingTerms>, change: Partial<CustomerFacts> = {}) =>
    presentationOf(
      decide(targetingOf(terms), { request, facts: { ...facts, ...change }, nowMs: 5_000, mayJoin: true }),
      'current',
    );

  it('shows an override everywhere', () => {
    expect(show({ rules: [rule('r1')] }, { overrideOfferingId: 'mine' })).toEqual({
      current: 'mine',
      fallback: 'mine',
      placements: [],
    });
  });

  it('shows a rule with placements there, and its fallback elsewhere', () => {
    const placements = {
      fallbackOfferingId: null,
      offerings: [
        { placementIdentifier: '__proto__', offeringId: 'x' },
        { placementIdentifier: 'settings', offeringId: null },
      ],
    };
    expect(show({ rules: [rule('r1', { placements })] })).toEqual({
      current: 'offering of r1',
      fallback: null,
      placements: [
        ['__proto__', 'x'],
        ['settings', null],
      ],
    });
  });

  it('leaves out the rows that a variant leaves out', () => {
    const placements = {
      fallback: { a: 'fallback a' },
      offerings: [
        { placementIdentifier: 'p', offerings: { a: null, b: 'x' } },
        { placementIdentifier: 'q', offerings: { b: 'y' } },
      ],
    };
    const shown = (variant: 'a' | 'b') =>
      show(
        { experiments: [experiment('e1', { placements })] },
        { enrollments: [{ experimentId: 'e1', variant }] },
      );
    expect(shown('a')).toEqual({ current: 'control', fallback: 'fallback a', placements: [['p', null]] });
    expect(shown('b')).toEqual({
      current: 'treatment',
      fallback: 'treatment',
      placements: [
        ['p', 'x'],
        ['q', 'y'],
      ],
    });
  });
});
