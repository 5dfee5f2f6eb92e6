import { msOf } from './amounts.js';
import type { PaidAddOn, PaidPeriod } from './paid-periods.js';
import { itemValue } from './period-terms.js';
import { idOf, type StripeHistory } from './stripe-api.js';
import { baseItem, otherItems } from './subscription-items.js';

/** Suffix of the keys of first periods without an invoice. */
const FREE_START = '.start';
const FREE_TRIAL = '.trial';

export function hasNoInvoice({ key }: PaidPeriod): boolean {
  return key.endsWith(FREE_START) || key.endsWith(FREE_TRIAL);
}

/** End of the free time before the first charge; null if there was a charge from the start, or the end is unknown. */
function freeUntil(
  { subscription, invoices, hasMore }: StripeHistory,
  first: PaidPeriod | null,
): number | null {
  const { start_date: start, billing_cycle_anchor: anchor, trial_start: trialStart } = subscription;
  if (hasMore || invoices.some(({ billing_reason: reason }) => reason === 'subscription_create')) return null;
  const endMs = Math.min(msOf(anchor), msOf(trialStart ?? Infinity), first?.startMs ?? Infinity);
  return endMs > msOf(start) ? endMs : null;
}

/** A trial that no invoice names. Reported after its end too, in case the server first sees it then. */
function unbilledTrial(
  { subscription, invoices, hasMore }: StripeHistory,
  billed: PaidPeriod[],
): { startMs: number; endMs: number } | null {
  const { status, trial_start: start, trial_end: end } = subscription;
  if (start === null || end === null || status.startsWith('incomplete')) return null;
  const isBilled = hasMore || invoices.some(({ billing_reason: reason }) => reason === 'subscription_create');
  if (isBilled && status !== 'trialing') return null;
  const [startMs, endMs] = [msOf(start), msOf(end)];
  return billed.some((period) => period.startMs < endMs) ? null : { startMs, endMs };
}

/** First periods without an invoice: a trial, or the free time until a later billing anchor. */
export function unbilledStart(history: StripeHistory, billed: PaidPeriod[]): PaidPeriod[] {
  const { id, currency, start_date: start } = history.subscription;
  const item = baseItem(history.subscription);
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
    line: null,
  };
  const periods: PaidPeriod[] = [];
  const endMs = freeUntil(history, billed[0] ?? null);
  if (endMs !== null) {
    const startMs = msOf(start);
    periods.push({ ...place, key: `${id}${FREE_START}`, kind: 'normal', startMs, endMs, invoices: [] });
  }
  const trial = unbilledTrial(history, billed);
  if (trial) periods.push({ ...place, key: `${id}${FREE_TRIAL}`, kind: 'trial', ...trial, invoices: [] });
  return periods;
}

/** Items that no invoice names yet: added during a period, used before they are billed, or in a trial. */
export function unbilledAddOns(history: StripeHistory, latest: PaidPeriod, billed: PaidAddOn[]): PaidAddOn[] {
  const { subscription } = history;
  const { offerCode, kind, isRenewal, price, ownership, storeTransactionId, country } = latest;
  return otherItems(subscription).flatMap((item): PaidAddOn[] => {
    const storeProductId = idOf(item.price.product) ?? '';
    const startMs = Math.max(latest.startMs, msOf(item.created));
    const endMs = Math.min(latest.endMs, msOf(item.current_period_end));
    const isBilled = billed.some(({ itemId }) => itemId === item.id);
    if (isBilled || startMs >= endMs || storeProductId === latest.storeProductId) return [];
    const valueMicros = startMs > latest.startMs ? itemValue(item, latest, history) : null;
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
        ...(valueMicros !== null && { valueMicros }),
        ...{ offerCode, kind, isRenewal, ownership, storeTransactionId, country },
      },
    ];
  });
}
