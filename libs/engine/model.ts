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

/** How many ledger rows of each kind a purchase or period has had beside its charge. */
export type MoveCounts = Partial<Record<'refund' | 'refund_reversal' | 'correction', number>>;

/** What was already told to the outside, so that nothing is told twice. Plain JSON; what is absent has not been. */
export interface EmittedState {
  /** Keys of the periods announced by INITIAL_PURCHASE or RENEWAL, and of the add-ons that were charged for. */
  opened: string[];
  /** An opening was announced and no end yet. */
  accessOpen: boolean;
  /** Auto-renew was announced as off. */
  unsubscribeOpen: boolean;
  /** How often access ended, by period key: part of the event key. */
  expirations: Record<string, number>;
  /** End of access as the last EXPIRATION announced it. */
  endedAt?: number;
  /** Time of the CANCELLATION that came with the end because the store had named none. */
  cancelledAt?: number;
  /** Number of events so far that can happen more than once: part of their keys. */
  repeatable?: number;
  /** Keys of the periods whose failed charge was announced. */
  billing?: string[];
  /** Refunds and reversals announced, by period key: odd while refunded. */
  refunds?: Record<string, number>;
  /** Ledger rows beside the charge, by period key. */
  moves?: Record<string, MoveCounts>;
  /** Names of the add-ons that the outside knows of in the latest period. */
  addOns?: string[];
  /** Product announced for the next period. */
  nextProduct?: string;
  /** Key of the period whose pause was announced. */
  pause?: string;
  /** The customer was asked to accept a higher price. */
  consentOpen?: true;
  /** End of the latest period as last announced, where the facts have had a later one since, or an extension did it. */
  extendedTo?: number;
  /** The subscription was closed by a replacement; `closed` while the other subscription is not known. */
  replaced?: 'closed' | 'emitted';
}

/** State of an add-on at one moment. Whatever it shares with its subscription is as in the state of that. */
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
  /** The latest period of the subscription has it. */
  isInBundle: boolean;
}

/** State of a subscription at one moment, computed from its facts. */
export interface SubscriptionState {
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
  /** Every store id by which somebody may name the subscription. */
  storeIdentifiers: string[];
  /** The next moment at which the passing of time alone changes the state. */
  nextDueAtMs: number | null;
  /** By name; empty where one product is sold alone. */
  addOns: AddOnState[];
}

/** One subscription life in a store. */
export interface Subscription {
  id: string;
  store: Store;
  environment: Environment;
  storeKey: string;
  facts: SubscriptionFacts;
  /** Newest `at` merged. */
  factsAtMs: number;
  emitted: EmittedState;
}

export interface OneTimeEmittedState {
  /** NON_RENEWING_PURCHASE was sent. */
  purchase: boolean;
  /** Refunds and reversals announced: odd while refunded. */
  refunds?: number;
  moves?: MoveCounts;
}

/** One purchase that does not renew. */
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
  refundedAtMs: number | null;
  price: Price;
  quantity: number;
  refundedQuantity: number;
  ownership: Ownership;
  storeTransactionId: string;
  country: string | null;
  presentedOfferingId: string | null;
}
