import { currentPrices, newDefaultPrice, testStorePriceIn } from './test-store-prices.policy.js';

const usd = { amountMicros: 9_990_000, currency: 'USD' };
const eur = { amountMicros: 8_990_000, currency: 'EUR' };
const gbp = { amountMicros: 7_990_000, currency: 'GBP' };

describe('currentPrices', () => {
  it.each([
    ['stored prices, by currency', usd, [usd, eur], [eur, usd]],
    [
      'the default price if it differs from the stored one',
      { ...usd, amountMicros: 1 },
      [usd, eur],
      [eur, { ...usd, amountMicros: 1 }],
    ],
    ['only the default price if its currency is not stored', gbp, [usd, eur], [gbp]],
    ['only the default price if none is stored', usd, [], [usd]],
    ['no prices without a default price', null, [usd, eur], []],
  ])('returns %s', (_, defaultPrice, stored, expected) => {
    expect(currentPrices(defaultPrice, stored)).toEqual(expected);
  });
});

describe('newDefaultPrice', () => {
  it.each([
    ['the price in US dollars', [gbp, eur, usd], usd],
    ['the first by currency if there is none in US dollars', [gbp, eur], eur],
    ['null without prices', [], null],
  ])('returns %s', (_, prices, expected) => {
    expect(newDefaultPrice(prices)).toEqual(expected);
  });
});

describe('testStorePriceIn', () => {
  const product = { testStorePrice: usd, testStorePrices: [eur, usd] };

  it.each([
    ['EUR', eur],
    ['USD', usd],
    ['GBP', usd],
    [null, usd],
  ])('returns the price in %s, else the default price', (currency, expected) => {
    expect(testStorePriceIn(product, currency)).toEqual(expected);
  });

  it('returns null for a product without prices', () => {
    expect(testStorePriceIn({ testStorePrice: null, testStorePrices: [] }, 'USD')).toBeNull();
  });
});
