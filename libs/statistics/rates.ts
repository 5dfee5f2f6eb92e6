import { betaQuantile, logBeta, normalCdf } from './distributions.js';
import { type Interval, type Lift, liftInterval } from './estimates.js';

/** `count` out of `total`. */
export interface Rate {
  count: number;
  total: number;
}

interface Beta {
  a: number;
  b: number;
}

/** Above this, the normal distribution is as accurate as the exact sum, which has this many terms. */
const MAX_TERMS = 20_000;

/** Uses a uniform prior. */
const posterior = ({ count, total }: Rate): Beta => ({ a: 1 + count, b: 1 + total - count });
const opposite = ({ a, b }: Beta): Beta => ({ a: b, b: a });

/** Returns null if the total is 0. */
export function rateOf({ count, total }: Rate): number | null {
  return total === 0 ? null : count / total;
}

/** The 95 % credible interval. */
export function rateInterval(rate: Rate): Interval {
  const { a, b } = posterior(rate);
  return { lower: betaQuantile(0.025, a, b), upper: betaQuantile(0.975, a, b) };
}

/** The probability that `one` exceeds `other`: a sum of `one.a` terms. */
function exceeds(one: Beta, other: Beta): number {
  const constant = logBeta(other.a, other.b);
  let sum = 0;
  for (let i = 0; i < one.a; i++) {
    const ratio = logBeta(other.a + i, one.b + other.b) - logBeta(1 + i, one.b) - constant;
    sum += Math.exp(ratio) / (one.b + i);
  }
  return sum;
}

/** The probability that the treatment's rate is above the control's. */
export function rateWins(control: Rate, treatment: Rate): number {
  const [c, t] = [posterior(control), posterior(treatment)];
  const terms = Math.min(c.a, c.b, t.a, t.b);
  if (terms > MAX_TERMS) {
    const mean = ({ a, b }: Beta): number => a / (a + b);
    const variance = ({ a, b }: Beta): number => (a * b) / ((a + b) ** 2 * (a + b + 1));
    return normalCdf((mean(t) - mean(c)) / Math.sqrt(variance(t) + variance(c)));
  }
  // The same probability can be computed in four ways; the smallest parameter needs the fewest terms.
  if (terms === t.a) return exceeds(t, c);
  if (terms === c.a) return 1 - exceeds(c, t);
  if (terms === c.b) return exceeds(opposite(c), opposite(t));
  return 1 - exceeds(opposite(t), opposite(c));
}

/** Returns null if the control's rate is 0 or a variant's total is 0. */
export function liftOfRates(control: Rate, treatment: Rate): Lift | null {
  const [before, after] = [rateOf(control), rateOf(treatment)];
  if (before === null || after === null || before === 0) return null;
  const isExtreme = [control, treatment].some(({ count, total }) => count === 0 || count === total);
  // Add half a case to both sides, so that neither logarithm nor variance is infinite.
  const [c, t] = [control, treatment].map(({ count, total }) =>
    isExtreme ? { count: count + 0.5, total: total + 1 } : { count, total },
  ) as [Rate, Rate];
  const ratio = t.count / t.total / (c.count / c.total);
  const variance = 1 / t.count - 1 / t.total + 1 / c.count - 1 / c.total;
  return { lift: after / before - 1, ...liftInterval(ratio, variance) };
}
