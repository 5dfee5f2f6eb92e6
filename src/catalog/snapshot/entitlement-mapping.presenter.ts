import type { Catalog, CatalogProduct } from './catalog.model.js';

interface MappedProduct {
  product_identifier: string;
  base_plan_id?: string;
  entitlements: string[];
}

function mapped(catalog: Catalog, product: CatalogProduct, isPlay: boolean): MappedProduct {
  const [subscriptionId = '', basePlanId] = isPlay
    ? product.storeIdentifier.split(':')
    : [product.storeIdentifier];
  return {
    product_identifier: subscriptionId,
    base_plan_id: basePlanId,
    entitlements: catalog.entitlementsOf(product.id).map(({ lookupKey }) => lookupKey),
  };
}

/**
 * Entitlements by product of an app, for SDKs that cannot reach the server. Google subscriptions have two keys: iOS
 * looks up `<subscription>:<base plan>`, Android the bare subscription, which means the oldest plan. Archived products
 * are included: customers keep what they bought.
 */
export function presentEntitlementMapping(catalog: Catalog, appId: string): object {
  const isPlay = catalog.apps.get(appId)?.type === 'play_store';
  const entries = new Map<string, MappedProduct>();
  const products = catalog.productsOfApp(appId);
  for (const product of products) {
    entries.set(product.storeIdentifier, mapped(catalog, product, isPlay));
  }
  for (const entry of [...entries.values()]) {
    if (!entries.has(entry.product_identifier)) entries.set(entry.product_identifier, entry);
  }
  return { product_entitlement_mapping: Object.fromEntries(entries) };
}
