import {
  currentBundle,
  type HintFact,
  isPaidByOther,
  type Ownership,
  type Register,
  seatsOf,
} from '../../../libs/engine/index.js';
import type { Catalog, CatalogEntitlement } from '../../catalog/snapshot/catalog.model.js';
import type { EntitlementDto } from '../../catalog/entitlements/entitlement.dto.js';
import { presentCatalogProduct } from '../../catalog/products/product.presenter.js';
import { embeddedList } from '../../platform/http/lists/lists.js';
import {
  subscriptionEntitlements,
  type OwnedSubscription,
  type OwnedOneTime,
  oneTimeEntitlements,
} from '../../customers/customers/customer-info/customer-purchases.js';
import { type MoneyMicros, noMoney, presentMoney } from './money.js';
import type {
  PurchaseDto,
  SubscriptionDto,
  SubscriptionItemDto,
  UnlockedEntitlementListDto,
} from './purchase.dto.js';

export interface PurchaseView {
  catalog: Catalog;
  /** The owner's original app user id. */
  customerAppUserId: string;
  usd: Map<string, MoneyMicros>;
}

export function presentUnlocked(projectId: string, entitlement: CatalogEntitlement): EntitlementDto {
  return {
    object: 'entitlement',
    id: entitlement.id,
    project_id: projectId,
    lookup_key: entitlement.lookupKey,
    display_name: entitlement.displayName,
    created_at: entitlement.createdAtMs,
    state: entitlement.active ? 'active' : 'inactive',
  };
}

function entitlementList(
  url: string,
  catalog: Catalog,
  rows: readonly CatalogEntitlement[],
): UnlockedEntitlementListDto {
  return embeddedList(
    `${url}/entitlements`,
    [...rows],
    (row) => presentUnlocked(catalog.projectId, row),
    ({ id }) => [id],
  );
}

/** The offering's id, or the identifier that the app sent if that offering no longer exists. */
function offeringId(catalog: Catalog, presented: string | null): string | null {
  const offering = [...catalog.offerings.values()].find(({ lookupKey }) => lookupKey === presented);
  return offering?.id ?? presented;
}

/** Undefined unless the subscription will renew to another product that is in the catalog. */
function pendingChanges(
  { subscription, state }: OwnedSubscription,
  catalog: Catalog,
): SubscriptionDto['pending_changes'] {
  if (state.autoRenewalStatus !== 'will_change_product' || state.autoRenewProductId === null)
    return undefined;
  // Google Play's name of a plan includes its subscription.
  const [name, planId] =
    subscription.store === 'play_store' ? state.autoRenewProductId.split(':') : [state.autoRenewProductId];
  const product = catalog.productOf(subscription.appId, name ?? null, planId ?? null);
  return product && { product: presentCatalogProduct(product) };
}

/** The products of a subscription with add-ons; undefined if it has none. */
function items(
  { subscription, state }: OwnedSubscription,
  catalog: Catalog,
): SubscriptionItemDto[] | undefined {
  const addOns = state.addOns.filter(({ isInBundle }) => isInBundle);
  if (addOns.length === 0) return undefined;
  return [state, ...addOns].map((item) => ({
    type: item === state ? 'base' : 'addon',
    product_id: catalog.productOf(subscription.appId, item.storeProductId, item.planId)?.id ?? null,
    store_product_identifier:
      item.planId === null ? item.storeProductId : `${item.storeProductId}:${item.planId}`,
    gives_access: item.givesAccess,
    ends_at: item.accessEndsAtMs,
  }));
}

function presentedBy(
  hints: Register<HintFact> | null,
): Pick<PurchaseDto, 'presented_placement_id' | 'applied_targeting_rule'> {
  const { presentedPlacementId = null, targetingRule } = hints?.value ?? {};
  return {
    presented_placement_id: presentedPlacementId,
    applied_targeting_rule: targetingRule
      ? { revision: targetingRule.revision, rule_id: targetingRule.id }
      : null,
  };
}

/** The vendor's clients know only these two. */
function presentOwnership(ownership: Ownership): 'purchased' | 'family_shared' {
  return isPaidByOther(ownership) ? 'family_shared' : 'purchased';
}

function presentSeats({ subscription, state }: OwnedSubscription): SubscriptionDto['seats'] {
  const seats = seatsOf(subscription.facts, state);
  if (!seats) return null;
  const { quantity, revoked, nextQuantity, tiers, invitations } = seats;
  const { currency } = state.price;
  const isMember = state.ownership !== 'purchased';
  return {
    role: isMember ? 'member' : 'purchaser',
    quantity,
    revoked,
    next_quantity: nextQuantity,
    tiers: isMember
      ? undefined
      : tiers.map((tier) => ({
          price: presentMoney(currency ?? 'USD', { ...noMoney, grossMicros: tier.priceMicros }),
          quantity: tier.quantity,
        })),
    invitations,
  };
}

function presentBundle({ subscription, state }: OwnedSubscription): SubscriptionDto['bundle'] {
  const bundle = currentBundle(subscription.facts, state);
  if (!bundle) return null;
  const { storeProductId, previousKey } = bundle;
  return { product_identifier: storeProductId, previous_store_subscription_identifier: previousKey };
}

export function presentSubscription(
  owned: OwnedSubscription,
  { catalog, customerAppUserId, usd }: PurchaseView,
): SubscriptionDto {
  const { subscription, state, row } = owned;
  const url = `/v2/projects/${catalog.projectId}/subscriptions/${subscription.id}`;
  return {
    object: 'subscription',
    id: subscription.id,
    customer_id: customerAppUserId,
    original_customer_id: row.originalCustomerAppUserId,
    product_id: catalog.productOf(subscription.appId, state.storeProductId, state.planId)?.id ?? null,
    starts_at: state.startedAtMs,
    current_period_starts_at: state.periodStartedAtMs,
    current_period_ends_at: state.periodEndsAtMs,
    ends_at: state.accessEndsAtMs,
    gives_access: state.givesAccess,
    pending_payment: state.pendingPayment,
    auto_renewal_status: state.autoRenewalStatus,
    status: state.status,
    total_revenue_in_usd: presentMoney('USD', usd.get(subscription.id) ?? noMoney),
    presented_offering_id: offeringId(catalog, state.presentedOfferingId),
    ...presentedBy(subscription.facts.hints),
    entitlements: entitlementList(url, catalog, subscriptionEntitlements(catalog, owned)),
    environment: subscription.environment,
    store: subscription.store,
    store_subscription_identifier: state.latestStoreTransactionId,
    ownership: presentOwnership(state.ownership),
    country: state.country,
    management_url: null,
    pending_changes: pendingChanges(owned, catalog),
    items: items(owned, catalog),
    seats: presentSeats(owned),
    bundle: presentBundle(owned),
  };
}

export function presentPurchase(
  owned: OwnedOneTime,
  { catalog, customerAppUserId, usd }: PurchaseView,
): PurchaseDto {
  const { purchase, state, row } = owned;
  const url = `/v2/projects/${catalog.projectId}/purchases/${purchase.id}`;
  return {
    object: 'purchase',
    id: purchase.id,
    customer_id: customerAppUserId,
    original_customer_id: row.originalCustomerAppUserId,
    product_id: catalog.productOf(purchase.appId, state.storeProductId, state.planId)?.id ?? null,
    purchased_at: state.purchasedAtMs,
    revenue_in_usd: presentMoney('USD', usd.get(purchase.id) ?? noMoney),
    quantity: state.quantity,
    status: state.status,
    presented_offering_id: offeringId(catalog, state.presentedOfferingId),
    ...presentedBy(purchase.facts.hints),
    entitlements: entitlementList(url, catalog, oneTimeEntitlements(catalog, owned)),
    environment: purchase.environment,
    store: purchase.store,
    store_purchase_identifier: state.storeTransactionId,
    ownership: presentOwnership(state.ownership),
    country: state.country,
  };
}
