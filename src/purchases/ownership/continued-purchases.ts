import { mergeSubscriptionFacts, type SubscriptionFacts } from '../../../libs/engine/index.js';
import type { VerifiedPurchase } from '../../../libs/stores/index.js';
import {
  owns,
  type PurchasePlace,
  withoutContinued,
} from '../../customers/customers/customer-info/customer-purchases.js';
import type { CustomerRow } from '../../customers/customers/identity/customer-state.js';
import { completedReport } from './completed-report.js';

/**
 * The purchase with those of the same report that continue it and are still unknown, so that the end of one does not
 * count as the end of the subscription.
 */
export function withContinuations(
  purchase: VerifiedPurchase,
  purchases: readonly VerifiedPurchase[],
  place: PurchasePlace,
  owners: readonly CustomerRow[],
): VerifiedPurchase {
  const { key } = purchase;
  const next = purchases.find(({ namedByStore, continues }) => namedByStore && continues === key);
  if (!next || owners.some((row) => owns(row, place, withoutContinued(next)))) return purchase;
  const later = withContinuations(next, purchases, place, owners);
  if (purchase.kind !== 'subscription' || later.kind !== 'subscription') return purchase;
  const [own, more] = [purchase.observation, later.observation];
  const settle = (_: SubscriptionFacts, known: SubscriptionFacts): SubscriptionFacts => {
    const first = completedReport(purchase, mergeSubscriptionFacts(known, more.facts));
    const second = completedReport(later, mergeSubscriptionFacts(known, own.facts));
    return mergeSubscriptionFacts(first.facts, second.facts);
  };
  const facts = mergeSubscriptionFacts(own.facts, more.facts);
  return { ...purchase, observation: { atMs: Math.max(own.atMs, more.atMs), facts }, settle };
}
