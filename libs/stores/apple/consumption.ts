import {
  type ConsumptionRequestV1,
  DeliveryStatus,
  RefundPreference,
  RefundPreferenceV1,
} from '@apple/app-store-server-library';
import type { LifetimeSpending } from '../refunds/refund-answer.js';
import type { AppleRefundAnswer } from './refund-answer.js';
import type { SignedTransaction } from './signed-data.js';
import { isSubscription } from './transaction-facts.js';

export const refundWishes = ['grant_full', 'decline', 'let_apple_decide'] as const;
/** `grant_prorated` exists only for single customers. */
export type RefundWish = (typeof refundWishes)[number] | 'grant_prorated';

const preferences: Record<RefundWish, RefundPreference | null> = {
  grant_full: RefundPreference.GRANT_FULL,
  grant_prorated: RefundPreference.GRANT_PRORATED,
  decline: RefundPreference.DECLINE,
  let_apple_decide: null,
};

const formerPreferences: Record<RefundWish, RefundPreferenceV1> = {
  grant_full: RefundPreferenceV1.PREFER_GRANT,
  grant_prorated: RefundPreferenceV1.NO_PREFERENCE,
  decline: RefundPreferenceV1.PREFER_DECLINE,
  let_apple_decide: RefundPreferenceV1.NO_PREFERENCE,
};

/** Facts about the customer who asks for a refund. */
export interface RefundCustomer {
  hadTrial: boolean;
  firstSeenAtMs: number;
  /** All purchases are from the App Store. */
  isOfAppStoreOnly: boolean;
  /** Null if some amounts are unknown. */
  spending: LifetimeSpending | null;
}

/** Upper bounds in days, with the value that Apple assigned to the range. */
const TENURES = [3, 10, 30, 90, 180, 365];
const DAY_MS = 86_400_000;
/** Used by most fields of version 1. */
const UNDECLARED = 0;
const ACTIVE_ACCOUNT = 1;
const APPLE_PLATFORM = 1;
const DELIVERED = 0;

function tenureOf(firstSeenAtMs: number, nowMs: number): number {
  const days = (nowMs - firstSeenAtMs) / DAY_MS;
  const range = TENURES.findIndex((end) => days <= end);
  return (range < 0 ? TENURES.length : range) + 1;
}

/** Lower bounds in USD, with the value that Apple assigned to the range; no spending is 1. */
const SPENT = [0, 50, 100, 500, 1_000, 2_000];

function spentRange(micros: number | undefined): number {
  if (micros === undefined) return UNDECLARED;
  return micros <= 0 ? 1 : SPENT.filter((fromUsd) => micros >= fromUsd * 1_000_000).length + 1;
}

/** Apple asks only about the buyer; it rejects answers about purchases that were shared or assigned. */
export function isOfBuyer({ inAppOwnershipType }: SignedTransaction): boolean {
  return inAppOwnershipType === undefined || inAppOwnershipType === 'PURCHASED';
}

/**
 * Builds the answer to a consumption information request. Apple computes the used part of an auto-renewable
 * subscription and rejects answers that name it. A prorated refund of anything else needs that part, which is not known
 * here.
 */
export function consumptionOf(
  transaction: SignedTransaction,
  wish: RefundWish,
  { hadTrial, firstSeenAtMs, isOfAppStoreOnly, spending }: RefundCustomer,
  nowMs: number,
): AppleRefundAnswer {
  const common = { customerConsented: true, sampleContentProvided: hadTrial };
  if (transaction.advancedCommerceInfo !== undefined) {
    const body: ConsumptionRequestV1 = {
      ...common,
      accountTenure: tenureOf(firstSeenAtMs, nowMs),
      appAccountToken: transaction.appAccountToken ?? '',
      consumptionStatus: UNDECLARED,
      deliveryStatus: DELIVERED,
      lifetimeDollarsPurchased: spentRange(spending?.purchasedMicros),
      lifetimeDollarsRefunded: spentRange(spending?.refundedMicros),
      platform: isOfAppStoreOnly ? APPLE_PLATFORM : UNDECLARED,
      playTime: UNDECLARED,
      refundPreference: formerPreferences[wish],
      userStatus: ACTIVE_ACCOUNT,
    };
    return { version: 'v1', body };
  }
  const isPossible = wish !== 'grant_prorated' || isSubscription(transaction);
  const preference = isPossible ? preferences[wish] : null;
  return {
    version: 'v2',
    body: {
      ...common,
      deliveryStatus: DeliveryStatus.DELIVERED,
      ...(preference !== null && { refundPreference: preference }),
    },
  };
}
