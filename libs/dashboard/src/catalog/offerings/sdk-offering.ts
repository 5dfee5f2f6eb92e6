import type { App, Offering, Package } from '../catalog.types.js';

/** Returns the product that an app's newest SDK receives in a package. */
function productFor({ products }: Package, app: Pick<App, 'id'>) {
  return products?.items.find(
    ({ product, eligibility_criteria: criteria }) =>
      product.app_id === app.id && product.state === 'active' && criteria !== 'google_sdk_lt_6',
  )?.product;
}

/** Returns an offering as an app's SDKs receive it, and the omitted packages. */
export function sdkOffering(offering: Offering, app: Pick<App, 'id' | 'type'>) {
  const packages = offering.packages?.items ?? [];
  return {
    answer: {
      identifier: offering.lookup_key,
      description: offering.display_name,
      metadata: offering.metadata,
      packages: packages.flatMap((item) => {
        const key = productFor(item, app)?.store_identifier;
        if (key === undefined) return [];
        const [product, plan] = app.type === 'play_store' ? key.split(':') : [key];
        return [
          {
            identifier: item.lookup_key,
            platform_product_identifier: product,
            platform_product_plan_identifier: plan,
          },
        ];
      }),
    },
    leftOut: packages.filter((item) => !productFor(item, app)).map(({ lookup_key: key }) => key),
  };
}
