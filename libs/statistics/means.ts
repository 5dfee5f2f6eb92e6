import { normalCdf } from './distributions.js';
import { type Interval, type Lift, liftInterval, Z } from './estimates.js';

/** Sums over `n` values. */
export interface Mean {
  n: number;
  sum: number;
  sumOfSquares: number;
}

/** Returns null if there are no values. */
export function meanOf({ n, sum }: Mean): number | null {
  return n === 0 ? null : sum / n;
}

/** Returns the square of the standard error; null with fewer than two values. */
function errorOf({ n, sum, sumOfSquares }: Mean): number | null {
  if (n < 2) return null;
  // Rounding may result in a tiny negative variance for equal values.
  return Math.max(0, (sumOfSquares - (sum * sum) / n) / (n - 1)) / n;
}

/** The 95 % interval; null with fewer than two values. */
export function meanInterval(values: Mean): Interval | null {
  const [mean, error] = [meanOf(values), errorOf(values)];
  if (mean === null || error === null) return null;
  const reach = Z * Math.sqrt(error);
  return { lower: mean < 0 ? mean - reach : Math.max(0, mean - reach), upper: mean + reach };
}

/** The probability that the treatment's mean is above the control's; null with fewer than two values. */
export function meanWins(control: Mean, treatment: Mean): number | null {
  const [before, after] = [meanOf(control), meanOf(treatment)];
  const [controlError, treatmentError] = [errorOf(control), errorOf(treatment)];
  if (before === null || after === null || controlError === null || treatmentError === null) return null;
  if (before === after) return 0.5;
  return normalCdf((after - before) / Math.sqrt(treatmentError + controlError));
}

/** Returns null if a mean is not above 0, or there are fewer than two values. */
export function liftOfMeans(control: Mean, treatment: Mean): Lift | null {
  const [before, after] = [meanOf(control), meanOf(treatment)];
  const [controlError, treatmentError] = [errorOf(control), errorOf(treatment)];
  if (before === null || after === null || controlError === null || treatmentError === null) return null;
  if (before <= 0 || after <= 0) return null;
  const ratio = after / before;
  const variance = treatmentError / after ** 2 + controlError / before ** 2;
  return { lift: ratio - 1, ...liftInterval(ratio, variance) };
}
