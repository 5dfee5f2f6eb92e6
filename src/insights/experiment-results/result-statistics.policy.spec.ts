import { noSums, resultMetrics, type VariantSums } from './result-metrics.js';
import { isAboveFloor, statisticsOf } from './result-statistics.policy.js';

const usd = (amount: number): number => amount * 1_000_000;

/** Five customers with a payer of 20 and a refunded one, against five with payers of 20, 60 and 10. */
const control: VariantSums = {
  ...noSums,
  customers: 5,
  converted: 3,
  trialsStarted: 1,
  trialsCompleted: 1,
  paid: 2,
  active: 1,
  renewing: 1,
  refunded: 1,
  revenue: usd(20),
  revenueSquares: 400,
  monthly: usd(10),
  monthlySquares: 100,
};
const treatment: VariantSums = {
  ...noSums,
  customers: 5,
  converted: 3,
  trialsStarted: 1,
  trialsCompleted: 1,
  trialsConverted: 1,
  paid: 3,
  active: 2,
  renewing: 2,
  churned: 1,
  revenue: usd(90),
  revenueSquares: 4_100,
  monthly: usd(15),
  monthlySquares: 125,
};

const metric = (name: string) => {
  const found = resultMetrics.find((one) => one.name === name);
  if (!found) throw new Error(`no metric ${name}`);
  return found;
};
const both = (name: string) => statisticsOf(metric(name), [control, treatment], true);

describe('results of an experiment', () => {
  it.each([
    ['customers', 5, 5],
    ['initial_conversions', 3, 3],
    ['initial_conversion_rate', 0.6, 0.6],
    ['trials_started', 1, 1],
    ['trials_completed', 1, 1],
    ['trials_converted', 0, 1],
    ['trial_conversion_rate', 0, 1],
    ['paid_customers', 2, 3],
    ['conversion_to_paying', 0.4, 0.6],
    ['active_subscribers', 1, 2],
    ['active_subscribers_set_to_renew', 1, 2],
    ['churned_subscribers', 0, 1],
    ['refunded_customers', 1, 0],
    ['realized_ltv_revenue', 20, 90],
    ['realized_ltv_per_customer', 4, 18],
    ['realized_ltv_per_paying_customer', 10, 30],
    ['total_mrr', 10, 15],
    ['mrr_per_customer', 2, 3],
    ['mrr_per_paying_customer', 5, 5],
  ])('%s is %d and %d', (name, before, after) => {
    expect(both(name).map(({ value }) => value)).toEqual([before, after]);
  });

  it('computes an interval, a chance and a lift for a rate', () => {
    const [a, b] = both('conversion_to_paying');
    expect(a?.interval?.lower).toBeCloseTo(0.118117, 6);
    expect(a?.chanceToWin).toBeNull();
    expect(a?.lift).toBeNull();
    expect(b?.interval?.upper).toBeCloseTo(0.881883, 6);
    expect(b?.chanceToWin).toBeCloseTo(331 / 462, 6);
    expect(b?.lift?.lift).toBeCloseTo(0.5, 12);
    expect(b?.lift?.upper).toBeCloseTo(4.4503, 4);
  });

  it('computes an interval, a chance and a lift for a mean', () => {
    const [a, b] = both('realized_ltv_per_customer');
    expect(a?.interval?.lower).toBe(0);
    expect(a?.interval?.upper).toBeCloseTo(11.839856, 5);
    expect(b?.chanceToWin).toBeCloseTo(0.881638, 6);
    expect(b?.lift?.lower).toBeCloseTo(-0.551, 4);
    expect(b?.lift?.upper).toBeCloseTo(44.0953, 3);
  });

  it('computes neither for counts and totals', () => {
    for (const name of ['customers', 'realized_ltv_revenue', 'total_mrr']) {
      for (const { interval, chanceToWin, lift } of both(name))
        expect([interval, chanceToWin, lift]).toEqual([null, null, null]);
    }
  });

  it.each([
    ['conversion_to_paying', { customers: 100, paid: 10 }, true],
    ['conversion_to_paying', { customers: 99, paid: 50 }, false],
    ['conversion_to_paying', { customers: 5_000, paid: 9 }, false],
    ['initial_conversion_rate', { customers: 100, converted: 10, paid: 0 }, true],
    ['trial_conversion_rate', { customers: 100, trialsCompleted: 10 }, true],
    ['trial_conversion_rate', { customers: 100, trialsCompleted: 9, converted: 50 }, false],
    ['realized_ltv_per_customer', { customers: 100, paid: 10 }, true],
    ['mrr_per_paying_customer', { customers: 100, paid: 9 }, false],
  ])('describes %s with %j: %s', (name, sums, isAbove) => {
    const enough = { ...noSums, customers: 1_000, converted: 100, trialsCompleted: 100, paid: 100 };
    expect(isAboveFloor(metric(name), [enough, { ...noSums, ...sums }])).toBe(isAbove);
    expect(isAboveFloor(metric(name), [{ ...noSums, ...sums }, enough])).toBe(isAbove);
  });

  it('hides what too few customers would show', () => {
    const [, held] = statisticsOf(metric('conversion_to_paying'), [control, treatment]);
    expect(held).toEqual({ value: 0.6, interval: null, chanceToWin: null, lift: null });
  });

  it('never call a variant certain to win', () => {
    const all = { ...noSums, customers: 1_000, paid: 990 };
    const few = { ...noSums, customers: 1_000, paid: 10 };
    const chance = (a: VariantSums, b: VariantSums) =>
      statisticsOf(metric('conversion_to_paying'), [a, b])[1]?.chanceToWin;
    expect([chance(few, all), chance(all, few)]).toEqual([0.999, 0.001]);
  });
});
