import {
  applySubscription,
  type Subscription,
  applyOneTime,
  deriveState,
  deriveOneTime,
  type EngineEvent,
  type LedgerEntry,
  newSubscription,
  newOneTimePurchase,
} from '../../../libs/engine/index.js';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import { prepareSnapshot } from '../../customers/customers/customer-info/customer-info.js';
import type { SubscriptionRow, OneTimeRow } from '../../customers/customers/identity/customer-state.js';
import { subscriptionOf, oneTimeOf } from '../../customers/customers/customer-info/customer-purchases.js';
import type { StoredSubscription, StoredCustomer, StoredMoney, StoredPurchase } from './stored-state.js';

/** A stored row that differs from its facts. Contains only ids and column names. */
export interface Difference {
  /** Null: the customer's prepared answer. */
  purchaseId: string | null;
  what:
    | 'facts'
    | 'status'
    | 'started_at'
    | 'access_ends_at'
    | 'store_product_id'
    | 'next_due_at'
    | 'missing_events'
    | 'put_off_events'
    | 'purchased_at'
    | 'ledger'
    | 'answer';
}

/** True if the only difference is that events are still to be emitted and the row is not marked as due. */
export const isOnlyPutOff = (differences: Difference[]): boolean =>
  differences.every(({ what }) => what === 'put_off_events');

type What = Difference['what'];

const neverPutOff: ReadonlySet<string> = new Set([
  'INITIAL_PURCHASE',
  'RENEWAL',
  'REFUND_REVERSED',
  'EXPIRATION',
]);

/** Returns the differences between rows and their facts. Compares due rows as they were just before they were due. */
export function differencesOf(
  customer: StoredCustomer,
  catalog: Catalog,
  nowMs: number,
  listeningSinceMs = 0,
): Difference[] {
  // Test clocks stop and jump, and no real money is involved.
  if (customer.testClockId !== null) return [];
  const { subscriptions, purchases, storedSubscriptions, storedPurchases, money } = customer;
  const found = [
    ...subscriptions.flatMap((row) => {
      const stored = storedSubscriptions.find(({ id }) => id === row.id);
      return stored
        ? named(row.id, () =>
            ofSubscription(row, stored, moneyOf(money, row.id, presentKeys(row)), nowMs, listeningSinceMs),
          )
        : [];
    }),
    ...purchases.flatMap((row) => {
      const stored = storedPurchases.find(({ id }) => id === row.id);
      return stored
        ? named(row.id, () =>
            ofPurchase(
              row,
              stored,
              moneyOf(money, row.id, () => row.purchaseKey),
            ),
          )
        : [];
    }),
  ];
  // If the facts are wrong, there is no answer to compare with.
  return found.length > 0 ? found : named(null, () => ofAnswer(customer, catalog, nowMs));
}

function named(purchaseId: string | null, check: () => What[]): Difference[] {
  try {
    return check().map((what) => ({ purchaseId, what }));
  } catch (error) {
    if (error instanceof RangeError) return [{ purchaseId, what: 'facts' }];
    throw error;
  }
}

/** Late facts may leave state changes to due work. Money and expirations are recorded immediately. */
function isNeverPutOff(
  { type, cancelReason, dedupeKey }: EngineEvent,
  { id, emitted }: Subscription,
): boolean {
  // Resuming a period changes state but starts no new period.
  const isReturn = emitted.opened.some((key) => dedupeKey.startsWith(`${id}:rn:${key}:`));
  return (neverPutOff.has(type) && !isReturn) || cancelReason === 'CUSTOMER_SUPPORT';
}

function isWaiting({ nextDueAtMs }: StoredSubscription, nowMs: number): boolean {
  return nextDueAtMs !== null && nextDueAtMs <= nowMs;
}

function ofSubscription(
  row: SubscriptionRow,
  stored: StoredSubscription,
  money: Map<string, number>,
  nowMs: number,
  listeningSinceMs: number,
): What[] {
  const subscription = subscriptionOf(row);
  const waits = isWaiting(stored, nowMs);
  const atMs = waits ? (stored.nextDueAtMs as number) - 1 : nowMs;
  const state = deriveState(subscription.facts, atMs);
  const found: What[] = [];
  if (state.status !== stored.status) found.push('status');
  if (state.startedAtMs !== stored.startedAtMs) found.push('started_at');
  if (state.accessEndsAtMs !== stored.accessEndsAtMs) found.push('access_ends_at');
  if (state.storeProductId !== stored.storeProductId) found.push('store_product_id');
  const current = applySubscription(subscription, null, atMs, { listeningSinceMs });
  if (current.events.some((event) => isNeverPutOff(event, subscription))) found.push('missing_events');
  else if (!waits && current.events.length > 0) found.push('put_off_events');
  const { nextDueAtMs } = current.state;
  // Earlier is harmless: the Test Store renews before the end, and a setting may have changed.
  if (!waits && nextDueAtMs !== null && (stored.nextDueAtMs ?? Infinity) > nextDueAtMs) {
    found.push('next_due_at');
  }
  const { id, store, environment, storeKey, facts, factsAtMs } = subscription;
  const observation = { atMs: factsAtMs, facts };
  const again = newSubscription({ id, store, environment, storeKey });
  const { ledger } = applySubscription(again, observation, Math.max(nowMs, factsAtMs));
  if (!isSame(money, amountsOf(ledger))) found.push('ledger');
  return found;
}

function ofPurchase(row: OneTimeRow, stored: StoredPurchase, money: Map<string, number>): What[] {
  const purchase = oneTimeOf(row);
  const { id, store, environment, purchaseKey, facts, factsAtMs } = purchase;
  const state = deriveOneTime(facts);
  const found: What[] = [];
  if (state.status !== stored.status) found.push('status');
  if (state.purchasedAtMs !== stored.purchasedAtMs) found.push('purchased_at');
  const again = newOneTimePurchase({ id, store, environment, purchaseKey });
  const { ledger } = applyOneTime(again, { atMs: factsAtMs, facts }, factsAtMs);
  if (!isSame(money, amountsOf(ledger))) found.push('ledger');
  return found;
}

function ofAnswer(customer: StoredCustomer, catalog: Catalog, nowMs: number): What[] {
  const { answer, storedSubscriptions } = customer;
  if (!answer || answer.customerVersion !== customer.version) return [];
  if (answer.catalogVersion !== catalog.version) return [];
  if (answer.validUntilMs !== null && answer.validUntilMs <= nowMs) return [];
  if (storedSubscriptions.some((stored) => isWaiting(stored, nowMs))) return [];
  return prepareSnapshot(customer, catalog, nowMs).subscriber === answer.subscriber ? [] : ['answer'];
}

/** Totals by period and currency, without zero amounts. */
function amountsOf(entries: LedgerEntry[]): Map<string, number> {
  const sums = entries.map(({ periodKey, price: { amountMicros, currency } }) => ({
    periodKey,
    currency,
    sum: amountMicros,
  }));
  return added(sums);
}

/** The ledger may have an imported period under another key than the store's. */
function presentKeys(row: SubscriptionRow): (periodKey: string) => string {
  const { booked } = subscriptionOf(row).emitted;
  if (booked === undefined) return (periodKey) => periodKey;
  const present = new Map(Object.entries(booked).map(([key, inLedger]) => [inLedger, key]));
  return (periodKey) => present.get(periodKey) ?? periodKey;
}

function moneyOf(
  money: StoredMoney[],
  purchaseId: string,
  keyOf: (periodKey: string) => string,
): Map<string, number> {
  const own = money.filter((row) => row.purchaseId === purchaseId);
  return added(own.map((row) => ({ ...row, periodKey: keyOf(row.periodKey) })));
}

function added(rows: Pick<StoredMoney, 'periodKey' | 'currency' | 'sum'>[]): Map<string, number> {
  const amounts = new Map<string, number>();
  for (const { periodKey, currency, sum } of rows) {
    const key = `${currency} ${periodKey}`;
    amounts.set(key, (amounts.get(key) ?? 0) + (sum ?? 0));
  }
  return new Map([...amounts].filter(([, sum]) => sum !== 0));
}

function isSame(a: Map<string, number>, b: Map<string, number>): boolean {
  return a.size === b.size && [...a].every(([key, sum]) => b.get(key) === sum);
}
