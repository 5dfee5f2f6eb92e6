import fc from 'fast-check';
import { bucketOf } from './bucket.js';
import { compileTargeting, type CustomerFacts, decide, isOutOfAll, type TargetingTerms } from './decide.js';
import type { ExperimentTerms, TargetingRuleTerms } from './model.js';
import { presentationOf } from './placements.js';
import { noAttributes, type TargetingRequest } from './request.js';

const request: TargetingRequest = {
  appUserId: 'user_1',
  appId: 'app1',
  country: 'US',
  platform: 'ios',
  appVersion: '1.0',
  sdkFlavor: 'ios',
  sdkVersion: '5.0',
  attributes: noAttributes,
};

const facts: CustomerFacts = {
  originalAppUserId: 'user_1',
  firstSeenAtMs: 2_000,
  overrideOfferingId: null,
  isBlocked: false,
  enrollments: [],
  left: [],
};

const rule = (id: string, change: Partial<TargetingRuleTerms> = {}): TargetingRuleTerms => ({
  id,
  state: 'active',
  schedule: null,
  offeringId: `offering of ${id}`,
  conditions: [],
  placements: null,
  revision: 1,
  ...change,
});

const experiment = (id: string, change: Partial<ExperimentTerms> = {}): ExperimentTerms => ({
  id,
  displayName: id,
  status: 'running',
  offerings: ['control', 'treatment'],
  enrollmentPercentage: 100,
  enrollmentMode: 'only_new',
  weights: null,
  conditions: [],
  placements: null,
  startedAtMs: 2_000,
  ...change,
});

const targetingOf = (terms: Partial<TargetingTerms>) =>
  compileTargeting('proj1', { holdoutPercentage: 0, rules: [], experiments: [], ...terms });

const sourceOf = (
  terms: Partial<TargetingTerms>,
  change: Partial<CustomerFacts> | null = {},
  mayJoin = true,
): string => {
  const known = change && { ...facts, ...change };
  const decision = decide(targetingOf(terms), { request, facts: known, nowMs: 5_000, mayJoin });
  if (decision.source === 'rule') return decision.rule.id;
  return decision.source === 'joins' || decision.source === 'enrolled'
    ? `${decision.source} ${decision.experiment.id}`
    : decision.source;
};

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

  it('an override shows everywhere', () => {
    expect(show({ rules: [rule('r1')] }, { overrideOfferingId: 'mine' })).toEqual({
      current: 'mine',
      fallback: 'mine',
      placements: [],
    });
  });

  it('a rule with placements shows them, and its fallback elsewhere', () => {
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

  it('a variant leaves out the rows that it leaves out', () => {
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

describe('for any customers', () => {
  const id = fc.string({ minLength: 1, maxLength: 20 });
  const percent = fc.integer({ min: 1, max: 100 });

  it('a larger percentage admits all of a smaller one', () => {
    fc.assert(
      fc.property(id, percent, percent, (key, a, b) => {
        const joins = (enrollmentPercentage: number): boolean =>
          sourceOf(
            { experiments: [experiment('e1', { enrollmentPercentage })] },
            { originalAppUserId: key },
          ) !== 'default';
        expect(joins(Math.max(a, b)) || !joins(Math.min(a, b))).toBe(true);
      }),
    );
  });

  it('a variant stays whatever becomes of weights and percentage', () => {
    fc.assert(
      fc.property(id, fc.integer({ min: 1, max: 99 }), percent, (key, weight, enrollmentPercentage) => {
        const first = decide(targetingOf({ experiments: [experiment('e1')] }), {
          request,
          facts: { ...facts, originalAppUserId: key },
          nowMs: 0,
          mayJoin: true,
        });
        if (first.source !== 'joins') throw new Error('everyone joins');
        const enrollments = [{ experimentId: 'e1', variant: first.variant }];
        const later = decide(
          targetingOf({
            experiments: [experiment('e1', { weights: [weight, 100 - weight], enrollmentPercentage })],
          }),
          { request, facts: { ...facts, originalAppUserId: key, enrollments }, nowMs: 0, mayJoin: true },
        );
        expect(later).toMatchObject({ source: 'enrolled', variant: first.variant });
      }),
    );
  });

  it('who is out of all experiments joins none, whatever the request says', () => {
    fc.assert(
      fc.property(
        id,
        percent,
        fc.integer({ min: 0, max: 50 }),
        fc.integer({ min: 0, max: 4_000 }),
        (key, share, holdout, firstSeenAtMs) => {
          const targeting = targetingOf({
            holdoutPercentage: holdout,
            experiments: [
              experiment('e1', { enrollmentPercentage: share }),
              experiment('e2', { enrollmentMode: 'new_and_existing', enrollmentPercentage: 20 }),
            ],
          });
          const known = { ...facts, originalAppUserId: key, firstSeenAtMs };
          const { source } = decide(targeting, { request, facts: known, nowMs: 0, mayJoin: true });
          expect(source === 'default').toBe(isOutOfAll(targeting, known));
        },
      ),
    );
  });

  it('two rules that no request meets both of may change places', () => {
    const country = (value: string) => [
      { field: 'country' as const, operator: 'in' as const, value: [value], context: null },
    ];
    const rules = [rule('us', { conditions: country('US') }), rule('de', { conditions: country('DE') })];
    fc.assert(
      fc.property(fc.constantFrom('US', 'DE', 'FR', null), (where) => {
        const answer = (list: TargetingRuleTerms[]) =>
          decide(targetingOf({ rules: list }), {
            request: { ...request, country: where },
            facts: null,
            nowMs: 0,
            mayJoin: true,
          });
        expect(answer(rules)).toEqual(answer([...rules].reverse()));
      }),
    );
  });

  it('two of one audience share the customers 50, 25 and 25', () => {
    const counts = { e1: 0, e2: 0, default: 0 };
    const experiments = [
      experiment('e1', { enrollmentPercentage: 50 }),
      experiment('e2', { enrollmentPercentage: 50 }),
    ];
    for (let index = 0; index < 4_000; index++) {
      const source = sourceOf({ experiments }, { originalAppUserId: `user_${index}` });
      counts[source.replace('joins ', '') as keyof typeof counts] += 1;
    }
    expect(counts.e1 / 4_000).toBeCloseTo(0.5, 1);
    expect(counts.e2 / 4_000).toBeCloseTo(0.25, 1);
    expect(counts.default / 4_000).toBeCloseTo(0.25, 1);
  });
});
