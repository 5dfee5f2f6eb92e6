import type { AddOnFact, PeriodFact, PeriodTerms } from '../../engine/index.js';
import { alpha2Country } from '../../kernel/index.js';
import { factorOf, isTaxOnTop, listMicros, usualFactor } from './item-values.js';
import {
  isPaid,
  microsOf,
  type PaddleHistory,
  type PaddlePrice,
  type PaddleSubscription,
  type PaddleTransaction,
  type SubscriptionItem,
  timeOf,
  timeOrNull,
  type TransactionItem,
} from './paddle-objects.js';
import { hasKnownTransactionStatus } from './unknown-in-answers.js';

export interface PaidPeriod extends PeriodFact {
  key: string;
  /** The payments: its own transaction, then those of changes within it. */
  transactions: PaddleTransaction[];
}

export interface PaidAddOn extends Omit<AddOnFact, 'renews'> {
  key: string;
  priceId: string;
}

export interface Paid {
  /** Sorted by start; changes within a period belong to it. */
  periods: PaidPeriod[];
  addOns: PaidAddOn[];
  /** Transactions for one-time charges next to the subscription. */
  charges: PaddleTransaction[];
}

/** Paddle's objects show times of one event that differ by less than this. */
const SAME_MS = 1_000;
/** Suffix of the key for time that an imported subscription was paid for elsewhere. */
const IMPORTED = '.start';

const isSame = (a: number, b: number): boolean => Math.abs(a - b) <= SAME_MS;

type Item = SubscriptionItem | TransactionItem;

const isRecurring = (price: PaddlePrice): boolean => price.billing_cycle !== null;

/** The first recurring item defines the subscription; others are add-ons. */
export function baseItem({ items }: PaddleSubscription): SubscriptionItem | null {
  return items.find(({ recurring }) => recurring) ?? items[0] ?? null;
}

function otherItems(subscription: PaddleSubscription): SubscriptionItem[] {
  const base = baseItem(subscription);
  return subscription.items.filter((item) => item.recurring && item !== base);
}

function baseItemOf(transaction: PaddleTransaction, subscription: PaddleSubscription): Item | null {
  const recurring = transaction.items.filter(({ price }) => isRecurring(price));
  const product = baseItem(subscription)?.price.product_id;
  const same = recurring.find(({ price }) => price.product_id === product);
  return same ?? recurring[0] ?? transaction.items[0] ?? baseItem(subscription);
}

/** Price of whole periods. If only part of one was billed, the price of that part. */
function lineMicros({ details, currency_code: currency }: PaddleTransaction, priceId: string): number {
  const lines = (details?.line_items ?? []).filter(({ price_id: id }) => id === priceId);
  const whole = lines.filter(({ proration }) => (proration ?? null) === null);
  return (whole.length > 0 ? whole : lines).reduce(
    (sum, { totals }) => sum + microsOf(totals.total, currency),
    0,
  );
}

/** The recurring part of a transaction for the base product, at all of its prices. */
function baseMicros(transaction: PaddleTransaction, { price }: Item): number {
  const prices = transaction.items.filter(
    (item) => item.price.product_id === price.product_id && isRecurring(item.price),
  );
  const ids = new Set(prices.map((item) => item.price.id));
  return [...ids].reduce((sum, id) => sum + lineMicros(transaction, id), 0);
}

/** Indexes of a transaction's one-time items. */
export function oneOffs({ items }: PaddleTransaction): number[] {
  return items.flatMap(({ price }, index) => (isRecurring(price) ? [] : index));
}

/** The end of the trial that a transaction started; null if it started none. */
function trialEnd(
  transaction: PaddleTransaction,
  item: Item,
  subscription: PaddleSubscription,
): number | null {
  const { billing_period: period, origin } = transaction;
  if (!period || lineMicros(transaction, item.price.id) !== 0) return null;
  const dates = baseItem(subscription)?.trial_dates;
  if (dates && isSame(timeOf(dates.starts_at), timeOf(period.starts_at))) return timeOf(dates.ends_at);
  const isFirst = origin === 'web' || origin === 'api';
  return isFirst && (item.price.trial_period ?? null) !== null ? timeOf(period.ends_at) : null;
}

function periodOf(transaction: PaddleTransaction, subscription: PaddleSubscription): PaidPeriod | null {
  const item = baseItemOf(transaction, subscription);
  const { id, billing_period: period, origin, currency_code: currency } = transaction;
  if (!period || !item) return null;
  const trialEndMs = trialEnd(transaction, item, subscription);
  return {
    key: id,
    storeProductId: item.price.product_id,
    planId: item.price.id,
    offerCode: null,
    kind: trialEndMs === null ? 'normal' : 'trial',
    isRenewal: origin !== 'web' && origin !== 'api',
    startMs: timeOf(period.starts_at),
    endMs: trialEndMs ?? timeOf(period.ends_at),
    price: {
      amountMicros: baseMicros(transaction, item),
      currency: currency.toUpperCase(),
      source: 'store',
    },
    quantity: item.quantity,
    ownership: 'purchased',
    storeTransactionId: id,
    country: alpha2Country(transaction.address?.country_code),
    transactions: [transaction],
  };
}

/** A change within a period ends with the period; one that starts a new period ends later. */
function isWithin(change: PaidPeriod, period: PaidPeriod, runningEndMs: number | null): boolean {
  const endMs = Math.max(period.endMs ?? Infinity, runningEndMs ?? -Infinity);
  return change.startMs >= period.startMs - SAME_MS && (change.endMs ?? Infinity) <= endMs + SAME_MS;
}

function add(periods: PaidPeriod[], period: PaidPeriod, subscription: PaddleSubscription): void {
  const { current_billing_period: current } = subscription;
  const latest = periods.at(-1);
  const isChange = period.transactions[0]?.origin === 'subscription_update';
  if (!latest || !isChange) {
    periods.push(period);
    return;
  }
  const isRunning = current && isSame(timeOf(current.starts_at), latest.startMs);
  if (!isWithin(period, latest, isRunning ? timeOf(current.ends_at) : null)) {
    periods.push(period);
    return;
  }
  latest.transactions.push(...period.transactions);
  change(latest, period, changedValue(latest, period));
}

type Sold = Pick<PeriodTerms, 'storeProductId' | 'planId' | 'quantity'>;

/** Changes what the period sells from then on. */
function change(period: PaidPeriod, sold: Sold & { startMs: number }, valueMicros: number | null): void {
  const { startMs: sinceMs, storeProductId, planId, quantity } = sold;
  const isSame = period.planId === planId && period.quantity === quantity;
  if (isSame || period.kind === 'trial') {
    Object.assign(period, { storeProductId, planId, quantity });
    return;
  }
  const { startMs, terms = [] } = period;
  const first = { sinceMs: startMs, ...soldBy(period), valueMicros: null };
  const before = terms.length > 0 ? terms : [first];
  const now = { sinceMs, storeProductId, planId, quantity, valueMicros };
  Object.assign(period, { storeProductId, planId, quantity, terms: [...before, now] });
}

const soldBy = ({ storeProductId, planId, quantity }: PaidPeriod): Sold => ({
  storeProductId,
  planId,
  quantity,
});

/** Price of a whole period of a changed item: its own price, else the billed part scaled up. */
function changedValue(latest: PaidPeriod, { planId, startMs, endMs, quantity, transactions }: PaidPeriod) {
  const [billed] = transactions;
  const item = billed?.items.find(({ price }) => price.id === planId);
  const line = billed?.details?.line_items.find(({ price_id: id }) => id === planId);
  if (!billed || !item || !line) return null;
  const [main] = latest.transactions;
  const usual = main?.items.find(({ price }) => price.id === latest.planId);
  const whole = main?.details?.line_items.find(({ price_id: id }) => id === latest.planId);
  const onTop = main && usual && whole ? isTaxOnTop(whole, usual.price, main.currency_code) : false;
  const list = listMicros(item.price, quantity);
  if (list !== null) return Math.round(list * factorOf(line, { isTaxOnTop: onTop, isDiscounted: true }));
  const rate = Number(line.proration?.rate ?? NaN);
  const part = rate > 0 ? rate : ((endMs ?? 0) - startMs) / ((latest.endMs ?? 0) - latest.startMs);
  return Math.round(microsOf(line.totals.total, billed.currency_code) / part);
}

/** Add-ons of a period: recurring items other than the first, each with its lines' share of the payment. */
function addOnsOf(period: PaidPeriod, subscription: PaddleSubscription): PaidAddOn[] {
  const [main] = period.transactions;
  if (!main) return [];
  const base = baseItemOf(main, subscription);
  const paid = main.items.filter((item) => item !== base && isRecurring(item.price));
  return paid
    .filter(({ price }) => ![period.storeProductId, base?.price.product_id].includes(price.product_id))
    .map(({ price, quantity }) => addOn(period, price, quantity, lineMicros(main, price.id)));
}

function addOn(period: PaidPeriod, price: PaddlePrice, quantity: number, amountMicros: number): PaidAddOn {
  const { kind, isRenewal, offerCode, startMs, endMs, ownership, storeTransactionId, country } = period;
  return {
    ...{ kind, isRenewal, offerCode, startMs, endMs, ownership, storeTransactionId, country },
    key: `${period.key}+${price.id}`,
    chargeKey: period.key,
    priceId: price.id,
    storeProductId: price.product_id,
    planId: price.id,
    quantity,
    price: { ...period.price, amountMicros },
  };
}

/** Items added within the period. The change paid for them, if anything did. */
function addedOns(period: PaidPeriod, subscription: PaddleSubscription, known: PaidAddOn[]): PaidAddOn[] {
  return otherItems(subscription)
    .filter(({ price }) => price.product_id !== period.storeProductId)
    .filter(({ price }) => !known.some((one) => one.chargeKey === period.key && one.priceId === price.id))
    .map(({ price, quantity, created_at: createdAt }) => {
      const startMs = Math.max(period.startMs, timeOrNull(createdAt) ?? period.startMs);
      const list = startMs > period.startMs + SAME_MS ? listMicros(price, quantity) : null;
      const factor = usualFactor(
        period.transactions[0],
        period.terms?.[0]?.planId ?? period.planId,
        subscription,
      );
      const value = list === null ? {} : { valueMicros: Math.round(list * factor) };
      return { ...addOn(period, price, quantity, 0), ...value, startMs };
    });
}

/** The time paid for elsewhere before the subscription moved to Paddle; its price is unknown. */
function importedStart({ subscription, hasMore }: PaddleHistory, first: PaidPeriod | null): PaidPeriod[] {
  const { id, import_meta: imported, started_at: startedAt, current_billing_period: current } = subscription;
  const item = baseItem(subscription);
  if (hasMore || !item || (imported ?? null) === null) return [];
  const startMs = timeOf(startedAt ?? current?.starts_at ?? '');
  const endMs = first?.startMs ?? timeOrNull(current?.ends_at) ?? timeOrNull(subscription.canceled_at);
  if (endMs === null || !(startMs < endMs)) return [];
  return [
    {
      key: `${id}${IMPORTED}`,
      storeProductId: item.price.product_id,
      planId: item.price.id,
      offerCode: null,
      kind: 'normal',
      isRenewal: false,
      startMs,
      endMs,
      price: { amountMicros: null, currency: subscription.currency_code, source: 'unknown' },
      quantity: item.quantity,
      ownership: 'purchased',
      storeTransactionId: id,
      country: null,
      transactions: [],
    },
  ];
}

/** Whether the subscription is in this period now, as far as Paddle shows one. */
export function isRunning({ startMs }: PaidPeriod, subscription: PaddleSubscription): boolean {
  const { current_billing_period: current } = subscription;
  return current !== null && isSame(timeOf(current.starts_at), startMs);
}

/** Updates the running period to the product and the end that the subscription shows now. */
function asOfNow(latest: PaidPeriod, subscription: PaddleSubscription, at: number): void {
  const item = baseItem(subscription);
  const current = subscription.current_billing_period;
  if (!item || !current || !isRunning(latest, subscription)) return;
  const { price, quantity } = item;
  const list = listMicros(price, quantity);
  const factor = usualFactor(
    latest.transactions[0],
    latest.terms?.[0]?.planId ?? latest.planId,
    subscription,
  );
  const sold = { startMs: at, storeProductId: price.product_id, planId: price.id, quantity };
  change(latest, sold, list === null ? null : Math.round(list * factor));
  latest.endMs = Math.max(latest.startMs, timeOf(current.ends_at));
  const trial = item.trial_dates;
  if (latest.kind === 'trial' && trial && isSame(timeOf(trial.starts_at), latest.startMs)) {
    latest.endMs = timeOf(trial.ends_at);
  }
}

function isOfPeriod({ origin, billing_period: period }: PaddleTransaction): boolean {
  return (
    period !== null && origin !== 'subscription_charge' && origin !== 'subscription_payment_method_change'
  );
}

/** Transactions that bill a period and are not paid, newest first. An unknown status says neither. */
export function unpaidPeriods({ transactions }: PaddleHistory): PaddleTransaction[] {
  return transactions.filter(
    (transaction) =>
      isOfPeriod(transaction) &&
      hasKnownTransactionStatus(transaction) &&
      transaction.status !== 'draft' &&
      !isPaid(transaction),
  );
}

export function paidPeriods(history: PaddleHistory, at: number): Paid {
  const { subscription, transactions } = history;
  const paid = transactions.filter(isPaid);
  const reported = paid
    .filter(isOfPeriod)
    .flatMap((transaction) => periodOf(transaction, subscription) ?? [])
    .sort((a, b) => a.startMs - b.startMs || (a.key < b.key ? -1 : 1));
  return {
    ...periodsFrom(history, reported, at),
    charges: paid.filter(({ origin }) => origin === 'subscription_charge'),
  };
}

/** The first period of an invoice that was sent but is not paid: it is known, but grants no access yet. */
export function pendingPeriod(history: PaddleHistory, at: number): Paid | null {
  const { subscription } = history;
  const isInvoice = subscription.collection_mode === 'manual' && subscription.status !== 'canceled';
  const billed = isInvoice && unpaidPeriods(history).find(({ status }) => status !== 'canceled');
  const period = billed ? periodOf(billed, subscription) : null;
  return period && { ...periodsFrom(history, [period], at), charges: [] };
}

function periodsFrom(
  history: PaddleHistory,
  reported: PaidPeriod[],
  at: number,
): Pick<Paid, 'periods' | 'addOns'> {
  const { subscription } = history;
  const periods: PaidPeriod[] = [];
  for (const period of reported) add(periods, period, subscription);
  periods.unshift(...importedStart(history, periods[0] ?? null));
  const latest = periods.at(-1);
  if (latest) asOfNow(latest, subscription, at);
  const addOns = periods.flatMap((period) => addOnsOf(period, subscription));
  if (latest && isRunning(latest, subscription)) {
    for (const one of addOns) if (one.chargeKey === latest.key) one.endMs = latest.endMs;
    addOns.push(...addedOns(latest, subscription, addOns));
  }
  return { periods, addOns };
}
