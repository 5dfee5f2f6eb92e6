import type { Price } from '../../libs/engine/index.js';
import { isCurrency } from '../../libs/money/index.js';
import type { Terms } from '../../libs/stores/index.js';
import type { Catalog, CatalogProduct } from '../catalog/catalog.model.js';
import { ApiError } from '../http/api-error.js';
import { storeProductOf } from '../purchases/test-store-words.js';

/** A Test Store product that a request names, by its id or its store identifier. */
export interface ProductName {
  name: string;
  /** Field of the request. */
  param: string;
  /** Null: any Test Store app. */
  appId: string | null;
}

function isTestStore(catalog: Catalog, appId: string): boolean {
  return catalog.apps.get(appId)?.type === 'test_store';
}

/**
 * @throws ApiError 404 for an unknown app or product; 422 for one of another store; 400 when several Test Store apps
 *   have the product
 */
export function testProduct(catalog: Catalog, { name, param, appId }: ProductName): CatalogProduct {
  if (appId !== null && !catalog.apps.has(appId)) throw ApiError.missing('app', appId, 'app_id');
  if (appId !== null && !isTestStore(catalog, appId)) {
    throw new ApiError('impossible', 'The app is no Test Store app.', { param: 'app_id' });
  }
  const named = [...catalog.products.values()].filter(
    ({ id, storeIdentifier }) => id === name || storeIdentifier === name,
  );
  const own = named.filter((product) => appId === null || product.appId === appId);
  const [found, another] = own.filter((product) => isTestStore(catalog, product.appId));
  if (another)
    throw ApiError.parameter('app_id', 'Several Test Store apps have the product: name one of them.');
  if (found) return found;
  if (own.length === 0) throw ApiError.missing('product', name, param);
  throw new ApiError('impossible', 'The product is not of a Test Store app.', { param });
}

/** What a request says of the price; null: nothing. @throws ApiError 400 naming the field */
export function requestedPrice(price: number | undefined, currency: string | undefined): Price | null {
  if (currency !== undefined && !isCurrency(currency)) {
    throw ApiError.parameter(
      'currency',
      `${JSON.stringify(currency)} is no currency that this server knows.`,
    );
  }
  if (price === undefined && currency !== undefined) {
    throw ApiError.parameter('price', 'currency is that of price, which is missing.');
  }
  if (price === undefined) return null;
  return { amountMicros: Math.round(price * 1_000_000), currency: currency ?? 'USD', source: 'device' };
}

/** A product for the requested price, else for its own, else for nothing. */
export function termsOf(catalog: Catalog, product: CatalogProduct, requested: Price | null): Terms {
  const own: Price = product.testStorePrice
    ? { ...product.testStorePrice, source: 'catalog' }
    : { amountMicros: 0, currency: 'USD', source: 'catalog' };
  return { product: storeProductOf(catalog, product), price: requested ?? own };
}
