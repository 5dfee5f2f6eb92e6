import { alpha2Country } from '../../../libs/kernel/index.js';
import { type AppleNotification, environmentOf } from '../../../libs/stores/index.js';
import type { NewRefundRequest, ReportedOutcome } from '../refund-requests/new-refund-request.js';

/** The refund request in a notification; null if it contains none. */
export function refundRequestIn({
  uuid,
  environment,
  transaction,
  refundRequest,
}: AppleNotification): NewRefundRequest | null {
  if (refundRequest === null || environment === null || transaction === null) return null;
  const { transactionId, purchaseKey, storeProductId, reason, requestedAtMs, deadlineAtMs } = refundRequest;
  const { price } = refundRequest;
  return {
    environment: environmentOf(environment),
    storeRequestKey: uuid.toLowerCase(),
    isUnverified: false,
    pendingRefundToken: null,
    purchaseKey,
    storeProductId,
    transactionId,
    orderId: null,
    reason,
    requestedAtMs,
    deadlineAtMs,
    storeData: {
      kind: refundRequest.purchaseKind,
      isOfBuyer: refundRequest.isOfBuyer,
      originalTransactionId: transaction.originalTransactionId,
      country: alpha2Country(transaction.storefront),
      amount: price && { micros: price.amountMicros, currency: price.currency },
      accountToken: refundRequest.appAccountToken,
      isAdvancedCommerce: refundRequest.isAdvancedCommerce,
    },
  };
}

/** The decision about a refund in a notification; null if it reports none. */
export function outcomeIn({ uuid, environment, refundOutcome }: AppleNotification): ReportedOutcome | null {
  if (refundOutcome === null || environment === null) return null;
  const { transactionId: paymentId, outcome, atMs } = refundOutcome;
  return {
    environment: environmentOf(environment),
    outcome,
    outcomeKey: uuid.toLowerCase(),
    paymentId,
    atMs,
  };
}
