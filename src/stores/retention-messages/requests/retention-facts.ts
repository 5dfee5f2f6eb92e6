import { effectiveFacts, type Environment, type Store } from '../../../../libs/engine/index.js';
import { platformOf, type RetentionFacts } from '../../../../libs/targeting/index.js';
import type { Catalog } from '../../../catalog/snapshot/catalog.model.js';
import { liveAttributes } from '../../../customers/customers/customer-info/customer-attributes.js';
import {
  customerPurchases,
  type OwnedSubscription,
  ownedSubscription,
  ownerAmong,
  subscriptionOfPurchase,
} from '../../../customers/customers/customer-info/customer-purchases.js';
import type { CustomerRow } from '../../../customers/customers/identity/customer-state.js';

const DAY_MS = 86_400_000;

/** A subscription that a customer may cancel, with its owner. */
export interface AskedSubscription {
  customer: CustomerRow;
  owned: OwnedSubscription;
}

/** Finds a subscription by the store's key among its possible owners; null if no customer owns it. */
export function askedSubscription(
  customers: readonly CustomerRow[],
  place: { store: Store; environment: Environment },
  key: string,
  nowMs: number,
): AskedSubscription | null {
  const customer = ownerAmong(customers, place, { key });
  const row = customer && subscriptionOfPurchase(customer.subscriptions, place, { key });
  return row ? { customer, owned: ownedSubscription(row, nowMs) } : null;
}

/** Ids of the products that a customer has now. */
export function productsHeld(customer: CustomerRow, catalog: Catalog, nowMs: number): Set<string> {
  const { subscriptions, oneTime } = customerPurchases(customer, catalog, nowMs);
  const held = [
    ...subscriptions
      .filter(({ state }) => state.givesAccess)
      .map(({ row, state }) => catalog.productOf(row.appId, state.storeProductId, state.planId)),
    ...oneTime
      .filter(({ state }) => state.status === 'owned' && (state.expiresAtMs ?? Infinity) > nowMs)
      .map(({ row, state }) => catalog.productOf(row.appId, state.storeProductId, state.planId)),
  ];
  return new Set(held.flatMap((product) => product?.id ?? []));
}

/**
 * The values that rules compare.
 * @param attributes names that rules use
 * @param lifetimeUsd undefined if unknown
 */
export function retentionFacts(
  { customer, owned }: AskedSubscription,
  catalog: Catalog,
  {
    appId,
    attributes,
    lifetimeUsd,
  }: {
    appId: string;
    attributes: readonly string[];
    lifetimeUsd: number | undefined;
  },
  nowMs: number,
): RetentionFacts {
  const { subscription, state } = owned;
  const values = new Map(liveAttributes(customer.attributes).map(({ name, value }) => [name, value]));
  const periods = Object.values(effectiveFacts(subscription.facts).periods);
  const facts: RetentionFacts = {
    original_app_user_id: customer.originalAppUserId,
    app_config: appId,
    country: state.country ?? customer.lastSeenCountry ?? undefined,
    platform: platformOf(customer.lastSeenPlatform) ?? undefined,
    app_version: customer.lastSeenAppVersion ?? undefined,
    custom_attribute: Object.fromEntries(attributes.map((name) => [name, values.get(name) ?? null])),
    product: catalog.productOf(subscription.appId, state.storeProductId, state.planId)?.id,
    days_since_purchase: Math.max(0, Math.floor((nowMs - state.startedAtMs) / DAY_MS)),
    paid_periods: periods.filter(({ value }) => value.kind !== 'trial' && value.startMs <= nowMs).length,
    lifetime_usd: lifetimeUsd,
  };
  return facts;
}
