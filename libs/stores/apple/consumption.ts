import { DeliveryStatus, RefundPreference } from '@apple/app-store-server-library';
import type { Consumption } from './server-api.js';
import type { SignedTransaction } from './signed-data.js';

export const refundWishes = ['grant_full', 'decline', 'let_apple_decide'] as const;
export type RefundWish = (typeof refundWishes)[number];

const preferences: Record<RefundWish, RefundPreference | null> = {
  grant_full: RefundPreference.GRANT_FULL,
  decline: RefundPreference.DECLINE,
  let_apple_decide: null,
};

/** In thousandths of a percent. */
const ALL = 100_000;

/** How much of a period is over, in thousandths of a percent; null for a purchase without an end. */
function consumed(
  { purchaseDate, expiresDate }: Pick<SignedTransaction, 'purchaseDate' | 'expiresDate'>,
  nowMs: number,
): number | null {
  if (expiresDate === undefined || expiresDate <= purchaseDate) return null;
  const share = (nowMs - purchaseDate) / (expiresDate - purchaseDate);
  return Math.round(Math.min(Math.max(share, 0), 1) * ALL);
}

export function consumptionOf(
  transaction: Pick<SignedTransaction, 'purchaseDate' | 'expiresDate'>,
  wish: RefundWish,
  isDelivered: boolean,
  nowMs: number,
): Consumption {
  const preference = preferences[wish];
  const percentage = consumed(transaction, nowMs);
  return {
    customerConsented: true,
    deliveryStatus: isDelivered ? DeliveryStatus.DELIVERED : DeliveryStatus.UNDELIVERED_OTHER,
    sampleContentProvided: true,
    ...(preference !== null && { refundPreference: preference }),
    ...(percentage !== null && { consumptionPercentage: percentage }),
  };
}
