import type { NextSeats, PeriodFact, SeatTier } from '../../engine/index.js';
import type { SignedRenewal, SignedTransaction } from './signed-data.js';

/** Milliunits to micros. */
const MICROS = 1_000;
const MAX_TIERS = 1_000;

/** Some seats at one price, in milliunits, as the App Store reports it. */
interface PriceTier {
  price: number;
  quantity: number;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isTier(tier: unknown): tier is PriceTier {
  if (typeof tier !== 'object' || tier === null) return false;
  const { price, quantity } = tier as Partial<PriceTier>;
  return isCount(price) && isCount(quantity);
}

/** The tiers in a fixed order, because the App Store's order varies. Null if any is malformed. */
export function readTiers(reported: unknown): SeatTier[] | null {
  if (!Array.isArray(reported) || reported.length > MAX_TIERS || !reported.every(isTier)) return null;
  return reported
    .map(({ price, quantity }) => ({ priceMicros: price * MICROS, quantity }))
    .sort((a, b) => b.priceMicros - a.priceMicros || b.quantity - a.quantity);
}

/** The price of all seats in micros; null if it is not a safe integer. */
export function tiersAmount(tiers: readonly SeatTier[]): number | null {
  const amount = tiers.reduce((sum, { priceMicros, quantity }) => sum + priceMicros * quantity, 0);
  return Number.isSafeInteger(amount) ? amount : null;
}

export function seatCount(tiers: readonly SeatTier[]): number {
  return tiers.reduce((sum, { quantity }) => sum + quantity, 0);
}

/** Whether the transaction states a price for each seat, well-formed or not. */
export function hasTiers({ multiSeatInfo }: SignedTransaction): boolean {
  const tiers = multiSeatInfo?.priceTiers;
  return tiers !== undefined && !(Array.isArray(tiers) && tiers.length === 0);
}

/** The price of the seats of a transaction in micros; null if its tiers cannot be read. */
export function seatsAmount({ multiSeatInfo }: SignedTransaction): number | null {
  const tiers = readTiers(multiSeatInfo?.priceTiers);
  return tiers && tiersAmount(tiers);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

export function hasSeats({ multiSeatInfo }: SignedTransaction): boolean {
  return isObject(multiSeatInfo);
}

/** The number of seats that were refunded. The App Store may report it beside or inside the information on seats. */
export function revokedSeats({
  multiSeatInfo,
  revokedSeatQuantity,
  quantity = 1,
}: SignedTransaction): number {
  const reported = multiSeatInfo?.revokedSeatQuantity ?? revokedSeatQuantity;
  return isCount(reported) ? Math.min(reported, quantity) : 0;
}

/** A part of an amount, rounded half up. The product can exceed the safe integers. */
export function shareOf(amountMicros: number, part: number, whole: number): number {
  const [amount, share, total] = [BigInt(amountMicros), BigInt(part), BigInt(whole)];
  return Number((2n * amount * share + total) / (2n * total));
}

function invitationsOf({ multiSeatInfo, invitationManagement }: SignedTransaction) {
  const reported = multiSeatInfo?.invitationManagement ?? invitationManagement;
  if (typeof reported !== 'string') return null;
  if (/apple/i.test(reported)) return 'apple' as const;
  return /developer/i.test(reported) ? ('developer' as const) : null;
}

/** Whether other transactions may have paid for the same period. */
export function isPartOfPeriod({ additionalTransactionReason }: SignedTransaction): boolean {
  return additionalTransactionReason === 'SEAT_ADDITION';
}

export function seatFacts(transaction: SignedTransaction): Pick<PeriodFact, 'seats' | 'isPartOfPeriod'> {
  const seats = {
    tiers: readTiers(transaction.multiSeatInfo?.priceTiers) ?? [],
    revoked: revokedSeats(transaction),
    invitations: invitationsOf(transaction),
  };
  return {
    ...(hasSeats(transaction) && { seats }),
    ...(isPartOfPeriod(transaction) && { isPartOfPeriod: true as const }),
  };
}

/** The seats of the next period; null if the App Store reports none. */
export function nextSeats({ renewalQuantity, multiSeatInfo, currency }: SignedRenewal): NextSeats | null {
  if (!isObject(multiSeatInfo) || !isCount(renewalQuantity)) return null;
  const tiers = readTiers(multiSeatInfo.renewalPriceTiers);
  return { quantity: renewalQuantity, amountMicros: tiers && tiersAmount(tiers), currency: currency ?? null };
}
