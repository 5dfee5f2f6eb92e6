import { attributesAskedFor, type Predicate } from './conditions.js';
import { conditionFields } from './model.js';
import {
  checkedRefundConditions,
  compileRefundConditions,
  type RefundCondition,
  type RefundConditionScope,
  type RefundSubject,
} from './refund-conditions.js';
import { type RefundFacts, requestOf } from './refund-facts.js';

/** Fields of conditions that are known when a customer is about to cancel. */
export const retentionConditionFields = [
  ...conditionFields,
  'product',
  'days_since_purchase',
  'paid_periods',
  'lifetime_usd',
] as const;
type RetentionConditionField = (typeof retentionConditionFields)[number];

/** Facts about a subscription whose customer may cancel, under the names of the condition fields. Absent: unknown. */
export type RetentionFacts = Omit<RefundFacts, 'refund_reason'>;

/** Validates the conditions of a retention rule. @throws ConditionProblem for the first invalid one */
export function checkedRetentionConditions(given: unknown, scope: RefundConditionScope): RefundCondition[] {
  return checkedRefundConditions(given, { ...scope, fields: retentionConditionFields });
}

export interface RetentionRuleTerms {
  id: string;
  conditions: readonly RefundCondition[];
}

export interface CompiledRetentionRules<Terms extends RetentionRuleTerms> {
  /** In order of evaluation. */
  rules: readonly { terms: Terms; matches: Predicate<RefundSubject> }[];
  /** Names of the attributes used by any rule. */
  attributes: readonly string[];
  usesLifetime: boolean;
}

/** @param ordered in order of evaluation */
export function compileRetentionRules<Terms extends RetentionRuleTerms>(
  ordered: readonly Terms[],
): CompiledRetentionRules<Terms> {
  const conditions = ordered.flatMap((terms) => terms.conditions);
  const lifetime: RetentionConditionField = 'lifetime_usd';
  return {
    rules: ordered.map((terms) => ({
      terms,
      matches: compileRefundConditions(terms.conditions, terms.id),
    })),
    attributes: [...new Set(attributesAskedFor(conditions))],
    usesLifetime: conditions.some(({ field }) => field === lifetime),
  };
}

/** Returns the rules whose conditions match, in order: the first one that can be carried out decides. */
export function matchingRules<Terms extends RetentionRuleTerms>(
  { rules }: CompiledRetentionRules<Terms>,
  known: RetentionFacts,
): Terms[] {
  const facts: RefundFacts = { ...known, refund_reason: 'NONE' };
  const subject = { facts, request: requestOf(facts) };
  return rules.filter(({ matches }) => matches(subject)).map(({ terms }) => terms);
}
