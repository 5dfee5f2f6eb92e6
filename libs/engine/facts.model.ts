import type { CancelReason, Ownership, PeriodKind, Price } from './enums.js';

/** Where a statement comes from. On a tie the earlier source in this list wins. */
export const sources = ['signed', 'api', 'notification_hint', 'device'] as const;
export type Source = (typeof sources)[number];

/** One statement: `src` says that `value` was true at `at` (epoch ms). */
export interface Register<T> {
  at: number;
  src: Source;
  value: T;
}

/** One billing period as a store reports it. */
export interface PeriodFact {
  storeProductId: string;
  planId: string | null;
  offerCode: string | null;
  kind: PeriodKind;
  /** For a trial: its price was charged at the start, for example as a set-up fee. */
  hasFee?: boolean;
  /** The store charged for a further period of an existing subscription. */
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

/**
 * What one charge paid for an add-on: a further product of a subscription with several items. It unlocks its own
 * entitlements until its own end.
 */
export interface AddOnFact extends PeriodFact {
  /**
   * Key of the charge: that of the period paid for in the same charge, or of a payment of its own. A refund of that
   * charge also takes back the add-on.
   */
  chargeKey: string;
  /** It continues in the subscription's next period. */
  renews: boolean;
}

/**
 * A refund of a period; `revokedAtMs` is null again after a reversal. `partial` leaves access as it is; `family` ends
 * the access of a family member, who never paid.
 */
export interface RefundFact {
  revokedAtMs: number | null;
  kind: 'full' | 'prorated' | 'partial' | 'family';
  /** The total amount returned; null if it was the whole price. */
  amountMicros: number | null;
  /** The same as a share of the price in thousandths of a percent (50000 is half), if the amount is null. */
  milliPercent?: number | null;
}

/** What the store says about the time after the latest period. */
export interface RenewalFact {
  /**
   * The period that this follows. Default: the last one that had begun by the time of the statement, which is wrong
   * only while a period is paid for but has not begun.
   */
  periodKey?: string;
  autoRenew: boolean;
  /** When auto-renew was turned off. */
  cancelledAtMs: number | null;
  nextProductId: string | null;
  /** A charge failed and the store is retrying it. */
  inRetry: boolean;
  billingIssueAtMs: number | null;
  graceUntilMs: number | null;
  pauseScheduled: boolean;
  paused: boolean;
  autoResumeAtMs: number | null;
  /** Why auto-renew is off or the subscription ended; absent or null if the store does not say. */
  cancelReason?: CancelReason | null;
  /** The store says that the subscription has ended: no renewal can be on its way. */
  ended?: boolean;
  /** The store asks the customer to accept a higher price, or has the answer. */
  priceIncrease?: 'pending' | 'accepted' | null;
  /** Auto-renew is off, but the customer keeps paying until then (instalments of a longer commitment). */
  commitmentEndsAtMs?: number | null;
}

/**
 * When access to a period or add-on ends, where the store reports more than the paid end. `grace` is the end of grace
 * and is kept after the billing issue is resolved; `expired` is when the store ended access, and can only shorten it.
 * Null: taken back.
 */
export interface EndFacts {
  grace?: Register<number | null>;
  expired?: Register<number | null>;
}

/** Another subscription that replaced this one; its key is null while only the end of this one is known. */
export interface ReplacedFact {
  byStoreKey: string | null;
  atMs: number;
  /** What the other subscription sells, as `product:plan` if it has plans. The same product is no product change. */
  byProductId?: string | null;
  /** Id of the purchase that ended; absent in stores where a subscription is always one purchase. */
  ofKey?: string;
}

/**
 * A further purchase that the store created for the same subscription: a plan that begins when the current one ends.
 */
export interface ContinuationFact {
  sinceMs: number;
}

/** What the app sent with the receipt; never used against the store's own statement. */
export interface HintFact {
  presentedOfferingId: string | null;
}

/**
 * Everything known about one subscription, as plain JSON. Facts merge to the same result in any order and with any
 * repetition, which is why the state is derived from facts and never changed by hand.
 */
export interface SubscriptionFacts {
  periods: Record<string, Register<PeriodFact>>;
  refunds: Record<string, Register<RefundFact>>;
  renewal: Register<RenewalFact> | null;
  /** Replaced by another subscription (not renewed). */
  replaced: Register<ReplacedFact> | null;
  pending: Register<boolean> | null;
  hints: Register<HintFact> | null;
  /** By period or add-on key; absent if empty. */
  ends?: Record<string, EndFacts>;
  /** By charge and product; absent if empty. No key is that of a period. */
  addOns?: Record<string, Register<AddOnFact>>;
  /** By purchase id; absent if empty. */
  continuations?: Record<string, Register<ContinuationFact>>;
  /** By period or add-on key: the best known price, where the winning statement names another. */
  prices?: Record<string, Register<Price>>;
}

export interface OneTimeFact {
  storeProductId: string;
  /** For stores that sell one product at several prices, each with an id. */
  planId?: string | null;
  purchasedAtMs: number;
  /** Only for a non-renewing subscription of known length. */
  expiresAtMs: number | null;
  price: Price;
  quantity: number;
  ownership: Ownership;
  storeTransactionId: string;
  country: string | null;
}

/** Refunded units of a one-time purchase; `refundedAtMs` is null again after a reversal. */
export interface OneTimeRefundFact {
  refundedAtMs: number | null;
  quantity: number;
  /** The total amount returned, if it was not the units' share of the price. */
  amountMicros?: number | null;
}

export interface OneTimeFacts {
  purchase: Register<OneTimeFact> | null;
  refund: Register<OneTimeRefundFact> | null;
  hints: Register<HintFact> | null;
  /** The best known price, if it is not the one in `purchase`. */
  price?: Register<Price>;
}

/** One verified piece of store data, true at `atMs`. */
export interface Observation<Facts> {
  atMs: number;
  facts: Facts;
}
