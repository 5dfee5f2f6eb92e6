import type { Catalog, CatalogProduct } from '../../catalog/snapshot/catalog.model.js';
import { soldProduct } from '../charts/facts/sold-product.js';
import type { ProductFigures } from '../charts/key-figures/key-figures.repository.js';

/** Returns the product of some figures, or its name in the store if the catalog has none. */
export function productOf(
  catalog: Catalog,
  { appId, productId }: Pick<ProductFigures, 'appId' | 'productId'>,
): { product: CatalogProduct | undefined; storeIdentifier: string } {
  const prefix = `${appId}/`;
  if (!productId.startsWith(prefix)) return { product: catalog.products.get(productId), storeIdentifier: '' };
  // It may have joined the catalog since the figures were computed.
  const storeIdentifier = productId.slice(prefix.length);
  return { product: soldProduct(catalog, { appId, storeProductId: storeIdentifier }), storeIdentifier };
}
