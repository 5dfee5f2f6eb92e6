import { bucketOf, variantBounds, variantIndex } from './bucket.js';
import { attributesAskedFor, compileConditions, type Predicate } from './conditions.js';
import { type ExperimentTerms, type TargetingRuleTerms, type VariantId, variantIds } from './model.js';
import type { TargetingRequest } from './request.js';
import { isLive } from './schedule.js';

export interface CompiledRule {
  terms: TargetingRuleTerms;
  matches: Predicate;
  asksForAttributes: boolean;
}

export interface CompiledExperiment {
  terms: ExperimentTerms;
  matches: Predicate;
  bounds: number[];
}

/** Compiled rules and experiments of one version of a project's catalog. */
export interface Targeting {
  projectId: string;
  holdoutPercentage: number;
  /** Active and scheduled rules, in order. */
  rules: readonly CompiledRule[];
  /** Running experiments, in order of priority. */
  running: readonly CompiledExperiment[];
  /** Running and paused experiments by id. */
  live: ReadonlyMap<string, CompiledExperiment>;
  /** Attributes used by any rule or running experiment. */
  attributes: readonly string[];
}

export interface TargetingTerms {
  holdoutPercentage: number;
  rules: readonly TargetingRuleTerms[];
  /** Sorted by priority. */
  experiments: readonly ExperimentTerms[];
}

function compileExperiment(terms: ExperimentTerms): CompiledExperiment {
  return {
    terms,
    matches: compileConditions(terms.conditions, terms.id),
    bounds: variantBounds(terms.offerings.length, terms.weights),
  };
}

export function compileTargeting(
  projectId: string,
  { holdoutPercentage, rules, experiments }: TargetingTerms,
): Targeting {
  const live = experiments.filter(({ status }) => status === 'running' || status === 'paused');
  const compiled = live.map(compileExperiment);
  const running = compiled.filter(({ terms }) => terms.status === 'running');
  const used = rules.filter(({ state }) => state !== 'inactive');
  const asking = [...used, ...running.map(({ terms }) => terms)];
  return {
    projectId,
    holdoutPercentage,
    rules: used.map((terms) => ({
      terms,
      matches: compileConditions(terms.conditions, terms.id),
      asksForAttributes: attributesAskedFor(terms.conditions).length > 0,
    })),
    running,
    live: new Map(compiled.map((experiment) => [experiment.terms.id, experiment])),
    attributes: [...new Set(asking.flatMap(({ conditions }) => attributesAskedFor(conditions)))],
  };
}

export interface Enrollment {
  experimentId: string;
  variant: VariantId;
}

/** Stored facts about a customer. */
export interface CustomerFacts {
  originalAppUserId: string;
  /** Null for an id that does not belong to a customer yet. */
  firstSeenAtMs: number | null;
  /** Null if the offering has since been archived. */
  overrideOfferingId: string | null;
  isBlocked: boolean;
  /** Includes stopped experiments, but not enrollments replaced by another; those are in `left`. */
  enrollments: readonly Enrollment[];
  /** Experiments whose enrollment no longer counts, after customers were merged. */
  left: readonly string[];
}

export type Decision =
  | { source: 'override'; offeringId: string }
  | { source: 'enrolled'; experiment: ExperimentTerms; variant: VariantId }
  | { source: 'joins'; experiment: ExperimentTerms; variant: VariantId }
  | { source: 'rule'; rule: TargetingRuleTerms }
  | { source: 'default' };

/** Reason why an experiment does not currently admit a customer. */
export type Refusal =
  | 'conditions'
  | 'percentage'
  | 'blocked'
  | 'override'
  | 'holdout'
  | 'other_experiment'
  | 'not_new'
  | 'was_in_it';

export function isHeldOut({ projectId, holdoutPercentage }: Targeting, key: string): boolean {
  return holdoutPercentage > 0 && bucketOf(projectId, 'holdout', key) < holdoutPercentage * 100;
}

function isLeftOut({ terms }: CompiledExperiment, key: string): boolean {
  return bucketOf(terms.id, 'enroll', key) >= terms.enrollmentPercentage * 100;
}

function isTooOld({ terms }: CompiledExperiment, { firstSeenAtMs }: CustomerFacts): boolean {
  return (
    terms.enrollmentMode === 'only_new' &&
    firstSeenAtMs !== null &&
    (terms.startedAtMs === null || firstSeenAtMs < terms.startedAtMs)
  );
}

function wasIn({ terms }: CompiledExperiment, { enrollments, left }: CustomerFacts): boolean {
  return left.includes(terms.id) || enrollments.some(({ experimentId }) => experimentId === terms.id);
}

/** Returns the customer's enrollment in a live experiment. */
export function enrolledIn(targeting: Targeting, facts: CustomerFacts): Enrollment | null {
  return facts.enrollments.find(({ experimentId }) => targeting.live.has(experimentId)) ?? null;
}

/**
 * Returns null if a running experiment admits the customer. Reasons are listed in the order in which they are checked.
 */
export function refusalOf(
  targeting: Targeting,
  experiment: CompiledExperiment,
  request: TargetingRequest,
  facts: CustomerFacts,
): Refusal | null {
  if (!experiment.matches(request)) return 'conditions';
  if (isLeftOut(experiment, facts.originalAppUserId)) return 'percentage';
  return standingRefusal(targeting, experiment, facts);
}

/** Checks only stored facts; repeated when the enrollment is written. */
export function standingRefusal(
  targeting: Targeting,
  experiment: CompiledExperiment,
  facts: CustomerFacts,
): Refusal | null {
  if (facts.isBlocked) return 'blocked';
  if (facts.overrideOfferingId !== null) return 'override';
  if (isHeldOut(targeting, facts.originalAppUserId)) return 'holdout';
  const current = enrolledIn(targeting, facts);
  if (current !== null && current.experimentId !== experiment.terms.id) return 'other_experiment';
  if (isTooOld(experiment, facts)) return 'not_new';
  return wasIn(experiment, facts) ? 'was_in_it' : null;
}

export function variantOf({ terms, bounds }: CompiledExperiment, key: string): VariantId {
  return variantIds[variantIndex(bounds, bucketOf(terms.id, 'variant', key))] as VariantId;
}

function ruleOrDefault(targeting: Targeting, { request, nowMs, isBlind = false }: Question): Decision {
  for (const { terms, matches, asksForAttributes } of targeting.rules) {
    if (isBlind && asksForAttributes) continue;
    if (isLive(terms, nowMs) && matches(request)) return { source: 'rule', rule: terms };
  }
  return { source: 'default' };
}

export interface Question {
  request: TargetingRequest;
  /** Null if nothing about the customer is known or relevant. */
  facts: CustomerFacts | null;
  nowMs: number;
  /** The caller is a device: requests from backends never enroll customers. */
  mayJoin: boolean;
  /** The customer's stored facts could not be read: rules that use attributes are skipped. */
  isBlind?: boolean;
}

/**
 * The first that applies: override, the customer's experiment, an experiment that admits, a rule, the current offering.
 */
export function decide(targeting: Targeting, question: Question): Decision {
  const { request, facts, mayJoin } = question;
  if (facts === null) return ruleOrDefault(targeting, question);
  if (facts.overrideOfferingId !== null) return { source: 'override', offeringId: facts.overrideOfferingId };
  const enrolled = enrolledIn(targeting, facts);
  const experiment = enrolled && targeting.live.get(enrolled.experimentId);
  if (enrolled && experiment)
    return { source: 'enrolled', experiment: experiment.terms, variant: enrolled.variant };
  if (mayJoin) {
    const admitting = targeting.running.find(
      (candidate) => refusalOf(targeting, candidate, request, facts) === null,
    );
    if (admitting) {
      const variant = variantOf(admitting, facts.originalAppUserId);
      return { source: 'joins', experiment: admitting.terms, variant };
    }
  }
  return ruleOrDefault(targeting, question);
}

/**
 * Whether no running experiment can ever admit the customer, whatever the request contains. Valid until the catalog
 * changes or the id belongs to another customer.
 */
export function isOutOfAll(targeting: Targeting, facts: CustomerFacts): boolean {
  const key = facts.originalAppUserId;
  if (isHeldOut(targeting, key)) return true;
  return targeting.running.every(
    (experiment) => isTooOld(experiment, facts) || wasIn(experiment, facts) || isLeftOut(experiment, key),
  );
}
