import type { SignedTransaction } from '../signed-data.js';
import type { AppReceipt, ReceiptTransaction } from './app-receipt.js';

/** By the id of which Apple finds everything else; null for a receipt without purchases. */
export function newestTransaction({ transactions }: AppReceipt): ReceiptTransaction | null {
  return transactions.reduce<ReceiptTransaction | null>(
    (newest, next) => (newest === null || next.purchasedAtMs > newest.purchasedAtMs ? next : newest),
    null,
  );
}

function discountOf({ isTrial, isIntro }: ReceiptTransaction) {
  if (isTrial) return { offerType: 1, offerDiscountType: 'FREE_TRIAL' };
  return isIntro ? { offerType: 1, offerDiscountType: 'PAY_AS_YOU_GO' } : {};
}

/**
 * The purchases of a receipt as the receipt itself tells them, for developers who allow that in the sandbox.
 * Nothing is signed; the time of the statement is that of the receipt.
 */
export function unsignedTransactions(receipt: AppReceipt, nowMs: number): SignedTransaction[] {
  return receipt.transactions.map((transaction) => ({
    transactionId: transaction.transactionId,
    originalTransactionId: transaction.originalTransactionId,
    productId: transaction.productId,
    bundleId: receipt.bundleId,
    // Where ids are counted from 0, as Xcode does, they name nothing by themselves.
    environment: receipt.environment === 'Xcode' ? 'Xcode' : 'Sandbox',
    type: transaction.expiresAtMs === null ? 'Non-Consumable' : 'Auto-Renewable Subscription',
    purchaseDate: transaction.purchasedAtMs,
    originalPurchaseDate: transaction.originalPurchasedAtMs,
    quantity: transaction.quantity,
    signedDate: Math.min(receipt.createdAtMs ?? nowMs, nowMs),
    inAppOwnershipType: 'PURCHASED',
    ...discountOf(transaction),
    ...(transaction.expiresAtMs !== null && { expiresDate: transaction.expiresAtMs }),
    ...(transaction.cancelledAtMs !== null && { revocationDate: transaction.cancelledAtMs }),
    ...(transaction.webOrderLineItemId !== null && { webOrderLineItemId: transaction.webOrderLineItemId }),
  }));
}
