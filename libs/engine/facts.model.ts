import type { CancelReason, Ownership, PeriodKind, Price } from './enums.js';

/**
 * Sources of statements. On a tie, the earlier source in this list wins. `import` occurs only in imported facts, and
 * store statements never compete with those.
 */
export const sources = ['signed', 'api', 'notification_hint', 'device', 'import'] as const;
export type Source = (typeof sources)[number];

/** One statement: `src` says that `value` was true at `at` (epoch ms). */
export interface Register<T> {
  at: number;
  src: Source;
  value: T;
}

/** The offer under which a period was sold, in the store's terms; the id is null if the store reports none. */
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
  /**
   * Price of a whole period, in the currency of the charge; null if it equals the amount charged for the period. From the
   * start of a period: the charge paid for less than a whole one, so the period may also be shorter or longer.
   */
  valueMicros: number | null;
  /** Currency of the value, reported if the charge is unknown. */
  currency?: string;
}

/** Seats sold at one price. */
export interface SeatTier {
  priceMicros: number;
  quantity: number;
}

/** Seats for several people; their number is the quantity of the transaction. */
export interface SeatsFact {
  tiers: SeatTier[];
  /** Seats that were taken back and refunded. */
  revoked: number;
  /** The party that invites the members. */
  invitations: 'apple' | 'developer' | null;
}

/** The seats of the next period. */
export interface NextSeats {
  quantity: number;
  /** Their price; null if unknown. */
  amountMicros: number | null;
  currency: string | null;
}

/** A bundle of several products, sold as one. */
export interface BundleFact {
  storeProductId: string;
  /** Key of the purchase that the customer switched from; null if the store reports none. */
  previousKey: string | null;
}

export type ReportedPrice = Pick<Price, 'amountMicros' | 'currency'>;

export interface PeriodFact {
  storeProductId: string;
  planId: string | null;
  offerCode: string | null;
  /** Absent without an offer, and in facts from before this was recorded. */
  offer?: OfferFact;
  kind: PeriodKind;
  /** For a trial: its price was charged at the start. Only in facts from before `extras` existed. */
  hasFee?: boolean;
  isRenewal: boolean;
  startMs: number;
  /** Null: never ends. */
  endMs: number | null;
  /** When it was paid for, if that was before it started. Several periods can be paid for at once. */
  paidAtMs?: number;
  price: Price;
  /** Absent for purchases without seats. */
  seats?: SeatsFact;
  /** Other transactions may have paid for seats of the same period. */
  isPartOfPeriod?: true;
  /** Absent outside of bundles. */
  bundle?: BundleFact;
  /** The store's figure where it is not what was charged. Then the charge is unknown, and no other price replaces it. */
  reportedPrice?: ReportedPrice;
  quantity: number;
  ownership: Ownership;
  storeTransactionId: string;
  country: string | null;
  /** The part of the price that the store withheld, if the store reports it. */
  feeMicros?: number;
  /** The tax within the price, if the store reports it. */
  taxMicros?: number;
  /** All terms within the period, oldest first, if they changed or the charge was prorated. The last are current. */
  terms?: PeriodTerms[];
  /** In imported facts: fields that the other system omitted. `length`: the end is a guess, not derived from others. */
  assumed?: ('endMs' | 'kind' | 'length' | 'ownership')[];
}

/**
 * An amount that one payment charged or credited in addition to the prices of the products: a set-up fee, the proration
 * of a change, a balance. It is revenue and never part of a price.
 */
export interface ExtraFact {
  /** Key of the period, or of a payment for add-ons only. Refunding that charge refunds this amount too. */
  chargeKey: string;
  storeProductId: string;
  planId: string | null;
  price: Price;
  paidAtMs: number;
  storeTransactionId: string;
  country: string | null;
  /** The store's fee, if the store reports it. */
  feeMicros?: number;
  /** The tax within the price, if the store reports it. */
  taxMicros?: number;
}

/** An additional product of a subscription with several items, paid by one charge. Unlocks until its own end. */
export interface AddOnFact extends PeriodFact {
  /** Key of the period paid for in the same charge, or of a separate payment. Refunding it revokes the add-on. */
  chargeKey: string;
  renews: boolean;
  /** Price of a whole period, if it was added during the period. */
  valueMicros?: number;
}

/**
 * `revokedAtMs` is null after a reversal. `partial` leaves access. `family` ends access without returning money: for
 * family members, who never paid, or when the store revokes a purchase without a refund.
 */
export interface RefundFact {
  revokedAtMs: number | null;
  kind: 'full' | 'prorated' | 'partial' | 'family';
  /** The total amount returned; null if it was the whole price or, for kinds other than `full`, is unknown. */
  amountMicros: number | null;
  /** The same as a share of the price in thousandths of a percent (50000 is half), if the amount is null. */
  milliPercent?: number | null;
  /**
   * The store did not report why. If another purchase of the subscription took over within the period, the unused part
   * was returned, unless the store reports an amount or a share.
   */
  isReasonUnknown?: true;
  /** The store's ids of the refunds in the amount, for stores that report each refund separately and in any order. */
  refundKeys?: string[];
}

/** The store's report about the time after the latest period. */
export interface RenewalFact {
  /**
   * The period that precedes the renewal. Default: the latest one that had started by the time of the statement. That
   * default is wrong only while a period is paid for but has not started.
   */
  periodKey?: string;
  /**
   * Start of that period, for a subscription of several purchases with a renewal each: the report about the latest period
   * counts, whatever its time.
   */
  periodStartMs?: number;
  autoRenew: boolean;
  cancelledAtMs: number | null;
  nextProductId: string | null;
  inRetry: boolean;
  billingIssueAtMs: number | null;
  graceUntilMs: number | null;
  pauseScheduled: boolean;
  paused: boolean;
  autoResumeAtMs: number | null;
  /** Why auto-renew is off or the subscription ended; absent or null if the store does not report it. */
  cancelReason?: CancelReason | null;
  /** The customer's answer when they cancelled, as Google Play names it; null: none. Absent unless they cancelled. */
  cancelSurvey?: string | null;
  /** The store reports that the subscription has ended: no renewal can be pending. */
  ended?: boolean;
  priceIncrease?: 'pending' | 'accepted' | null;
  /** The store is collecting the next payment, which has not failed yet: access continues until then. */
  collectingUntilMs?: number | null;
  /** The store's page where the customer manages this subscription. */
  managementUrl?: string | null;
  nextSeats?: NextSeats | null;
  /** Auto-renew is off, but the customer pays until then (instalments of a longer commitment). */
  commitmentEndsAtMs?: number | null;
}

/**
 * Ends of access other than the paid end. A null value withdraws the end. `grace` remains after the billing issue is
 * resolved. `expired`: the store ended access; it can only shorten it.
 */
export interface EndFacts {
  grace?: Register<number | null>;
  expired?: Register<number | null>;
}

/** The subscription that replaced this one. Its key is null while only the end of this one is known. */
export interface ReplacedFact {
  byStoreKey: string | null;
  atMs: number;
  /** The other subscription's product, as `product:plan` if it has plans. The same product is no product change. */
  byProductId?: string | null;
  /** Id of the purchase that ended; absent for stores where a subscription is always one purchase. */
  ofKey?: string;
}

/** Another purchase for the same subscription: a plan that starts when the current one ends. */
export interface ContinuationFact {
  sinceMs: number;
}

/** Data that the app sent with the receipt. It never overrides the store's statements. */
export interface HintFact {
  presentedOfferingId: string | null;
  /** Absent if there is none. */
  presentedPlacementId?: string;
  /** The targeting rule that chose the offering; absent if there is none. */
  targetingRule?: { id: string; revision: number };
}

/** Values from earlier readings of the other system for fields that the latest one omits. */
export interface KnownFields {
  country?: Register<string>;
  endMs?: Register<number | null>;
  kind?: Register<PeriodKind>;
  ownership?: Register<Ownership>;
  cancelledAtMs?: Register<number>;
  billingIssueAtMs?: Register<number>;
}

/**
 * Another system's report about a subscription; `at` is when that system was read. Stored as a separate layer
 * below all other facts: a store's statement takes precedence, whatever their times. Periods are keyed by transaction
 * id.
 */
export interface ImportedFacts {
  periods: Record<string, Register<PeriodFact>>;
  refunds: Record<string, Register<RefundFact>>;
  /** Always has a `periodKey`. */
  renewal: Register<RenewalFact> | null;
  hints: Register<HintFact> | null;
  /** Ends by period key; absent if empty. */
  ends?: Record<string, EndFacts>;
  /** Best known price by period key, if the later reading has none; absent if empty. */
  prices?: Record<string, Register<Price>>;
  /** Values by period key; absent if empty. */
  known?: Record<string, KnownFields>;
  /** Access continues until then although the period is over, while no store can be queried; null: it does not. */
  held?: Register<number | null>;
  /** Whether the key of the subscription is a guess. */
  guessed?: Register<boolean>;
  /** When the subscription started, if its first periods are unknown. */
  startedAtMs?: number;
  /** Run time of the latest import with changes; absent in facts from before this was recorded. */
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
  /** Ends by period or add-on key; absent if empty. */
  ends?: Record<string, EndFacts>;
  /** Add-ons by charge and product; absent if empty. No key is that of a period. */
  addOns?: Record<string, Register<AddOnFact>>;
  /** Extras by payment; absent if empty. */
  extras?: Record<string, Register<ExtraFact>>;
  /** Continuations by purchase id; absent if empty. */
  continuations?: Record<string, Register<ContinuationFact>>;
  /** Best known price by period or add-on key, if the winning statement has another one. */
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
  /** Ends after a duration that the store does not report. */
  isRental?: boolean;
  /** The store reported a type of product that this version does not know: the purchase unlocks nothing. */
  isTypeUnknown?: true;
  price: Price;
  /** See `PeriodFact`. */
  reportedPrice?: ReportedPrice;
  quantity: number;
  ownership: Ownership;
  storeTransactionId: string;
  country: string | null;
  /** The part of the price that the store withheld, if the store reports it. */
  feeMicros?: number;
  /** The tax within the price, if the store reports it. */
  taxMicros?: number;
}

/** Refunded units of a one-time purchase; `refundedAtMs` is null again after a reversal. */
export interface OneTimeRefundFact {
  refundedAtMs: number | null;
  quantity: number;
  /** The total amount returned, if it was not the units' share of the price. */
  amountMicros?: number | null;
  /** See `RefundFact`. */
  refundKeys?: string[];
}

/** See `ImportedFacts`. */
export interface ImportedOneTimeFacts {
  purchase: Register<OneTimeFact> | null;
  refund: Register<OneTimeRefundFact> | null;
  /** Absent if no reading names an offering. */
  hints?: Register<HintFact>;
  /** Values for fields that the latest reading omits; absent if empty. */
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
