import {
  BillingPlanType,
  InAppOwnershipType,
  OfferDiscountType,
  OfferType,
  RevocationReason,
  RevocationType,
  TransactionReason,
  Type,
} from '@apple/app-store-server-library';
import type { UnknownValue } from '../contract.js';
import { hasTiers, readTiers, seatCount, seatsAmount } from './seats.js';
import type { SignedTransaction } from './signed-data.js';

const knownValues: Partial<Record<keyof SignedTransaction, ReadonlySet<unknown>>> = {
  type: new Set(Object.values(Type)),
  // The library does not have this value yet.
  inAppOwnershipType: new Set([...Object.values(InAppOwnershipType), 'ASSIGNED']),
  transactionReason: new Set(Object.values(TransactionReason)),
  offerType: new Set(Object.values(OfferType)),
  offerDiscountType: new Set(Object.values(OfferDiscountType)),
  revocationType: new Set(Object.values(RevocationType)),
  revocationReason: new Set(Object.values(RevocationReason)),
  billingPlanType: new Set(Object.values(BillingPlanType)),
  additionalTransactionReason: new Set(['SEAT_ADDITION']),
};

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

/** The values in a transaction that this version does not know. */
export function unknownIn(transaction: SignedTransaction): UnknownValue[] {
  const unknown: UnknownValue[] = [];
  for (const [field, known] of Object.entries(knownValues)) {
    const value: unknown = transaction[field as keyof SignedTransaction];
    if (value !== undefined && value !== null && !known.has(value))
      unknown.push({ field, value: textOf(value) });
  }
  return [...unknown, ...priceProblems(transaction)];
}
