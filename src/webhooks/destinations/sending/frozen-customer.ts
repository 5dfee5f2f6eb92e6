import {
  customerStatus,
  type CustomerStatus,
  type FrozenCustomer,
} from '../../../../libs/destinations/index.js';
import type { Catalog } from '../../../catalog/snapshot/catalog.model.js';
import {
  customerPurchases,
  type OwnedSubscription,
} from '../../../customers/customers/customer-info/customer-purchases.js';
import { type CustomerRow, timeOf } from '../../../customers/customers/identity/customer-state.js';

/** The customer of a delivery as its first attempt read it, and as the delivery stores it. */
export interface StoredCustomer extends FrozenCustomer {
  isOnTestClock: boolean;
}

/** For events without a customer. */
export const noCustomer: StoredCustomer = {
  attributes: {},
  status: null,
  entitlements: [],
  appVersion: null,
  osVersion: null,
  platform: null,
  isOnTestClock: false,
};

/** The part of a customer that a delivery reads. */
export interface CustomerReading {
  /** The attributes that the tool's requests may contain. */
  attributes: readonly string[];
  /** The subscription whose status is sent; null without one. */
  subscriptionId: string | null;
}

function attributesOf({ attributes }: CustomerRow, names: readonly string[]): Record<string, string> {
  const read = attributes.filter(({ name, value }) => value !== null && names.includes(name));
  return Object.fromEntries(read.map(({ name, value }) => [name, value ?? '']));
}

function statusOf({ row, state }: OwnedSubscription): CustomerStatus {
  const { givesAccess, status, periodType, autoRenewalStatus } = state;
  const isGrant = row.store === 'promotional';
  return customerStatus({ isGrant, givesAccess, status, periodType, autoRenewalStatus });
}

/** `previousOwner`: only for a transfer. */
export function frozenCustomer(
  customer: CustomerRow,
  previousOwner: CustomerRow | null,
  catalog: Catalog,
  { attributes, subscriptionId }: CustomerReading,
  nowMs: number,
): StoredCustomer {
  const { subscriptions, entitlements } = customerPurchases(customer, catalog, timeOf(customer, nowMs));
  const subscription = subscriptions.find(({ row }) => row.id === subscriptionId);
  return {
    attributes: attributesOf(customer, attributes),
    ...(previousOwner && { previousOwner: attributesOf(previousOwner, attributes) }),
    status: subscription ? statusOf(subscription) : null,
    entitlements: entitlements
      .filter(({ active }) => active)
      .map(({ lookupKey }) => lookupKey)
      .sort(),
    appVersion: customer.lastSeenAppVersion,
    osVersion: customer.lastSeenPlatformVersion,
    platform: customer.lastSeenPlatform,
    isOnTestClock: customer.testClockId !== null,
  };
}
