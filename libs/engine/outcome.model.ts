import type { MoveCounts } from './model.js';
import type { CancelReason, Ownership, PeriodKind, PeriodType, Price } from './enums.js';

export type ChargeKind = 'purchase' | 'trial_start' | 'renewal' | 'one_time';

/** One movement of money, to be kept for ever. What is given back is negative. */
export interface LedgerEntry {
  kind: ChargeKind | keyof MoveCounts;
  /** Counts the rows of one kind of a period. */
  kindSeq: number;
  periodKey: string;
  storeIds: string[];
  storeProductId: string;
  planId: string | null;
  price: Price;
  quantity: number;
  /** When the money moved: the start of the period, the time of the refund. */
  purchasedAtMs: number;
  /** When the exchange rate is of, if not of `purchasedAtMs`: a refund goes by the rate of its purchase. */
  rateAtMs?: number;
  expiresAtMs: number | null;
  periodType: PeriodKind;
  ownership: Ownership;
  country: string | null;
}

export type EventType =
  | 'INITIAL_PURCHASE'
  | 'RENEWAL'
  | 'NON_RENEWING_PURCHASE'
  | 'PRODUCT_CHANGE'
  | 'SUBSCRIPTION_EXTENDED'
  | 'REFUND_REVERSED'
  | 'UNCANCELLATION'
  | 'BILLING_ISSUE'
  | 'CANCELLATION'
  | 'SUBSCRIPTION_PAUSED'
  | 'PRICE_INCREASE_CONSENT_REQUIRED'
  | 'PRICE_INCREASE_CONSENT_APPROVED'
  | 'EXPIRATION';

export type EndReason = CancelReason | 'SUBSCRIPTION_PAUSED';

/** One product of a subscription with add-ons. */
export interface EventItem {
  type: 'base' | 'addon';
  storeProductId: string;
  planId: string | null;
  expirationAtMs: number | null;
  /** Its part of the price of the event. */
  price: Price;
}

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
  /** Zero for events without money, negative for a refund. */
  price: Price;
  country: string | null;
  offerCode: string | null;
  presentedOfferingId: string | null;
  /** 1 for the first period. */
  renewalNumber?: number;
  isTrialConversion?: boolean;
  cancelReason?: CancelReason;
  expirationReason?: EndReason;
  /** PRODUCT_CHANGE on the same subscription. */
  newProductId?: string;
  /** BILLING_ISSUE; null without grace. */
  gracePeriodExpirationAtMs?: number | null;
  /** SUBSCRIPTION_PAUSED; null when the store does not say. */
  autoResumeAtMs?: number | null;
  /** Everything that the subscription consists of at that moment, its own product first; absent without add-ons. */
  items?: EventItem[];
}
