import type Stripe from 'stripe';
import type { PeriodFact, PeriodTerms } from '../../engine/index.js';
import { alpha2Country } from '../../kernel/index.js';
import { microsOf, msOf } from './amounts.js';
import { type InvoiceMoney, isOneOff, moneyOf, paidAtMs, taxIn } from './invoice-money.js';
import { termsOf } from './period-terms.js';
import { idOf, type StripeHistory } from './stripe-api.js';
import { baseItem, beginOf, isMetered, itemOf, linesInAdvance, otherItems } from './subscription-items.js';
import { unbilledAddOns, unbilledStart } from './unbilled-periods.js';

export interface PaidPeriod extends PeriodFact {
  key: string;
  endMs: number;
  /** All payments within it: its own invoice, and those for changes during it. */
  invoices: Stripe.Invoice[];
  /** Its own line; null without an invoice. */
  line: Stripe.InvoiceLineItem | null;
}

/** A further product of a subscription with several items. */
export interface PaidAddOn extends PeriodFact {
  key: string;
  endMs: number;
  /** Key of the period paid for together with it, else of its own invoice. */
  chargeKey: string;
  itemId: string | null;
  valueMicros?: number;
}

/** A paid invoice, divided by what its lines are about. Amounts in Stripe's unit. */
export interface PaidInvoice {
  invoice: Stripe.Invoice;
  money: InvoiceMoney;
  periods: PaidPeriod[];
  addOns: PaidAddOn[];
  /** Lines without a recurring price. */
  oneOffs: Stripe.InvoiceLineItem[];
}

export interface Paid {
  periods: PaidPeriod[];
  addOns: PaidAddOn[];
  invoices: PaidInvoice[];
}

type Line = Stripe.InvoiceLineItem;

function netOf(money: InvoiceMoney, lines: readonly Line[]): number {
  return lines.reduce((total, line) => total + (money.get(line)?.net ?? 0), 0);
}

function factOf(
  invoice: Stripe.Invoice,
  lines: readonly [Line, ...Line[]],
  money: InvoiceMoney,
  { trial_end: trialEnd }: Stripe.Subscription,
): Omit<PaidPeriod, 'key' | 'invoices' | 'line'> {
  const [line] = lines;
  const { start, end } = line.period;
  const { product, price } = line.pricing?.price_details ?? {};
  const isTrial = line.amount === 0 && trialEnd !== null && start < trialEnd;
  const paidMs = paidAtMs(invoice);
  return {
    storeProductId: product ?? '',
    planId: idOf(price),
    offerCode: null,
    kind: isTrial ? 'trial' : 'normal',
    isRenewal: invoice.billing_reason !== 'subscription_create',
    startMs: msOf(start),
    endMs: msOf(end),
    ...(paidMs < msOf(start) && { paidAtMs: paidMs }),
    price: {
      amountMicros: microsOf(netOf(money, lines), invoice.currency),
      currency: invoice.currency.toUpperCase(),
      source: 'store',
    },
    quantity: line.quantity ?? 1,
    ownership: 'purchased',
    storeTransactionId: invoice.id ?? '',
    country: alpha2Country(invoice.customer_address?.country),
    ...taxIn(money, lines, invoice),
  };
}

/** Lines of one item grouped by billed period, oldest first. One invoice can bill several periods. */
function byPeriod(lines: readonly Line[]): [Line, ...Line[]][] {
  const groups: [Line, ...Line[]][] = [];
  for (const line of [...lines].sort((a, b) => a.period.start - b.period.start)) {
    const last = groups.at(-1);
    // Tiers, and several prices of one product, bill the same time.
    if (last && line.period.start < last[0].period.end) last.push(line);
    else groups.push([line]);
  }
  return groups;
}

interface Divided {
  /** Lines of the base product by period. */
  base: [Line, ...Line[]][];
  /** Lines of add-ons by item and period. */
  others: [Line, ...Line[]][];
  /** Usage billed with the base product; part of its price. */
  usage: Line[];
}

/** Besides the base product, only items billed in advance are periods; metered usage is only money. */
function divided(subscription: Stripe.Subscription, invoice: Stripe.Invoice): Divided {
  const base = baseItem(subscription);
  const others = otherItems(subscription);
  const { ended_at: endedAt } = subscription;
  const usage: Line[] = [];
  const lines = linesInAdvance(invoice).filter((line) => {
    const item = [base, ...others].find((one) => one?.id === itemOf(line));
    if (!item || !isMetered(item)) return true;
    const begins = item === base && (endedAt === null || beginOf(invoice, line) < endedAt);
    if (!begins) usage.push(line);
    return begins;
  });
  const isOther = (line: Line): boolean => others.some(({ id }) => id === itemOf(line));
  const first =
    lines.find((line) => itemOf(line) === base?.id) ?? lines.find((line) => !isOther(line)) ?? null;
  const product = first?.pricing?.price_details?.product;
  const isOfBase = (line: Line): boolean =>
    first !== null && line.pricing?.price_details?.product === product;
  const rest = lines.filter((line) => line !== first && !isOfBase(line));
  const items = new Set(rest.map((line) => itemOf(line) ?? line.id));
  const ofBase = lines.filter((line) => line === first || isOfBase(line));
  return {
    // The lines of a partial first period belong together.
    base: first && isPart(first) ? [[first, ...ofBase.filter((line) => line !== first)]] : byPeriod(ofBase),
    others: [...items].flatMap((item) => byPeriod(rest.filter((line) => (itemOf(line) ?? line.id) === item))),
    usage,
  };
}

function isPart({ parent }: Line): boolean {
  return parent?.subscription_item_details?.proration === true;
}

const keyAt = (key: string, index: number): string => (index === 0 ? key : `${key}:${index}`);

function paidBy(invoice: Stripe.Invoice, subscription: Stripe.Subscription): PaidInvoice {
  const money = moneyOf(invoice);
  const { base, others, usage } = divided(subscription, invoice);
  const key = invoice.id ?? '';
  const periods = base.map((lines, index): PaidPeriod => {
    const billed = index === 0 ? [...lines, ...usage] : lines;
    const fact = factOf(invoice, lines, money, subscription);
    return {
      ...fact,
      price: { ...fact.price, amountMicros: microsOf(netOf(money, billed), invoice.currency) },
      ...taxIn(money, billed, invoice),
      key: keyAt(key, index),
      invoices: [invoice],
      line: lines[0],
    };
  });
  const seen = new Map<string, number>();
  const addOns = others.map((lines): PaidAddOn => {
    const [line] = lines;
    const fact = factOf(invoice, lines, money, subscription);
    const itemId = itemOf(line);
    const index = seen.get(itemId ?? line.id) ?? 0;
    seen.set(itemId ?? line.id, index + 1);
    const together = periods.find(({ startMs }) => startMs === fact.startMs) ?? periods[0];
    return {
      ...fact,
      key: `${keyAt(key, index)}+${itemId ?? line.id}`,
      chargeKey: together?.key ?? key,
      itemId,
    };
  });
  return { invoice, money, periods, addOns, oneOffs: invoice.lines.data.filter(isOneOff) };
}

/** With metered billing, a period ends where the next starts, paid or not. */
function usagePeriods(periods: PaidPeriod[], { subscription, invoices }: StripeHistory): PaidPeriod[] {
  const base = baseItem(subscription);
  if (!base || !isMetered(base)) return periods;
  const begins = invoices.map((invoice) => {
    const line = divided(subscription, invoice).base[0]?.[0];
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
 * Merges trials: Stripe only reports the latest one. Extending a trial keeps the invoice with its original end and may
 * add another one of 0. All of them are one trial, until its current end.
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

/** Whether the item's current product applies to this period: after its end, Stripe shows the next one, paid or not. */
export function isRunning(
  { startMs, endMs, kind }: PaidPeriod | PaidAddOn,
  item: Stripe.SubscriptionItem | null,
): boolean {
  if (!item) return false;
  const { current_period_start: start, current_period_end: end } = item;
  return msOf(start) === startMs || (kind === 'trial' && msOf(end) === endMs);
}

/**
 * Updates the running period to the product that the subscription shows now, even if it was cancelled within the
 * period.
 */
function asOfNow<Period extends PaidPeriod | PaidAddOn>(
  period: Period,
  item: Stripe.SubscriptionItem | null,
): Period {
  if (!item || !isRunning(period, item)) return period;
  const { price } = item;
  const itemEndMs = msOf(item.current_period_end);
  // A line that paid for more time than the item shows extends the period.
  const endMs = period.kind === 'trial' ? itemEndMs : Math.max(itemEndMs, period.endMs);
  return { ...period, storeProductId: idOf(price.product) ?? '', planId: price.id, endMs };
}

function addOnsOf(reported: PaidInvoice[], subscription: Stripe.Subscription): PaidAddOn[] {
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

/** Returns the period with all the terms it sold, if they changed within it. */
function withTerms(period: PaidPeriod, terms: PeriodTerms[] | null): PaidPeriod {
  if (terms === null) return period;
  const { storeProductId, planId, quantity } = terms.at(-1) ?? period;
  return { ...period, storeProductId, planId, quantity, terms };
}

/** All paid periods and add-ons sorted by start. The cost of a change within a period belongs to that period. */
export function paidPeriods(history: StripeHistory, at: number): Paid {
  const { subscription, invoices } = history;
  const paid = invoices.filter(({ status, id }) => status === 'paid' && id !== undefined);
  const reported = paid.map((invoice) => paidBy(invoice, subscription));
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
  const item = baseItem(subscription);
  periods = periods.map((period) => {
    const terms = termsOf(period, history, isRunning(period, item) ? item : null, at);
    return withTerms(asOfNow(period, item), terms);
  });
  const latest = periods.at(-1);
  if (latest) {
    for (const other of otherItems(subscription)) {
      const index = addOns.findLastIndex(({ itemId }) => itemId === other.id);
      const addOn = addOns[index];
      if (addOn) addOns[index] = asOfNow(addOn, other);
    }
    addOns.push(...unbilledAddOns(history, latest, addOns));
  }
  return { periods, addOns, invoices: reported };
}
