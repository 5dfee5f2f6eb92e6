import {
  type OneTimeFacts,
  type PeriodFact,
  type SubscriptionFacts,
  paidYearEndsAt,
  type Store,
} from '../../../libs/engine/index.js';
import { commissionBps, type CommissionTerms } from '../../../libs/money/index.js';
import type { CommissionAgreement } from '../../catalog/snapshot/catalog.model.js';

/** The store's commission on a sale at a time (epoch ms), in basis points. */
export type SaleCommission = (soldAtMs: number) => number;

const ALL_BPS = 10_000;

function termsOf(
  agreement: CommissionAgreement | null,
  soldAtMs: number,
): Pick<CommissionTerms, 'smallBusiness' | 'agreedBps'> {
  const { smallBusinessSinceMs = null, agreedBps = null } = agreement ?? {};
  return {
    smallBusiness: smallBusinessSinceMs !== null && soldAtMs >= smallBusinessSinceMs,
    ...(agreedBps !== null && { agreedBps }),
  };
}

/** The fee that the store reported, as a share of the price; null if it reported none. */
function namedBps({ feeMicros, price }: Pick<PeriodFact, 'feeMicros' | 'price'>): number | null {
  if (feeMicros === undefined || price.amountMicros === null || price.amountMicros === 0) return null;
  return Math.max(0, Math.min(ALL_BPS, Math.round((feeMicros * ALL_BPS) / price.amountMicros)));
}

export function subscriptionCommission(
  store: Store,
  facts: SubscriptionFacts,
  agreement: CommissionAgreement | null,
): SaleCommission {
  const paidYearMs = paidYearEndsAt(facts);
  const named = new Map<number, number>();
  for (const { value } of Object.values(facts.extras ?? {})) {
    const bps = namedBps(value);
    if (bps !== null) named.set(value.paidAtMs, bps);
  }
  for (const { value } of Object.values(facts.periods)) {
    const bps = namedBps(value);
    if (bps !== null) named.set(value.startMs, bps);
  }
  return (soldAtMs) =>
    named.get(soldAtMs) ??
    commissionBps(store, {
      ...termsOf(agreement, soldAtMs),
      afterFirstPaidYear: paidYearMs !== null && soldAtMs >= paidYearMs,
    });
}

export function oneTimeCommission(
  store: Store,
  { purchase }: Pick<OneTimeFacts, 'purchase'>,
  agreement: CommissionAgreement | null,
): SaleCommission {
  const named = purchase && namedBps(purchase.value);
  return (soldAtMs) =>
    named ?? commissionBps(store, { ...termsOf(agreement, soldAtMs), product: 'one_time' });
}
