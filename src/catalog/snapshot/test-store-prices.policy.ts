import type { CatalogProduct, TestStorePrice } from './catalog.model.js';

const BASE_CURRENCY = 'USD';

interface Priced {
  currency: string;
}

const byCurrency = (a: Priced, b: Priced): number => (a.currency < b.currency ? -1 : 1);

/**
 * Returns all prices of a product, by currency. `stored` are the rows of `product_prices`, which a server before 0.16
 * does not write: if the product has another default price, or none, the product is right.
 */
export function currentPrices<Price extends Priced>(
  defaultPrice: Price | null,
  stored: readonly Price[],
): Price[] {
  if (defaultPrice === null) return [];
  const others = stored.filter(({ currency }) => currency !== defaultPrice.currency);
  const isCurrent = others.length < stored.length;
  return [defaultPrice, ...(isCurrent ? others : [])].sort(byCurrency);
}

/** Returns the default of new prices: the one in US dollars, else the first by currency. */
export function newDefaultPrice<Price extends Priced>(prices: readonly Price[]): Price | null {
  return prices.find(({ currency }) => currency === BASE_CURRENCY) ?? prices.toSorted(byCurrency)[0] ?? null;
}

/** Returns the price in a currency, else the default price; null for a product without prices. */
export function testStorePriceIn(
  { testStorePrice, testStorePrices }: Pick<CatalogProduct, 'testStorePrice' | 'testStorePrices'>,
  currency: string | null,
): TestStorePrice | null {
  return testStorePrices.find((price) => price.currency === currency) ?? testStorePrice;
}
