import { createHash } from 'node:crypto';
import {
  type SubscriptionFacts,
  noSubscriptionFacts,
  noOneTimeFacts,
  type OfferFact,
  type OneTimeFact,
  type OneTimeFacts,
  type Ownership,
  type PeriodFact,
  type PeriodKind,
  type Price,
  unknownPrice,
} from '../../engine/index.js';
import { addPeriods, alpha2Country, parsePeriod } from '../../kernel/index.js';
import { bundleFact } from './bundle-switch.js';
import { hasKnownPayer, isAssigned, revocationOf, unitsOf } from './refund-facts.js';
import { hasTiers, seatFacts, seatsAmount } from './seats.js';
import type { SignedTransaction } from './signed-data.js';

export interface TransactionContext {
  /** The price that the device showed, used if the App Store reports none. */
  devicePrice(productId: string): { amountMicros: number; currency: string } | null;
  /** ISO 8601 duration of a product in the catalog. */
  durationOf(productId: string): string | null;
}

/** Context of transactions that no app posted; no catalog is loaded for them. */
export const noContext: TransactionContext = { devicePrice: () => null, durationOf: () => null };

const SUBSCRIPTION = 'Auto-Renewable Subscription';
const oneTimeTypes: readonly string[] = ['Consumable', 'Non-Consumable', 'Non-Renewing Subscription'];
/** Milliunits to micros. */
const MICROS = 1_000;

export function hasKnownType({ type }: SignedTransaction): boolean {
  return type === SUBSCRIPTION || oneTimeTypes.includes(type);
}

/** A type that this version does not know counts as a subscription if it has an end. */
export function isSubscription(transaction: SignedTransaction): boolean {
  const { type, expiresDate } = transaction;
  return type === SUBSCRIPTION || (!hasKnownType(transaction) && expiresDate !== undefined);
}

/** Xcode counts transactions from 0 on every machine, so its ids alone are ambiguous. */
function xcodeKey(transaction: SignedTransaction, id: string, dateMs: number): string {
  const text = `${transaction.bundleId ?? ''} ${id} ${dateMs}`;
  return `x:${createHash('sha256').update(text).digest('hex')}`;
}

/** Members of a group can have its buyer's original id, so their keys have a part of their own. */
const ASSIGNED_MARK = ':a:';

export function purchaseKeyOf(transaction: SignedTransaction): string {
  const { environment, originalTransactionId, transactionId, originalPurchaseDate, purchaseDate } =
    transaction;
  const isRenewable = isSubscription(transaction);
  if (environment === 'Xcode') {
    return isRenewable
      ? xcodeKey(transaction, originalTransactionId, originalPurchaseDate)
      : xcodeKey(transaction, transactionId, purchaseDate);
  }
  if (!isRenewable) return transactionId;
  if (!isAssigned(transaction)) return originalTransactionId;
  return `${originalTransactionId}${ASSIGNED_MARK}${transaction.appTransactionId ?? transactionId}`;
}

/** Versions before 0.10 recorded members under the original id alone. */
export function formerKeyOf(purchaseKey: string): string | null {
  return purchaseKey.includes(ASSIGNED_MARK) ? appleIdOf(purchaseKey) : null;
}

/** The id by which Apple can be asked about a purchase. */
export function appleIdOf(purchaseKey: string): string {
  return purchaseKey.split(ASSIGNED_MARK, 1)[0] ?? purchaseKey;
}

/**
 * The key of a billing period, which can appear under several transaction ids. An assigned seat never shares a key with
 * its buyer's purchase.
 */
export function periodKeyOf(transaction: SignedTransaction): string {
  const { webOrderLineItemId, transactionId, environment, purchaseDate } = transaction;
  if (environment === 'Xcode') return `${transactionId}.${purchaseDate}`;
  if (isAssigned(transaction)) return transactionId;
  return webOrderLineItemId === undefined || webOrderLineItemId === '0' || webOrderLineItemId === ''
    ? transactionId
    : webOrderLineItemId;
}

/** Offer types of the App Store. */
const INTRODUCTORY = 1;
const OFFER_CODE = 3;
const offerTypes: ReadonlyMap<number, OfferFact['type']> = new Map([
  [INTRODUCTORY, 'introductory_offer'],
  [2, 'promotional_offer'],
  [OFFER_CODE, 'offer_code'],
  [4, 'win_back_offer'],
]);

function offerOf({ offerType, offerIdentifier }: SignedTransaction): Pick<PeriodFact, 'offer'> {
  const type = offerType === undefined ? undefined : offerTypes.get(offerType);
  return type ? { offer: { type, id: offerIdentifier ?? null } } : {};
}

export function periodKindOf({
  offerType,
  offerDiscountType,
  price,
}: Pick<SignedTransaction, 'offerType' | 'offerDiscountType' | 'price'>): PeriodKind {
  if (offerDiscountType === 'FREE_TRIAL') return 'trial';
  const isIntro = offerType === INTRODUCTORY || offerType === OFFER_CODE;
  if (offerDiscountType === 'PAY_AS_YOU_GO' || offerDiscountType === 'PAY_UP_FRONT') {
    return isIntro ? 'intro' : 'normal';
  }
  // Transactions signed before the App Store sent the type of discount, or with one that is not known.
  if (offerDiscountType !== 'ONE_TIME' && offerType === INTRODUCTORY) return price === 0 ? 'trial' : 'intro';
  return 'normal';
}

/** The price in the transaction may be that of a whole bundle, or not what this customer was charged. */
function hasUnknownCharge(transaction: SignedTransaction): boolean {
  const isOfBundle = transaction.bundleProductId !== undefined;
  return isOfBundle || !hasKnownPayer(transaction) || !hasKnownType(transaction);
}

function reportedPrice(transaction: SignedTransaction): Pick<PeriodFact, 'reportedPrice'> {
  const { price, currency = null } = transaction;
  const isUnreadable = hasTiers(transaction) && seatsAmount(transaction) === null;
  if (isAssigned(transaction) || !(hasUnknownCharge(transaction) || isUnreadable)) return {};
  return {
    reportedPrice: { amountMicros: price === undefined ? null : Math.round(price * MICROS), currency },
  };
}

function priceOf(transaction: SignedTransaction, context: TransactionContext): Price {
  const { price, currency, productId } = transaction;
  if (isAssigned(transaction)) return { amountMicros: 0, currency: currency ?? null, source: 'store' };
  if (hasUnknownCharge(transaction)) return unknownPrice;
  if (hasTiers(transaction)) {
    const amountMicros = currency === undefined ? null : seatsAmount(transaction);
    return amountMicros === null
      ? unknownPrice
      : { amountMicros, currency: currency ?? null, source: 'store' };
  }
  if (price !== undefined && currency !== undefined) {
    return { amountMicros: Math.round(price * MICROS), currency, source: 'store' };
  }
  const shown = context.devicePrice(productId);
  return shown ? { ...shown, source: 'device' } : unknownPrice;
}

const ownerships: Record<string, Ownership> = {
  PURCHASED: 'purchased',
  FAMILY_SHARED: 'family_shared',
  ASSIGNED: 'assigned',
};

function ownershipOf({ inAppOwnershipType = 'PURCHASED' }: SignedTransaction): Ownership {
  return Object.hasOwn(ownerships, inAppOwnershipType)
    ? (ownerships[inAppOwnershipType] as Ownership)
    : 'unknown';
}

/** Without a known reason, only the first transaction of a subscription is no renewal. */
function isRenewal({ transactionReason, transactionId, originalTransactionId }: SignedTransaction): boolean {
  if (transactionReason === 'PURCHASE') return false;
  return transactionReason === 'RENEWAL' || transactionId !== originalTransactionId;
}

function periodOf(transaction: SignedTransaction, context: TransactionContext): PeriodFact {
  const { offerType, offerIdentifier, transactionId } = transaction;
  return {
    storeProductId: transaction.productId,
    planId: transaction.billingPlanType === 'MONTHLY' ? 'monthly' : null,
    offerCode: offerType === INTRODUCTORY ? null : (offerIdentifier ?? null),
    ...offerOf(transaction),
    kind: periodKindOf(transaction),
    isRenewal: isRenewal(transaction),
    startMs: transaction.purchaseDate,
    endMs: transaction.expiresDate ?? null,
    ...seatFacts(transaction),
    ...bundleFact(transaction),
    price: priceOf(transaction, context),
    ...reportedPrice(transaction),
    quantity: transaction.quantity ?? 1,
    ownership: ownershipOf(transaction),
    storeTransactionId: transactionId,
    country: alpha2Country(transaction.storefront),
  };
}

export function subscriptionFacts(
  transaction: SignedTransaction,
  context: TransactionContext,
): SubscriptionFacts {
  const at = transaction.signedDate;
  const key = periodKeyOf(transaction);
  const revocation = revocationOf(transaction);
  return {
    ...noSubscriptionFacts,
    periods: { [key]: { at, src: 'signed', value: periodOf(transaction, context) } },
    refunds: revocation ? { [key]: revocation } : {},
  };
}

function oneTimeEnd(
  { productId, purchaseDate }: SignedTransaction,
  context: TransactionContext,
): number | null {
  const duration = parsePeriod(context.durationOf(productId) ?? '');
  return duration ? addPeriods(purchaseDate, duration) : null;
}

export function oneTimePurchase(transaction: SignedTransaction, context: TransactionContext): OneTimeFact {
  const isNonRenewing = transaction.type === 'Non-Renewing Subscription';
  return {
    storeProductId: transaction.productId,
    purchasedAtMs: transaction.purchaseDate,
    expiresAtMs: transaction.expiresDate ?? (isNonRenewing ? oneTimeEnd(transaction, context) : null),
    ...(!hasKnownType(transaction) && { isTypeUnknown: true as const }),
    price: priceOf(transaction, context),
    ...reportedPrice(transaction),
    quantity: transaction.quantity ?? 1,
    ownership: ownershipOf(transaction),
    storeTransactionId: transaction.transactionId,
    country: alpha2Country(transaction.storefront),
  };
}

/** Converts a transaction of anything but a renewing subscription to facts. */
export function oneTimeFacts(transaction: SignedTransaction, context: TransactionContext): OneTimeFacts {
  const value = oneTimePurchase(transaction, context);
  const revocation = revocationOf(transaction);
  return {
    ...noOneTimeFacts,
    purchase: { at: transaction.signedDate, src: 'signed', value },
    refund: revocation && { ...revocation, value: unitsOf(revocation.value, value.price, value.quantity) },
  };
}
