import {
  type EndFacts,
  type Environment,
  type ImportedFacts,
  noSubscriptionFacts,
  type PeriodFact,
  type Price,
  type Register,
  type RenewalFact,
  type Store,
  type SubscriptionFacts,
} from '../../../libs/engine/index.js';
import { alpha2Country } from '../../../libs/kernel/index.js';
import { tokenNeededKey } from '../../customers/customers/unconfirmed-keys.js';
import type {
  ImportedPriceDto,
  ImportedSubscriptionDto,
  ImportedTransactionDto,
} from './customer-import.dto.js';

const DAY_MS = 86_400_000;
/** Two systems give the start of one period within minutes. */
const SAME_START_MS = 5 * 60_000;

export interface ReadingTerms {
  asOfMs: number;
  holdDays: number;
}

/** What an item says about one subscription at its store. */
export interface ReadSubscription {
  store: Store;
  environment: Environment;
  storeKey: string;
  facts: SubscriptionFacts;
  /** Every id by which the store may name it. */
  names: string[];
}

const storesWithTransactionIds: ReadonlySet<string> = new Set([
  'app_store',
  'mac_app_store',
  'play_store',
  'amazon',
]);
const appleStores: ReadonlySet<string> = new Set(['app_store', 'mac_app_store']);

export function priceOf(price: ImportedPriceDto | null | undefined): Price {
  if (!price) return { amountMicros: null, currency: null, source: 'import' };
  return { amountMicros: Math.round(price.amount * 1_000_000), currency: price.currency, source: 'import' };
}

/** Google Play sells plans: `subscription:plan`. */
export function productOf(
  store: string,
  identifier: string,
): { storeProductId: string; planId: string | null } {
  const at = store === 'play_store' ? identifier.indexOf(':') : -1;
  if (at < 0) return { storeProductId: identifier, planId: null };
  return { storeProductId: identifier.slice(0, at), planId: identifier.slice(at + 1) };
}

export function countryOf(country: string | null | undefined): string | null {
  return alpha2Country(country ?? null);
}

function sorted(item: ImportedSubscriptionDto): ImportedTransactionDto[] {
  const unique = new Map((item.transactions ?? []).map((one) => [`${one.id} ${one.purchased_at}`, one]));
  return [...unique.values()].sort((a, b) => a.purchased_at - b.purchased_at || (a.id < b.id ? -1 : 1));
}

/** The key of a subscription: the store's, as far as the item has it. */
export function keyOf(item: ImportedSubscriptionDto): { storeKey: string; isGuessed: boolean } {
  const {
    store,
    store_subscription_identifier: name,
    original_transaction_id: original,
    purchase_token,
  } = item;
  const [first] = sorted(item);
  const last = sorted(item).at(-1);
  if (appleStores.has(store)) {
    return { storeKey: original ?? first?.id ?? name ?? '', isGuessed: original === undefined };
  }
  if (store === 'play_store') {
    return { storeKey: purchase_token ?? tokenNeededKey(name ?? last?.id ?? ''), isGuessed: false };
  }
  return { storeKey: name ?? original ?? purchase_token ?? '', isGuessed: false };
}

/** Stores that name a whole subscription, not its payments, repeat the id for each period. */
function periodKey(store: string, id: string, startMs: number): string {
  return storesWithTransactionIds.has(store) ? id : `${id}@${Math.floor(startMs / 1000)}`;
}

interface Period {
  key: string;
  value: PeriodFact;
  refundedAtMs: number | null;
}

/** Every period that the item names, oldest first; the last one is the current one. */
function periodsOf(item: ImportedSubscriptionDto, storeKey: string): Period[] {
  const { store, product_identifier: product = '', status, ownership = 'purchased' } = item;
  const startMs = item.current_period_starts_at ?? 0;
  const transactions = sorted(item);
  const currentId = item.store_subscription_identifier ?? transactions.at(-1)?.id ?? storeKey;
  const isCurrent = ({ id, purchased_at }: ImportedTransactionDto): boolean =>
    (storesWithTransactionIds.has(store) && id === currentId) ||
    Math.abs(purchased_at - startMs) <= SAME_START_MS;
  const current = transactions.findLast(isCurrent);
  const fact = (id: string, fromMs: number, more: Partial<PeriodFact>): PeriodFact => ({
    ...productOf(store, product),
    offerCode: null,
    kind: 'normal',
    isRenewal: false,
    startMs: fromMs,
    endMs: null,
    price: priceOf(null),
    quantity: 1,
    ownership,
    storeTransactionId: id,
    country: countryOf(item.country),
    ...more,
  });
  const periods = transactions.map((transaction, index): Period => {
    const { id, purchased_at, expires_at, period_type = 'normal', product_identifier } = transaction;
    const next = transactions[index + 1]?.purchased_at;
    return {
      key: periodKey(store, id, purchased_at),
      value: fact(id, purchased_at, {
        ...(product_identifier !== undefined && productOf(store, product_identifier)),
        kind: period_type,
        endMs: expires_at ?? next ?? Math.max(purchased_at, startMs),
        price: priceOf(transaction.price),
      }),
      refundedAtMs: transaction.refunded_at ?? null,
    };
  });
  const own = current && periods[transactions.indexOf(current)];
  const kind = item.period_type ?? (status === 'trialing' ? 'trial' : 'normal');
  const endMs = item.current_period_ends_at ?? null;
  if (own && current) {
    own.value.endMs = paidEnd(item, current.expires_at ?? null);
    if (current.period_type === undefined) own.value.kind = kind;
    if (!current.price) own.value.price = priceOf(item.price);
    own.refundedAtMs ??= item.refunded_at ?? null;
  } else {
    const id = currentId;
    const price = priceOf(item.price);
    periods.push({
      key: periodKey(store, id, startMs),
      value: fact(id, startMs, { kind, endMs, price }),
      refundedAtMs: item.refunded_at ?? null,
    });
  }
  periods.sort((a, b) => a.value.startMs - b.value.startMs || (a.key < b.key ? -1 : 1));
  const isLater = (item.starts_at ?? startMs) < startMs - SAME_START_MS;
  return periods.map((period, index) => ({
    ...period,
    value: { ...period.value, isRenewal: index > 0 || (isLater && periods.length === 1) },
  }));
}

/** In grace, the vendor's end of the period may be that of grace. */
function paidEnd(
  { status, current_period_ends_at: endMs = null }: ImportedSubscriptionDto,
  expiresAtMs: number | null,
) {
  return status === 'in_grace_period' ? (expiresAtMs ?? endMs) : (endMs ?? expiresAtMs);
}

function renewalOf(item: ImportedSubscriptionDto, key: string, graceMs: number | null): RenewalFact {
  const { status, auto_renewal_status: renewal = 'will_not_renew' } = item;
  const inRetry = status === 'in_billing_retry' || status === 'in_grace_period';
  const isOver = status === 'expired';
  return {
    periodKey: key,
    autoRenew: !isOver && (inRetry || status === 'paused' || renewal !== 'will_not_renew'),
    cancelledAtMs: item.unsubscribe_detected_at ?? null,
    nextProductId: null,
    inRetry,
    billingIssueAtMs: item.billing_issues_detected_at ?? null,
    graceUntilMs: status === 'in_grace_period' ? graceMs : null,
    pauseScheduled: renewal === 'will_pause' && status !== 'paused',
    paused: status === 'paused',
    autoResumeAtMs: item.auto_resume_at ?? null,
    ended: isOver,
  };
}

/** The latest time that the item names; not when it was read, so that a second reading says the same. */
function lastKnown(item: ImportedSubscriptionDto, asOfMs: number): number {
  const times = [
    item.starts_at,
    item.current_period_starts_at,
    item.current_period_ends_at,
    item.refunded_at,
    item.unsubscribe_detected_at,
    item.billing_issues_detected_at,
    item.grace_period_expires_at,
  ];
  return Math.max(0, ...times.filter((time) => typeof time === 'number').filter((time) => time <= asOfMs));
}

const noAccess: ReadonlySet<string> = new Set(['in_billing_retry', 'paused', 'expired']);

/** Where access ends other than with the period: grace, an early end, or what the other system grants beyond it. */
function endsOf(
  item: ImportedSubscriptionDto,
  current: PeriodFact,
  { asOfMs, holdDays }: ReadingTerms,
): { ends: EndFacts; graceMs: number | null } {
  const { status = '', ends_at: endMs = null, gives_access: givesAccess } = item;
  const said = (value: number): Register<number> => ({ at: asOfMs, src: 'import', value });
  const graceMs = endMs ?? item.grace_period_expires_at ?? item.current_period_ends_at ?? null;
  if (givesAccess === false || (noAccess.has(status) && givesAccess !== true)) {
    const early = Math.min(endMs ?? Infinity, lastKnown(item, asOfMs));
    const isEarly = current.endMs === null || current.endMs > early;
    return { ends: isEarly ? { expired: said(early) } : {}, graceMs };
  }
  if (noAccess.has(status)) {
    const until = Math.max(endMs ?? 0, current.endMs ?? 0);
    return { ends: { grace: said(until > asOfMs ? until : until + holdDays * DAY_MS) }, graceMs };
  }
  if (endMs === null || current.endMs === null || endMs === current.endMs) return { ends: {}, graceMs };
  return { ends: endMs > current.endMs ? { grace: said(endMs) } : { expired: said(endMs) }, graceMs };
}

/** Access goes on while the token is missing with which the store could be asked about the renewal. */
function heldUntil(
  item: ImportedSubscriptionDto,
  storeKey: string,
  current: PeriodFact,
  { holdDays }: ReadingTerms,
): number | null {
  const { status = '', auto_renewal_status: renewal, gives_access: givesAccess } = item;
  const isWaiting = item.store === 'play_store' && item.purchase_token === undefined && storeKey !== '';
  const gaveAccess = givesAccess ?? !noAccess.has(status);
  const renews = renewal !== undefined && renewal !== 'will_not_renew';
  return isWaiting && gaveAccess && renews && current.endMs !== null
    ? current.endMs + holdDays * DAY_MS
    : null;
}

/** Facts of an item that has dates. */
export function readSubscription(item: ImportedSubscriptionDto, terms: ReadingTerms): ReadSubscription {
  const { asOfMs } = terms;
  const { storeKey, isGuessed } = keyOf(item);
  const register = <T>(value: T): Register<T> => ({ at: asOfMs, src: 'import', value });
  const periods = periodsOf(item, storeKey);
  const current = periods.at(-1) as Period;
  if (item.status === 'paused' && current.value.endMs === null) {
    current.value.endMs = Math.max(current.value.startMs, lastKnown(item, asOfMs));
  }
  const { ends, graceMs } = endsOf(item, current.value, terms);
  const refunded = periods.filter(({ refundedAtMs }) => refundedAtMs !== null);
  const imported: ImportedFacts = {
    periods: Object.fromEntries(periods.map(({ key, value }) => [key, register(value)])),
    refunds: Object.fromEntries(
      refunded.map(({ key, refundedAtMs }) => [
        key,
        register({ revokedAtMs: refundedAtMs, kind: 'full' as const, amountMicros: null }),
      ]),
    ),
    renewal: register(renewalOf(item, current.key, graceMs)),
    hints: item.presented_offering_id ? register({ presentedOfferingId: item.presented_offering_id }) : null,
    ...(Object.keys(ends).length > 0 && { ends: { [current.key]: ends } }),
    held: register(heldUntil(item, storeKey, current.value, terms)),
    guessed: register(isGuessed),
    ...(item.starts_at !== undefined && { startedAtMs: item.starts_at }),
  };
  return {
    store: item.store,
    environment: item.environment ?? 'production',
    storeKey,
    facts: { ...noSubscriptionFacts, imported },
    names: namesOf(item),
  };
}

/** The ids of an item at its store. */
export function namesOf(item: ImportedSubscriptionDto): string[] {
  const { store_subscription_identifier: name, original_transaction_id: original, transactions = [] } = item;
  return [...new Set([name, original, ...transactions.map(({ id }) => id)].filter((id) => id !== undefined))];
}
