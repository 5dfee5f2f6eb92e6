import fc from 'fast-check';
import { betaCdf, betaQuantile, chiSquareTail, logGamma, normalCdf } from './distributions.js';
import {
  clampChance,
  customersPerVariant,
  liftOfMeans,
  liftOfRates,
  type Mean,
  meanInterval,
  meanOf,
  meanWins,
  type Rate,
  rateInterval,
  rateOf,
  rateWins,
  sampleRatio,
} from './index.js';

const rate = (count: number, total: number): Rate => ({ count, total });
const of = (...values: number[]): Mean => ({
  n: values.length,
  sum: values.reduce((sum, value) => sum + value, 0),
  sumOfSquares: values.reduce((sum, value) => sum + value * value, 0),
});

const rates = fc
  .tuple(fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: 0, max: 3_000 }))
  .map(([count, rest]) => rate(count, count + rest));

describe('distributions', () => {
  it('matches the factorials', () => {
    let factorial = 1;
    for (let n = 1; n < 100; n++) {
      expect(logGamma(n + 1)).toBeCloseTo(Math.log((factorial *= n)), 10);
    }
    expect(logGamma(0.5)).toBeCloseTo(Math.log(Math.sqrt(Math.PI)), 12);
  });

  it.each([
    [0, 0.5],
    [1.183216, 0.881638],
    [1.959964, 0.975],
    [-1, 0.158655],
    [-8, 0],
    [8, 1],
  ])('puts a normal variable below %d with probability %d', (x, probability) => {
    expect(normalCdf(x)).toBeCloseTo(probability, 6);
  });

  it.each([
    [3.841459, 1, 0.05],
    [5.991465, 2, 0.05],
    [7.814728, 3, 0.05],
    [0.1, 1, 0.75183],
    [0, 1, 1],
  ])('puts a chi-square variable above %d with %i degrees with probability %d', (x, degrees, probability) => {
    expect(chiSquareTail(x, degrees)).toBeCloseTo(probability, 6);
  });

  it('equals a binomial sum for whole parameters of beta', () => {
    const binomial = (n: number, k: number): number =>
      Math.exp(logGamma(n + 1) - logGamma(k + 1) - logGamma(n - k + 1));
    const parameter = fc.integer({ min: 1, max: 40 });
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 0.99, noNaN: true }), parameter, parameter, (x, a, b) => {
        const n = a + b - 1;
        let sum = 0;
        for (let k = a; k <= n; k++) sum += binomial(n, k) * x ** k * (1 - x) ** (n - k);
        expect(betaCdf(x, a, b)).toBeCloseTo(sum, 9);
      }),
    );
  });

  it('finds a quantile of beta with a million cases', () => {
    const middle = betaQuantile(0.5, 50_001, 950_001);
    expect(middle).toBeCloseTo(0.05, 5);
    expect(betaCdf(middle, 50_001, 950_001)).toBeCloseTo(0.5, 5);
    // The binomial sum of the same tail.
    expect(betaCdf(0.05, 50_001, 950_001)).toBeCloseTo(0.4989017, 7);
  });
});

describe('rates', () => {
  it.each([
    [rate(2, 5), 0.118117, 0.777222],
    [rate(3, 5), 0.222778, 0.881883],
    [rate(98, 1_204), 0.067273, 0.098219],
    [rate(117, 1_188), 0.082836, 0.116759],
  ])('returns bounds for %j: %d and %d', (one, lower, upper) => {
    const interval = rateInterval(one);
    expect([interval.lower.toFixed(6), interval.upper.toFixed(6)]).toEqual([
      lower.toFixed(6),
      upper.toFixed(6),
    ]);
  });

  it.each([
    [rate(2, 5), rate(3, 5), 331 / 462],
    [rate(3, 5), rate(3, 5), 0.5],
    [rate(1, 4), rate(2, 4), 31 / 42],
    [rate(98, 1_204), rate(117, 1_188), 0.927685],
  ])('compares control %j and treatment %j: the chance is %d', (control, treatment, chance) => {
    expect(rateWins(control, treatment)).toBeCloseTo(chance, 6);
  });

  it.each([
    [rate(2, 5), rate(3, 5), 50, -58.72, 445.03],
    [rate(98, 1_204), rate(117, 1_188), 20.9957, -6.3452, 56.3183],
  ])('compares control %j and treatment %j: %d %% (%d to %d)', (control, treatment, ...percent) => {
    const lift = liftOfRates(control, treatment);
    const [middle, lower, upper] = percent;
    expect((lift?.lift ?? NaN) * 100).toBeCloseTo(middle, 4);
    expect((lift?.lower ?? NaN) * 100).toBeCloseTo(lower, 2);
    expect((lift?.upper ?? NaN) * 100).toBeCloseTo(upper, 2);
  });

  it('compares a rate without a case as having no lift over them', () => {
    expect(liftOfRates(rate(0, 10), rate(5, 10))).toBeNull();
    expect(liftOfRates(rate(5, 10), rate(0, 0))).toBeNull();
    expect(rateOf(rate(0, 0))).toBeNull();
    const lift = liftOfRates(rate(5, 10), rate(0, 10));
    expect(lift?.lift).toBe(-1);
    expect(lift?.lower).toBeGreaterThan(-1);
    expect(Number.isFinite(lift?.upper)).toBe(true);
  });

  it('compares them with chances that add up to 1', () => {
    fc.assert(
      fc.property(rates, rates, (one, other) => {
        const chance = rateWins(one, other);
        expect(chance).toBeGreaterThanOrEqual(-1e-9);
        expect(chance + rateWins(other, one)).toBeCloseTo(1, 8);
      }),
    );
  });

  it('returns the same chance by the sum and by the normal distribution where both are good', () => {
    const [control, treatment] = [rate(19_990, 60_000), rate(20_150, 60_000)];
    const scaled = [control, treatment].map(({ count, total }) => rate(count * 2, total * 2));
    expect(rateWins(control, treatment)).toBeCloseTo(0.8355, 2);
    expect(rateWins(scaled[0] as Rate, scaled[1] as Rate)).toBeCloseTo(0.9162, 2);
  });
});

describe('means', () => {
  const control = of(0, 0, 0, 0, 20);
  const treatment = of(20, 60, 0, 10, 0);

  it('returns an interval that does not fall below 0', () => {
    expect([meanOf(control), meanOf(treatment)]).toEqual([4, 18]);
    expect(meanInterval(control)?.lower).toBe(0);
    expect(meanInterval(control)?.upper).toBeCloseTo(11.839856, 6);
    expect(meanInterval(treatment)?.upper).toBeCloseTo(39.825235, 5);
    expect(meanInterval(of(-2, -4))?.lower).toBeLessThan(-4);
  });

  it('returns a chance and a lift', () => {
    expect(meanWins(control, treatment)).toBeCloseTo(0.881638, 6);
    const lift = liftOfMeans(control, treatment);
    expect(lift?.lift).toBeCloseTo(3.5, 12);
    expect((lift?.lower ?? NaN) * 100).toBeCloseTo(-55.1, 2);
    expect((lift?.upper ?? NaN) * 100).toBeCloseTo(4409.53, 2);
  });

  it('returns nothing for too few values', () => {
    expect(meanOf(of())).toBeNull();
    expect(meanInterval(of(1))).toBeNull();
    expect(meanWins(of(1), treatment)).toBeNull();
    expect(liftOfMeans(of(1), treatment)).toBeNull();
    expect(liftOfMeans(of(0, 0), treatment)).toBeNull();
    expect(meanWins(of(1, 1), of(1, 1))).toBe(0.5);
    expect(meanWins(of(1, 1), of(2, 2))).toBe(1);
  });

  it('agrees with the variance of the values themselves', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -500, max: 5_000 }), { minLength: 2, maxLength: 50 }),
        (list) => {
          const mean = list.reduce((sum, value) => sum + value, 0) / list.length;
          const squares = list.reduce((sum, value) => sum + (value - mean) ** 2, 0);
          const error = Math.sqrt(squares / (list.length - 1) / list.length);
          expect(meanInterval(of(...list))?.upper).toBeCloseTo(mean + 1.959964 * error, 6);
        },
      ),
    );
  });
});

describe('the size of a test', () => {
  it.each([
    [0.052, 0.2, 7_823],
    [0.05, 0.1, 31_231],
    [0.4, 0.2, 601],
    [0, 0.2, null],
    [0.9, 0.2, null],
    [0.5, 0, null],
  ])('returns for a rate of %d and a change by %d: %s', (before, change, customers) => {
    expect(customersPerVariant(before, change)).toBe(customers);
  });

  it.each([
    [[1_010, 990], [0.5, 0.5], 0.2, 0.655, false],
    [[5_060, 4_940], [0.5, 0.5], 1.44, 0.23, false],
    [[5_200, 4_800], [0.5, 0.5], 16, 0.000063, true],
    [[1_100, 900], [0.5, 0.5], 20, 0.0000077, true],
    [[800, 200], [0.8, 0.2], 0, 1, false],
    [[0, 0], [0.5, 0.5], 0, 1, false],
    [[100, 100, 100], [1 / 3, 1 / 3, 1 / 3], 0, 1, false],
  ])(
    'tests customers %j with shares %j: chi-square %d, p %d',
    (customers, shares, chiSquare, pValue, isMismatch) => {
      const found = sampleRatio(customers, shares);
      expect(found.chiSquare).toBeCloseTo(chiSquare, 6);
      expect(Math.abs(found.pValue - pValue)).toBeLessThan(Math.max(pValue * 0.01, 1e-9));
      expect(found.isMismatch).toBe(isMismatch);
    },
  );

  it('never makes a chance certain', () => {
    expect([0, 0.5, 1].map(clampChance)).toEqual([0.001, 0.5, 0.999]);
  });
});
