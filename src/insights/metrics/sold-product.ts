import type { Catalog, CatalogProduct } from '../../catalog/snapshot/catalog.model.js';
import type { PlanKey } from './metric-periods.js';

/** The product that a figure is about; Google's are kept as `subscription:plan`. Undefined when the catalog lacks it. */
export function soldProduct(
  catalog: Catalog,
  { appId, storeProductId }: Pick<PlanKey, 'appId' | 'storeProductId'>,
): CatalogProduct | undefined {
  const [product = '', plan] = storeProductId.split(':', 2);
  return catalog.productOf(appId, storeProductId) ?? catalog.productOf(appId, product, plan);
}
