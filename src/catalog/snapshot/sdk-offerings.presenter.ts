import type { PaywallDocument } from '../../../libs/paywalls/index.js';
import type { Catalog, CatalogOffering, CatalogPackage, EligibilityCriteria } from './catalog.model.js';

/** Android SDKs before version 6 cannot buy all base plans; other clients accept any. */
function eligible(criteria: EligibilityCriteria, oldAndroidSdk: boolean): boolean {
  return criteria === 'all' || criteria === (oldAndroidSdk ? 'google_sdk_lt_6' : 'google_sdk_ge_6');
}

function presentPackage(
  catalog: Catalog,
  appId: string,
  item: CatalogPackage,
  oldAndroidSdk: boolean,
): object | null {
  for (const { productId, eligibilityCriteria } of item.products) {
    const product = catalog.products.get(productId);
    if (!product || product.appId !== appId || !product.active) continue;
    if (!eligible(eligibilityCriteria, oldAndroidSdk)) continue;
    const isPlay = catalog.apps.get(appId)?.type === 'play_store';
    const [subscriptionId, basePlanId] = isPlay
      ? product.storeIdentifier.split(':')
      : [product.storeIdentifier];
    return {
      identifier: item.lookupKey,
      platform_product_identifier: subscriptionId,
      platform_product_plan_identifier: basePlanId,
    };
  }
  return null;
}

function presentOffering(
  catalog: Catalog,
  appId: string,
  offering: CatalogOffering,
  oldAndroidSdk: boolean,
  documents: ReadonlyMap<string, PaywallDocument> | null,
): object {
  return {
    identifier: offering.lookupKey,
    description: offering.displayName,
    metadata: offering.metadata,
    packages: offering.packages
      .map((item) => presentPackage(catalog, appId, item, oldAndroidSdk))
      .filter((item) => item !== null),
    ...(catalog.paywalls.has(offering.id) && {
      has_paywall_components: true,
      paywall_components: documents?.get(offering.id),
    }),
  };
}

/**
 * Returns the active offerings, each with the packages that have a product of the app.
 *
 * @param documents published paywalls by offering, for SDKs that get them with the offerings
 */
export function presentSdkOfferings(
  catalog: Catalog,
  appId: string,
  oldAndroidSdk: boolean,
  documents: ReadonlyMap<string, PaywallDocument> | null = null,
): object[] {
  return [...catalog.offerings.values()]
    .filter((offering) => offering.active)
    .map((offering) => presentOffering(catalog, appId, offering, oldAndroidSdk, documents));
}
