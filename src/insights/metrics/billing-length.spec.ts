import fc from 'fast-check';
import { lengthBetween, lengthOfDuration, monthlyCents } from './billing-length.js';

const at = (text: string): number => Date.parse(`${text}T12:00:00Z`);
const monthly = (duration: string, micros: number): number =>
  monthlyCents(new Map([[lengthOfDuration(duration) ?? Number.NaN, micros]]));

describe('the length between two days', () => {
  it.each([
    // A subscription that started on the 31st is charged on the last day of February.
    ['2024-01-31', '2024-02-29', 60],
    ['2023-01-31', '2023-02-28', 60],
    ['2024-02-29', '2024-03-29', 60],
    ['2024-02-29', '2024-05-29', 180],
    ['2024-02-29', '2025-02-28', 720],
    ['2024-02-29', '2025-03-01', 720],
    ['2023-02-28', '2024-02-28', 720],
    ['2023-02-28', '2024-02-29', 720],
    ['2024-02-29', '2028-02-29', 4 * 720],
    ['2024-02-26', '2024-03-04', 15],
    ['2024-02-28', '2024-03-01', 4],
  ])('returns from %s to %s: %d', (from, to, length) => {
    expect(lengthBetween(at(from), at(to))).toBe(length);
  });
});

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
    expect(monthlyCents(thirdAndSixth)).toBe(1);
    expect(monthlyCents(new Map())).toBe(0);
    expect(monthlyCents(new Map([[0, 9_990_000]]))).toBe(0);
  });

  it('stays the same however prices are split over lengths that divide each other', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 1e9 }), { maxLength: 6 }), (prices) => {
        const lengths = [2, 15, 30, 60, 120, 180, 360, 720];
        const byLength = new Map(prices.map((micros, index) => [lengths[index] ?? 60, micros]));
        const exact = prices.reduce((sum, micros, index) => sum + (micros * 60) / (lengths[index] ?? 60), 0);
        expect(Math.abs(monthlyCents(byLength) - exact / 10_000)).toBeLessThanOrEqual(0.5 + 1e-6);
      }),
    );
  });
});

describe('the length of a period', () => {
  it.each([
    ['2026-01-31', '2026-02-28', 'P1M'],
    ['2026-02-01', '2026-03-01', 'P1M'],
    ['2026-01-02', '2026-02-01', 'P1M'],
    ['2024-02-29', '2025-02-28', 'P1Y'],
    ['2026-01-02', '2027-01-02', 'P1Y'],
    ['2026-01-02', '2026-07-02', 'P6M'],
    ['2026-01-02', '2026-01-09', 'P1W'],
    ['2026-01-02', '2026-01-16', 'P2W'],
    ['2026-01-02', '2026-01-05', 'P3D'],
    ['2026-01-02', '2026-02-16', 'P45D'],
  ])('returns from %s to %s: %s', (start, end, duration) => {
    expect(lengthBetween(at(start), at(end))).toBe(lengthOfDuration(duration));
  });

  it('lasts at least a day, and zero without an end', () => {
    expect(lengthBetween(0, 300_000)).toBe(lengthOfDuration('P1D'));
    expect(lengthBetween(0, 0)).toBe(2);
    expect(lengthBetween(0, null)).toBe(0);
    expect(lengthOfDuration('PT5M')).toBeNull();
    expect(lengthOfDuration('soon')).toBeNull();
  });
});
