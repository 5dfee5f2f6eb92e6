import type { SoldOnce } from '../../../libs/stores/index.js';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';

/** If the catalog knows the price, it decides before the product. */
export function soldOnceBy(catalog: Catalog, appId: string): SoldOnce {
  return (storeIdentifiers) => {
    const known = storeIdentifiers.flatMap((identifier) => catalog.productOf(appId, identifier) ?? []);
    const [product] = known;
    return product !== undefined && product.type !== 'subscription';
  };
}
