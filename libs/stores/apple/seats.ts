import type { SeatTier } from '../../engine/index.js';
import type { SignedTransaction } from './signed-data.js';

/** Milliunits to micros. */
const MICROS = 1_000;
const MAX_TIERS = 1_000;

/** Some seats at one price, in milliunits, as the App Store reports it. */
export interface PriceTier {
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

/** What the seats of a transaction cost in micros; null if its tiers cannot be read. */
export function seatsAmount({ multiSeatInfo }: SignedTransaction): number | null {
  const tiers = readTiers(multiSeatInfo?.priceTiers);
  return tiers && tiersAmount(tiers);
}
