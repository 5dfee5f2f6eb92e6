import fc from 'fast-check';
import { consumedShare, type GrantedCurrency, WHOLE_SHARE } from './consumed-share.js';

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 10, 1);
const month = { startMs: START_MS, endMs: START_MS + 30 * DAY_MS };

const ofPeriod = (days: number): number | undefined =>
  consumedShare({ period: month, currencies: [] }, START_MS + days * DAY_MS);
const ofCurrencies = (...currencies: GrantedCurrency[]): number | undefined =>
  consumedShare({ period: null, currencies }, START_MS);

describe('the consumed share', () => {
  it.each([
    [-1, 0],
    [0, 0],
    [1, 3_333],
    [15, 50_000],
    [20, 66_667],
    [30, 100_000],
    [31, 100_000],
  ])('counts the elapsed part of a period: day %d of 30 is %d', (day, share) => {
    expect(ofPeriod(day)).toBe(share);
  });

  it.each([
    [1_000, 320, 68_000],
    [1_000, 1_000, 0],
    [1_000, 4_000, 0],
    [1_000, 0, 100_000],
    [1_000, -50, 100_000],
    [3, 2, 33_333],
    [3, 1, 66_667],
    [16, 15, 6_250],
  ])('counts the spent part of a currency: of %d granted, %d are left: %d', (granted, balance, share) => {
    expect(ofCurrencies({ granted, balance })).toBe(share);
  });

  it('rounds half up', () => {
    expect(ofCurrencies({ granted: 200_000, balance: 199_999 })).toBe(1);
  });

  it('counts all granted currencies by amount', () => {
    expect(ofCurrencies({ granted: 900, balance: 900 }, { granted: 100, balance: 0 })).toBe(10_000);
  });

  it('stays exact for amounts whose product exceeds the safe integers', () => {
    const granted = Number.MAX_SAFE_INTEGER;
    expect(ofCurrencies({ granted, balance: (granted - 1) / 2 })).toBe(50_000);
  });

  it('stays unknown without a period and currencies, and for a period without length', () => {
    expect(ofCurrencies()).toBeUndefined();
    expect(ofCurrencies({ granted: 0, balance: 5 })).toBeUndefined();
    const period = { startMs: START_MS, endMs: START_MS };
    expect(consumedShare({ period, currencies: [] }, START_MS)).toBeUndefined();
  });

  it('stays between nothing and everything, and never falls as time passes or balances fall', () => {
    const amount = fc.integer({ min: 1, max: 1e9 });
    fc.assert(
      fc.property(amount, fc.integer({ max: 2e9 }), fc.nat(1e9), (granted, balance, spent) => {
        const before = ofCurrencies({ granted, balance }) ?? -1;
        const after = ofCurrencies({ granted, balance: balance - spent }) ?? -1;
        expect(before).toBeGreaterThanOrEqual(0);
        expect(after).toBeGreaterThanOrEqual(before);
        expect(after).toBeLessThanOrEqual(WHOLE_SHARE);
      }),
    );
    fc.assert(
      fc.property(fc.double({ min: -5, max: 40, noNaN: true }), fc.nat(10), (day, later) => {
        expect(ofPeriod(day + later) ?? -1).toBeGreaterThanOrEqual(ofPeriod(day) ?? Infinity);
      }),
    );
  });
});
