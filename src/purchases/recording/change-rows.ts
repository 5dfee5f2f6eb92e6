import type { Chain, ChainChange, ChainState, OneTimeChange } from '../../../libs/engine/index.js';
import type { ChainRow, CustomerRow, OneTimeRow } from '../../customers/customers/customer-state.js';
import type { ChainWrite, OneTimeWrite } from './change-set.js';

/** Who a purchase belongs to and which app it was made in. */
export interface PurchaseOwner {
  customer: CustomerRow;
  appId: string | null;
  /** The app user id of the request that brought the purchase. */
  seenAs: string;
  /** Of a new grant: what it unlocks. */
  grantedEntitlementId?: string;
}

/** The row of a chain of the owner, after a change. */
export function chainRowOf(
  { chain }: ChainChange,
  known: ChainRow | undefined,
  { customer, appId, grantedEntitlementId }: PurchaseOwner,
): ChainRow {
  return {
    ...chain,
    ...firstOwner(known, customer),
    appId: known?.appId ?? appId,
    grantedEntitlementId: known?.grantedEntitlementId ?? grantedEntitlementId ?? null,
  };
}

/** The row as it is written, with what is derived from the facts. */
export function chainWriteOf(
  row: ChainRow,
  { chain, state }: ChainChange,
  nextDueAtMs: number | null,
): ChainWrite {
  return {
    ...row,
    storeProductId: state.storeProductId,
    storeIdentifiers: namesOf(chain, state),
    startedAtMs: state.startedAtMs,
    accessEndsAtMs: state.accessEndsAtMs,
    status: state.status,
    nextDueAtMs,
  };
}

/** As `chainRowOf`. */
export function oneTimeRowOf(
  { purchase }: OneTimeChange,
  known: OneTimeRow | undefined,
  { customer, appId }: PurchaseOwner,
): OneTimeRow {
  return { ...purchase, ...firstOwner(known, customer), appId: known?.appId ?? appId };
}

/** As `chainWriteOf`. */
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
export function withRow<Row extends ChainRow | OneTimeRow>(rows: readonly Row[], row: Row): Row[] {
  return [...rows.filter(({ id }) => id !== row.id), row].sort(byFacts);
}

/** Keeps who owned a purchase first. */
function firstOwner(known: ChainRow | OneTimeRow | undefined, customer: CustomerRow) {
  return {
    customerId: customer.id,
    originalCustomerId: known?.originalCustomerId ?? customer.id,
    originalCustomerAppUserId: known?.originalCustomerAppUserId ?? customer.originalAppUserId,
  };
}

/** Ids by which somebody may name a chain: its payments, and what Google calls the purchase. */
function namesOf({ store, chainKey }: Chain, { storeIdentifiers }: ChainState): string[] {
  return store === 'play_store' ? [...new Set([...storeIdentifiers, chainKey])] : storeIdentifiers;
}

function byFacts(a: ChainRow | OneTimeRow, b: ChainRow | OneTimeRow): number {
  return a.factsAtMs - b.factsAtMs || (a.id < b.id ? -1 : 1);
}
