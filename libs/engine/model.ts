/** The words of the subscription engine. Times are epoch milliseconds, money is integer micros. */

export type Store =
  | 'amazon'
  | 'app_store'
  | 'mac_app_store'
  | 'play_store'
  | 'promotional'
  | 'stripe'
  | 'rc_billing'
  | 'roku'
  | 'paddle'
  | 'test_store';

export type Environment = 'production' | 'sandbox';
export type Ownership = 'purchased' | 'family_shared';
export type PeriodKind = 'normal' | 'trial' | 'intro' | 'prepaid';
export type PeriodType = PeriodKind | 'promotional';
export type PriceSource = 'store' | 'order' | 'device' | 'catalog' | 'unknown';

export type SubscriptionStatus =
  'trialing' | 'active' | 'in_grace_period' | 'in_billing_retry' | 'paused' | 'expired';

export type AutoRenewalStatus = 'will_renew' | 'will_not_renew' | 'will_change_product' | 'will_pause';

/** Where a statement about a purchase comes from; the earlier in this list, the more it is believed on a tie. */
export const sources = ['signed', 'api', 'notification_hint', 'device'] as const;
export type Source = (typeof sources)[number];

/** One statement: `value` was true at `at` (epoch ms), says `src`. */
export interface Register<T> {
  at: number;
  src: Source;
  value: T;
}

/** A price; a null amount is an unknown price, never zero. */
export interface Price {
  amountMicros: number | null;
  currency: string | null;
  source: PriceSource;
}

/** One billing period as a store reports it. */
export interface PeriodFact {
  storeProductId: string;
  planId: string | null;
  offerCode: string | null;
  kind: PeriodKind;
  /** The store charged for another period of a life that had begun before. */
  isRenewal: boolean;
  startMs: number;
  /** Null: never ends. */
  endMs: number | null;
  price: Price;
  quantity: number;
  ownership: Ownership;
  storeTransactionId: string;
  country: string | null;
}

/** Money of a period given back; `revokedAtMs` is null again after a reversal. */
export interface RefundFact {
  revokedAtMs: number | null;
  kind: 'full' | 'prorated' | 'partial' | 'family';
  /** What was given back when it was not the whole price. */
  amountMicros: number | null;
}

/** What the store says about the time after the latest period. */
export interface RenewalFact {
  autoRenew: boolean;
  /** When auto-renew was turned off. */
  cancelledAtMs: number | null;
  nextProductId: string | null;
  /** A charge failed and the store tries again. */
  inRetry: boolean;
  billingIssueAtMs: number | null;
  graceUntilMs: number | null;
  pauseScheduled: boolean;
  paused: boolean;
  autoResumeAtMs: number | null;
}

/** What the app told when the purchase was posted; never used against a store's own word. */
export interface HintFact {
  presentedOfferingId: string | null;
}

/**
 * Everything known of one chain. Plain JSON. Two sets of facts merge to the same result in any order and
 * any repetition, which is why the state is derived from facts and never changed by hand.
 */
export interface ChainFacts {
  periods: Record<string, Register<PeriodFact>>;
  refunds: Record<string, Register<RefundFact>>;
  renewal: Register<RenewalFact> | null;
  /** Another chain took over (a replacement, not a renewal). */
  replaced: Register<{ byChainKey: string; atMs: number }> | null;
  /** Payment not complete yet. */
  pending: Register<boolean> | null;
  hints: Register<HintFact> | null;
}

/** What was already told to the outside, so that nothing is told twice. Plain JSON. */
export interface ChainMemory {
  /** Period keys announced by INITIAL_PURCHASE or RENEWAL. */
  opened: string[];
  /** An opening was announced and no end yet. */
  accessOpen: boolean;
  /** Auto-renew was announced as off. */
  unsubscribeOpen: boolean;
  /** How often access ended, by period key: part of the event key. */
  expirations: Record<string, number>;
}

/** State of a chain at one moment, computed from its facts. */
export interface ChainState {
  status: SubscriptionStatus;
  autoRenewalStatus: AutoRenewalStatus;
  givesAccess: boolean;
  pendingPayment: boolean;
  startedAtMs: number;
  periodStartedAtMs: number;
  periodEndsAtMs: number | null;
  /** End of access: grace and refunds included. Null: never. */
  accessEndsAtMs: number | null;
  graceEndsAtMs: number | null;
  billingIssueAtMs: number | null;
  unsubscribeAtMs: number | null;
  refundedAtMs: number | null;
  autoResumeAtMs: number | null;
  periodType: PeriodKind;
  ownership: Ownership;
  storeProductId: string;
  planId: string | null;
  autoRenewProductId: string | null;
  price: Price;
  country: string | null;
  presentedOfferingId: string | null;
  latestStoreTransactionId: string;
  originalStoreTransactionId: string;
  /** Every store id by which somebody may name the chain. */
  storeIdentifiers: string[];
  /** The next moment at which the passing of time alone changes the state. */
  nextDueAtMs: number | null;
}

/** One subscription life in a store. */
export interface Chain {
  id: string;
  store: Store;
  environment: Environment;
  chainKey: string;
  facts: ChainFacts;
  /** Newest `at` merged. */
  factsAtMs: number;
  memory: ChainMemory;
}

export interface OneTimeFact {
  storeProductId: string;
  purchasedAtMs: number;
  /** Only for a non-renewing subscription of known length. */
  expiresAtMs: number | null;
  price: Price;
  quantity: number;
  ownership: Ownership;
  storeTransactionId: string;
  country: string | null;
}

export interface OneTimeFacts {
  purchase: Register<OneTimeFact> | null;
  refund: Register<{ refundedAtMs: number | null; quantity: number }> | null;
  hints: Register<HintFact> | null;
}

export interface OneTimeMemory {
  /** NON_RENEWING_PURCHASE was sent. */
  told: boolean;
}

/** One purchase that does not renew. */
export interface OneTimePurchase {
  id: string;
  store: Store;
  environment: Environment;
  purchaseKey: string;
  facts: OneTimeFacts;
  factsAtMs: number;
  memory: OneTimeMemory;
}

export interface OneTimeState {
  status: 'owned' | 'refunded';
  storeProductId: string;
  purchasedAtMs: number;
  expiresAtMs: number | null;
  refundedAtMs: number | null;
  price: Price;
  quantity: number;
  ownership: Ownership;
  storeTransactionId: string;
  country: string | null;
  presentedOfferingId: string | null;
}

/** One verified piece of store information: true at `atMs`. */
export interface Observation<Facts> {
  atMs: number;
  facts: Facts;
}

/** One movement of money, to be kept for ever. */
export interface LedgerEntry {
  kind: 'purchase' | 'trial_start' | 'renewal' | 'one_time';
  kindSeq: number;
  periodKey: string;
  storeIds: string[];
  storeProductId: string;
  price: Price;
  quantity: number;
  purchasedAtMs: number;
  expiresAtMs: number | null;
  periodType: PeriodKind;
  ownership: Ownership;
  country: string | null;
}

export type EventType =
  'INITIAL_PURCHASE' | 'RENEWAL' | 'NON_RENEWING_PURCHASE' | 'CANCELLATION' | 'EXPIRATION';

export type EndReason =
  'UNSUBSCRIBE' | 'BILLING_ERROR' | 'DEVELOPER_INITIATED' | 'PRICE_INCREASE' | 'CUSTOMER_SUPPORT' | 'UNKNOWN';

/** What happened to one purchase, without the customer's side (ids, aliases), which the caller adds. */
export interface EngineEvent {
  type: EventType;
  /** Unique for ever: the same cause never makes a second event. */
  dedupeKey: string;
  occurredAtMs: number;
  /** `suppressed`: recorded in the history, sent to nobody. */
  delivery: 'send' | 'suppressed';
  storeProductId: string;
  planId: string | null;
  periodType: PeriodType;
  purchasedAtMs: number;
  expirationAtMs: number | null;
  transactionId: string;
  originalTransactionId: string;
  ownership: Ownership;
  /** Zero for events without money. */
  price: Price;
  country: string | null;
  offerCode: string | null;
  presentedOfferingId: string | null;
  /** 1 for the first period. */
  renewalNumber?: number;
  isTrialConversion?: boolean;
  cancelReason?: EndReason;
  expirationReason?: EndReason;
}
