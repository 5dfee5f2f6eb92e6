import { guardRails } from './guard-rails.policy.js';
import { noSums, type VariantSums } from './result-metrics.js';

const sums = (paid: number, price: number, refunded = 0): VariantSums => ({
  ...noSums,
  customers: 1_000,
  paid,
  refunded,
  revenue: paid * price * 1_000_000,
  revenueSquares: paid * price * price,
});

const codes = (...variants: VariantSums[]) =>
  guardRails(variants, false).map(({ code, variant }) => [code, variant]);

describe('guard rails of an experiment', () => {
  it('passes variants that do as well', () => {
    expect(codes(sums(100, 10, 5), sums(101, 10, 5))).toEqual([]);
  });

  it('warns about one that earns less, and names it', () => {
    expect(codes(sums(100, 10), sums(100, 10), sums(50, 10))).toEqual([['revenue_per_customer_lower', 2]]);
  });

  it('warns about one that is refunded more', () => {
    expect(codes(sums(100, 10, 5), sums(100, 10, 20))).toEqual([['refunds_higher', 1]]);
    expect(codes(sums(100, 10, 20), sums(100, 10, 5))).toEqual([]);
  });

  it('waits for enough customers', () => {
    const few = (paid: number): VariantSums => ({ ...sums(paid, 10), customers: 99 });
    expect(codes(few(90), few(10))).toEqual([]);
  });

  it('warns about customers in the wrong variant, however few', () => {
    expect(guardRails([noSums, noSums], true).map(({ code }) => code)).toEqual(['sample_ratio_mismatch']);
  });
});
