/** Integer millionths of a currency unit. The limit, 10^9 units, is far below 2^53. */
export const MAX_AMOUNT_MICROS = 1e15;

/** The largest `amount_micros` that a request may set. */
export const MAX_PRICE_MICROS = 1e13;

const MICROS_PER_CENT = 10_000;

const ALL_BPS = 10_000;

/** Rounds to the nearest integer, halves away from zero; exact at any size. */
export function divideRounded(dividend: bigint, divisor: bigint): bigint {
  const half = divisor / 2n;
  return (dividend < 0n ? dividend - half : dividend + half) / divisor;
}

/** Rounds halves away from zero; never -0. */
export function microsToCents(micros: number): number {
  return Math.sign(micros) * Math.round(Math.abs(micros) / MICROS_PER_CENT) || 0;
}

/** Two decimals, halves away from zero: `9_990_000` is `9.99`, `-5_000` is `-0.01`. */
export function microsToMajor(micros: number): number {
  return microsToCents(micros) / 100;
}

/**
 * A share in basis points (10,000 = 100%), rounded to whole micros.
 * @throws RangeError unless both are integers
 */
export function shareMicros(micros: number, bps: number): number {
  return Number(divideRounded(BigInt(micros) * BigInt(bps), BigInt(ALL_BPS)));
}
