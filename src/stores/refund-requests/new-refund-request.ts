import type { Environment } from '../../../libs/engine/index.js';
import type { PurchaseKind } from '../../../libs/stores/index.js';
import type { RefundOutcome } from '../../../libs/targeting/index.js';

/** The store's report about a payment, as far as decisions and answers need it. */
export interface RefundStoreData {
  /** Null if the store did not report it. */
  kind: PurchaseKind | null;
  /** False for seats that another customer paid for, and for purchases shared in a family. */
  isOfBuyer: boolean;
  originalTransactionId: string | null;
  /** ISO 3166 alpha-2. */
  country: string | null;
  amount: { micros: number; currency: string } | null;
  /** The app's name of the account, as it gave it to the store with the purchase. */
  accountToken: string | null;
  /** Bought through Apple's Advanced Commerce API. */
  isAdvancedCommerce: boolean;
}

/** A refund request as a store's notification contains it. */
export interface NewRefundRequest {
  environment: Environment;
  /** Identifies the request at the store, so that a repeated notification makes no second one. */
  storeRequestKey: string;
  /** Anyone could have sent the notification. */
  isUnverified: boolean;
  /** The token that an answer to Google needs; null for Apple. */
  pendingRefundToken: string | null;
  purchaseKey: string | null;
  storeProductId: string | null;
  transactionId: string | null;
  orderId: string | null;
  reason: string | null;
  requestedAtMs: number;
  deadlineAtMs: number;
  storeData: RefundStoreData;
}

/** The store's decision about a payment, whether or not it follows a request. */
export interface ReportedOutcome {
  environment: Environment;
  outcome: Exclude<RefundOutcome, 'no_resolution'>;
  /** Identifies the report, so that a repeated one changes nothing. */
  outcomeKey: string;
  /** The App Store's id of the payment, or Google's order. */
  paymentId: string;
  atMs: number;
}
