import { microsToMajor } from '../../../libs/money/index.js';
import type { Catalog, CatalogOffering } from '../../catalog/snapshot/catalog.model.js';
import type { FoundCustomer } from '../../customers/customers/identity/customer-lists.repository.js';
import {
  subscriptionEntitlements,
  type CustomerPurchases,
  type OwnedSubscription,
  type OwnedOneTime,
} from '../../customers/customers/customer-info/customer-purchases.js';
import type { CustomerRevenue } from '../../purchases/transactions/transactions.repository.js';
import type { CustomerSummaryDto, PurchaseRowDto } from './customer-summary.dto.js';

export interface CustomerSummary {
  customer: FoundCustomer;
  purchases: CustomerPurchases;
  revenue: CustomerRevenue | undefined;
  catalog: Catalog;
}

function offeringName(offering: CatalogOffering | undefined) {
  if (!offering) return null;
  return { id: offering.id, lookup_key: offering.lookupKey, display_name: offering.displayName };
}

function subscriptionRow({ subscription, state }: OwnedSubscription): PurchaseRowDto {
  return {
    id: subscription.id,
    product_identifier: state.storeProductId,
    store: subscription.store,
    status: state.status,
    ends_at: state.accessEndsAtMs,
    environment: subscription.environment,
  };
}

function oneTimeRow({ purchase, state }: OwnedOneTime): PurchaseRowDto {
  return {
    id: purchase.id,
    product_identifier: state.storeProductId,
    store: purchase.store,
    status: state.status,
    ends_at: state.refundedAtMs ?? state.expiresAtMs,
    environment: purchase.environment,
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
    country: customer.lastSeenCountry,
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
    subscriptions: subscriptions.map(subscriptionRow),
    purchases: oneTime.map(oneTimeRow),
  };
}
