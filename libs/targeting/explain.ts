import { compileCondition } from './conditions.js';
import { type CustomerFacts, enrolledIn, refusalOf, type Refusal, type Targeting } from './decide.js';
import type { RuleState, TargetingRuleTerms } from './model.js';
import type { TargetingRequest } from './request.js';
import { stateAt } from './schedule.js';

export interface RuleExplanation {
  ruleId: string;
  state: RuleState;
  /** Index of the first condition that the request does not meet; null if it meets all. */
  failedCondition: number | null;
}

/** Evaluates a rule for a request. */
export function explainRule(
  terms: TargetingRuleTerms,
  request: TargetingRequest,
  nowMs: number,
): RuleExplanation {
  const failed = terms.conditions.findIndex((condition) => !compileCondition(condition, terms.id)(request));
  return {
    ruleId: terms.id,
    state: stateAt(terms, nowMs),
    failedCondition: failed === -1 ? null : failed,
  };
}

export interface ExperimentExplanation {
  experimentId: string;
  displayName: string;
  outcome: 'enrolled' | 'joins' | 'paused' | Refusal;
}

/** Evaluates the running and paused experiments for a customer, by priority. */
export function explainExperiments(
  targeting: Targeting,
  request: TargetingRequest,
  facts: CustomerFacts,
): ExperimentExplanation[] {
  const enrolled = enrolledIn(targeting, facts);
  let isTaken = false;
  return [...targeting.live.values()].map((experiment) => {
    const { id, displayName, status } = experiment.terms;
    const named = { experimentId: id, displayName };
    if (facts.overrideOfferingId !== null) return { ...named, outcome: 'override' };
    if (enrolled?.experimentId === id) return { ...named, outcome: 'enrolled' };
    if (status === 'paused') return { ...named, outcome: 'paused' };
    const refusal = refusalOf(targeting, experiment, request, facts);
    if (refusal !== null) return { ...named, outcome: refusal };
    const outcome = isTaken ? 'other_experiment' : 'joins';
    isTaken = true;
    return { ...named, outcome };
  });
}
