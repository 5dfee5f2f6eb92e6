import type { PeriodFact, SubscriptionFacts } from '../../engine/index.js';
import { isTransactionId } from './payload-rules.js';
import { isAssigned } from './refund-facts.js';
import type { SignedTransaction } from './signed-data.js';

/**
 * The original id of the subscription that a customer left for this one: a switch to a bundle, or back, starts a new
 * one. Members of a group did not buy theirs, and Xcode's ids are not unique.
 */
export function previousIdOf(transaction: SignedTransaction): string | null {
  const { previousOriginalTransactionId: previous, originalTransactionId, environment } = transaction;
  if (environment === 'Xcode' || isAssigned(transaction)) return null;
  return isTransactionId(previous) && previous !== originalTransactionId ? previous : null;
}

export function bundleFact(transaction: SignedTransaction): Pick<PeriodFact, 'bundle'> {
  const { bundleProductId } = transaction;
  if (typeof bundleProductId !== 'string') return {};
  return { bundle: { storeProductId: bundleProductId, previousKey: previousIdOf(transaction) } };
}

/** The purchase as a part of the subscription that it continues. */
export function continuationFact(
  key: string,
  { originalPurchaseDate: sinceMs }: SignedTransaction,
): Pick<SubscriptionFacts, 'continuations'> {
  return { continuations: { [key]: { at: sinceMs, src: 'signed', value: { sinceMs } } } };
}

/**
 * Marks a report about renewal with the start of its period if the subscription consists of several purchases: each has
 * a renewal of its own, and the App Store continues to report those of former ones.
 */
export function withRenewalPeriod(facts: SubscriptionFacts, known: SubscriptionFacts): SubscriptionFacts {
  const { renewal, periods, continuations = known.continuations } = facts;
  if (!renewal || !continuations) return facts;
  const reported = Object.entries(periods).sort(([, a], [, b]) => b.value.startMs - a.value.startMs);
  const periodKey = renewal.value.periodKey ?? reported[0]?.[0];
  if (periodKey === undefined) return facts;
  const periodStartMs = (periods[periodKey] ?? known.periods[periodKey])?.value.startMs;
  return { ...facts, renewal: { ...renewal, value: { ...renewal.value, periodKey, periodStartMs } } };
}
