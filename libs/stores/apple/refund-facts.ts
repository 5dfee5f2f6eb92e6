import type { OneTimeFacts, Price, RefundFact, Register } from '../../engine/index.js';
import { hasSeats, hasTiers, revokedSeats, seatsAmount, shareOf } from './seats.js';
import type { SignedTransaction } from './signed-data.js';

/** Milliunits to micros. */
const MICROS = 1_000;
const WHOLE = 100_000;
/** A transaction signed this soon after its revocation may not show it yet. */
const REVOCATION_SHOWS_MS = 60_000;

const refundTypes: readonly unknown[] = ['REFUND_FULL', 'REFUND_PRORATED'];
const refundReasons: readonly unknown[] = [0, 1];

export function isAssigned({ inAppOwnershipType }: SignedTransaction): boolean {
  return inAppOwnershipType === 'ASSIGNED';
}

/** The family organizer or the buyer of the seats paid, so the price in such a transaction is not this customer's. */
export function isPaidByOther(transaction: SignedTransaction): boolean {
  return transaction.inAppOwnershipType === 'FAMILY_SHARED' || isAssigned(transaction);
}

/** An unknown type of ownership does not show who paid. */
export function hasKnownPayer(transaction: SignedTransaction): boolean {
  const { inAppOwnershipType } = transaction;
  return inAppOwnershipType === undefined || inAppOwnershipType === 'PURCHASED' || isPaidByOther(transaction);
}

/** The share of the price that a revocation returns. An unknown type of refund does not show the amount. */
function returnedShare({
  revocationType,
  revocationPercentage,
}: SignedTransaction): Pick<RefundFact, 'kind' | 'milliPercent'> {
  const isFull = revocationType === undefined || revocationType === 'REFUND_FULL';
  if (isFull || (revocationPercentage ?? 0) >= WHOLE) return { kind: 'full' };
  return { kind: 'prorated', milliPercent: revocationPercentage ?? null };
}

/** The whole transaction is revoked. It returns money only where the App Store reports a refund. */
function revokedRefund(transaction: SignedTransaction, isRefund: boolean): RefundFact | null {
  const { revocationDate: revokedAtMs } = transaction;
  if (revokedAtMs === undefined) return null;
  if (!isRefund) return { revokedAtMs, amountMicros: null, kind: 'family' };
  const returned = returnedShare(transaction);
  return { revokedAtMs, amountMicros: afterSeats(transaction, returned), ...returned };
}

/** Returns the sum of a prorated refund and earlier refunds of seats; null if it follows from the share. */
function afterSeats(
  transaction: SignedTransaction,
  { kind, milliPercent }: Pick<RefundFact, 'kind' | 'milliPercent'>,
): number | null {
  const seats = seatRefund(transaction)?.amountMicros ?? null;
  const amount = seatsAmount(transaction);
  if (kind !== 'prorated' || typeof milliPercent !== 'number' || seats === null || amount === null)
    return null;
  return Math.min(amount, seats + shareOf(amount, milliPercent, WHOLE));
}

/** Refunded seats. The App Store does not report their prices, so each counts as the average of the transaction. */
function seatRefund(transaction: SignedTransaction): RefundFact | null {
  const revoked = revokedSeats(transaction);
  if (revoked === 0 || isPaidByOther(transaction) || !hasKnownPayer(transaction)) return null;
  const { price, quantity = 1 } = transaction;
  const reported = price === undefined ? null : Math.round(price * MICROS);
  const amount = hasTiers(transaction) ? seatsAmount(transaction) : reported;
  const amountMicros = amount === null ? null : shareOf(amount, revoked, quantity);
  return { revokedAtMs: transaction.signedDate, kind: 'partial', amountMicros };
}

/** Each transaction with seats reports all seats refunded so far, so one without any shows that refunds were reversed. */
function seatsReport(transaction: SignedTransaction): RefundFact | null {
  if (!hasSeats(transaction) || isPaidByOther(transaction)) return null;
  return seatRefund(transaction) ?? { revokedAtMs: null, kind: 'partial', amountMicros: null };
}

function endsSharing(transaction: SignedTransaction): boolean {
  return isPaidByOther(transaction) || transaction.revocationType === 'FAMILY_REVOKE';
}

function saysRefund(transaction: SignedTransaction): boolean {
  const { revocationType, revocationReason } = transaction;
  if (endsSharing(transaction)) return false;
  return refundTypes.includes(revocationType) || refundReasons.includes(revocationReason);
}

/** Whether a revoked transaction states neither a refund nor the end of sharing. */
export function isUnexplainedRevocation(transaction: SignedTransaction): boolean {
  return transaction.revocationDate !== undefined && !endsSharing(transaction) && !saysRefund(transaction);
}

function isAmount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

/**
 * Refunds of single items of an Advanced Commerce purchase. Each transaction lists all of them, so their sum is the
 * total returned, at most the prices of the items.
 */
function itemRefund(transaction: SignedTransaction): RefundFact | null {
  if (isPaidByOther(transaction)) return null;
  const items = transaction.advancedCommerceInfo?.items ?? [];
  let milliunits = 0;
  let revokedAtMs = 0;
  for (const { price, refunds = [] } of items) {
    const byDate = new Map<number, number>();
    for (const { refundAmount, refundDate = transaction.signedDate } of refunds) {
      if (isAmount(refundAmount)) byDate.set(refundDate, refundAmount);
    }
    const returned = [...byDate.values()].reduce((sum, amount) => sum + amount, 0);
    milliunits += Math.min(returned, price ?? Infinity);
    revokedAtMs = Math.max(revokedAtMs, ...byDate.keys());
  }
  if (milliunits === 0) return null;
  return { revokedAtMs, kind: 'partial', amountMicros: Math.round(milliunits * MICROS) };
}

/**
 * The refund of a transaction, or the end of sharing it, dated. A family can share again what it stopped sharing. The
 * App Store then signs the transaction without a revocation, possibly under another id, but keeps signing the revoked
 * one too. So the end of sharing is dated by the revocation, not by the signature. Other revocations also use their own
 * date, because their notification may report a refund.
 */
export function revocationOf(transaction: SignedTransaction): Register<RefundFact> | null {
  const { signedDate, revocationDate } = transaction;
  const isRefund = saysRefund(transaction);
  const value = revokedRefund(transaction, isRefund) ?? itemRefund(transaction) ?? seatsReport(transaction);
  if (value !== null) {
    // A refund notification signed together with its transaction is right.
    const latest = (revocationDate ?? signedDate) + (endsSharing(transaction) ? REVOCATION_SHOWS_MS : -1);
    return { at: isRefund ? signedDate : Math.min(signedDate, latest), src: 'signed', value };
  }
  if (!isPaidByOther(transaction)) return null;
  // An end-of-sharing notification signed together with its transaction is right.
  const isShared: RefundFact = { revokedAtMs: null, kind: 'family', amountMicros: null };
  return { at: signedDate - 1, src: 'signed', value: isShared };
}

/**
 * The refund that a notification adds: a revocation is a refund, whatever its reason. Null if the transaction contains
 * everything, or if it is not revoked: then only some seats or items were refunded.
 */
export function notifiedRefund(transaction: SignedTransaction): RefundFact | null {
  const refund = isUnexplainedRevocation(transaction) ? revokedRefund(transaction, true) : null;
  const { revocationType, revocationPercentage: share } = transaction;
  if (!refund || revocationType !== undefined) return refund;
  return typeof share === 'number' && share < WHOLE
    ? { ...refund, kind: 'prorated', milliPercent: share }
    : { ...refund, isReasonUnknown: true };
}

/** The part still refunded after a reversal: single items may have been refunded before the whole. */
export function refundAfterReversal(transaction: SignedTransaction): RefundFact {
  const left = itemRefund(transaction) ?? seatRefund(transaction);
  return left ?? { revokedAtMs: null, kind: 'full', amountMicros: null };
}

/** Whether a refund notification names neither a revocation nor refunded items or seats. */
export function lacksRefund(transaction: SignedTransaction): boolean {
  const isPartial = itemRefund(transaction) !== null || seatRefund(transaction) !== null;
  return transaction.revocationDate === undefined && !isPartial;
}

/** Refund facts for a purchase of `quantity` units. */
export function unitsOf(
  { revokedAtMs, kind, milliPercent, amountMicros: returned }: RefundFact,
  price: Price,
  quantity: number,
): NonNullable<OneTimeFacts['refund']>['value'] {
  if (revokedAtMs === null) return { refundedAtMs: null, quantity: 0 };
  // Without these units, the customer still owns the purchase.
  if (kind === 'partial') return { refundedAtMs: revokedAtMs, quantity: 0, amountMicros: returned };
  if (kind === 'family') return { refundedAtMs: revokedAtMs, quantity, amountMicros: 0 };
  const amountMicros =
    typeof milliPercent === 'number' && price.amountMicros !== null
      ? Math.round((price.amountMicros * milliPercent) / WHOLE)
      : null;
  return { refundedAtMs: revokedAtMs, quantity, ...(amountMicros !== null && { amountMicros }) };
}
