import type {
  EmittedState,
  Environment,
  OneTimeFacts,
  Store,
  SubscriptionFacts,
} from '../../../libs/engine/index.js';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import type { AliasRow } from '../../customers/customers/identity/customer-state.js';

export interface SourceAttribute {
  name: string;
  value: string;
  /** When the attribute got this value. */
  updatedAtMs: number;
}

export interface SourceCustomer {
  id: string;
  originalAppUserId: string;
  firstSeenAtMs: number;
  lastSeenAtMs: number | null;
  lastSeenPlatform: string | null;
  lastSeenAppVersion: string | null;
  lastSeenCountry: string | null;
  isOnTestClock: boolean;
  /** The test clock's time; null without a clock. */
  testClockMs: number | null;
  aliases: AliasRow[];
  /** Excludes deleted attributes. */
  attributes: SourceAttribute[];
  /** The newest enrollment; null if there is none. */
  enrollment: { experimentId: string; variant: string } | null;
}

interface SourcePurchase {
  id: string;
  customerId: string;
  appId: string | null;
  store: Store;
  environment: Environment;
}

export interface SourceSubscription extends SourcePurchase {
  storeKey: string;
  facts: SubscriptionFacts;
  emitted: EmittedState;
  grantedEntitlementId: string | null;
}

export interface SourceOneTime extends SourcePurchase {
  purchaseKey: string;
  facts: OneTimeFacts;
}

export interface SourceLedgerRow {
  /** Id of the subscription or one-time purchase. */
  purchaseId: string;
  periodKey: string;
  kind: string;
  kindSeq: number;
  /** Null if the price is unknown. */
  amountMicros: number | null;
  usdMicros: number | null;
  currency: string | null;
  commissionBps: number;
  taxBps: number;
  country: string | null;
  purchasedAtMs: number;
}

/** Everything from which the report rows of one customer are derived. */
export interface ReportSource {
  customer: SourceCustomer;
  subscriptions: SourceSubscription[];
  oneTime: SourceOneTime[];
  /** Ordered by record time, oldest first. */
  ledger: SourceLedgerRow[];
  catalog: Catalog;
  nowMs: number;
}
