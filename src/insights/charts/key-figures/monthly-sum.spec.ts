import fc from 'fast-check';
import { lengthOfDuration } from '../facts/billing-length.js';
import { monthlyFraction, monthlyMicros } from '../facts/periods.js';
import { MonthlySum } from './monthly-sum.js';

/** Monthly revenue of prices in micros, by the length that each pays for. */
function monthlyOf(pricesByLength: ReadonlyMap<number, number>): number {
  const sum = new MonthlySum('USD');
  for (const [length, micros] of pricesByLength) {
    sum.add({
      monthly: String(monthlyMicros(micros, length)),
      fraction: String(monthlyFraction(micros, length)),
    });
  }
  return sum.toMajor();
}

const monthly = (duration: string, micros: number): number =>
  Math.round(100 * monthlyOf(new Map([[lengthOfDuration(duration) ?? Number.NaN, micros]])));

describe('the monthly amount of a price', () => {
  it.each([
    ['P1D', 30],
    ['P3D', 10],
    ['P1W', 4],
    ['P2W', 2],
    ['P4W', 1],
    ['P1M', 1],
    ['P2M', 1 / 2],
    ['P3M', 1 / 3],
    ['P6M', 1 / 6],
    ['P1Y', 1 / 12],
    ['P10D', 3],
    ['P8W', 1 / 2],
    ['P1Y6M', 1 / 18],
    ['P1M15D', 2 / 3],
  ])('multiplies for %s: %d times the price', (duration, factor) => {
    expect(monthly(duration, 36_000_000)).toBe(Math.round(3600 * factor));
  });

  it('rounds once, half away from zero', () => {
    expect(monthly('P2M', 10_000)).toBe(1);
    expect(monthly('P2M', 9_998)).toBe(0);
    expect(monthly('P2M', -10_000)).toBe(-1);
    // 0.0033… + 0.0016… is exactly half a cent.
    const thirdAndSixth = new Map([
      [180, 10_000],
      [360, 10_000],
    ]);
    expect(100 * monthlyOf(thirdAndSixth)).toBe(1);
    expect(100 * monthlyOf(new Map())).toBe(0);
    expect(100 * monthlyOf(new Map([[0, 9_990_000]]))).toBe(0);
  });

  it('stays the same however prices are split over lengths that divide each other', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 1e9 }), { maxLength: 6 }), (prices) => {
        const lengths = [2, 15, 30, 60, 120, 180, 360, 720];
        const byLength = new Map(prices.map((micros, index) => [lengths[index] ?? 60, micros]));
        const exact = prices.reduce((sum, micros, index) => sum + (micros * 60) / (lengths[index] ?? 60), 0);
        expect(Math.abs(100 * monthlyOf(byLength) - exact / 10_000)).toBeLessThanOrEqual(0.5 + 1e-6);
      }),
    );
  });
});
