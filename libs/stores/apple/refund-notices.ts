import type { RefundFact } from '../../engine/index.js';
import { WHOLE_SHARE } from '../refunds/consumed-share.js';
import type { PurchaseKind } from '../refunds/refund-answer.js';
import type { RefundOutcomeReport } from '../refunds/refund-report.js';
import { isPaidByOther, notifiedRefund, revocationOf } from './refund-facts.js';
import type { SignedNotification, SignedTransaction } from './signed-data.js';
import { isSubscription, purchaseKeyOf } from './transaction-facts.js';

/** Apple accepts answers for this long. */
const DEADLINE_MS = 12 * 3_600_000;
/** Milliunits to micros. */
const MICROS = 1_000;

/** A customer asked Apple for a refund, and Apple asks the developer about it. */
export interface AppleRefundRequest {
  /** The reason in Apple's words; null if it sent none. */
  reason: string | null;
  requestedAtMs: number;
  deadlineAtMs: number;
  transactionId: string;
  purchaseKey: string;
  storeProductId: string;
  /** Null for a type of purchase that this server does not know. */
  purchaseKind: PurchaseKind | null;
  /** The customer paid: Apple rejects answers about purchases that were shared or assigned. */
  isOfBuyer: boolean;
  isAdvancedCommerce: boolean;
  appAccountToken: string | null;
  purchasedAtMs: number;
  /** Null if the transaction has no end. */
  endsAtMs: number | null;
  /** The price as signed, null if unknown. */
  price: { amountMicros: number; currency: string } | null;
}

const kinds: Record<string, PurchaseKind> = {
  'Auto-Renewable Subscription': 'auto_renewable',
  Consumable: 'consumable',
  'Non-Consumable': 'non_consumable',
  'Non-Renewing Subscription': 'non_renewing',
};

function kindOf(transaction: SignedTransaction): PurchaseKind | null {
  if (Object.hasOwn(kinds, transaction.type)) return kinds[transaction.type] ?? null;
  return isSubscription(transaction) ? 'auto_renewable' : null;
}

function priceOf({ price, currency }: SignedTransaction): AppleRefundRequest['price'] {
  if (price === undefined || currency === undefined) return null;
  return { amountMicros: Math.round(price * MICROS), currency };
}

/** The refund request in a notification; null if it contains none. */
export function refundRequestIn(
  { notificationType, signedDate, data }: SignedNotification,
  transaction: SignedTransaction | null,
): AppleRefundRequest | null {
  if (notificationType !== 'CONSUMPTION_REQUEST' || transaction === null) return null;
  const { inAppOwnershipType, expiresDate, appAccountToken } = transaction;
  return {
    reason: data?.consumptionRequestReason ?? null,
    requestedAtMs: signedDate,
    deadlineAtMs: signedDate + DEADLINE_MS,
    transactionId: transaction.transactionId,
    purchaseKey: purchaseKeyOf(transaction),
    storeProductId: transaction.productId,
    purchaseKind: kindOf(transaction),
    isOfBuyer: inAppOwnershipType === undefined || inAppOwnershipType === 'PURCHASED',
    isAdvancedCommerce: transaction.advancedCommerceInfo !== undefined,
    appAccountToken: appAccountToken ?? null,
    purchasedAtMs: transaction.purchaseDate,
    endsAtMs: expiresDate ?? null,
    price: priceOf(transaction),
  };
}

type Refunded = Pick<RefundOutcomeReport, 'outcome' | 'amountMicros' | 'milliPercent'>;

/** A refund of seats or items states the total that was returned; one without details may be of the whole. */
function refundedBy(fact: RefundFact | undefined): Refunded {
  const nothing = { amountMicros: null, milliPercent: null };
  if (fact === undefined || fact.revokedAtMs === null) return { outcome: 'refunded', ...nothing };
  const { kind, amountMicros, milliPercent = null } = fact;
  if (kind === 'full') return { outcome: 'refunded', amountMicros, milliPercent: WHOLE_SHARE };
  return { outcome: 'partially_refunded', amountMicros, milliPercent };
}

/** Returns the refund in a notification; null if it contains none, or if another customer paid the transaction. */
export function refundOutcomeIn(
  { notificationType, signedDate: atMs }: SignedNotification,
  transaction: SignedTransaction | null,
): RefundOutcomeReport | null {
  if (transaction === null || isPaidByOther(transaction)) return null;
  const { transactionId } = transaction;
  const report = { transactionId, atMs, amountMicros: null, milliPercent: null };
  switch (notificationType) {
    case 'REFUND': {
      const fact = notifiedRefund(transaction) ?? revocationOf(transaction)?.value;
      return { ...report, ...refundedBy(fact) };
    }
    case 'REFUND_DECLINED':
      return { ...report, outcome: 'declined' };
    case 'REFUND_REVERSED':
      return { ...report, outcome: 'reversed' };
    default:
      return null;
  }
}
