import { assertTransaction } from '../payload-rules.js';
import type { SignedTransaction } from '../signed-data.js';
import type { AppReceipt, ReceiptTransaction } from './app-receipt.js';

/** Apple finds everything else by this transaction's id. Null for a receipt without purchases. */
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

const oneTimeTypes: Record<number, string> = { 1: 'Consumable', 2: 'Non-Renewing Subscription' };

function typeOf({ expiresAtMs, productType }: ReceiptTransaction): string {
  if (expiresAtMs !== null) return 'Auto-Renewable Subscription';
  return oneTimeTypes[productType ?? 0] ?? 'Non-Consumable';
}

/**
 * The transactions at the receipt's creation, without renewals. @throws NotGenuine for one that is impossible in the
 * App Store
 */
export function statedTransactions(
  receipt: AppReceipt,
  environment: 'Production' | 'Sandbox' | 'Xcode',
  nowMs: number,
): SignedTransaction[] {
  return receipt.transactions.map((stated) => {
    const transaction = {
      transactionId: stated.transactionId,
      originalTransactionId: stated.originalTransactionId,
      productId: stated.productId,
      bundleId: receipt.bundleId,
      environment,
      type: typeOf(stated),
      purchaseDate: stated.purchasedAtMs,
      originalPurchaseDate: stated.originalPurchasedAtMs,
      quantity: stated.quantity,
      signedDate: Math.min(receipt.createdAtMs ?? nowMs, nowMs),
      inAppOwnershipType: 'PURCHASED',
      ...discountOf(stated),
      ...(stated.expiresAtMs !== null && { expiresDate: stated.expiresAtMs }),
      // A receipt has no reason; Apple documents this date as the date of a refund.
      ...(stated.cancelledAtMs !== null && { revocationDate: stated.cancelledAtMs, revocationReason: 0 }),
      ...(stated.webOrderLineItemId !== null && { webOrderLineItemId: stated.webOrderLineItemId }),
    };
    assertTransaction(transaction, nowMs);
    return transaction;
  });
}
