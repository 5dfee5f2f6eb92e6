import { isoSeconds, isoSecondsOrNull } from '../../../libs/kernel/index.js';
import { isIsoCurrency, microsToMajor } from '../../../libs/money/index.js';
import {
  type AddOnState,
  formerProducts,
  type Price as EnginePrice,
  type Store,
  type SubscriptionState,
} from '../../../libs/engine/index.js';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import type { CustomerPurchases, OwnedSubscription, OwnedOneTime } from './customer-purchases.js';
import type { CustomerRow } from './customer-state.js';
import { managementUrl } from './management-url.js';

interface Price {
  amount: number;
  currency: string;
}

/**
 * Null for an unknown price: an object without both parts, or with a currency outside ISO 4217, breaks the SDKs, and 0
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

/** SDKs join a plan to the product id, whatever the store; only products of Google Play have such ids. */
function planIdentifier(store: Store, planId: string | null): string | undefined {
  return store === 'play_store' && planId !== null ? planId : undefined;
}

function presentSubscription({ owned, state }: Shown, displayName: string | null, catalog: Catalog): object {
  const { subscription } = owned;
  return {
    auto_resume_date: isoSecondsOrNull(state.autoResumeAtMs),
    billing_issues_detected_at: isoSecondsOrNull(state.billingIssueAtMs),
    display_name: displayName,
    // No SDK looks at the grace field: the end of access is what `expires_date` has to say.
    expires_date: isoSecondsOrNull(state.accessEndsAtMs),
    grace_period_expires_date: isoSecondsOrNull(state.graceEndsAtMs),
    is_sandbox: subscription.environment === 'sandbox',
    management_url: managementUrl(owned, catalog),
    original_purchase_date: isoSeconds(state.startedAtMs),
    ownership_type: state.ownership === 'family_shared' ? 'FAMILY_SHARED' : 'PURCHASED',
    period_type: state.periodType,
    price: presentPrice(state.price),
    // A JSON null would become part of the product key on Android.
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
    // Android reads a JSON null as the text "null": left out when unknown.
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

/** A map by names from outside: one of them may be a name that every object has (`constructor`). */
function emptyMap<T>(): Record<string, T> {
  return Object.create(null) as Record<string, T>;
}

/** More would only make answers long. */
const MAX_FORMER = 200;

/** Products that a subscription had before, newest first. SDKs tell by their keys what a customer has ever bought. */
function formerlyShown(subscriptions: OwnedSubscription[], isOneTime: (id: string) => boolean): Shown[] {
  return subscriptions
    .flatMap((owned) =>
      formerProducts(owned.subscription.facts, owned.state).map((state) => ({ owned, state })),
    )
    .filter(({ state }) => !isOneTime(state.storeProductId))
    .sort((a, b) => (b.state.accessEndsAtMs ?? 0) - (a.state.accessEndsAtMs ?? 0))
    .slice(0, MAX_FORMER);
}

/** Of two lifetimes of one product, the one with the longer access is shown; if both end together, the newer one. */
function replaces({ state: a }: Shown, { state: b }: Shown): boolean {
  const [end, otherEnd] = [a.accessEndsAtMs ?? Infinity, b.accessEndsAtMs ?? Infinity];
  return end > otherEnd || (end === otherEnd && a.periodStartedAtMs > b.periodStartedAtMs);
}

/** By store product id. */
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
 * `subscriber` of a CustomerInfo answer without `last_seen`, the only part that changes without a change of
 * the customer or the catalog.
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
    // An entitlement whose product is in neither map makes the web SDK refuse the whole answer.
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
