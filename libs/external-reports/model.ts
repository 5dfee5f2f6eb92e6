import type { AppleReport } from './apple-report.js';
import type { GoogleReport } from './google-report.js';

export type ReportStore = 'apple' | 'google';

/**
 * `due`: can be sent; `needs_tax`, `needs_token`, `needs_data`: something is missing; `manual`: the store has no call
 * for it, so a person must report it.
 */
export type ReportState = 'due' | 'sent' | 'refused' | 'needs_tax' | 'needs_token' | 'needs_data' | 'manual';

export type BuyEvent = 'start' | 'renewal' | 'change' | 'payment' | 'one_time';
export type ReportEvent = BuyEvent | 'refund' | 'refund_reversal' | 'restatement';

/** One ledger row of a purchase that was paid for outside the stores. */
export interface Charge {
  /** Identifies the row among all reports of a store. */
  sourceKey: string;
  kind:
    | 'purchase'
    | 'trial_start'
    | 'renewal'
    | 'one_time'
    | 'proration'
    | 'correction'
    | 'refund'
    | 'refund_reversal';
  /** The ledger's key: a refund has that of the refunded charge. */
  periodKey: string;
  /** The store's id of the payment. Charges that were paid together are refunded together. */
  transactionId: string | null;
  /** When the money moved. */
  atMs: number;
  productId: string;
  quantity: number;
  /** Tax included; negative for a refund; null if unknown. */
  amountMicros: number | null;
  currency: string | null;
  /** Part of the amount; null if the invoice does not name it. Refunds use the tax of the refunded charge. */
  taxMicros: number | null;
  /** ISO 3166-1 alpha-2 code of the billing country. */
  country: string | null;
  /** State of the billing address. Google requires it in India. */
  region: string | null;
  /** Null for a one-time purchase, and for a charge within a period. */
  period: { startMs: number; endMs: number | null } | null;
  /** A pair of rows that only changes the commission of a charge. */
  rebooks?: boolean;
}

/** Thousandths of the reporting currency. */
export interface MilliAmounts {
  inclusive: number;
  exclusive: number;
  tax: number;
}

/** One line of a report, in the currency of the purchase. Stored with the report as JSON. */
export interface ReportItem {
  /** A restatement has that of the restated line. */
  lineItemId: string;
  event: BuyEvent | 'refund';
  periodKey: string;
  transactionId: string | null;
  /** Line that started the subscription; its own id for the start, null for one-time purchases. */
  series: string | null;
  /** The refunded line; null for charges. */
  refundOf: string | null;
  atMs: number;
  productId: string;
  quantity: number;
  /** Tax included. Positive, also for a refund; negative only for a credit; null if unknown. */
  amountMicros: number | null;
  taxMicros: number | null;
  /** The tax follows from a configured rate. */
  isTaxEstimated: boolean;
  /** Without tax: the whole charge, or the rest of a refunded one. Null until all of them are known. */
  netMicros: number | null;
  currency: string | null;
  country: string | null;
  region: string | null;
  period: { startMs: number; endMs: number | null } | null;
  isTrial: boolean;
  /** Days of paid service before this charge. */
  paidDays: number;
  /** Currency of the report, and its units per unit of the purchase's currency; null if the rate is unknown. */
  reporting: { currency: string; rate: number | null } | null;
  /** The amounts that Apple gets; null if not all are known. */
  milli: MilliAmounts | null;
  isRestatement: boolean;
  /** The refund did not happen. */
  isWithdrawn: boolean;
}

/** A report about a purchase, as stored. */
export interface PurchaseReport {
  id: string;
  /** UUID. */
  requestIdentifier: string;
  sourceKey: string;
  event: ReportEvent;
  tokenId: string | null;
  /** Usually one. A refund of everything that was paid has one for each charge of the payment. */
  items: ReportItem[];
  state: ReportState;
  /** Explains a state other than `due` and `sent`. */
  reason: string | null;
  /** Null unless the report can be sent. */
  body: AppleReport | GoogleReport | null;
}

export interface ReportToken {
  id: string;
  environment: 'production' | 'sandbox';
  /** Apple's id of the token; null for Google, and for tokens that Apple did not issue. */
  externalPurchaseId: string | null;
}

export interface ReportContext {
  store: ReportStore;
  /** Environment of the purchase. */
  environment: 'production' | 'sandbox';
  /** The token that the purchase is bound to. */
  token: ReportToken | null;
  /** Basis points by alpha-2 country, for charges whose tax is unknown. */
  taxRates: Readonly<Record<string, number>>;
  /** For currencies in which Apple accepts no reports. */
  fallbackCurrency: 'EUR' | 'USD';
  /** Units of `to` per unit of `from`; null if unknown. */
  exchangeRate: (from: string, to: string, atMs: number) => number | null;
  /** Google's type of the link to the offer; null for programs without links. */
  linkType: string | null;
  /** Another purchase is reported with the token. Google accepts each token once. */
  isTokenTaken: boolean;
}

/** Identifiers of a new report. They must be stored before it is sent. */
export interface ReportIds {
  reportId: string;
  /** UUID. */
  requestIdentifier: string;
}

export interface ReportPlan {
  report: PurchaseReport;
  /** Replaces the stored report of that id, which no store has accepted yet. */
  isUpdate: boolean;
}
