import { isoSeconds, isoSecondsOrNull } from '../../../../libs/kernel/index.js';
import { isIsoCurrency, microsToMajor } from '../../../../libs/money/index.js';
import {
  type AddOnState,
  formerProducts,
  isPaidByOther,
  type Price as EnginePrice,
  type Store,
  type SubscriptionState,
} from '../../../../libs/engine/index.js';
import type { Catalog } from '../../../catalog/snapshot/catalog.model.js';
import type { CustomerPurchases, OwnedSubscription, OwnedOneTime } from './customer-purchases.js';
import type { CustomerRow } from '../identity/customer-state.js';
import { managementUrl } from './management-url.js';

interface Price {
  amount: number;
  currency: string;
}

/**
 * Null for an unknown price: an object that lacks a part or has a currency outside ISO 4217 breaks the SDKs, and 0
 * means free.
 */
function presentPrice({ amountMicros, currency }: EnginePrice): Price | null {
  if (amountMicros === null || currency === null || !isIsoCurrency(currency)) return null;
  return { amount: microsToMajor(amountMicros), currency };
}

/** A subscription, or one of its add-ons. */
interface Shown {
  owned: OwnedSubscription;
  state: SubscriptionState | AddOnState;
}

/** SDKs append the plan to the product id for any store, but only Google Play's products have such ids. */
function planIdentifier(store: Store, planId: string | null): string | undefined {
  return store === 'play_store' && planId !== null ? planId : undefined;
}

function presentSubscription({ owned, state }: Shown, displayName: string | null, catalog: Catalog): object {
  const { subscription } = owned;
  return {
    auto_resume_date: isoSecondsOrNull(state.autoResumeAtMs),
    billing_issues_detected_at: isoSecondsOrNull(state.billingIssueAtMs),
    display_name: displayName,
    // No SDK reads the grace field, so `expires_date` must be the end of access.
    expires_date: isoSecondsOrNull(state.accessEndsAtMs),
    grace_period_expires_date: isoSecondsOrNull(state.graceEndsAtMs),
    is_sandbox: subscription.environment === 'sandbox',
    management_url: managementUrl(owned, catalog),
    original_purchase_date: isoSeconds(state.startedAtMs),
    ownership_type: isPaidByOther(state.ownership) ? 'FAMILY_SHARED' : 'PURCHASED',
    period_type: state.periodType,
    price: presentPrice(state.price),
    // On Android, a JSON null would become part of the product key.
    product_plan_identifier: planIdentifier(subscription.store, state.planId),
    purchase_date: isoSeconds(state.periodStartedAtMs),
    refunded_at: isoSecondsOrNull(state.refundedAtMs),
    store: subscription.store,
    store_transaction_id: state.latestStoreTransactionId,
    unsubscribe_detected_at: isoSecondsOrNull(state.unsubscribeAtMs),
  };
}

function presentOneTime({ purchase, state }: OwnedOneTime, displayName: string | undefined): object {
  return {
    // Android reads a JSON null as the text "null", so unknown names are omitted.
    display_name: displayName,
    id: purchase.id,
    is_sandbox: purchase.environment === 'sandbox',
    original_purchase_date: isoSeconds(state.purchasedAtMs),
    price: presentPrice(state.price),
    purchase_date: isoSeconds(state.purchasedAtMs),
    store: purchase.store,
    store_transaction_id: state.storeTransactionId,
  };
}

/** A map with external keys, which may equal a property that every object has (`constructor`). */
function emptyMap<T>(): Record<string, T> {
  return Object.create(null) as Record<string, T>;
}

/** A higher limit would only make answers longer. */
const MAX_FORMER = 200;

/** A subscription's former products, newest first. SDKs use their keys to list everything a customer has bought. */
function formerlyShown(subscriptions: OwnedSubscription[], isOneTime: (id: string) => boolean): Shown[] {
  return subscriptions
    .flatMap((owned) =>
      formerProducts(owned.subscription.facts, owned.state).map((state) => ({ owned, state })),
    )
    .filter(({ state }) => !isOneTime(state.storeProductId))
    .sort((a, b) => (b.state.accessEndsAtMs ?? 0) - (a.state.accessEndsAtMs ?? 0))
    .slice(0, MAX_FORMER);
}

/** If a product appears twice, the longer access wins; if both end together, the newer one wins. */
function replaces({ state: a }: Shown, { state: b }: Shown): boolean {
  const [end, otherEnd] = [a.accessEndsAtMs ?? Infinity, b.accessEndsAtMs ?? Infinity];
  return end > otherEnd || (end === otherEnd && a.periodStartedAtMs > b.periodStartedAtMs);
}

/** Returns subscriptions by store product id. */
function presentedSubscriptions({ subscriptions, oneTime }: CustomerPurchases): Map<string, Shown> {
  const shown = new Map<string, Shown>();
  const sold = subscriptions.flatMap((owned) =>
    [owned.state, ...owned.state.addOns].map((state) => ({ owned, state })),
  );
  const bought = new Set(
    oneTime.filter(({ state }) => state.refundedAtMs === null).map(({ state }) => state.storeProductId),
  );
  for (const one of [...sold, ...formerlyShown(subscriptions, (id) => bought.has(id))]) {
    const key = one.state.storeProductId;
    const other = shown.get(key);
    if (!other || replaces(one, other)) shown.set(key, one);
  }
  return shown;
}

/**
 * `subscriber` of a CustomerInfo answer without `last_seen`, the only part that changes when neither the customer nor
 * the catalog does.
 */
export function presentSubscriber(
  customer: CustomerRow,
  purchases: CustomerPurchases,
  catalog: Catalog,
  customerManagementUrl: string | null,
): object {
  const subscriptions = emptyMap<object>();
  for (const [productId, shown] of presentedSubscriptions(purchases)) {
    const product = catalog.productOf(shown.owned.subscription.appId, productId, shown.state.planId);
    subscriptions[productId] = presentSubscription(shown, product?.displayName ?? null, catalog);
  }
  const nonSubscriptions = emptyMap<object[]>();
  for (const owned of purchases.oneTime) {
    const productId = owned.state.storeProductId;
    if (owned.state.refundedAtMs !== null || productId in subscriptions) continue;
    const product = catalog.productOf(owned.purchase.appId, productId, owned.state.planId);
    (nonSubscriptions[productId] ??= []).push(presentOneTime(owned, product?.displayName ?? undefined));
  }
  const stores = new Map(purchases.subscriptions.map(({ subscription: { id, store } }) => [id, store]));
  const entitlements = emptyMap<object>();
  for (const entitlement of purchases.entitlements) {
    const productId = entitlement.storeProductId;
    const store = stores.get(entitlement.source.id);
    // The web SDK rejects the whole answer if an entitlement's product is in neither map.
    if (!(productId in subscriptions || productId in nonSubscriptions)) continue;
    entitlements[entitlement.lookupKey] = {
      expires_date: isoSecondsOrNull(entitlement.expiresAtMs),
      grace_period_expires_date: isoSecondsOrNull(entitlement.gracePeriodExpiresAtMs),
      product_identifier: productId,
      product_plan_identifier: store && planIdentifier(store, entitlement.planId),
      purchase_date: isoSeconds(entitlement.purchasedAtMs),
    };
  }
  return {
    entitlements,
    first_seen: isoSeconds(customer.firstSeenAtMs),
    management_url: customerManagementUrl,
    non_subscriptions: nonSubscriptions,
    original_app_user_id: customer.originalAppUserId,
    original_application_version: customer.originalApplicationVersion,
    original_purchase_date: isoSecondsOrNull(customer.originalPurchaseAtMs),
    other_purchases: {},
    subscriptions,
  };
}
