import type Stripe from 'stripe';
import { msOf } from './amounts.js';
import type { PaidAddOn, PaidPeriod } from './paid-periods.js';
import { idOf, type StripeLife } from './stripe-api.js';
import { baseItem, otherItems } from './subscription-items.js';

/** Ends the key of a first period that nobody was billed for. */
export const FREE_START = '.start';

/** Until the first time that anything was to be paid for; null: from the start, or nobody knows. */
function freeUntil({ subscription, invoices, hasMore }: StripeLife, first: PaidPeriod | null): number | null {
  const { start_date: start, billing_cycle_anchor: anchor, trial_start: trialStart } = subscription;
  if (hasMore || invoices.some(({ billing_reason: reason }) => reason === 'subscription_create')) return null;
  const endMs = Math.min(msOf(anchor), msOf(trialStart ?? Infinity), first?.startMs ?? Infinity);
  return endMs > msOf(start) ? endMs : null;
}

/** First periods without an invoice: a trial, or the time until a later date of renewal that is not charged. */
export function unbilledStart(life: StripeLife, billed: PaidPeriod[]): PaidPeriod[] {
  const { id, status, currency, start_date: start } = life.subscription;
  const item = baseItem(life.subscription);
  if (!item) return [];
  const place = {
    storeProductId: idOf(item.price.product) ?? '',
    planId: item.price.id,
    offerCode: null,
    isRenewal: false,
    price: { amountMicros: 0, currency: currency.toUpperCase(), source: 'store' as const },
    quantity: item.quantity ?? 1,
    ownership: 'purchased' as const,
    storeTransactionId: id,
    country: null,
    paidMicros: 0,
  };
  const periods: PaidPeriod[] = [];
  const endMs = freeUntil(life, billed[0] ?? null);
  if (endMs !== null) {
    const startMs = msOf(start);
    periods.push({ ...place, key: `${id}${FREE_START}`, kind: 'normal', startMs, endMs, invoices: [] });
  }
  if (status === 'trialing' && billed.length === 0) {
    const { current_period_start: from, current_period_end: to } = item;
    const term = { startMs: msOf(from), endMs: msOf(to) };
    periods.push({ ...place, key: `${id}.trial`, kind: 'trial', ...term, invoices: [] });
  }
  return periods;
}

/** Items that no invoice names yet: added in the middle of a period, used before they are billed, or on trial. */
export function unbilledAddOns(
  subscription: Stripe.Subscription,
  latest: PaidPeriod,
  billed: PaidAddOn[],
): PaidAddOn[] {
  const { offerCode, kind, isRenewal, price, ownership, storeTransactionId, country } = latest;
  return otherItems(subscription).flatMap((item): PaidAddOn[] => {
    const storeProductId = idOf(item.price.product) ?? '';
    const startMs = Math.max(latest.startMs, msOf(item.created));
    const endMs = Math.min(latest.endMs, msOf(item.current_period_end));
    const isBilled = billed.some(({ itemId }) => itemId === item.id);
    if (isBilled || startMs >= endMs || storeProductId === latest.storeProductId) return [];
    return [
      {
        key: `${latest.key}+${item.id}`,
        chargeKey: latest.key,
        itemId: item.id,
        storeProductId,
        planId: item.price.id,
        quantity: item.quantity ?? 1,
        startMs,
        endMs,
        price: { ...price, amountMicros: 0 },
        ...{ offerCode, kind, isRenewal, ownership, storeTransactionId, country },
      },
    ];
  });
}
