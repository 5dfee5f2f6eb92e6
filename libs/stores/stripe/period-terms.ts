import type Stripe from 'stripe';
import type { PeriodTerms } from '../../engine/index.js';
import { microsOf, msOf } from './amounts.js';
import { factorOf, isProration, moneyOf } from './invoice-money.js';
import type { PaidPeriod } from './paid-periods.js';
import { idOf, type StripeHistory } from './stripe-api.js';
import { baseItem, isMetered, itemOf } from './subscription-items.js';

type Line = Stripe.InvoiceLineItem;

/** Price of a whole period of an item before discounts and taxes; null if it has tiers. */
function listMicros({ price, quantity }: Stripe.SubscriptionItem): number | null {
  const unit = price.unit_amount_decimal ?? price.unit_amount ?? null;
  return unit === null ? null : microsOf(Number(String(unit)), price.currency) * (quantity ?? 1);
}

/** The ratio of cost to price, from the line that billed the period. */
function usualFactor({ line, invoices }: PaidPeriod, { subscription }: StripeHistory): number {
  const [invoice] = invoices;
  const money = line && invoice ? moneyOf(invoice).get(line) : undefined;
  const item = baseItem(subscription);
  const isDiscounted = (subscription.discounts ?? []).length + (item?.discounts ?? []).length > 0;
  return line && money ? factorOf(line, money, isDiscounted) : 1;
}

/** Price of a whole period of an item that was added during one. */
export function itemValue(
  item: Stripe.SubscriptionItem,
  period: PaidPeriod,
  history: StripeHistory,
): number | null {
  const micros = isMetered(item) ? null : listMicros(item);
  return micros === null ? null : Math.round(micros * usualFactor(period, history));
}

/** Price of a whole period, from a line that bills the rest of it: the line's price, else the billed part scaled up. */
function wholeMicros(
  { amount, quantity, period, pricing }: Line,
  currency: string,
  lengthMs: number,
): number {
  const unit = Number(String(pricing?.unit_amount_decimal ?? NaN)) * (quantity ?? 1);
  if (Number.isFinite(unit) && unit > amount) return microsOf(unit, currency);
  return (microsOf(amount, currency) * lengthMs) / (msOf(period.end) - msOf(period.start));
}

interface Change {
  invoice: Stripe.Invoice;
  line: Line;
}

/** The lines that bill the base product from a change on, by the time of the change. */
function changesWithin({ startMs, endMs, line: own }: PaidPeriod, { invoices, subscription }: StripeHistory) {
  const item = own ? itemOf(own) : (baseItem(subscription)?.id ?? null);
  const changes = new Map<number, Change>();
  for (const invoice of invoices) {
    for (const line of invoice.lines.data) {
      const sinceMs = msOf(line.period.start);
      const isWithin = sinceMs > startMs && sinceMs < endMs;
      if (!isProration(line) || itemOf(line) !== item || line.amount < 0 || !isWithin) continue;
      const known = changes.get(sinceMs);
      if (!known || line.amount > known.line.amount) changes.set(sinceMs, { invoice, line });
    }
  }
  return [...changes].sort(([a], [b]) => a - b);
}

function isSame(a: PeriodTerms, { planId, quantity }: Pick<PeriodTerms, 'planId' | 'quantity'>): boolean {
  return a.planId === planId && a.quantity === quantity;
}

/**
 * The terms of a period, each with its price for a whole one; null if nothing changed. `item` is the base item while
 * the period is running: changes that only it shows happened by `at`.
 */
export function termsOf(
  period: PaidPeriod,
  history: StripeHistory,
  item: Stripe.SubscriptionItem | null,
  at: number,
): PeriodTerms[] | null {
  const { kind, startMs, endMs, storeProductId, planId, quantity } = period;
  const base = baseItem(history.subscription);
  if (kind === 'trial' || (base && isMetered(base))) return null;
  const terms: PeriodTerms[] = [{ sinceMs: startMs, storeProductId, planId, quantity, valueMicros: null }];
  const list = item && listMicros(item);
  for (const [sinceMs, { invoice, line }] of changesWithin(period, history)) {
    const { price, product } = line.pricing?.price_details ?? {};
    const sold = {
      storeProductId: product ?? '',
      planId: idOf(price),
      quantity: line.quantity ?? 1,
    };
    const before = terms.at(-1);
    if (before && isSame(before, sold)) continue;
    const isCurrent = item?.price.id === sold.planId && (item.quantity ?? 1) === sold.quantity;
    const money = moneyOf(invoice).get(line);
    const factor = money ? factorOf(line, money, true) : 1;
    const micros = (isCurrent ? list : null) ?? wholeMicros(line, invoice.currency, endMs - startMs);
    terms.push({ ...sold, sinceMs, valueMicros: Math.round(micros * factor) });
  }
  const last = terms.at(-1);
  if (item && last && !isSame(last, { planId: item.price.id, quantity: item.quantity ?? 1 })) {
    terms.push({
      sinceMs: Math.min(at, endMs),
      storeProductId: idOf(item.price.product) ?? '',
      planId: item.price.id,
      quantity: item.quantity ?? 1,
      valueMicros: list === null ? null : Math.round(list * usualFactor(period, history)),
    });
  }
  return terms.length > 1 ? terms : null;
}
