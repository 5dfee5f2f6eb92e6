import type { MoveCounts } from './model.js';
import type { CancelReason, Ownership, PeriodKind, PeriodType, Price } from './enums.js';

export type ChargeKind = 'purchase' | 'trial_start' | 'renewal' | 'one_time';

/** One permanently stored movement of money. Refunds are negative. */
export interface LedgerEntry {
  kind: ChargeKind | keyof MoveCounts;
  /** Counts the rows of one kind within a period. */
  kindSeq: number;
  periodKey: string;
  storeIds: string[];
  storeProductId: string;
  planId: string | null;
  price: Price;
  quantity: number;
  /** When the money moved: when the period was paid for, or the time of the refund. */
  purchasedAtMs: number;
  /** Date of the exchange rate if not `purchasedAtMs`: a refund uses the rate of its purchase. */
  rateAtMs?: number;
  /** Currency of the exchange rate if only the price of a whole period is known. */
  rateCurrency?: string;
  /** The commission is the fee that the store reported. */
  isFeeKnown?: true;
  /**
   * One of two rows that only change the commission of a booked charge: one reverses it at its booked commission, the
   * other, with `isFeeKnown`, books it again.
   */
  rebooks?: true;
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

export interface EventItem {
  type: 'base' | 'addon';
  storeProductId: string;
  planId: string | null;
  expirationAtMs: number | null;
  /** Share of the event's price. */
  price: Price;
}

/** An event of one purchase, without customer data (ids, aliases), which the caller adds. */
export interface EngineEvent {
  type: EventType;
  /** Unique forever: one cause never creates two events. */
  dedupeKey: string;
  occurredAtMs: number;
  /** `suppressed`: stored in the history but not delivered. */
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
  /** SUBSCRIPTION_PAUSED; null if the store does not report it. */
  autoResumeAtMs?: number | null;
  /** Seats in effect in the period; absent for purchases without seats. */
  seats?: number;
  /** All products of the subscription at that time, its own first; absent without add-ons. */
  items?: EventItem[];
}
