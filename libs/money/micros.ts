/** Integer millionths of a currency unit. The largest amount anywhere, 10^9 units, is far below 2^53. */
export const MAX_AMOUNT_MICROS = 1e15;

/** The largest `amount_micros` that a request may set. */
export const MAX_PRICE_MICROS = 1e13;

const MICROS_PER_CENT = 10_000;

const ALL_BPS = 10_000;

/** Quotient of two integers, rounded to the nearest one, halves away from zero; exact at any size. */
export function divideRounded(dividend: bigint, divisor: bigint): bigint {
  const half = divisor / 2n;
  return (dividend < 0n ? dividend - half : dividend + half) / divisor;
}

/** Whole cents of an amount, halves away from zero; may be negative, is never -0. */
export function microsToCents(micros: number): number {
  return Math.sign(micros) * Math.round(Math.abs(micros) / MICROS_PER_CENT) || 0;
}

/** Units with two decimals, rounded half away from zero: `9_990_000` is `9.99`, `-5_000` is `-0.01`. */
export function microsToMajor(micros: number): number {
  return microsToCents(micros) / 100;
}

/**
 * A share of an amount in micros, given in basis points (10,000 = all of it), rounded to whole micros.
 * @throws RangeError when the amount or the share is no integer
 */
export function shareMicros(micros: number, bps: number): number {
  return Number(divideRounded(BigInt(micros) * BigInt(bps), BigInt(ALL_BPS)));
}
