import {
  AutoRenewStatus,
  BillingPlanType,
  ExpirationIntent,
  InAppOwnershipType,
  OfferDiscountType,
  OfferType,
  PriceIncreaseStatus,
  RevocationReason,
  RevocationType,
  Status,
  Subtype,
  TransactionReason,
  Type,
} from '@apple/app-store-server-library';
import type { UnknownValue } from '../contract.js';
import { listed, unknownOf } from '../unknown-values.js';
import { notificationTypes } from './notification-rules.js';
import { isUnexplainedRevocation, lacksRefund } from './refund-facts.js';
import { hasTiers, readTiers, seatCount, seatsAmount } from './seats.js';
import type { SignedNotification, SignedRenewal, SignedTransaction } from './signed-data.js';

type KnownValues = Record<string, ReadonlySet<unknown>>;

/** `more`: values that the library does not have yet. */
function valuesOf(type: object, ...more: string[]): ReadonlySet<unknown> {
  return new Set<unknown>([...(Object.values(type) as unknown[]), ...more]);
}

const statuses = valuesOf(Status);

const inTransactions: KnownValues = {
  type: valuesOf(Type),
  inAppOwnershipType: valuesOf(InAppOwnershipType, 'ASSIGNED'),
  transactionReason: valuesOf(TransactionReason),
  offerType: valuesOf(OfferType),
  offerDiscountType: valuesOf(OfferDiscountType),
  revocationType: valuesOf(RevocationType),
  revocationReason: valuesOf(RevocationReason),
  billingPlanType: valuesOf(BillingPlanType),
  additionalTransactionReason: new Set(['SEAT_ADDITION']),
};

const inRenewals: KnownValues = {
  expirationIntent: valuesOf(ExpirationIntent),
  autoRenewStatus: valuesOf(AutoRenewStatus),
  priceIncreaseStatus: valuesOf(PriceIncreaseStatus),
  offerType: valuesOf(OfferType),
  offerDiscountType: valuesOf(OfferDiscountType),
};

const inNotifications: KnownValues = {
  notificationType: new Set(notificationTypes),
  subtype: valuesOf(Subtype, 'SEATS', 'INCREASE_QUANTITY', 'DECREASE_QUANTITY'),
  status: statuses,
  consumptionRequestReason: listed(
    'UNINTENDED_PURCHASE FULFILLMENT_ISSUE UNSATISFIED_WITH_PURCHASE LEGAL OTHER',
  ),
};

function unknownIn(object: object, known: KnownValues): UnknownValue[] {
  const values = object as Record<string, unknown>;
  return Object.entries(known).flatMap(([field, set]) => unknownOf(field, values[field], set));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** Seats and bundles whose price cannot be read as documented. */
function priceProblems(transaction: SignedTransaction): UnknownValue[] {
  const { quantity = 1, bundleProductId, inAppOwnershipType = 'PURCHASED' } = transaction;
  if (inAppOwnershipType !== 'PURCHASED') return [];
  if (bundleProductId !== undefined) return [{ field: 'bundle_price', value: textOf(bundleProductId) }];
  if (!hasTiers(transaction)) {
    const hasSeats = transaction.type === 'Auto-Renewable Subscription' && quantity > 1;
    return hasSeats ? [{ field: 'seats_without_tiers', value: String(quantity) }] : [];
  }
  if (seatsAmount(transaction) === null) {
    return [{ field: 'multi_seat_info', value: textOf(transaction.multiSeatInfo?.priceTiers) }];
  }
  const seats = seatCount(readTiers(transaction.multiSeatInfo?.priceTiers) ?? []);
  return seats === quantity ? [] : [{ field: 'seat_sum', value: `${seats} of ${quantity}` }];
}

/** A revocation that returned no money, although the App Store names no other reason for it. */
function revocationProblems(transaction: SignedTransaction): UnknownValue[] {
  const { revocationType, revocationReason } = transaction;
  const isNamed = revocationType !== undefined || revocationReason !== undefined;
  return isUnexplainedRevocation(transaction) && !isNamed ? [{ field: 'revocationReason', value: '' }] : [];
}

export function unknownInTransaction(transaction: SignedTransaction): UnknownValue[] {
  return [
    ...unknownIn(transaction, inTransactions),
    ...priceProblems(transaction),
    ...revocationProblems(transaction),
  ];
}

export function unknownInRenewal(renewal: SignedRenewal): UnknownValue[] {
  return unknownIn(renewal, inRenewals);
}

/** Unknown values of the notification itself, not of the signed data in it. */
export function unknownInNotification(
  { notificationType, subtype, data }: SignedNotification,
  transaction: SignedTransaction | null,
): UnknownValue[] {
  const isEmptyRefund =
    notificationType === 'REFUND' &&
    subtype === undefined &&
    transaction !== null &&
    lacksRefund(transaction);
  return [
    ...unknownIn({ ...data, notificationType, subtype }, inNotifications),
    ...(isEmptyRefund ? [{ field: 'refund_without_revocation', value: '' }] : []),
  ];
}

/** A status of the Server API. */
export function unknownStatus(status: number | undefined): UnknownValue[] {
  return unknownOf('status', status, statuses);
}
