import { microsOf } from './amounts.js';

it.each([
  ['usd', 999, 9_990_000],
  ['EUR', 1, 10_000],
  ['jpy', 1500, 1_500_000_000],
  ['KRW', 9900, 9_900_000_000],
  ['kwd', 3500, 3_500_000],
  ['isk', 100, 1_000_000],
  ['ugx', 100, 1_000_000],
])('converts an amount in %s of %d to %d micros', (currency, amount, micros) => {
  expect(microsOf(amount, currency)).toBe(micros);
});
