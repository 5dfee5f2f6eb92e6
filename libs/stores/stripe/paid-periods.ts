import type Stripe from 'stripe';
import type { PeriodFact } from '../../engine/index.js';
import { alpha2Country } from '../../kernel/index.js';
import { microsOf, msOf } from './amounts.js';
import { idOf, type StripeHistory } from './stripe-api.js';
import {
  baseItem,
  beginOf,
  isMetered,
  itemOf,
  linesInAdvance,
  otherItems,
  shareOf,
} from './subscription-items.js';
import { unbilledAddOns, unbilledStart } from './unbilled-periods.js';

export interface PaidPeriod extends PeriodFact {
  key: string;
  endMs: number;
  /** All that was paid within it: its own invoice, and those for changes in the middle. */
  invoices: Stripe.Invoice[];
  /** The same in micros, and the part that is for add-ons. */
  paidMicros: number;
}

/** A further product of a subscription with several items. */
export interface PaidAddOn extends PeriodFact {
  key: string;
  endMs: number;
  /** Key of the period paid for together with it, else of its own invoice. */
  chargeKey: string;
  itemId: string | null;
}

export interface Paid {
  periods: PaidPeriod[];
  addOns: PaidAddOn[];
  /** Invoices that paid for add-ons only. */
  aloneInvoices: Stripe.Invoice[];
}

function factOf(
  invoice: Stripe.Invoice,
  line: Stripe.InvoiceLineItem,
  { trial_end: trialEnd }: Stripe.Subscription,
): Omit<PaidPeriod, 'key' | 'invoices' | 'paidMicros'> {
  const { start, end } = line.period;
  const { product, price } = line.pricing?.price_details ?? {};
  // Not by the amount paid: a set-up fee, or another item, may be on the same invoice.
  const isTrial = line.amount === 0 && trialEnd !== null && start < trialEnd;
  return {
    storeProductId: product ?? '',
    planId: idOf(price),
    offerCode: null,
    kind: isTrial ? 'trial' : 'normal',
    isRenewal: invoice.billing_reason !== 'subscription_create',
    startMs: msOf(start),
    endMs: msOf(end),
    price: { amountMicros: 0, currency: invoice.currency.toUpperCase(), source: 'store' },
    quantity: line.quantity ?? 1,
    ownership: 'purchased',
    storeTransactionId: invoice.id ?? '',
    country: alpha2Country(invoice.customer_address?.country),
  };
}

/** Of the items besides the base product, only what is billed in advance is a period; metered usage is only money. */
function divided(
  subscription: Stripe.Subscription,
  invoice: Stripe.Invoice,
): { base: Stripe.InvoiceLineItem | null; others: Stripe.InvoiceLineItem[] } {
  const base = baseItem(subscription);
  const others = otherItems(subscription);
  const { ended_at: endedAt } = subscription;
  const lines = linesInAdvance(invoice).filter((line) => {
    const item = [base, ...others].find((one) => one?.id === itemOf(line));
    if (!item || !isMetered(item)) return true;
    return item === base && (endedAt === null || beginOf(invoice, line) < endedAt);
  });
  const isOther = (line: Stripe.InvoiceLineItem): boolean => others.some(({ id }) => id === itemOf(line));
  const ofBase =
    lines.find((line) => itemOf(line) === base?.id) ?? lines.find((line) => !isOther(line)) ?? null;
  const product = ofBase?.pricing?.price_details?.product;
  const rest = lines.filter((line) => line !== ofBase && line.pricing?.price_details?.product !== product);
  return { base: ofBase, others: rest };
}

function paidBy(invoice: Stripe.Invoice, subscription: Stripe.Subscription): Paid {
  const { base, others } = divided(subscription, invoice);
  if (invoice.id === undefined || (base === null && others.length === 0)) {
    return { periods: [], addOns: [], aloneInvoices: [] };
  }
  const { id: key, currency } = invoice;
  const addOns = others.map((line): PaidAddOn => {
    const fact = factOf(invoice, line, subscription);
    const amountMicros = microsOf(shareOf(invoice, line), currency);
    const itemId = itemOf(line);
    return {
      ...fact,
      key: `${key}+${itemId ?? line.id}`,
      chargeKey: key,
      itemId,
      price: { ...fact.price, amountMicros },
    };
  });
  if (base === null) return { periods: [], addOns, aloneInvoices: [invoice] };
  const period = { ...factOf(invoice, base, subscription), key, invoices: [invoice], paidMicros: 0 };
  return { periods: [period], addOns, aloneInvoices: [] };
}

/** With metered billing, a period ends where the next begins, paid or not. */
function usagePeriods(periods: PaidPeriod[], { subscription, invoices }: StripeHistory): PaidPeriod[] {
  const base = baseItem(subscription);
  if (!base || !isMetered(base)) return periods;
  const begins = invoices.map((invoice) => {
    const line = divided(subscription, invoice).base;
    return line ? ([invoice.id, beginOf(invoice, line)] as const) : null;
  });
  const startOf = new Map(begins.filter((begin) => begin !== null));
  const bounds = [...startOf.values(), base.current_period_start, base.current_period_end];
  return periods.map((period) => {
    const start = startOf.get(period.key);
    if (start === undefined) return period;
    const later = bounds.filter((bound) => bound > start);
    const endMs = later.length === 0 ? period.endMs : msOf(Math.min(...later));
    return { ...period, startMs: msOf(start), endMs };
  });
}

/**
 * Stripe only reports the latest trial. Extending a trial keeps the invoice with its first end and may add another
 * one of 0: all of them are one trial, until its current end.
 */
function asOneTrial<Period extends PaidPeriod | PaidAddOn>(
  all: Period[],
  { trial_start: trialStart, trial_end: trialEnd }: Stripe.Subscription,
): Period[] {
  if (trialStart === null || trialEnd === null) return all;
  const [startMs, endMs] = [msOf(trialStart), msOf(trialEnd)];
  const isWithin = (period: Period): boolean =>
    period.kind === 'trial' && period.startMs < endMs && period.endMs >= startMs;
  const [first, ...others] = all.filter(isWithin);
  const last = others.at(-1) ?? first;
  if (!first || !last) return all;
  const { storeProductId, planId } = last;
  const trial = { ...first, storeProductId, planId, endMs };
  if ('invoices' in trial)
    trial.invoices.push(...others.flatMap((one) => ('invoices' in one ? one.invoices : [])));
  return all
    .filter((period) => !others.includes(period))
    .map((period) => (period === first ? trial : period));
}

/** Whether the item's current product is about this period: after its end, Stripe shows the next one, paid or not. */
export function isRunning(
  { startMs, endMs, kind }: PaidPeriod | PaidAddOn,
  item: Stripe.SubscriptionItem | null,
): boolean {
  if (!item) return false;
  const { current_period_start: start, current_period_end: end } = item;
  return msOf(start) === startMs || (kind === 'trial' && msOf(end) === endMs);
}

/** The running period has the product that the subscription shows now, even if it was ended within the period. */
function asOfNow<Period extends PaidPeriod | PaidAddOn>(
  latest: Period,
  item: Stripe.SubscriptionItem | null,
): Period {
  if (!item || !isRunning(latest, item)) return latest;
  const { price, current_period_end: end } = item;
  return { ...latest, storeProductId: idOf(price.product) ?? '', planId: price.id, endMs: msOf(end) };
}

function addOnsOf(reported: Paid[], subscription: Stripe.Subscription): PaidAddOn[] {
  const all = reported.flatMap(({ addOns }) => addOns).sort((a, b) => a.startMs - b.startMs);
  const items = new Set(all.map(({ itemId }) => itemId));
  const ofItems = [...items].flatMap((item) =>
    asOneTrial(
      all.filter(({ itemId }) => itemId === item),
      subscription,
    ),
  );
  return ofItems.sort((a, b) => a.startMs - b.startMs);
}

function priceByInvoices(period: PaidPeriod, addOns: PaidAddOn[]): void {
  const total = period.invoices.reduce((sum, { amount_paid: amount }) => sum + amount, 0);
  period.paidMicros = microsOf(total, period.price.currency ?? '');
  const together = addOns.filter(({ chargeKey }) => chargeKey === period.key);
  const forOthers = together.reduce((sum, { price }) => sum + (price.amountMicros ?? 0), 0);
  const amountMicros = period.paidMicros - forOthers;
  period.price = { ...period.price, amountMicros };
  if (period.kind === 'trial' && amountMicros > 0) period.hasFee = true;
}

/** All paid periods and add-ons by start. The cost of a change in the middle belongs to the period that it changed. */
export function paidPeriods(history: StripeHistory): Paid {
  const { subscription, invoices } = history;
  const paid = invoices.filter(({ status }) => status === 'paid');
  const reported = paid.map((invoice) => ({ invoice, ...paidBy(invoice, subscription) }));
  let periods = usagePeriods(
    reported.flatMap((one) => one.periods),
    history,
  );
  const addOns = addOnsOf(reported, subscription);
  periods.sort((a, b) => a.startMs - b.startMs);
  periods = asOneTrial(periods, subscription);
  periods.unshift(...unbilledStart(history, periods));
  for (const { invoice, ...billed } of reported) {
    if (billed.periods.length + billed.addOns.length > 0) continue;
    const atMs = msOf(invoice.created);
    periods.findLast(({ startMs }) => startMs <= atMs)?.invoices.push(invoice);
  }
  for (const period of periods) priceByInvoices(period, addOns);
  const latest = periods.at(-1);
  if (latest) {
    periods[periods.length - 1] = asOfNow(latest, baseItem(subscription));
    for (const item of otherItems(subscription)) {
      const index = addOns.findLastIndex(({ itemId }) => itemId === item.id);
      const addOn = addOns[index];
      if (addOn) addOns[index] = asOfNow(addOn, item);
    }
    addOns.push(...unbilledAddOns(subscription, latest, addOns));
  }
  return { periods, addOns, aloneInvoices: reported.flatMap((one) => one.aloneInvoices) };
}
