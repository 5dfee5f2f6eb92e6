import type {
  Subscription,
  SubscriptionChange,
  SubscriptionState,
  OneTimeChange,
} from '../../../libs/engine/index.js';
import type { SubscriptionRow, CustomerRow, OneTimeRow } from '../../customers/customers/customer-state.js';
import type { SubscriptionWrite, OneTimeWrite } from './change-set.js';

/** Who a purchase belongs to and which app it was made in. */
export interface PurchaseOwner {
  customer: CustomerRow;
  appId: string | null;
  /** The app user id of the request that brought the purchase. */
  seenAs: string;
  /** Of a new grant: what it unlocks. */
  grantedEntitlementId?: string;
}

/** The row of a subscription of the owner, after a change. */
export function subscriptionRowOf(
  { subscription }: SubscriptionChange,
  known: SubscriptionRow | undefined,
  { customer, appId, grantedEntitlementId }: PurchaseOwner,
): SubscriptionRow {
  return {
    ...subscription,
    ...firstOwner(known, customer),
    appId: known?.appId ?? appId,
    grantedEntitlementId: known?.grantedEntitlementId ?? grantedEntitlementId ?? null,
  };
}

/** The row as it is written, with what is derived from the facts. */
export function subscriptionWriteOf(
  row: SubscriptionRow,
  { subscription, state }: SubscriptionChange,
  nextDueAtMs: number | null,
): SubscriptionWrite {
  return {
    ...row,
    storeProductId: state.storeProductId,
    storeIdentifiers: namesOf(subscription, state),
    startedAtMs: state.startedAtMs,
    accessEndsAtMs: state.accessEndsAtMs,
    status: state.status,
    nextDueAtMs,
  };
}

/** As `subscriptionRowOf`. */
export function oneTimeRowOf(
  { purchase }: OneTimeChange,
  known: OneTimeRow | undefined,
  { customer, appId }: PurchaseOwner,
): OneTimeRow {
  return { ...purchase, ...firstOwner(known, customer), appId: known?.appId ?? appId };
}

/** As `subscriptionWriteOf`. */
export function oneTimeWriteOf(row: OneTimeRow, { state }: OneTimeChange): OneTimeWrite {
  return {
    ...row,
    storeProductId: state.storeProductId,
    storeIdentifiers: [state.storeTransactionId],
    purchasedAtMs: state.purchasedAtMs,
    status: state.status,
  };
}

/** The rows with one of them new or changed: oldest statement first, as the database lists them. */
export function withRow<Row extends SubscriptionRow | OneTimeRow>(rows: readonly Row[], row: Row): Row[] {
  return [...rows.filter(({ id }) => id !== row.id), row].sort(byFacts);
}

/** Keeps who owned a purchase first. */
function firstOwner(known: SubscriptionRow | OneTimeRow | undefined, customer: CustomerRow) {
  return {
    customerId: customer.id,
    originalCustomerId: known?.originalCustomerId ?? customer.id,
    originalCustomerAppUserId: known?.originalCustomerAppUserId ?? customer.originalAppUserId,
  };
}

/** Ids by which somebody may name a subscription: its payments, and what Google calls the purchase. */
function namesOf({ store, storeKey }: Subscription, { storeIdentifiers }: SubscriptionState): string[] {
  return store === 'play_store' ? [...new Set([...storeIdentifiers, storeKey])] : storeIdentifiers;
}

/** Oldest statement first, as the database lists them. */
export function byFacts(a: SubscriptionRow | OneTimeRow, b: SubscriptionRow | OneTimeRow): number {
  return a.factsAtMs - b.factsAtMs || (a.id < b.id ? -1 : 1);
}
