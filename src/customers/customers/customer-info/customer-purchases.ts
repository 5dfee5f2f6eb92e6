import {
  type Subscription,
  type SubscriptionFacts,
  type SubscriptionState,
  currentState,
  deriveOneTime,
  type OneTimePurchase,
  type OneTimeState,
  type ResolvedEntitlement,
  resolveEntitlements,
} from '../../../../libs/engine/index.js';
import { addPeriods, parsePeriod } from '../../../../libs/kernel/index.js';
import type { VerifiedPurchase } from '../../../../libs/stores/index.js';
import type { Catalog, CatalogEntitlement, CatalogProduct } from '../../../catalog/snapshot/catalog.model.js';
import type { SubscriptionRow, CustomerRow, OneTimeRow } from '../identity/customer-state.js';
import { paymentIdsOf, unconfirmedOneTime, unconfirmedSubscription } from './unconfirmed-keys.js';

export interface OwnedSubscription {
  row: SubscriptionRow;
  subscription: Subscription & { appId: string | null };
  state: SubscriptionState;
}

export interface OwnedOneTime {
  row: OneTimeRow;
  purchase: OneTimePurchase & { appId: string | null };
  state: OneTimeState;
}

export interface CustomerPurchases {
  subscriptions: OwnedSubscription[];
  oneTime: OwnedOneTime[];
  /** Empty for a blocked customer. */
  entitlements: ResolvedEntitlement[];
}

/** The database stores exactly what the engine returned. */
export function subscriptionOf(row: SubscriptionRow): Subscription & { appId: string | null } {
  const { id, appId, store, environment, storeKey, facts, factsAtMs, emitted } = row;
  return { id, appId, store, environment, storeKey, facts, factsAtMs, emitted } as Subscription & {
    appId: string | null;
  };
}

export function oneTimeOf(row: OneTimeRow): OneTimePurchase & { appId: string | null } {
  const { id, appId, store, environment, purchaseKey, facts, factsAtMs, emitted } = row;
  return { id, appId, store, environment, purchaseKey, facts, factsAtMs, emitted } as OneTimePurchase & {
    appId: string | null;
  };
}

export function ownedSubscription(row: SubscriptionRow, nowMs: number): OwnedSubscription {
  const subscription = subscriptionOf(row);
  return { row, subscription, state: currentState(subscription, nowMs) };
}

/**
 * Stores report no end for rentals and most non-renewing subscriptions, so they last as long as their product. Computed
 * for each answer: a duration that is set later also applies to earlier purchases.
 */
function withEnd(state: OneTimeState, product: CatalogProduct | undefined): OneTimeState {
  const isLimited = state.isRental || product?.type === 'non_renewing_subscription';
  const length = isLimited && state.expiresAtMs === null ? parsePeriod(product?.duration ?? '') : null;
  return length ? { ...state, expiresAtMs: addPeriods(state.purchasedAtMs, length) } : state;
}

/** The state of a one-time purchase, with the end that results from the catalog. */
export function oneTimeState(
  { appId, facts }: Pick<OwnedOneTime['purchase'], 'appId' | 'facts'>,
  catalog: Catalog,
): OneTimeState {
  const state = deriveOneTime(facts);
  return withEnd(state, catalog.productOf(appId, state.storeProductId, state.planId));
}

export function ownedOneTime(row: OneTimeRow, catalog: Catalog): OwnedOneTime {
  const purchase = oneTimeOf(row);
  return { row, purchase, state: oneTimeState(purchase, catalog) };
}

/** The entitlements that a subscription unlocks: those of its product or, for a grant, the granted one. */
export function unlockedBy(
  catalog: Catalog,
  { appId, grantedEntitlementId }: Pick<SubscriptionRow, 'appId' | 'grantedEntitlementId'>,
  storeProductId: string,
  planId: string | null,
): readonly CatalogEntitlement[] {
  if (grantedEntitlementId !== null) {
    const granted = catalog.entitlements.get(grantedEntitlementId);
    return granted ? [granted] : [];
  }
  const product = catalog.productOf(appId, storeProductId, planId);
  return product ? catalog.entitlementsOf(product.id) : [];
}

/** Entitlements that a subscription and its add-ons unlock, by id, whether or not it gives access now. */
export function subscriptionEntitlements(
  catalog: Catalog,
  { row, state }: OwnedSubscription,
): readonly CatalogEntitlement[] {
  const addOns = state.addOns.filter(({ isInBundle }) => isInBundle);
  return [...unlockedByAll(catalog, row, [state, ...addOns])].sort((a, b) => (a.id < b.id ? -1 : 1));
}

export function unlockedByAll(
  catalog: Catalog,
  row: Pick<SubscriptionRow, 'appId' | 'grantedEntitlementId'>,
  products: readonly { storeProductId: string; planId: string | null }[],
): readonly CatalogEntitlement[] {
  const all = products.flatMap(({ storeProductId, planId }) =>
    unlockedBy(catalog, row, storeProductId, planId),
  );
  return [...new Set(all)];
}

/**
 * Entitlements of a one-time purchase's product. If the purchase was recorded before its product, the product may turn
 * out to be a subscription, which must not unlock anything forever. The same applies to a rental of unknown duration and
 * to a purchase of a type that this version does not know.
 */
export function oneTimeEntitlements(
  catalog: Catalog,
  { purchase, state }: { purchase: { appId: string | null }; state: OneTimeState },
): readonly CatalogEntitlement[] {
  const { storeProductId, planId, isRental, isTypeUnknown, expiresAtMs } = state;
  if (isTypeUnknown || (isRental && expiresAtMs === null)) return [];
  const product = catalog.productOf(purchase.appId, storeProductId, planId);
  return product && product.type !== 'subscription' ? catalog.entitlementsOf(product.id) : [];
}

/** All of a customer's purchases at `nowMs`, oldest first, so that answers do not depend on the order of the rows. */
export function customerPurchases(
  customer: { blocked: boolean; subscriptions: SubscriptionRow[]; purchases: OneTimeRow[] },
  catalog: Catalog,
  nowMs: number,
): CustomerPurchases {
  const subscriptions = customer.subscriptions
    .map((row) => ownedSubscription(row, nowMs))
    .sort((a, b) => a.state.startedAtMs - b.state.startedAtMs || (a.row.id < b.row.id ? -1 : 1));
  const oneTime = customer.purchases
    .map((row) => ownedOneTime(row, catalog))
    .sort((a, b) => a.state.purchasedAtMs - b.state.purchasedAtMs || (a.row.id < b.row.id ? -1 : 1));
  if (customer.blocked) return { subscriptions, oneTime, entitlements: [] };
  const entitlements = resolveEntitlements(
    subscriptions.flatMap(({ subscription, row, state }) =>
      [state, ...state.addOns].map((sold) => ({
        id: subscription.id,
        state: sold,
        entitlements: unlockedBy(catalog, row, sold.storeProductId, sold.planId),
      })),
    ),
    oneTime.map((owned) => ({
      id: owned.purchase.id,
      state: owned.state,
      entitlements: oneTimeEntitlements(catalog, owned),
    })),
    nowMs,
  );
  return { subscriptions, oneTime, entitlements };
}

/** The store and environment of a purchase. Keys are unique only within them. */
export interface PurchasePlace {
  store: string;
  environment: string;
}

/** A store's name of a purchase, and of the subscription that the purchase continues, if any. */
export interface PurchaseName {
  key: string;
  continues?: string;
  /** See `VerifiedPurchase`. */
  namedByStore?: object;
}

/** An iOS app and a Mac app with the same bundle id share the purchases of the same Apple accounts. */
const appleStores: readonly string[] = ['app_store', 'mac_app_store'];

/** The stores in which a key of `store` names the same purchase. The first app to post it decides its store. */
export function storesWithKeysOf(store: string): readonly string[] {
  return appleStores.includes(store) ? appleStores : [store];
}

export function isOf(row: PurchasePlace, { store, environment }: PurchasePlace): boolean {
  return storesWithKeysOf(store).includes(row.store) && row.environment === environment;
}

/** Up to version 0.8.0, each of Apple's stores had a separate row for a purchase. The row of `place` comes first. */
function ofPlace<Row extends PurchasePlace>(rows: readonly Row[], place: PurchasePlace): Row[] {
  const own = rows.filter((row) => isOf(row, place));
  const isExact = ({ store }: Row): boolean => store === place.store;
  return own.every(isExact) ? own : own.sort((a, b) => Number(isExact(b)) - Number(isExact(a)));
}

/**
 * The subscription of a purchase: its own, the one that it is known to continue, or else the one that the store says it
 * continues.
 */
export function subscriptionOfPurchase(
  subscriptions: SubscriptionRow[],
  place: PurchasePlace,
  purchase: PurchaseName | VerifiedPurchase,
): SubscriptionRow | undefined {
  const { key, continues } = purchase;
  const own = ofPlace(subscriptions, place);
  const named = (name: string): SubscriptionRow | undefined =>
    own.find(({ storeKey }) => storeKey === name) ??
    own.find(({ facts }) => (facts as SubscriptionFacts).continuations?.[name] !== undefined);
  const known = named(key) ?? (continues === undefined ? undefined : named(continues));
  if (known || !('observation' in purchase) || purchase.kind !== 'subscription') return known;
  // The store's report may match a subscription imported under another key.
  return unconfirmedSubscription(own, purchase.observation.facts);
}

/** The subscription that an earlier version recorded under another key. The report has all its transactions. */
export function formerSubscription(
  own: readonly SubscriptionRow[],
  { formerKey, observation }: Extract<VerifiedPurchase, { kind: 'subscription' }>,
): SubscriptionRow | undefined {
  const row = own.find(({ storeKey }) => storeKey === formerKey);
  const ids = new Set(paymentIdsOf(observation.facts));
  const known = Object.values((row?.facts as SubscriptionFacts | undefined)?.periods ?? {});
  const isSame = known.length > 0 && known.every(({ value }) => ids.has(value.storeTransactionId));
  return isSame ? row : undefined;
}

export function oneTimeOfPurchase(
  purchases: OneTimeRow[],
  place: PurchasePlace,
  purchase: PurchaseName | VerifiedPurchase,
): OneTimeRow | undefined {
  const own = ofPlace(purchases, place);
  const known = own.find(({ purchaseKey }) => purchaseKey === purchase.key);
  if (known || !('observation' in purchase) || purchase.kind !== 'one_time') return known;
  return unconfirmedOneTime(own, purchase.observation.facts);
}

type Owner = Pick<CustomerRow, 'subscriptions' | 'purchases'>;

function rowOfPurchase(
  { subscriptions, purchases }: Owner,
  place: PurchasePlace,
  name: PurchaseName | VerifiedPurchase,
): SubscriptionRow | OneTimeRow | undefined {
  return subscriptionOfPurchase(subscriptions, place, name) ?? oneTimeOfPurchase(purchases, place, name);
}

export function owns(customer: Owner, place: PurchasePlace, name: PurchaseName | VerifiedPurchase): boolean {
  return rowOfPurchase(customer, place, name) !== undefined;
}

/** The purchase by its own name, if the subscription that it continues may belong to another customer. */
export function withoutContinued<Name extends PurchaseName>(purchase: Name): Name {
  return purchase.namedByStore ? { ...purchase, continues: undefined, namedByStore: undefined } : purchase;
}

/** The keys by which the customers of some purchases are found. */
export function keysOfPurchases(purchases: readonly PurchaseName[]): string[] {
  return purchases.flatMap(({ key, continues }) => (continues === undefined ? [key] : [key, continues]));
}

/** The owner of a purchase among some customers, or else of the subscription that it continues. */
export function ownerAmong<Customer extends Owner>(
  customers: readonly Customer[],
  place: PurchasePlace,
  name: PurchaseName | VerifiedPurchase,
): Customer | undefined {
  const own = customers.filter((customer) => owns(customer, place, withoutContinued(name)));
  const owners = own.length > 0 ? own : customers.filter((customer) => owns(customer, place, name));
  return owners.find((owner) => rowOfPurchase(owner, place, name)?.store === place.store) ?? owners[0];
}
