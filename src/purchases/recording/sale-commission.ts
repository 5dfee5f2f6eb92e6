import { type SubscriptionFacts, paidYearEndsAt, type Store } from '../../../libs/engine/index.js';
import { commissionBps } from '../../../libs/money/index.js';

/** The store's commission on a sale at a time (epoch ms), in basis points. */
export type SaleCommission = (soldAtMs: number) => number;

export function subscriptionCommission(store: Store, facts: SubscriptionFacts): SaleCommission {
  const paidYearMs = paidYearEndsAt(facts);
  return (soldAtMs) =>
    commissionBps(store, { afterFirstPaidYear: paidYearMs !== null && soldAtMs >= paidYearMs });
}

export function oneTimeCommission(store: Store): SaleCommission {
  const bps = commissionBps(store, { product: 'one_time' });
  return () => bps;
}
