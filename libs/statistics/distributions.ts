const MAX_STEPS = 100_000;
const PRECISION = 1e-15;
const TINY = 1e-300;

/* Lanczos's approximation with g = 7 and nine terms: 15 digits. */
const LANCZOS = [
  676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905,
  -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

/** `x` > 0. */
export function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  const series = LANCZOS.reduce((sum, term, index) => sum + term / (x + index), 0.99999999999980993);
  const t = x + 6.5;
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(series);
}

export function logBeta(a: number, b: number): number {
  return logGamma(a) + logGamma(b) - logGamma(a + b);
}

/** A continued fraction by Lentz's method. `term` returns the step's numerator and denominator. */
function continuedFraction(start: number, term: (step: number) => [number, number]): number {
  const notZero = (value: number): number => (Math.abs(value) < TINY ? TINY : value);
  let value = notZero(start);
  let c = value;
  let d = 0;
  for (let step = 1; step < MAX_STEPS; step++) {
    const [numerator, denominator] = term(step);
    d = 1 / notZero(denominator + numerator * d);
    c = notZero(denominator + numerator / c);
    value *= c * d;
    if (Math.abs(c * d - 1) < PRECISION) break;
  }
  return value;
}

/** Probability that a beta variable with parameters `a`, `b` > 0 is below `x`. */
export function betaCdf(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  // The fraction converges fast only on this side.
  if (x > (a + 1) / (a + b + 2)) return 1 - betaCdf(1 - x, b, a);
  const front = Math.exp(a * Math.log(x) + b * Math.log1p(-x) - logBeta(a, b)) / a;
  const fraction = continuedFraction(1, (step) => {
    const m = Math.floor(step / 2);
    const numerator =
      step % 2 === 0
        ? (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
        : (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    return [numerator, 1];
  });
  return front / fraction;
}

/** The value below which a beta variable lies with this probability, to 1e-9. */
export function betaQuantile(probability: number, a: number, b: number): number {
  let [low, high] = [0, 1];
  while (high - low > 1e-10) {
    const middle = (low + high) / 2;
    if (betaCdf(middle, a, b) < probability) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** The regularized upper incomplete gamma function Q(a, x). */
function upperGamma(a: number, x: number): number {
  if (x <= 0) return 1;
  if (x === Infinity) return 0;
  const front = Math.exp(a * Math.log(x) - x - logGamma(a));
  if (x >= a + 1) {
    const fraction = continuedFraction(x + 1 - a, (step) => [step * (a - step), x + 2 * step + 1 - a]);
    return front / fraction;
  }
  let term = 1 / a;
  let sum = term;
  for (let n = 1; n < MAX_STEPS && term > sum * PRECISION; n++) {
    term *= x / (a + n);
    sum += term;
  }
  return 1 - front * sum;
}

/** The probability that a standard normal variable is below `x`. */
export function normalCdf(x: number): number {
  const tail = upperGamma(0.5, (x * x) / 2) / 2;
  return x > 0 ? 1 - tail : tail;
}

/** The probability that a chi-square variable is above `x`. */
export function chiSquareTail(x: number, degreesOfFreedom: number): number {
  return upperGamma(degreesOfFreedom / 2, x / 2);
}
