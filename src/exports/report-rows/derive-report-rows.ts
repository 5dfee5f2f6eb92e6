import {
  type ChargedSubscription,
  chargedSubscription,
  isPaidByOther,
  type OneTimeState,
} from '../../../libs/engine/index.js';
import {
  oneTimeEntitlements,
  oneTimeState,
  unlockedByAll,
} from '../../customers/customers/customer-info/customer-purchases.js';
import { productIdOf } from '../../webhooks/events/event-body.js';
import {
  isSandbox,
  lookupKeysOf,
  oneTimeTransaction,
  originalIdOf,
  subscriptionTransactions,
  timeOrNull,
} from './derive-transactions.js';
import { grouped } from '../../../libs/kernel/index.js';
import type { CustomerRow, ReportRows, SubscriptionRow } from './report-rows.model.js';
import type {
  ReportSource,
  SourceAttribute,
  SourceCustomer,
  SourceOneTime,
  SourceSubscription,
} from './report-source.model.js';

/** Sorted by name; null if there are none. */
function attributesOf(attributes: readonly SourceAttribute[]): CustomerRow['customAttributes'] {
  if (attributes.length === 0) return null;
  const sorted = attributes.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return Object.fromEntries(
    sorted.map(({ name, value, updatedAtMs }) => [name, { value, updated_at_ms: updatedAtMs }]),
  );
}

/** The newest identified id, or else the original one. */
function lastSeenId({ aliases, originalAppUserId }: SourceCustomer): string {
  const [newest] = aliases
    .filter(({ isAnonymous }) => !isAnonymous)
    .sort((a, b) => b.createdAtMs - a.createdAtMs || (a.appUserId < b.appUserId ? 1 : -1));
  return newest?.appUserId ?? originalAppUserId;
}

function customerRow(customer: SourceCustomer): CustomerRow {
  const isReserved = ({ name }: SourceAttribute): boolean => name.startsWith('$');
  return {
    customerId: customer.id,
    originalAppUserId: customer.originalAppUserId,
    lastSeenAppUserId: lastSeenId(customer),
    aliases: customer.aliases.map(({ appUserId }) => appUserId).sort(),
    firstSeenAt: new Date(customer.firstSeenAtMs).toISOString(),
    lastSeenAt: timeOrNull(customer.lastSeenAtMs),
    lastSeenPlatform: customer.lastSeenPlatform,
    lastSeenAppVersion: customer.lastSeenAppVersion,
    lastSeenCountry: customer.lastSeenCountry,
    reservedAttributes: attributesOf(customer.attributes.filter(isReserved)),
    customAttributes: attributesOf(customer.attributes.filter((one) => !isReserved(one))),
    experimentId: customer.enrollment?.experimentId ?? null,
    experimentVariant: customer.enrollment?.variant ?? null,
  };
}

function environmentOf(source: ReportSource, purchase: { environment: string }): string {
  return isSandbox(source, purchase) ? 'sandbox' : 'production';
}

function subscriptionRow(
  source: ReportSource,
  subscription: SourceSubscription,
  { state }: ChargedSubscription,
): SubscriptionRow {
  const { id, appId, store, storeKey } = subscription;
  const addOns = state.addOns.filter(({ isInBundle }) => isInBundle);
  return {
    id,
    kind: 'subscription',
    customerId: source.customer.id,
    appId,
    store,
    environment: environmentOf(source, subscription),
    productIdentifier: productIdOf(state, store),
    status: state.status,
    givesAccess: state.givesAccess,
    autoRenewalStatus: state.autoRenewalStatus,
    startedAt: new Date(state.startedAtMs).toISOString(),
    currentPeriodStartedAt: new Date(state.periodStartedAtMs).toISOString(),
    currentPeriodEndsAt: timeOrNull(state.periodEndsAtMs),
    accessEndsAt: timeOrNull(state.accessEndsAtMs),
    ownership: isPaidByOther(state.ownership) ? 'family_shared' : 'purchased',
    originalStoreTransactionId: originalIdOf(store, storeKey, state.originalStoreTransactionId),
    latestStoreTransactionId: state.latestStoreTransactionId,
    entitlementIdentifiers: lookupKeysOf(unlockedByAll(source.catalog, subscription, [state, ...addOns])),
    priceCurrency: state.price.currency,
    priceMicros: state.price.amountMicros,
  };
}

function oneTimeRow(source: ReportSource, purchase: SourceOneTime, state: OneTimeState): SubscriptionRow {
  const { id, appId, store } = purchase;
  const endsAtMs = state.refundedAtMs ?? state.expiresAtMs;
  return {
    id,
    kind: 'one_time',
    customerId: source.customer.id,
    appId,
    store,
    environment: environmentOf(source, purchase),
    productIdentifier: productIdOf(state, store),
    status: state.status,
    // In real time, also on a test clock: the job finds the rows whose access ends.
    givesAccess: state.status === 'owned' && (endsAtMs === null || endsAtMs > source.nowMs),
    autoRenewalStatus: null,
    startedAt: new Date(state.purchasedAtMs).toISOString(),
    currentPeriodStartedAt: null,
    currentPeriodEndsAt: null,
    accessEndsAt: timeOrNull(endsAtMs),
    ownership: isPaidByOther(state.ownership) ? 'family_shared' : 'purchased',
    originalStoreTransactionId: state.storeTransactionId,
    latestStoreTransactionId: state.storeTransactionId,
    entitlementIdentifiers: lookupKeysOf(oneTimeEntitlements(source.catalog, { purchase, state })),
    priceCurrency: state.price.currency,
    priceMicros: state.price.amountMicros,
  };
}

/** The report rows of one customer. */
export function deriveReportRows(source: ReportSource): ReportRows {
  const { customer, nowMs, catalog } = source;
  const ledger = grouped(source.ledger, ({ purchaseId }) => purchaseId);
  const rows: ReportRows = { customer: customerRow(customer), transactions: [], subscriptions: [] };
  for (const subscription of source.subscriptions) {
    const charged = chargedSubscription(subscription, customer.testClockMs ?? nowMs);
    // A pending purchase is not charged yet.
    if (!charged || charged.items.length === 0) continue;
    const own = ledger.get(subscription.id) ?? [];
    rows.transactions.push(...subscriptionTransactions(source, subscription, charged, own));
    rows.subscriptions.push(subscriptionRow(source, subscription, charged));
  }
  for (const purchase of source.oneTime) {
    const state = oneTimeState(purchase, catalog);
    rows.transactions.push(oneTimeTransaction(source, purchase, state, ledger.get(purchase.id) ?? []));
    rows.subscriptions.push(oneTimeRow(source, purchase, state));
  }
  return rows;
}
