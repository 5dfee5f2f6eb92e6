import { type Subscription, viewSubscription, type StoreReport } from '../../engine/index.js';
import { addPeriods } from '../../kernel/index.js';
import { gracePeriod } from './durations.js';
import { chargeFailed, renewalTurnedOff, renewed, type Terms } from './statements.js';

/**
 * Outcomes of a subscription's period: it renews at its end; it is cancelled halfway and ends; the charge for the next
 * one fails for good; the charge fails and succeeds a day later.
 */
export const planOutcomes = ['renew', 'cancel', 'billing_issue', 'billing_recovery'] as const;
export type PlanOutcome = (typeof planOutcomes)[number];

/** The outcomes of the periods in order; the last one repeats. Never empty. */
export type Plan = readonly PlanOutcome[];

export interface PlanTerms extends Terms {
  /** ISO 8601; null means that access ends with a failed charge. */
  graceDuration: string | null;
}

export interface RenewalLimits {
  /** The last renewal turns auto-renew off. Default: unlimited. */
  maxRenewals?: number;
  /**
   * How long before the end of a period the next one is reported, in ms; never before the period starts. Default: 0.
   */
  aheadMs?: number;
}

const RECOVERED_AFTER_MS = 86_400_000;

/**
 * The next statement; null if there is none. A pause lasts as long as announced, whatever the plan. Pure.
 * @throws RangeError if the subscription has no period
 */
export function plannedStatement(
  { storeKey, facts, emitted }: Pick<Subscription, 'storeKey' | 'facts' | 'emitted'>,
  plan: Plan,
  terms: PlanTerms,
  { maxRenewals = Infinity, aheadMs = 0 }: RenewalLimits = {},
): StoreReport | null {
  const view = viewSubscription(facts);
  const { latest, renewal, hasBillingIssue, all } = view;
  const { startMs, endMs } = latest;
  const { pauseScheduled, paused, autoResumeAtMs } = renewal;
  const pauses = pauseScheduled || paused;
  const isOver = !emitted.accessOpen && !hasBillingIssue && !pauses;
  if (endMs === null || isOver || !renewal.autoRenew || view.cut !== null || view.pending) return null;
  // The first period is not a renewal.
  if (all.length > maxRenewals) return null;
  const isLast = all.length === maxRenewals;
  const renew = (atMs: number, from: number) =>
    renewed(facts, storeKey, terms, { atMs, startMs: from, isLast });
  if (pauses) {
    if (autoResumeAtMs === null) return null;
    return { atMs: autoResumeAtMs, observe: (atMs) => renew(atMs, autoResumeAtMs) };
  }
  const outcome = plan[Math.min(all.length, plan.length) - 1];
  if (hasBillingIssue) {
    if (outcome !== 'billing_recovery') return null;
    const coveredUntilMs = view.graceEndsAtMs ?? endMs;
    return {
      atMs: (renewal.billingIssueAtMs ?? endMs) + RECOVERED_AFTER_MS,
      // If access never ended, the new period starts at the old end, otherwise now.
      observe: (atMs) => renew(atMs, atMs < coveredUntilMs ? endMs : atMs),
    };
  }
  if (outcome === 'cancel') {
    return { atMs: Math.floor((startMs + endMs) / 2), observe: (atMs) => renewalTurnedOff(facts, atMs) };
  }
  if (outcome === 'billing_issue' || outcome === 'billing_recovery') {
    const { graceDuration, product } = terms;
    const graceUntilMs =
      graceDuration === null ? null : addPeriods(endMs, gracePeriod(product, graceDuration));
    return { atMs: endMs, observe: (atMs) => chargeFailed(facts, atMs, graceUntilMs) };
  }
  return { atMs: Math.max(startMs, endMs - aheadMs), observe: (atMs) => renew(atMs, endMs) };
}
