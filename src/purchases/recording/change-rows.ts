import {
  effectiveFacts,
  type Subscription,
  type SubscriptionChange,
  type SubscriptionFacts,
  type SubscriptionState,
  type OneTimeChange,
} from '../../../libs/engine/index.js';
import type {
  SubscriptionRow,
  CustomerRow,
  OneTimeRow,
} from '../../customers/customers/identity/customer-state.js';
import { keyStateOf } from '../../customers/customers/customer-info/unconfirmed-keys.js';
import type { SubscriptionWrite, OneTimeWrite } from './change-set.js';

export interface PurchaseOwner {
  customer: CustomerRow;
  appId: string | null;
  /** The app user id in the request that posted the purchase. */
  seenAs: string;
  /** Only for a new grant. */
  grantedEntitlementId?: string;
  /** Only for an import: the app user id of the purchase's first owner. */
  firstAppUserId?: string;
}

export function subscriptionRowOf(
  { subscription }: SubscriptionChange,
  known: SubscriptionRow | undefined,
  { customer, appId, grantedEntitlementId, firstAppUserId }: PurchaseOwner,
): SubscriptionRow {
  return {
    ...subscription,
    ...firstOwner(known, customer, firstAppUserId),
    appId: known?.appId ?? appId,
    grantedEntitlementId: known?.grantedEntitlementId ?? grantedEntitlementId ?? null,
  };
}

export function subscriptionWriteOf(
  row: SubscriptionRow,
  { subscription, state }: SubscriptionChange,
  nextDueAtMs: number | null,
): SubscriptionWrite {
  const facts = effectiveFacts(subscription.facts);
  return {
    ...row,
    storeProductId: state.storeProductId,
    storeIdentifiers: namesOf(subscription, state),
    startedAtMs: state.startedAtMs,
    accessEndsAtMs: state.accessEndsAtMs,
    status: state.status,
    nextDueAtMs,
    keyState: keyStateOf(row),
    heldFromMs: facts.heldUntilMs === undefined ? null : state.periodEndsAtMs,
    unknownLengths: unknownLengthsIn(facts),
  };
}

/** Only imported periods can have unknown lengths. */
function unknownLengthsIn({ periods }: SubscriptionFacts): number | null {
  const unknown = Object.values(periods).filter(({ value }) => value.assumed?.includes('length'));
  return unknown.length === 0 ? null : unknown.length;
}

export function oneTimeRowOf(
  { purchase }: OneTimeChange,
  known: OneTimeRow | undefined,
  { customer, appId }: PurchaseOwner,
): OneTimeRow {
  return { ...purchase, ...firstOwner(known, customer), appId: known?.appId ?? appId };
}

export function oneTimeWriteOf(row: OneTimeRow, { state }: OneTimeChange): OneTimeWrite {
  return {
    ...row,
    storeProductId: state.storeProductId,
    storeIdentifiers: [state.storeTransactionId],
    purchasedAtMs: state.purchasedAtMs,
    status: state.status,
  };
}

/** Adds or replaces a row and preserves the database's order (`byFacts`). */
export function withRow<Row extends SubscriptionRow | OneTimeRow>(rows: readonly Row[], row: Row): Row[] {
  return [...rows.filter(({ id }) => id !== row.id), row].sort(byFacts);
}

/** Preserves the first owner across transfers. */
function firstOwner(
  known: SubscriptionRow | OneTimeRow | undefined,
  customer: CustomerRow,
  firstAppUserId = customer.originalAppUserId,
) {
  return {
    customerId: customer.id,
    originalCustomerId: known?.originalCustomerId ?? customer.id,
    originalCustomerAppUserId: known?.originalCustomerAppUserId ?? firstAppUserId,
  };
}

/** Ids by which a subscription can be found: those of its payments, and Google's purchase name. */
function namesOf({ store, storeKey }: Subscription, { storeIdentifiers }: SubscriptionState): string[] {
  return store === 'play_store' ? [...new Set([...storeIdentifiers, storeKey])] : storeIdentifiers;
}

/** Oldest facts first, in the same order as the database. */
export function byFacts(a: SubscriptionRow | OneTimeRow, b: SubscriptionRow | OneTimeRow): number {
  return a.factsAtMs - b.factsAtMs || (a.id < b.id ? -1 : 1);
}
