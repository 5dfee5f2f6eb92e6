import type { Price } from '../../../libs/engine/index.js';
import { isCurrency } from '../../../libs/money/index.js';
import type { StoreProduct, Terms } from '../../../libs/stores/index.js';
import type { Catalog, CatalogProduct } from '../../catalog/snapshot/catalog.model.js';
import { ApiError } from '../../platform/http/errors/api-error.js';

/** A Test Store product in a request, by its id or its store identifier. */
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

/** @throws ApiError 404 for an unknown app or product; 422 for another store; 400 if several Test Store apps sell it */
export function testProduct(catalog: Catalog, { name, param, appId }: ProductName): CatalogProduct {
  if (appId !== null && !catalog.apps.has(appId)) throw ApiError.missing('app', appId, 'app_id');
  if (appId !== null && !isTestStore(catalog, appId)) {
    throw new ApiError('impossible', 'The app is not a Test Store app.', { param: 'app_id' });
  }
  const named = [...catalog.products.values()].filter(
    ({ id, storeIdentifier }) => id === name || storeIdentifier === name,
  );
  const own = named.filter((product) => appId === null || product.appId === appId);
  const [found, another] = own.filter((product) => isTestStore(catalog, product.appId));
  if (another) throw ApiError.parameter('app_id', 'Several Test Store apps have this product: specify one.');
  if (found) return found;
  if (own.length === 0) throw ApiError.missing('product', name, param);
  throw new ApiError('impossible', 'The product does not belong to a Test Store app.', { param });
}

export interface RequestedPrice {
  /** Units of the currency. */
  price?: number;
  /** ISO 4217. */
  currency?: string;
}

/** @throws ApiError 400 for an unknown currency */
export function assertCurrency({ currency }: RequestedPrice): void {
  if (currency === undefined || isCurrency(currency)) return;
  throw ApiError.parameter('currency', `${JSON.stringify(currency)} is not a known currency.`);
}

function catalogPrice({ price }: StoreProduct): Price {
  return price ? { ...price, source: 'catalog' } : { amountMicros: 0, currency: 'USD', source: 'catalog' };
}

/** The terms of a sale: the requested price, completed with parts of `charged` or else of the product. */
export function termsOf(
  product: StoreProduct,
  { price, currency }: RequestedPrice,
  charged: Price | null = null,
): Terms {
  const usual = charged ?? catalogPrice(product);
  const isAsUsual = price === undefined && currency === undefined;
  const amountMicros = price === undefined ? (usual.amountMicros ?? 0) : Math.round(price * 1_000_000);
  const requested: Price = { amountMicros, currency: currency ?? usual.currency ?? 'USD', source: 'device' };
  return { product, price: isAsUsual ? usual : requested };
}
