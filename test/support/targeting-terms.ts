import {
  compileTargeting,
  type CustomerFacts,
  decide,
  type Targeting,
  type TargetingTerms,
} from '../../libs/targeting/decide.js';
import type { ExperimentTerms, TargetingRuleTerms } from '../../libs/targeting/model.js';
import { noAttributes, type TargetingRequest } from '../../libs/targeting/request.js';

/* Terms, facts and a request that tests change as they need. */

export const request: TargetingRequest = {
  appUserId: 'user_1',
  appId: 'app1',
  country: 'US',
  platform: 'ios',
  appVersion: '1.0',
  sdkFlavor: 'ios',
  sdkVersion: '5.0',
  attributes: noAttributes,
};

export const facts: CustomerFacts = {
  originalAppUserId: 'user_1',
  firstSeenAtMs: 2_000,
  overrideOfferingId: null,
  isBlocked: false,
  enrollments: [],
  left: [],
};

export const rule = (id: string, change: Partial<TargetingRuleTerms> = {}): TargetingRuleTerms => ({
  id,
  state: 'active',
  schedule: null,
  offeringId: `offering of ${id}`,
  conditions: [],
  placements: null,
  revision: 1,
  ...change,
});

export const experiment = (id: string, change: Partial<ExperimentTerms> = {}): ExperimentTerms => ({
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

export const targetingOf = (terms: Partial<TargetingTerms>): Targeting =>
  compileTargeting('proj1', { holdoutPercentage: 0, rules: [], experiments: [], ...terms });

export const sourceOf = (
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
