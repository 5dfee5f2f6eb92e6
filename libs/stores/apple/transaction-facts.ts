import { createHash } from 'node:crypto';
import {
  type SubscriptionFacts,
  noSubscriptionFacts,
  noOneTimeFacts,
  type OfferFact,
  type OneTimeFacts,
  type PeriodFact,
  type PeriodKind,
  type Price,
  type RefundFact,
  type Register,
} from '../../engine/index.js';
import { addPeriods, alpha2Country, parsePeriod } from '../../kernel/index.js';
import type { SignedTransaction } from './signed-data.js';

export interface TransactionContext {
  /** The price that the device showed, used if the App Store names none. */
  devicePrice(productId: string): { amountMicros: number; currency: string } | null;
  /** ISO 8601 duration of a product in the catalog. */
  durationOf(productId: string): string | null;
}

/** For transactions that were not posted by an app, where no catalog is loaded. */
export const noContext: TransactionContext = { devicePrice: () => null, durationOf: () => null };

const SUBSCRIPTION = 'Auto-Renewable Subscription';
const FAMILY_SHARED = 'FAMILY_SHARED';
/** Milliunits to micros. */
const MICROS = 1_000;
const WHOLE = 100_000;

export function isSubscription({ type }: SignedTransaction): boolean {
  return type === SUBSCRIPTION;
}

/** Xcode counts transactions from 0 on every machine, so its ids alone are ambiguous. */
function xcodeKey(transaction: SignedTransaction, id: string, dateMs: number): string {
  const text = `${transaction.bundleId ?? ''} ${id} ${dateMs}`;
  return `x:${createHash('sha256').update(text).digest('hex')}`;
}

export function purchaseKeyOf(transaction: SignedTransaction): string {
  const { environment, originalTransactionId, transactionId, originalPurchaseDate, purchaseDate } =
    transaction;
  const isRenewable = isSubscription(transaction);
  if (environment === 'Xcode') {
    return isRenewable
      ? xcodeKey(transaction, originalTransactionId, originalPurchaseDate)
      : xcodeKey(transaction, transactionId, purchaseDate);
  }
  return isRenewable ? originalTransactionId : transactionId;
}

/** The key of a billing period, which can appear under several transaction ids. */
export function periodKeyOf(transaction: SignedTransaction): string {
  const { webOrderLineItemId, transactionId, environment, purchaseDate } = transaction;
  if (environment === 'Xcode') return `${transactionId}.${purchaseDate}`;
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
  // Signed before the App Store sent the kind of discount.
  if (offerDiscountType === undefined && offerType === INTRODUCTORY) return price === 0 ? 'trial' : 'intro';
  return 'normal';
}

function priceOf({ price, currency, productId }: SignedTransaction, context: TransactionContext): Price {
  if (price !== undefined && currency !== undefined) {
    return { amountMicros: Math.round(price * MICROS), currency, source: 'store' };
  }
  const shown = context.devicePrice(productId);
  return shown ? { ...shown, source: 'device' } : { amountMicros: null, currency: null, source: 'unknown' };
}

function ownershipOf({ inAppOwnershipType }: SignedTransaction): 'purchased' | 'family_shared' {
  return inAppOwnershipType === FAMILY_SHARED ? 'family_shared' : 'purchased';
}

function refundOf(transaction: SignedTransaction): RefundFact | null {
  const { revocationDate, revocationType, revocationPercentage } = transaction;
  if (revocationDate === undefined) return null;
  const isFamily = revocationType === 'FAMILY_REVOKE' || ownershipOf(transaction) === 'family_shared';
  const isProrated = revocationType === 'REFUND_PRORATED' && (revocationPercentage ?? WHOLE) < WHOLE;
  return {
    revokedAtMs: revocationDate,
    kind: isFamily ? 'family' : isProrated ? 'prorated' : 'full',
    amountMicros: null,
    ...(isProrated && { milliPercent: revocationPercentage }),
  };
}

function periodOf(transaction: SignedTransaction, context: TransactionContext): PeriodFact {
  const { offerType, offerIdentifier, transactionReason, transactionId, originalTransactionId } = transaction;
  return {
    storeProductId: transaction.productId,
    planId: transaction.billingPlanType === 'MONTHLY' ? 'monthly' : null,
    offerCode: offerType === INTRODUCTORY ? null : (offerIdentifier ?? null),
    ...offerOf(transaction),
    kind: periodKindOf(transaction),
    isRenewal:
      transactionReason === undefined
        ? transactionId !== originalTransactionId
        : transactionReason === 'RENEWAL',
    startMs: transaction.purchaseDate,
    endMs: transaction.expiresDate ?? null,
    price: priceOf(transaction, context),
    quantity: transaction.quantity ?? 1,
    ownership: ownershipOf(transaction),
    storeTransactionId: transactionId,
    country: alpha2Country(transaction.storefront),
  };
}

/** A transaction signed this soon after its revocation may not show it yet. */
const REVOCATION_SHOWS_MS = 60_000;

/**
 * The revocation of a transaction, and its time. A family can share again what it stopped sharing: the App Store then
 * signs the transaction without a revocation, possibly under another id, but keeps signing the revoked one too. So
 * the end of sharing is dated by the revocation, not by the signature.
 */
function revocationOf(transaction: SignedTransaction): Register<RefundFact> | null {
  const { signedDate, revocationDate } = transaction;
  const value = refundOf(transaction);
  if (value !== null) {
    const isFamily = value.kind === 'family' && revocationDate !== undefined;
    const at = isFamily ? Math.min(signedDate, revocationDate + REVOCATION_SHOWS_MS) : signedDate;
    return { at, src: 'signed', value };
  }
  if (ownershipOf(transaction) !== 'family_shared') return null;
  // An end-of-sharing notification signed together with its transaction is right.
  const isShared: RefundFact = { revokedAtMs: null, kind: 'family', amountMicros: null };
  return { at: signedDate - 1, src: 'signed', value: isShared };
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

/** The App Store reversed a refund: the transaction is signed without it. */
export function reversedRefund(transaction: SignedTransaction, atMs: number): SubscriptionFacts['refunds'] {
  const value: RefundFact = { revokedAtMs: null, kind: 'full', amountMicros: null };
  return { [periodKeyOf(transaction)]: { at: Math.max(atMs, transaction.signedDate), src: 'signed', value } };
}

function oneTimeEnd(
  { productId, purchaseDate }: SignedTransaction,
  context: TransactionContext,
): number | null {
  const duration = parsePeriod(context.durationOf(productId) ?? '');
  return duration ? addPeriods(purchaseDate, duration) : null;
}

function oneTimeRefund(
  transaction: SignedTransaction,
  price: Price,
  quantity: number,
): OneTimeFacts['refund'] {
  const refund = revocationOf(transaction);
  if (!refund) return null;
  const { milliPercent, revokedAtMs } = refund.value;
  if (revokedAtMs === null) return { ...refund, value: { refundedAtMs: null, quantity: 0 } };
  const amountMicros =
    typeof milliPercent === 'number' && price.amountMicros !== null
      ? Math.round((price.amountMicros * milliPercent) / WHOLE)
      : null;
  const value = { refundedAtMs: revokedAtMs, quantity, ...(amountMicros !== null && { amountMicros }) };
  return { ...refund, value };
}

/** What a transaction says about anything but a renewing subscription. */
export function oneTimeFacts(transaction: SignedTransaction, context: TransactionContext): OneTimeFacts {
  const price = priceOf(transaction, context);
  const quantity = transaction.quantity ?? 1;
  const isNonRenewing = transaction.type === 'Non-Renewing Subscription';
  return {
    ...noOneTimeFacts,
    purchase: {
      at: transaction.signedDate,
      src: 'signed',
      value: {
        storeProductId: transaction.productId,
        purchasedAtMs: transaction.purchaseDate,
        expiresAtMs: transaction.expiresDate ?? (isNonRenewing ? oneTimeEnd(transaction, context) : null),
        price,
        quantity,
        ownership: ownershipOf(transaction),
        storeTransactionId: transaction.transactionId,
        country: alpha2Country(transaction.storefront),
      },
    },
    refund: oneTimeRefund(transaction, price, quantity),
  };
}
