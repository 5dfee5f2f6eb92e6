// Not the index, which loads the libraries of all stores.
import { answerPreferences } from '../stores/index.js';
import { attributesAskedFor, type Predicate } from './conditions.js';
import { compileRefundConditions, type RefundCondition, type RefundSubject } from './refund-conditions.js';
import { type RefundFacts, requestOf } from './refund-facts.js';

/** Stores that ask before they decide about refunds and chargebacks. */
export const refundStores = ['app_store', 'play_store'] as const;
export type RefundStore = (typeof refundStores)[number];

export const refundPreferences = [...answerPreferences, 'do_not_answer'] as const;
export type RefundPreference = (typeof refundPreferences)[number];

export interface RefundPolicyTerms {
  id: string;
  displayName: string;
  conditions: readonly RefundCondition[];
  stores: readonly RefundStore[];
  preference: RefundPreference;
  /** Minutes that the answer waits for a person. */
  holdMinutes: number;
}

interface CompiledRefundPolicy {
  terms: RefundPolicyTerms;
  matches: Predicate<RefundSubject>;
}

export interface CompiledRefundPolicies {
  /** In order of evaluation. */
  policies: readonly CompiledRefundPolicy[];
  /** Decides when no other policy matches. */
  fallback: RefundPolicyTerms;
  /** Names of the attributes used by any policy. */
  attributes: readonly string[];
}

export interface MatchedPolicy {
  policyId: string;
  policyName: string;
  preference: RefundPreference;
  holdMinutes: number;
}

/** @param inOrder at least one policy, in order of evaluation. The last one decides what the others do not. */
export function compileRefundPolicies(inOrder: readonly RefundPolicyTerms[]): CompiledRefundPolicies {
  const ordered = inOrder.slice(0, -1);
  const fallback = inOrder[inOrder.length - 1] as RefundPolicyTerms;
  return {
    policies: ordered.map((terms) => ({
      terms,
      matches: compileRefundConditions(terms.conditions, terms.id),
    })),
    fallback,
    attributes: [...new Set(ordered.flatMap(({ conditions }) => attributesAskedFor(conditions)))],
  };
}

/** Returns the first policy whose store and conditions match, or the default one. */
export function firstMatch(
  { policies, fallback }: CompiledRefundPolicies,
  store: RefundStore,
  facts: RefundFacts,
): MatchedPolicy {
  const subject = { facts, request: requestOf(facts) };
  const matched = policies.find(({ terms, matches }) => terms.stores.includes(store) && matches(subject));
  const { id, displayName, preference, holdMinutes } = matched?.terms ?? fallback;
  return { policyId: id, policyName: displayName, preference, holdMinutes };
}
