import type { CancelReason, Ownership, PeriodKind, Price } from './enums.js';

/** Where a statement about a purchase comes from; the earlier in this list, the more it is believed on a tie. */
export const sources = ['signed', 'api', 'notification_hint', 'device'] as const;
export type Source = (typeof sources)[number];

/** One statement: `value` was true at `at` (epoch ms), says `src`. */
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
  /** Of a trial: its price is money that was charged at its start, such as a set-up fee. */
  hasFee?: boolean;
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

/**
 * What one charge paid for an add-on: a further product of a subscription with several items, which unlocks what it unlocks
 * until its own end.
 */
export interface AddOnFact extends PeriodFact {
  /**
   * Key of the charge: of the period that was paid for together with it, else of a payment of its own. A refund of that
   * key takes the add-on, too.
   */
  chargeKey: string;
  /** It goes on with the next period of the subscription. */
  renews: boolean;
}

/**
 * Money of a period given back; `revokedAtMs` is null again after a reversal. `partial` leaves access as it is;
 * `family` takes access from a member who never paid.
 */
export interface RefundFact {
  revokedAtMs: number | null;
  kind: 'full' | 'prorated' | 'partial' | 'family';
  /** What was given back all in all, when it was not the whole price. */
  amountMicros: number | null;
  /** The same as a share of the price in thousandths of a percent (50000 is half), when the amount is null. */
  milliPercent?: number | null;
}

/** What the store says about the time after the latest period. */
export interface RenewalFact {
  /**
   * The period that this follows. When it is left out: the last one that had begun by the time of the statement,
   * which is wrong only while a period is paid for but has not begun.
   */
  periodKey?: string;
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
  /** Why auto-renew is off or the life ended; absent or null when the store does not say. */
  cancelReason?: CancelReason | null;
  /** The store says that the life is over: no renewal can still be on its way. */
  ended?: boolean;
  /** The store asks the customer to accept a higher price, or has the answer. */
  priceIncrease?: 'pending' | 'accepted' | null;
  /** Auto-renew is off, but the customer pays on until then (instalments of a longer commitment). */
  commitmentEndsAtMs?: number | null;
}

/**
 * Ends of the access of a period or an add-on that the store told beside the paid end. `grace` is the end of grace, kept after the
 * trouble is over; `expired` is when the store ended access and can only shorten it. Null: taken back.
 */
export interface EndFacts {
  grace?: Register<number | null>;
  expired?: Register<number | null>;
}

/** Another subscription that took over; its key is null while only the end of this one is known. */
export interface ReplacedFact {
  byStoreKey: string | null;
  atMs: number;
  /** What the other subscription sells, `product:plan` for a plan. The same again is no change of product. */
  byProductId?: string | null;
  /** Name of the purchase that ended; absent where a subscription only ever is one purchase. */
  ofKey?: string;
}

/** Another purchase that the store made of a subscription that goes on: a plan that begins when the running one is over. */
export interface ContinuationFact {
  sinceMs: number;
}

/** What the app told when the purchase was posted; never used against a store's own word. */
export interface HintFact {
  presentedOfferingId: string | null;
}

/**
 * Everything known of one subscription. Plain JSON. Two sets of facts merge to the same result in any order and
 * any repetition, which is why the state is derived from facts and never changed by hand.
 */
export interface SubscriptionFacts {
  periods: Record<string, Register<PeriodFact>>;
  refunds: Record<string, Register<RefundFact>>;
  renewal: Register<RenewalFact> | null;
  /** Another subscription took over (a replacement, not a renewal). */
  replaced: Register<ReplacedFact> | null;
  /** Payment not complete yet. */
  pending: Register<boolean> | null;
  hints: Register<HintFact> | null;
  /** By key of the period or the add-on, where there are any. */
  ends?: Record<string, EndFacts>;
  /** By charge and product, where there are any. No key is that of a period. */
  addOns?: Record<string, Register<AddOnFact>>;
  /** By name of the purchase, where there are any. */
  continuations?: Record<string, Register<ContinuationFact>>;
  /** By key of the period or the add-on: the best known price where it is not the one that is stated there. */
  prices?: Record<string, Register<Price>>;
}

export interface OneTimeFact {
  storeProductId: string;
  /** Of stores that sell one product at several prices, each with an id. */
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

/** Pieces of a one-time purchase given back; `refundedAtMs` is null again after a reversal. */
export interface OneTimeRefundFact {
  refundedAtMs: number | null;
  quantity: number;
  /** What was given back all in all, when it was not the pieces' share of the price. */
  amountMicros?: number | null;
}

export interface OneTimeFacts {
  purchase: Register<OneTimeFact> | null;
  refund: Register<OneTimeRefundFact> | null;
  hints: Register<HintFact> | null;
  /** The best known price, where it is not the one in `purchase`. */
  price?: Register<Price>;
}

/** One verified piece of store information: true at `atMs`. */
export interface Observation<Facts> {
  atMs: number;
  facts: Facts;
}
