/** Integer millionths of a currency unit. The largest amount anywhere is 10^13, far below 2^53. */
const MICROS_PER_CENT = 10_000;

/** Units with two decimals, rounded half away from zero: `9_990_000` is `9.99`, `-5_000` is `-0.01`. */
export function microsToMajor(micros: number): number {
  const cents = Math.sign(micros) * Math.round(Math.abs(micros) / MICROS_PER_CENT);
  return cents === 0 ? 0 : cents / 100;
}
