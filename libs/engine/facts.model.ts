import type { CancelReason, Ownership, PeriodKind, Price } from './enums.js';

/**
 * Where a statement comes from. On a tie the earlier source in this list wins. `import` is only in imported facts,
 * which no statement of a store ever competes with.
 */
export const sources = ['signed', 'api', 'notification_hint', 'device', 'import'] as const;
export type Source = (typeof sources)[number];

/** One statement: `src` says that `value` was true at `at` (epoch ms). */
export interface Register<T> {
  at: number;
  src: Source;
  value: T;
}

/** The offer that a period was sold by, in the store's words; the id is null where the store tells none. */
export interface OfferFact {
  type: 'introductory_offer' | 'offer_code' | 'promotional_offer' | 'win_back_offer';
  id: string | null;
}

/** The terms of a period from `sinceMs` on. */
export interface PeriodTerms {
  sinceMs: number;
  storeProductId: string;
  planId: string | null;
  quantity: number;
  /** Price of a whole period; null if that is what was charged for the period. */
  valueMicros: number | null;
}

export interface PeriodFact {
  storeProductId: string;
  planId: string | null;
  offerCode: string | null;
  /** Missing without an offer, and in facts from before it was kept. */
  offer?: OfferFact;
  kind: PeriodKind;
  /** For a trial: its price was charged at the start. Only in facts from before `extras` existed. */
  hasFee?: boolean;
  isRenewal: boolean;
  startMs: number;
  /** Null: never ends. */
  endMs: number | null;
  /** When it was paid for, if that was before it began; several periods can be paid for at once. */
  paidAtMs?: number;
  price: Price;
  quantity: number;
  ownership: Ownership;
  storeTransactionId: string;
  country: string | null;
  /** What the store kept of the price, if it says so. */
  feeMicros?: number;
  /** All that it sold, the oldest first, if that changed within the period. The last is what it sells now. */
  terms?: PeriodTerms[];
  /** In imported facts: fields that the other system left out. `length`: the end is a guess, not derived from others. */
  assumed?: ('endMs' | 'kind' | 'length' | 'ownership')[];
}

/**
 * Money that one payment took, or credited, beside the prices of what it sold: a set-up fee, the proration of a change,
 * a balance. It is revenue and never part of a price.
 */
export interface ExtraFact {
  /** Key of the period, or of a payment for add-ons only, whose refund returns it as well. */
  chargeKey: string;
  storeProductId: string;
  planId: string | null;
  price: Price;
  paidAtMs: number;
  storeTransactionId: string;
  country: string | null;
  /** The store's fee, if the store reports it. */
  feeMicros?: number;
}

/** A further product of a subscription with several items, paid by one charge. Unlocks until its own end. */
export interface AddOnFact extends PeriodFact {
  /** Key of the period paid for in the same charge, or of a payment of its own; its refund takes back the add-on. */
  chargeKey: string;
  renews: boolean;
  /** Price of a whole period, if it was added within the period. */
  valueMicros?: number;
}

/**
 * `revokedAtMs` is null after a reversal. `partial` leaves access. `family` ends access and returns no money: that of a
 * family member, who never paid, or one that the store revokes without a refund.
 */
export interface RefundFact {
  revokedAtMs: number | null;
  kind: 'full' | 'prorated' | 'partial' | 'family';
  /** The total amount returned; null if it was the whole price or, for the kinds other than `full`, is not known. */
  amountMicros: number | null;
  /** The same as a share of the price in thousandths of a percent (50000 is half), if the amount is null. */
  milliPercent?: number | null;
  /** The store's ids of the refunds in the amount, where notifications report each one alone and in any order. */
  refundKeys?: string[];
}

/** What the store says about the time after the latest period. */
export interface RenewalFact {
  /**
   * The period that this follows. Default: the last one that had begun by the time of the statement, which is wrong
   * only while a period is paid for but has not begun.
   */
  periodKey?: string;
  autoRenew: boolean;
  cancelledAtMs: number | null;
  nextProductId: string | null;
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
  priceIncrease?: 'pending' | 'accepted' | null;
  /** The store is collecting the next payment, which has not failed: access goes on until then. */
  collectingUntilMs?: number | null;
  /** The store's page where the customer manages this subscription. */
  managementUrl?: string | null;
  /** Auto-renew is off, but the customer keeps paying until then (instalments of a longer commitment). */
  commitmentEndsAtMs?: number | null;
}

/**
 * When access ends, other than the paid end; null: taken back.
 * `grace` is kept after the billing issue is resolved. `expired`: the store ended access; it can only shorten it.
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

/** A further purchase for the same subscription: a plan that begins when the current one ends. */
export interface ContinuationFact {
  sinceMs: number;
}

/** What the app sent with the receipt; never used against the store's own statement. */
export interface HintFact {
  presentedOfferingId: string | null;
  /** Left out without one. */
  presentedPlacementId?: string;
  /** The targeting rule that chose the offering; left out without one. */
  targetingRule?: { id: string; revision: number };
}

/** Values of earlier readings of the other system for fields that the latest one leaves open. */
export interface KnownFields {
  country?: Register<string>;
  endMs?: Register<number | null>;
  kind?: Register<PeriodKind>;
  ownership?: Register<Ownership>;
  cancelledAtMs?: Register<number>;
  billingIssueAtMs?: Register<number>;
}

/**
 * What another system said about a subscription; `at` is when that system was read. A layer of its own below all
 * other facts: a store's statement counts before it, whatever their times. Periods are keyed by transaction id.
 */
export interface ImportedFacts {
  periods: Record<string, Register<PeriodFact>>;
  refunds: Record<string, Register<RefundFact>>;
  /** Always names its period. */
  renewal: Register<RenewalFact> | null;
  hints: Register<HintFact> | null;
  /** By period key; absent if empty. */
  ends?: Record<string, EndFacts>;
  /** By period key: the best known price, where the later reading names none; absent if empty. */
  prices?: Record<string, Register<Price>>;
  /** By period key; absent if empty. */
  known?: Record<string, KnownFields>;
  /** Access goes on until then although the period is over, while no store can be asked; null: it does not. */
  held?: Register<number | null>;
  /** Whether the key of the subscription is a guess. */
  guessed?: Register<boolean>;
  /** When the subscription began, where its first periods are not known. */
  startedAtMs?: number;
  /** When the latest import that changed anything ran; absent in facts from before this was recorded. */
  importedAtMs?: number;
}

/** Plain JSON. Facts merge to the same result in any order and repetition: state is derived, never changed by hand. */
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
  /** By payment; absent if empty. */
  extras?: Record<string, Register<ExtraFact>>;
  /** By purchase id; absent if empty. */
  continuations?: Record<string, Register<ContinuationFact>>;
  /** By period or add-on key: the best known price, where the winning statement names another. */
  prices?: Record<string, Register<Price>>;
  /** Absent if nothing was imported. */
  imported?: ImportedFacts;
}

export interface OneTimeFact {
  storeProductId: string;
  /** For stores that sell one product at several prices, each with an id. */
  planId?: string | null;
  purchasedAtMs: number;
  /** Only for a non-renewing subscription of known length. */
  expiresAtMs: number | null;
  /** Ends after a time that the store does not report. */
  isRental?: boolean;
  price: Price;
  quantity: number;
  ownership: Ownership;
  storeTransactionId: string;
  country: string | null;
  /** What the store kept of the price, if it says so. */
  feeMicros?: number;
}

/** Refunded units of a one-time purchase; `refundedAtMs` is null again after a reversal. */
export interface OneTimeRefundFact {
  refundedAtMs: number | null;
  quantity: number;
  /** The total amount returned, if it was not the units' share of the price. */
  amountMicros?: number | null;
  /** As of `RefundFact`. */
  refundKeys?: string[];
}

/** As `ImportedFacts`. */
export interface ImportedOneTimeFacts {
  purchase: Register<OneTimeFact> | null;
  refund: Register<OneTimeRefundFact> | null;
  /** Absent if no reading names an offering. */
  hints?: Register<HintFact>;
  /** Fields that the latest reading leaves open; absent if empty. */
  known?: { country?: Register<string>; price?: Register<Price> };
  importedAtMs?: number;
}

export interface OneTimeFacts {
  purchase: Register<OneTimeFact> | null;
  refund: Register<OneTimeRefundFact> | null;
  hints: Register<HintFact> | null;
  /** The best known price, if it is not the one in `purchase`. */
  price?: Register<Price>;
  /** Absent if nothing was imported. */
  imported?: ImportedOneTimeFacts;
}

export interface Observation<Facts> {
  atMs: number;
  facts: Facts;
}
