import type { SubscriptionFacts, OneTimeFacts } from './facts.model.js';
import type {
  AutoRenewalStatus,
  Environment,
  Ownership,
  PeriodKind,
  Price,
  Store,
  SubscriptionStatus,
} from './enums.js';

/** Number of ledger rows of each kind that a purchase or period has besides its charge. */
export type MoveCounts = Partial<Record<'refund' | 'refund_reversal' | 'correction' | 'proration', number>>;

export interface BookedExtra extends Pick<Price, 'amountMicros' | 'currency'> {
  isFeeKnown?: true;
}

/** Record of emitted events, so that none is emitted twice. Plain JSON; an absent field means not emitted. */
export interface EmittedState {
  /** Keys of the periods emitted as INITIAL_PURCHASE or RENEWAL, and of the charged add-ons. */
  opened: string[];
  /** A start of access was emitted, and its end was not. */
  accessOpen: boolean;
  unsubscribeOpen: boolean;
  /** Number of times that access ended, by period key; part of the dedupe key. */
  expirations: Record<string, number>;
  /** End of access in the last EXPIRATION. */
  endedAt?: number;
  /** Time of the CANCELLATION emitted with the end because the store had not reported one. */
  cancelledAt?: number;
  /** Number of repeatable events so far; part of their dedupe keys. */
  repeatable?: number;
  /** Keys of the periods whose billing issue was emitted. */
  billing?: string[];
  /** Number of refunds and reversals emitted, by period key: odd while refunded. */
  refunds?: Record<string, number>;
  /** Ledger rows besides the charge, by period key. */
  moves?: Record<string, MoveCounts>;
  /** Amounts of each extra in the ledger; absent if there are none. */
  extras?: Record<string, BookedExtra>;
  /** Ledger keys of the charges that are booked with the store's fee; absent if there are none. */
  fees?: string[];
  /** Names of the add-ons emitted in the latest period. */
  addOns?: string[];
  nextProduct?: string;
  /** Key of the period whose pause was emitted. */
  pause?: string;
  consentOpen?: true;
  /** Last emitted end of the latest period, if the facts have had a later one since or an extension set it. */
  extendedTo?: number;
  /** A replacement closed the subscription; `closed` while the other subscription is unknown. */
  replaced?: 'closed' | 'emitted';
  /** Ledger key by period key, where a store reported an imported period under another key. */
  booked?: Record<string, string>;
  /** When the imported data was read from the other system. Earlier periods are not emitted. */
  importedAtMs?: number;
}

/** State of an add-on at one time. Fields shared with the subscription have the values of the subscription's state. */
export interface AddOnState extends Pick<
  SubscriptionState,
  | 'storeProductId'
  | 'planId'
  | 'givesAccess'
  | 'pendingPayment'
  | 'startedAtMs'
  | 'periodStartedAtMs'
  | 'periodEndsAtMs'
  | 'accessEndsAtMs'
  | 'graceEndsAtMs'
  | 'billingIssueAtMs'
  | 'unsubscribeAtMs'
  | 'refundedAtMs'
  | 'autoResumeAtMs'
  | 'periodType'
  | 'ownership'
  | 'price'
  | 'latestStoreTransactionId'
> {
  isInBundle: boolean;
}

export interface SubscriptionState {
  status: SubscriptionStatus;
  autoRenewalStatus: AutoRenewalStatus;
  givesAccess: boolean;
  pendingPayment: boolean;
  startedAtMs: number;
  periodStartedAtMs: number;
  periodEndsAtMs: number | null;
  /** End of access, grace and refunds included. Null: never. */
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
  storeIdentifiers: string[];
  /** The next time at which the state changes without new facts. */
  nextDueAtMs: number | null;
  /** Sorted by name; empty if only one product is sold. */
  addOns: AddOnState[];
}

export interface Subscription {
  id: string;
  store: Store;
  environment: Environment;
  storeKey: string;
  facts: SubscriptionFacts;
  /** Time of the newest observation merged. */
  factsAtMs: number;
  emitted: EmittedState;
}

export interface OneTimeEmittedState {
  /** NON_RENEWING_PURCHASE was emitted. */
  purchase: boolean;
  /** Number of refunds and reversals emitted: odd while refunded. */
  refunds?: number;
  moves?: MoveCounts;
  /** Whether it is booked with the store's fee. */
  isFeeKnown?: true;
}

export interface OneTimePurchase {
  id: string;
  store: Store;
  environment: Environment;
  purchaseKey: string;
  facts: OneTimeFacts;
  factsAtMs: number;
  emitted: OneTimeEmittedState;
}

export interface OneTimeState {
  status: 'owned' | 'refunded';
  storeProductId: string;
  planId: string | null;
  purchasedAtMs: number;
  expiresAtMs: number | null;
  isRental: boolean;
  /** See `OneTimeFact`. */
  isTypeUnknown: boolean;
  refundedAtMs: number | null;
  price: Price;
  quantity: number;
  refundedQuantity: number;
  ownership: Ownership;
  storeTransactionId: string;
  country: string | null;
  presentedOfferingId: string | null;
}
