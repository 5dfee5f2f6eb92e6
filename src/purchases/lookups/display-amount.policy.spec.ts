import { displayAmount } from './display-amount.policy.js';

const paid = (more: object = {}) => ({
  day: '2026-01-01',
  currency: 'USD',
  amountMicros: 10_000_000,
  usdMicros: 10_000_000,
  ...more,
});
const rates: Record<string, number> = { 'EUR 2026-01-01': 0.5, 'EUR 2026-02-01': 0.8 };
const rateOf = (currency: string, day: string) => rates[`${currency} ${day}`] ?? null;

describe('amounts in a display currency', () => {
  it('converts each payment at the rate of its day', () => {
    const sums = [paid(), paid({ day: '2026-02-01' })];
    expect(displayAmount('USD', sums, rateOf)).toEqual({ currency: 'USD', amount: 20, missing: null });
    expect(displayAmount('EUR', sums, rateOf)).toEqual({ currency: 'EUR', amount: 13, missing: null });
  });

  it('uses the amount that was paid if it was paid in the display currency', () => {
    const paidInEuro = paid({ currency: 'EUR', amountMicros: 9_990_000, usdMicros: null });
    expect(displayAmount('EUR', [paidInEuro], rateOf)).toMatchObject({ amount: 9.99 });
  });

  it.each([
    [
      'a payment without a rate to USD',
      [paid(), paid({ currency: 'XTS', usdMicros: null })],
      'no_exchange_rate',
    ],
    ['a day without a rate', [paid({ day: '2026-03-01' })], 'no_exchange_rate'],
    ['no known price', [paid({ amountMicros: null, usdMicros: null })], 'unknown_price'],
  ])('returns no amount for %s', (_, sums, missing) => {
    expect(displayAmount('EUR', sums, rateOf)).toEqual({ currency: 'EUR', amount: null, missing });
  });

  it('returns zero only if nothing was paid', () => {
    expect(displayAmount('EUR', [], rateOf)).toMatchObject({ amount: 0, missing: null });
  });

  it('leaves payments of unknown price out if others are known', () => {
    const sums = [paid(), paid({ currency: null, amountMicros: null, usdMicros: null })];
    expect(displayAmount('EUR', sums, rateOf)).toMatchObject({ amount: 5 });
  });
});
