import type { PeriodFact, Price } from '../../../../libs/engine/index.js';
import { addPeriods, alpha2Country, parsePeriod, type Period } from '../../../../libs/kernel/index.js';
import { rokuTransactionKey } from '../../../../libs/stores/index.js';
import { tokenNeededKey } from '../../../customers/customers/customer-info/unconfirmed-keys.js';
import type { ImportedPriceDto } from '../imported-item.dto.js';
import type { ImportedSubscriptionDto, ImportedTransactionDto } from '../imported-subscription.dto.js';

/** Two systems may report the start of a period a few minutes apart. */
const SAME_START_MS = 5 * 60_000;

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

/** The key of a subscription: the store's key, as far as the item contains it. */
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
  const id = name ?? original ?? purchase_token ?? '';
  return { storeKey: store === 'roku' ? rokuTransactionKey(id) : id, isGuessed: false };
}

/** Stores that identify a whole subscription, not its payments, repeat the id for each period. */
function periodKey(store: string, id: string, startMs: number): string {
  return storesWithTransactionIds.has(store) ? id : `${id}@${Math.floor(startMs / 1000)}`;
}

export interface ImportedPeriod {
  key: string;
  value: PeriodFact;
  refundedAtMs: number | null;
}

/** Returns the ISO duration of a product, or null if the catalog has none. */
export type DurationOf = (storeProductId: string, planId: string | null) => string | null;

/** Other systems may move the end of a refunded period close to the time of the refund. */
const REFUND_LEEWAY_MS = 60_000;
const unknownLength = ['endMs', 'length'] as const;
const oneMonth: Period = { years: 0, months: 1, weeks: 0, days: 0, hours: 0, minutes: 0, seconds: 0 };

function isUnrefundedTwin(own: ImportedPeriod, { value, refundedAtMs }: ImportedPeriod): boolean {
  const { storeProductId, planId = null, kind } = own.value;
  return (
    refundedAtMs === null &&
    value.endMs !== null &&
    value.kind === kind &&
    value.storeProductId === storeProductId &&
    (value.planId ?? null) === planId
  );
}

/**
 * The paid end of a refunded period, which determines its length for MRR; null if unknown. `saidEndMs` is the end in
 * the item. The refund ends access, but does not shorten the period that was paid for.
 */
function refundedUntil(
  period: ImportedPeriod,
  saidEndMs: number | null,
  periods: readonly ImportedPeriod[],
  durationOf: DurationOf,
): number | null {
  const { value, refundedAtMs } = period;
  const { startMs, storeProductId, planId = null } = value;
  if (saidEndMs !== null && saidEndMs > (refundedAtMs ?? 0) + REFUND_LEEWAY_MS) return saidEndMs;
  const known = parsePeriod(durationOf(storeProductId, planId) ?? '');
  if (known) return addPeriods(startMs, known);
  const twin = periods.find((other) => isUnrefundedTwin(period, other));
  return twin?.value.endMs ? startMs + twin.value.endMs - twin.value.startMs : null;
}

/** All periods that the item names, oldest first. The last one is the current one. */
export function periodsOf(
  item: ImportedSubscriptionDto,
  storeKey: string,
  durationOf: DurationOf,
): ImportedPeriod[] {
  const { store, product_identifier: product = '', status, ownership = 'purchased' } = item;
  const notStated: NonNullable<PeriodFact['assumed']> = item.ownership === undefined ? ['ownership'] : [];
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
    assumed: notStated,
    ...more,
  });
  const periods = transactions.map((transaction, index): ImportedPeriod => {
    const { id, purchased_at, expires_at, period_type, product_identifier } = transaction;
    const next = transactions[index + 1]?.purchased_at;
    return {
      key: periodKey(store, id, purchased_at),
      value: fact(id, purchased_at, {
        ...(product_identifier !== undefined && productOf(store, product_identifier)),
        kind: period_type ?? 'normal',
        assumed: [
          ...notStated,
          ...(period_type === undefined ? (['kind'] as const) : []),
          ...(typeof expires_at === 'number' ? [] : (['endMs'] as const)),
        ],
        endMs: expires_at ?? next ?? Math.max(purchased_at, startMs),
        price: priceOf(transaction.price),
      }),
      refundedAtMs: transaction.refunded_at ?? null,
    };
  });
  const own = current && periods[transactions.indexOf(current)];
  const kind = item.period_type ?? (status === 'trialing' ? 'trial' : 'normal');
  const endMs = item.current_period_ends_at ?? null;
  const isKindStated = item.period_type !== undefined || status === 'trialing';
  const assumed = [...notStated, ...(isKindStated ? [] : (['kind'] as const))];
  if (own && current) {
    // Use the period's own end, because the subscription's may be the end of grace.
    own.value.endMs = current.expires_at ?? endMs;
    own.value.assumed = current.period_type === undefined ? assumed : notStated;
    if (current.period_type === undefined) own.value.kind = kind;
    if (!current.price) own.value.price = priceOf(item.price);
    own.refundedAtMs ??= item.refunded_at ?? null;
  } else {
    const id = currentId;
    const price = priceOf(item.price);
    periods.push({
      key: periodKey(store, id, startMs),
      value: fact(id, startMs, { kind, endMs, price, assumed }),
      refundedAtMs: item.refunded_at ?? null,
    });
  }
  const paidUntil = new Map(
    transactions.map(({ expires_at }, index): [ImportedPeriod | undefined, number | null] => [
      periods[index],
      expires_at ?? null,
    ]),
  );
  for (const period of periods.filter(({ refundedAtMs }) => refundedAtMs !== null)) {
    const isOwn = period === own || !paidUntil.has(period);
    const { value } = period;
    const until = paidUntil.get(period) ?? refundedUntil(period, isOwn ? endMs : null, periods, durationOf);
    value.endMs = until ?? addPeriods(value.startMs, oneMonth);
    if (until === null) value.assumed = [...new Set([...(value.assumed ?? []), ...unknownLength])];
  }
  periods.sort((a, b) => a.value.startMs - b.value.startMs || (a.key < b.key ? -1 : 1));
  const isLater = (item.starts_at ?? startMs) < startMs - SAME_START_MS;
  return periods.map((period, index) => ({
    ...period,
    value: { ...period.value, isRenewal: index > 0 || (isLater && periods.length === 1) },
  }));
}
