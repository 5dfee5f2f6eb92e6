import {
  compileTargeting,
  type ExperimentTerms,
  type TargetingRuleTerms,
} from '../../../libs/targeting/index.js';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import { workflowsOf } from './remote-config.policy.js';

const rule: TargetingRuleTerms = {
  id: 'r1',
  state: 'active',
  schedule: null,
  offeringId: 'ruled',
  conditions: [],
  placements: {
    fallbackOfferingId: 'fallback',
    offerings: [{ placementIdentifier: 'p', offeringId: 'placed' }],
  },
  revision: 1,
};
const experiment: ExperimentTerms = {
  id: 'e1',
  displayName: 'x',
  status: 'running',
  offerings: ['a', 'b'],
  enrollmentPercentage: 100,
  enrollmentMode: 'only_new',
  weights: null,
  conditions: [],
  placements: {
    fallback: { a: 'fa', b: null },
    offerings: [{ placementIdentifier: 'p', offerings: { b: 'pb' } }],
  },
  startedAtMs: 1,
};

/** A catalog whose offerings each have a paywall, the newest first. */
function catalogOf(
  offerings: string[],
  currentId?: string,
  terms: Partial<Parameters<typeof compileTargeting>[1]> = {},
) {
  return {
    currentOffering: currentId === undefined ? undefined : { id: currentId },
    targeting: compileTargeting('proj1', { holdoutPercentage: 0, rules: [], experiments: [], ...terms }),
    offerings: new Map(offerings.map((id) => [id, { id, lookupKey: `key_${id}` }])),
    servedPaywalls: offerings.map((id) => ({ id: `pw_${id}`, offeringId: id, ref: `ref_${id}` })),
  } as unknown as Catalog;
}

const summary = (catalog: Catalog) =>
  workflowsOf(catalog).map(({ paywallId, prefetch }) => `${paywallId}${prefetch ? '!' : ''}`);

describe('workflows of a catalog', () => {
  it('starts with that of the current offering', () => {
    expect(workflowsOf(catalogOf(['x', 'y'], 'y'))).toEqual([
      { paywallId: 'pw_y', offeringIdentifier: 'key_y', ref: 'ref_y', prefetch: true },
      { paywallId: 'pw_x', offeringIdentifier: 'key_x', ref: 'ref_x', prefetch: false },
    ]);
    expect(summary(catalogOf(['x', 'y']))).toEqual(['pw_x', 'pw_y']);
  });

  it('marks for prefetching what rules, placements and experiments may show', () => {
    const offerings = ['ruled', 'fallback', 'placed', 'a', 'b', 'fa', 'pb', 'other'];
    const terms = { rules: [rule], experiments: [experiment] };
    expect(summary(catalogOf(offerings, undefined, terms))).toEqual(
      offerings.map((id) => `pw_${id}${id === 'other' ? '' : '!'}`),
    );
    const ended = { experiments: [{ ...experiment, status: 'stopped' as const }] };
    expect(summary(catalogOf(['a', 'b'], undefined, ended))).toEqual(['pw_a', 'pw_b']);
  });
});
