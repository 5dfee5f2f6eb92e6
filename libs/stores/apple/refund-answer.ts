import {
  type ConsumptionRequest,
  type ConsumptionRequestV1,
  DeliveryStatus as AppleDeliveryStatus,
  DeliveryStatusV1,
  RefundPreference as AppleRefundPreference,
  RefundPreferenceV1,
} from '@apple/app-store-server-library';
import { WHOLE_SHARE } from '../refunds/consumed-share.js';
import type {
  AnswerPreference,
  DeliveryStatus,
  LifetimeSpending,
  PurchaseKind,
} from '../refunds/refund-answer.js';

/** Facts about the customer who asks for a refund. Only answers about Advanced Commerce purchases contain them. */
export interface RefundCustomer {
  firstSeenAtMs: number;
  /** All purchases are from the App Store. */
  isOfAppStoreOnly: boolean;
  /** Null if some amounts are unknown. */
  spending: LifetimeSpending | null;
}

export interface AppleRefund {
  purchaseKind: PurchaseKind;
  /** Bought through the Advanced Commerce API. */
  isAdvancedCommerce: boolean;
  /** The token that Apple signed in the transaction; null if it has none. */
  appAccountToken: string | null;
  preference: AnswerPreference;
  /** Only a person can state that a purchase was not delivered. */
  deliveryStatus: DeliveryStatus;
  /** In thousandths of a percent; undefined if unknown. */
  consumedShare: number | undefined;
  /** The customer could try the content before buying it. */
  sampleContentProvided: boolean;
  customer: RefundCustomer;
}

/**
 * Apple accepts answers about Advanced Commerce purchases only in the form of version 1, and uses version 2 for all
 * others.
 */
export type AppleRefundAnswer =
  | { version: 'v1'; body: ConsumptionRequestV1 }
  | { version: 'v2'; body: ConsumptionRequest; note?: 'prorated_unknown' };

const preferences: Record<AnswerPreference, AppleRefundPreference | null> = {
  grant_full: AppleRefundPreference.GRANT_FULL,
  grant_prorated: AppleRefundPreference.GRANT_PRORATED,
  decline: AppleRefundPreference.DECLINE,
  neutral: null,
};

const formerPreferences: Record<AnswerPreference, RefundPreferenceV1> = {
  grant_full: RefundPreferenceV1.PREFER_GRANT,
  grant_prorated: RefundPreferenceV1.NO_PREFERENCE,
  decline: RefundPreferenceV1.PREFER_DECLINE,
  neutral: RefundPreferenceV1.NO_PREFERENCE,
};

const statuses: Record<DeliveryStatus, AppleDeliveryStatus> = {
  delivered: AppleDeliveryStatus.DELIVERED,
  undelivered_quality_issue: AppleDeliveryStatus.UNDELIVERED_QUALITY_ISSUE,
  undelivered_wrong_item: AppleDeliveryStatus.UNDELIVERED_WRONG_ITEM,
  undelivered_server_outage: AppleDeliveryStatus.UNDELIVERED_SERVER_OUTAGE,
  undelivered_other: AppleDeliveryStatus.UNDELIVERED_OTHER,
};

const formerStatuses: Record<DeliveryStatus, DeliveryStatusV1> = {
  delivered: DeliveryStatusV1.DELIVERED_AND_WORKING_PROPERLY,
  undelivered_quality_issue: DeliveryStatusV1.DID_NOT_DELIVER_DUE_TO_QUALITY_ISSUE,
  undelivered_wrong_item: DeliveryStatusV1.DELIVERED_WRONG_ITEM,
  undelivered_server_outage: DeliveryStatusV1.DID_NOT_DELIVER_DUE_TO_SERVER_OUTAGE,
  undelivered_other: DeliveryStatusV1.DID_NOT_DELIVER_FOR_OTHER_REASON,
};

/** Upper bounds in days, with the value that Apple assigned to the range. */
const TENURES = [3, 10, 30, 90, 180, 365];
const DAY_MS = 86_400_000;
/** Used by most fields of version 1. */
const UNDECLARED = 0;
const ACTIVE_ACCOUNT = 1;
const APPLE_PLATFORM = 1;

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

function formerAnswer(refund: AppleRefund, nowMs: number): ConsumptionRequestV1 {
  const { firstSeenAtMs, isOfAppStoreOnly, spending } = refund.customer;
  return {
    customerConsented: true,
    sampleContentProvided: refund.sampleContentProvided,
    accountTenure: tenureOf(firstSeenAtMs, nowMs),
    appAccountToken: refund.appAccountToken ?? '',
    consumptionStatus: UNDECLARED,
    deliveryStatus: formerStatuses[refund.deliveryStatus],
    lifetimeDollarsPurchased: spentRange(spending?.purchasedMicros),
    lifetimeDollarsRefunded: spentRange(spending?.refundedMicros),
    platform: isOfAppStoreOnly ? APPLE_PLATFORM : UNDECLARED,
    playTime: UNDECLARED,
    refundPreference: formerPreferences[refund.preference],
    userStatus: ACTIVE_ACCOUNT,
  };
}

/** Apple computes the share of an auto-renewable subscription. What was not delivered cannot have been consumed. */
function statedShare({ purchaseKind, deliveryStatus, consumedShare }: AppleRefund): number | undefined {
  if (purchaseKind === 'auto_renewable') return undefined;
  return deliveryStatus === 'delivered' ? consumedShare : 0;
}

/** Apple prorates by the stated share, which must be a part: the whole and nothing become full answers. */
function proratedBy(share: number | undefined): AnswerPreference {
  if (share === undefined) return 'neutral';
  if (share <= 0) return 'grant_full';
  return share >= WHOLE_SHARE ? 'decline' : 'grant_prorated';
}

/** Builds the answer to a consumption information request of a customer who consented. */
export function appleRefundAnswer(refund: AppleRefund, nowMs: number): AppleRefundAnswer {
  if (refund.isAdvancedCommerce) return { version: 'v1', body: formerAnswer(refund, nowMs) };
  const share = statedShare(refund);
  const needsShare = refund.preference === 'grant_prorated' && refund.purchaseKind !== 'auto_renewable';
  const preference = preferences[needsShare ? proratedBy(share) : refund.preference];
  return {
    version: 'v2',
    body: {
      customerConsented: true,
      sampleContentProvided: refund.sampleContentProvided,
      deliveryStatus: statuses[refund.deliveryStatus],
      ...(share !== undefined && { consumptionPercentage: share }),
      ...(preference !== null && { refundPreference: preference }),
    },
    ...(needsShare && share === undefined && { note: 'prorated_unknown' }),
  };
}
