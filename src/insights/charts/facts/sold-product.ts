import type { Catalog, CatalogProduct } from '../../../catalog/snapshot/catalog.model.js';

/**
 * Returns the product of a sale, or undefined if it is not in the catalog. Google's are stored as
 * `subscription:plan`.
 */
export function soldProduct(
  catalog: Catalog,
  { appId, storeProductId }: { appId: string; storeProductId: string },
): CatalogProduct | undefined {
  const [product = '', plan] = storeProductId.split(':', 2);
  return catalog.productOf(appId, storeProductId) ?? catalog.productOf(appId, product, plan);
}
