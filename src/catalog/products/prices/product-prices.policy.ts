import { isCurrency } from '../../../../libs/money/index.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import { currentPrices } from '../../snapshot/test-store-prices.policy.js';
import type { Product } from '../product.entity.js';
import { noPrice, type TestStorePrice } from '../product-rules.js';
import type { NewTestStorePriceDto } from './product-price.dto.js';
import type { ProductPrice } from './product-price.entity.js';

export type PriceTerms = Pick<ProductPrice, 'currency' | 'micros'>;

/** Returns the terms of new prices. @throws ApiError 400 naming the field */
export function newPriceTerms(prices: readonly NewTestStorePriceDto[]): PriceTerms[] {
  const currencies = new Set<string>();
  return prices.map(({ currency, amount_micros: micros }, index) => {
    const param = `prices.${index}.currency`;
    if (!isCurrency(currency)) throw ApiError.parameter(param, `${param} must be an ISO 4217 code in use.`);
    if (currencies.has(currency)) throw ApiError.parameter(param, `${currency} has more than one price.`);
    currencies.add(currency);
    return { currency, micros };
  });
}

export function defaultPriceOf(product: TestStorePrice): PriceTerms | null {
  const { testStorePriceMicros: micros, testStorePriceCurrency: currency } = product;
  return micros === null || currency === null ? null : { currency, micros };
}

export function withDefaultPrice(product: Product, price: PriceTerms | null): Product {
  const { testStorePriceMicros, testStorePriceCurrency } = price
    ? { testStorePriceMicros: price.micros, testStorePriceCurrency: price.currency }
    : noPrice;
  return { ...product, testStorePriceMicros, testStorePriceCurrency };
}

/** All prices of a product, by currency. */
export function pricesOf(product: Product, stored: readonly ProductPrice[]): ProductPrice[] {
  const terms = defaultPriceOf(product);
  const { projectId, id: productId, createdAt } = product;
  const known = stored.find(({ currency }) => currency === terms?.currency);
  const unknown = { projectId, productId, createdAt, updatedAt: createdAt };
  return currentPrices<ProductPrice>(terms && { ...(known ?? unknown), ...terms }, stored);
}

/** The rows of a product's new prices. Those in `before` keep their time of creation. */
export function rowsOf(
  { projectId, id: productId }: Product,
  prices: readonly PriceTerms[],
  before: readonly ProductPrice[],
  nowMs: number,
): ProductPrice[] {
  const now = new Date(nowMs);
  return prices.map(({ currency, micros }) => {
    const old = before.find((price) => price.currency === currency);
    const updatedAt = old?.micros === micros ? old.updatedAt : now;
    return { projectId, productId, currency, micros, createdAt: old?.createdAt ?? now, updatedAt };
  });
}

/** The prices after a change of the product's default price, which replaces the old one in any currency. */
export function pricesAfter(
  before: readonly ProductPrice[],
  oldDefault: PriceTerms | null,
  newDefault: PriceTerms | null,
): PriceTerms[] {
  if (newDefault === null) return [];
  const replaced = [oldDefault?.currency, newDefault.currency];
  return [newDefault, ...before.filter(({ currency }) => !replaced.includes(currency))];
}
