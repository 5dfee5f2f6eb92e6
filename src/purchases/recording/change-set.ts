import type { AttributeSource } from '../../customers/customers/identity/customer-state.js';
import type { StoreUrls } from '../../customers/customers/customer-info/management-url.js';

/** A subscription row to write. The engine defines the format of `facts`, which is never null. */
export interface SubscriptionWrite {
  id: string;
  appId: string | null;
  store: string;
  environment: string;
  storeKey: string;
  customerId: string;
  originalCustomerId: string;
  originalCustomerAppUserId: string;
  storeProductId: string | null;
  storeIdentifiers: string[];
  facts: unknown;
  factsAtMs: number;
  emitted: unknown;
  startedAtMs: number;
  accessEndsAtMs: number | null;
  status: string;
  nextDueAtMs: number | null;
  grantedEntitlementId: string | null;
  keyState: string | null;
  heldFromMs: number | null;
  /** Number of periods with a guessed length; null if none. */
  unknownLengths: number | null;
}

/** A merged subscription whose id becomes an alias of another one. */
export interface FoldedSubscription {
  id: string;
  aliasId: string;
}

export interface OneTimeWrite {
  id: string;
  appId: string | null;
  store: string;
  environment: string;
  purchaseKey: string;
  customerId: string;
  originalCustomerId: string;
  originalCustomerAppUserId: string;
  storeProductId: string | null;
  storeIdentifiers: string[];
  facts: unknown;
  factsAtMs: number;
  emitted: unknown;
  purchasedAtMs: number;
  status: 'owned' | 'refunded';
}

export interface LedgerWrite {
  id: string;
  customerId: string;
  subscriptionId: string | null;
  purchaseId: string | null;
  appId: string | null;
  store: string;
  environment: string;
  kind: string;
  kindSeq: number;
  periodKey: string;
  /** Subscription or purchase key. Together with the period key, it permanently identifies the ledger entry. */
  ownerKey: string;
  storeIds: string[];
  storeProductId: string | null;
  /** Null: unknown price. */
  amountMicros: number | null;
  currency: string | null;
  usdMicros: number | null;
  fxRate: number | null;
  /** `YYYY-MM-DD`. */
  fxDay: string | null;
  fxSource: string | null;
  commissionBps: number;
  /** See `LedgerEntry`. */
  isFeeKnown: boolean;
  rebooks: boolean;
  taxBps: number;
  quantity: number;
  priceSource: string;
  purchasedAtMs: number;
  expiresAtMs: number | null;
  periodType: string;
  ownership: string;
  country: string | null;
}

export interface EventWrite {
  id: string;
  createdAtMs: number;
  occurredAtMs: number;
  type: string;
  dedupeKey: string;
  customerId: string | null;
  /** The previous owner in a TRANSFER; the event is in both histories. */
  otherCustomerId: string | null;
  sequence: number | null;
  subscriptionId: string | null;
  purchaseId: string | null;
  appId: string | null;
  environment: string | null;
  delivery: 'send' | 'suppressed';
  /** The webhook `event` object, which never changes once recorded. */
  body: object;
}

/** New values of a customer row. The version increases with every write. */
export interface CustomerWrite {
  id: string;
  originalAppUserId: string;
  version: number;
  eventSequence: number;
  lastEventAtMs: number | null;
  firstSeenAtMs: number;
  lastSeenAtMs: number | null;
}

export interface AttributeWrite {
  customerId: string;
  name: string;
  /** Null: deleted. */
  value: string | null;
  updatedAtMs: number;
  source: AttributeSource;
}

export interface SnapshotWrite {
  customerId: string;
  customerVersion: number;
  catalogVersion: number;
  validUntilMs: number | null;
  subscriber: string;
  storeUrls: StoreUrls | null;
  etag: string;
}

/** Everything that one change writes: state, money, events, deliveries and answers, saved together. */
export interface ChangeSet {
  customers: CustomerWrite[];
  attributes: AttributeWrite[];
  forgottenAttributes: { customerId: string; name: string }[];
  subscriptions: SubscriptionWrite[];
  oneTime: OneTimeWrite[];
  ledger: LedgerWrite[];
  events: EventWrite[];
  snapshots: SnapshotWrite[];
  /** Ids of purchases whose facts changed, and whose store ids and figures are therefore recomputed. */
  revalued: string[];
}
