import { type Chain, type ChainFacts, type Observation, viewChain } from '../../engine/index.js';
import { addPeriods } from '../../kernel/index.js';
import { chargeFailed, periodOf, renewalTurnedOff, renewed, type Terms } from './statements.js';

/**
 * What becomes of a period of a subscription: it is renewed at its end; it is cancelled halfway, and ends; the charge
 * for the next one fails, for good; the charge fails, and succeeds a day later.
 */
export const planOutcomes = ['renew', 'cancel', 'billing_issue', 'billing_recovery'] as const;
export type PlanOutcome = (typeof planOutcomes)[number];

/** The outcomes of a subscription's periods, first to last; the last one stands for all further ones. Never empty. */
export type Plan = readonly PlanOutcome[];

export interface PlanTerms extends Terms {
  /** ISO 8601; null: access ends with a failed charge. */
  graceDuration: string | null;
}

/** Something that the store says at a moment, or at any later one at which it is asked. */
export interface PlannedStatement {
  atMs: number;
  say: (atMs: number) => Observation<ChainFacts>;
}

const RECOVERED_AFTER_MS = 86_400_000;

/**
 * What the Test Store says next of a subscription by a plan; null when it has nothing more to say. Pure.
 * @throws RangeError when the chain has no period
 */
export function plannedStatement(
  { chainKey, facts, memory }: Pick<Chain, 'chainKey' | 'facts' | 'memory'>,
  plan: Plan,
  terms: PlanTerms,
): PlannedStatement | null {
  const view = viewChain(facts);
  const { latest, renewal, inTrouble, all } = view;
  const { startMs, endMs } = latest;
  const isOver = !memory.accessOpen && !inTrouble;
  if (endMs === null || isOver || !renewal.autoRenew || view.cut !== null || view.pending) return null;
  const outcome = plan[Math.min(all.length, plan.length) - 1];
  const renew = (atMs: number, from: number) => renewed(facts, chainKey, terms, { atMs, startMs: from });
  if (inTrouble) {
    if (outcome !== 'billing_recovery') return null;
    const coveredUntilMs = view.graceEndsAtMs ?? endMs;
    return {
      atMs: (renewal.billingIssueAtMs ?? endMs) + RECOVERED_AFTER_MS,
      // Who had access all the time goes on from the old end; who had lost it begins anew.
      say: (atMs) => renew(atMs, atMs < coveredUntilMs ? endMs : atMs),
    };
  }
  if (outcome === 'cancel') {
    return { atMs: Math.floor((startMs + endMs) / 2), say: (atMs) => renewalTurnedOff(facts, atMs) };
  }
  if (outcome === 'billing_issue' || outcome === 'billing_recovery') {
    const { graceDuration } = terms;
    const graceUntilMs = graceDuration === null ? null : addPeriods(endMs, periodOf(graceDuration));
    return { atMs: endMs, say: (atMs) => chargeFailed(facts, atMs, graceUntilMs) };
  }
  return { atMs: endMs, say: (atMs) => renew(atMs, endMs) };
}
