import { effectiveFacts, type Environment, type PeriodFact, type Store } from '../../../libs/engine/index.js';
import type { PurchaseKind } from '../../../libs/stores/index.js';
import type { Catalog, CatalogProduct } from '../../catalog/snapshot/catalog.model.js';
import {
  customerPurchases,
  type OwnedOneTime,
  ownedOneTime,
  type OwnedSubscription,
  ownedSubscription,
  oneTimeEntitlements,
  oneTimeOfPurchase,
  subscriptionEntitlements,
  subscriptionOfPurchase,
} from '../../customers/customers/customer-info/customer-purchases.js';
import type { CustomerRow } from '../../customers/customers/identity/customer-state.js';
import { productIdOf } from '../../webhooks/events/event-body.js';

/** A payment that a refund request is about. */
export interface PaymentPlace {
  store: Store;
  environment: Environment;
  /** The store's key of the purchase. */
  purchaseKey: string;
  /** The store's id of the payment; null if the store named none. */
  paymentId: string | null;
}

/** A purchase that a refund request is about, as its owner has it. */
export interface RefundedPurchase {
  subscriptionId: string | null;
  purchaseId: string | null;
  storeProductId: string;
  product: CatalogProduct | undefined;
  /** The product's name in events. */
  productName: string;
  kind: PurchaseKind | null;
  purchasedAtMs: number;
  /** Null if it has no known end. */
  period: { startMs: number; endMs: number } | null;
  /** Key under which the payment granted virtual currencies. */
  currencyKey: { store: Store; environment: Environment; ownerKey: string; periodKey: string };
  paidPeriods: number | null;
  /** The subscription had a free trial before this payment. */
  hadTrial: boolean;
  country: string | null;
  entitlementLookupKeys: string[];
}

const kinds: Partial<Record<CatalogProduct['type'], PurchaseKind>> = {
  subscription: 'auto_renewable',
  consumable: 'consumable',
  non_consumable: 'non_consumable',
  one_time: 'non_consumable',
  non_renewing_subscription: 'non_renewing',
};

function periodOf(startMs: number, endMs: number | null): RefundedPurchase['period'] {
  return endMs === null ? null : { startMs, endMs };
}

/** The period that the payment paid for, else the latest one. */
function paidPeriod(
  periods: [string, PeriodFact][],
  paymentId: string | null,
): [string, PeriodFact] | undefined {
  const paid = periods.find(([, { storeTransactionId }]) => storeTransactionId === paymentId);
  return (
    paid ??
    periods.reduce((last, one) => (last && last[1].startMs >= one[1].startMs ? last : one), periods[0])
  );
}

function ofSubscription(
  owned: OwnedSubscription,
  catalog: Catalog,
  { paymentId }: PaymentPlace,
  atMs: number,
): RefundedPurchase | null {
  const { subscription, row } = owned;
  const effective = effectiveFacts(subscription.facts);
  const periods = Object.entries(effective.periods).map(([key, { value }]): [string, PeriodFact] => [
    key,
    value,
  ]);
  const found = paidPeriod(periods, paymentId);
  if (!found) return null;
  const [periodKey, period] = found;
  const { storeProductId, planId, startMs, endMs, country } = period;
  const { store, environment, storeKey: ownerKey } = subscription;
  const before = periods.filter(([, one]) => one.startMs <= atMs);
  return {
    subscriptionId: row.id,
    purchaseId: null,
    storeProductId,
    product: catalog.productOf(subscription.appId, storeProductId, planId),
    productName: productIdOf({ storeProductId, planId }, store),
    kind: 'auto_renewable',
    purchasedAtMs: startMs,
    period: periodOf(startMs, endMs),
    currencyKey: { store, environment, ownerKey, periodKey },
    paidPeriods: before.filter(([, { kind }]) => kind !== 'trial').length,
    hadTrial: periods.some(([, one]) => one.kind === 'trial' && one.startMs < startMs),
    country,
    entitlementLookupKeys: subscriptionEntitlements(catalog, owned).map(({ lookupKey }) => lookupKey),
  };
}

function ofOneTime(owned: OwnedOneTime, catalog: Catalog): RefundedPurchase {
  const { purchase, state, row } = owned;
  const { storeProductId, planId, purchasedAtMs, expiresAtMs, country } = state;
  const { store, environment, purchaseKey } = purchase;
  const product = catalog.productOf(purchase.appId, storeProductId, planId);
  return {
    subscriptionId: null,
    purchaseId: row.id,
    storeProductId,
    product,
    productName: productIdOf({ storeProductId, planId }, store),
    kind: product ? (kinds[product.type] ?? null) : null,
    purchasedAtMs,
    period: periodOf(purchasedAtMs, expiresAtMs),
    currencyKey: { store, environment, ownerKey: purchaseKey, periodKey: purchaseKey },
    paidPeriods: null,
    hadTrial: false,
    country,
    entitlementLookupKeys: oneTimeEntitlements(catalog, owned).map(({ lookupKey }) => lookupKey),
  };
}

/** The purchase of a payment; null if the customer does not own it. */
export function refundedPurchase(
  { subscriptions, purchases }: CustomerRow,
  catalog: Catalog,
  place: PaymentPlace,
  atMs: number,
): RefundedPurchase | null {
  const name = { key: place.purchaseKey };
  const subscription = subscriptionOfPurchase(subscriptions, place, name);
  if (subscription) return ofSubscription(ownedSubscription(subscription, atMs), catalog, place, atMs);
  const oneTime = oneTimeOfPurchase(purchases, place, name);
  return oneTime ? ofOneTime(ownedOneTime(oneTime, catalog), catalog) : null;
}

/** When a customer first bought anything; null if all they have was granted. */
export function firstPurchaseAt(customer: CustomerRow, catalog: Catalog, atMs: number): number | null {
  const { subscriptions, oneTime } = customerPurchases(customer, catalog, atMs);
  const times = [
    ...subscriptions
      .filter(({ subscription }) => subscription.store !== 'promotional')
      .map(({ state }) => state.startedAtMs),
    ...oneTime.map(({ state }) => state.purchasedAtMs),
  ];
  return times.length === 0 ? null : Math.min(...times);
}

const appleStores: ReadonlySet<string> = new Set(['app_store', 'mac_app_store', 'promotional']);

export function isOfAppStoreOnly({ subscriptions, purchases }: CustomerRow): boolean {
  return [...subscriptions, ...purchases].every(({ store }) => appleStores.has(store));
}
