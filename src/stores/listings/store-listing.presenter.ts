import type { ListedProduct } from '../../../libs/stores/index.js';
import type { Product } from '../../catalog/products/product.entity.js';
import type { ListingComparison, ProductsHere } from './listing-comparison.js';
import type { StoreProductComparisonDto, StoreProductDto } from './store-listing.dto.js';

export function presentStoreProduct(listed: ListedProduct, here: ProductsHere): StoreProductDto {
  const { storeIdentifier, parentIdentifier, price } = listed;
  return {
    object: 'store_product',
    store_identifier: storeIdentifier,
    parent_identifier: parentIdentifier,
    type: listed.type,
    display_name: listed.displayName,
    duration: listed.duration,
    trial_duration: listed.trialDuration,
    price: price && { amount_micros: price.amountMicros, currency: price.currency },
    state: listed.state,
    store_state: listed.storeState,
    offers: listed.offers,
    product_id: here.get(storeIdentifier)?.id ?? null,
    parent_product_id: parentIdentifier === null ? null : (here.get(parentIdentifier)?.id ?? null),
  };
}

function nameOf({ id, storeIdentifier, displayName }: Product) {
  return { product_id: id, store_identifier: storeIdentifier, display_name: displayName };
}

export function presentComparison(
  appId: string,
  {
    missingHere,
    missingInStore,
    different,
    here,
    comparedAtMs,
  }: ListingComparison & { here: ProductsHere; comparedAtMs: number },
): StoreProductComparisonDto {
  return {
    object: 'store_product_comparison',
    app_id: appId,
    missing_here: missingHere.map((listed) => presentStoreProduct(listed, here)),
    missing_in_store: missingInStore.map(nameOf),
    different: different.map(({ product, field, here: own, inStore }) => ({
      ...nameOf(product),
      field,
      here: own,
      in_store: inStore,
    })),
    compared_at: comparedAtMs,
  };
}
