import { microsToMajor } from '../../../libs/money/index.js';
import type { Catalog, CatalogOffering } from '../../catalog/snapshot/catalog.model.js';
import type { FoundCustomer } from '../../customers/customers/identity/customer-lists.repository.js';
import {
  subscriptionEntitlements,
  type CustomerPurchases,
  type OwnedSubscription,
  type OwnedOneTime,
} from '../../customers/customers/customer-info/customer-purchases.js';
import type { CustomerRevenue, PaymentSum } from '../../purchases/transactions/transactions.repository.js';
import type { DisplayAmount } from '../../purchases/lookups/display-amount.policy.js';
import { presentCountry } from './customer-country.js';
import type { CustomerSummaryDto, PurchaseRowDto } from './customer-summary.dto.js';

export interface CustomerSummary {
  customer: FoundCustomer;
  purchases: CustomerPurchases;
  revenue: CustomerRevenue | undefined;
  catalog: Catalog;
  /** The country of the newest payment. Only read if no device sent a country. */
  countryOfPurchase: string | null;
  notes: number;
  /** Adds the payments that are counted, in the currency of the request. */
  spent: (isCounted: (sum: PaymentSum) => boolean) => DisplayAmount;
}

function offeringName(offering: CatalogOffering | undefined) {
  if (!offering) return null;
  return { id: offering.id, lookup_key: offering.lookupKey, display_name: offering.displayName };
}

function subscriptionRow(
  { subscription, state }: OwnedSubscription,
  { spent, catalog }: CustomerSummary,
): PurchaseRowDto {
  return {
    id: subscription.id,
    app_id: subscription.appId,
    app_name: catalog.apps.get(subscription.appId ?? '')?.name ?? null,
    product_identifier: state.storeProductId,
    product_display_name:
      catalog.productOf(subscription.appId, state.storeProductId, state.planId)?.displayName ?? null,
    store: subscription.store,
    status: state.status,
    ends_at: state.accessEndsAtMs,
    environment: subscription.environment,
    spent: spent(({ ownedId }) => ownedId === subscription.id),
  };
}

function oneTimeRow({ purchase, state }: OwnedOneTime, { spent, catalog }: CustomerSummary): PurchaseRowDto {
  return {
    id: purchase.id,
    app_id: purchase.appId,
    app_name: catalog.apps.get(purchase.appId ?? '')?.name ?? null,
    product_identifier: state.storeProductId,
    product_display_name:
      catalog.productOf(purchase.appId, state.storeProductId, state.planId)?.displayName ?? null,
    store: purchase.store,
    status: state.status,
    ends_at: state.refundedAtMs ?? state.expiresAtMs,
    environment: purchase.environment,
    spent: spent(({ ownedId }) => ownedId === purchase.id),
  };
}

export function presentCustomerSummary(summary: CustomerSummary): CustomerSummaryDto {
  const { customer, purchases, revenue, catalog } = summary;
  const { subscriptions, oneTime, entitlements } = purchases;
  const offerings = [...catalog.offerings.values()];
  const override = catalog.offerings.get(customer.currentOfferingOverride ?? '');
  const grants = subscriptions.filter(
    ({ subscription, state }) => subscription.store === 'promotional' && state.givesAccess,
  );
  const stores = [
    ...subscriptions.map(({ subscription }) => subscription),
    ...oneTime.map(({ purchase }) => purchase),
  ];
  return {
    object: 'customer_summary',
    id: customer.askedAppUserId,
    original_app_user_id: customer.originalAppUserId,
    aliases: customer.aliases.map(({ appUserId }) => appUserId).sort(),
    total_revenue_in_usd: microsToMajor(revenue?.productionMicros ?? 0),
    sandbox_revenue_in_usd: microsToMajor(revenue?.sandboxMicros ?? 0),
    spent: summary.spent(({ environment }) => environment === 'production'),
    sandbox_spent: summary.spent(({ environment }) => environment === 'sandbox'),
    note_count: summary.notes,
    ...presentCountry(customer.lastSeenCountry, summary.countryOfPurchase),
    platform: customer.lastSeenPlatform,
    stores: [...new Set(stores.map(({ store }) => store))].sort(),
    offering_override: offeringName(override),
    current_offering: offeringName(override ?? offerings.find(({ isCurrent }) => isCurrent)),
    blocked: customer.blocked,
    active_entitlements: entitlements
      .filter(({ active }) => active)
      .map(({ lookupKey, expiresAtMs }) => ({ lookup_key: lookupKey, expires_at: expiresAtMs })),
    granted_entitlements: (customer.blocked ? [] : grants).flatMap((grant) =>
      subscriptionEntitlements(catalog, grant).map(({ lookupKey }) => ({
        lookup_key: lookupKey,
        expires_at: grant.state.accessEndsAtMs,
      })),
    ),
    subscriptions: subscriptions.map((owned) => subscriptionRow(owned, summary)),
    purchases: oneTime.map((owned) => oneTimeRow(owned, summary)),
  };
}
