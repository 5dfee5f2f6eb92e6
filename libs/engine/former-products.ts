import { effectiveFacts } from './effective-facts.js';
import type { SubscriptionFacts } from './facts.model.js';
import type { SubscriptionState } from './model.js';
import { countingPeriods, type KeyedPeriod, orderedPeriods, revocationOf } from './periods.js';

function endOf(facts: SubscriptionFacts, { key, endMs }: KeyedPeriod, takenOverAtMs: number): number {
  return revocationOf(facts, key)?.revokedAtMs ?? Math.min(endMs ?? takenOverAtMs, takenOverAtMs);
}

/**
 * The products that a subscription had before its current one, each with its own latest period. None gives access: each
 * ended when the next product replaced it, or earlier.
 */
export function formerProducts(known: SubscriptionFacts, state: SubscriptionState): SubscriptionState[] {
  const facts = effectiveFacts(known);
  const isOther = ({ storeProductId }: { storeProductId: string }): boolean =>
    storeProductId !== state.storeProductId;
  // Nearly every subscription has only one product.
  if (!Object.values(facts.periods).some(({ value }) => isOther(value))) return [];
  const periods = countingPeriods(facts, orderedPeriods(facts));
  const current = periods.findLastIndex(
    (period) => !isOther(period) && period.startMs === state.periodStartedAtMs,
  );
  const former = new Map<string, SubscriptionState>();
  periods.slice(0, Math.max(current, 0)).forEach((period, index) => {
    const { storeProductId } = period;
    if (!isOther(period)) return;
    const next = periods.slice(index + 1).find((one) => one.storeProductId !== storeProductId);
    const takenOverAtMs = next?.startMs ?? state.periodStartedAtMs;
    const revocation = revocationOf(facts, period.key);
    former.set(storeProductId, {
      ...state,
      status: 'expired',
      autoRenewalStatus: 'will_not_renew',
      givesAccess: false,
      startedAtMs: former.get(storeProductId)?.startedAtMs ?? period.startMs,
      periodStartedAtMs: period.startMs,
      periodEndsAtMs: period.endMs,
      accessEndsAtMs: endOf(facts, period, takenOverAtMs),
      graceEndsAtMs: null,
      billingIssueAtMs: null,
      unsubscribeAtMs: takenOverAtMs,
      refundedAtMs: revocation === null || revocation.kind === 'family' ? null : revocation.revokedAtMs,
      autoResumeAtMs: null,
      periodType: period.kind,
      ownership: period.ownership,
      storeProductId,
      planId: period.planId,
      price: period.price,
      country: period.country,
      latestStoreTransactionId: period.storeTransactionId,
      addOns: [],
    });
  });
  return [...former.values()];
}
