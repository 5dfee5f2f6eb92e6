import type { App, Product } from '../catalog.types.js';

/** Product types of the API. */
export const productTypes = {
  subscription: 'Subscription',
  consumable: 'Consumable',
  non_consumable: 'Non-consumable',
  non_renewing_subscription: 'Non-renewing subscription',
  one_time: 'One-time',
} satisfies Record<Product['type'], string>;

/** Explains a product's identifier in the store, and where to find it. */
export const identifierHints: Record<App['type'], string> = {
  app_store: 'The product id in App Store Connect, such as pro_monthly.',
  mac_app_store: 'The product id in App Store Connect, such as pro_monthly.',
  play_store:
    'Subscriptions: subscription id and base plan id with a colon, such as pro:monthly. Else the product id.',
  amazon: 'The SKU in the Amazon Appstore; of a subscription, the term SKU.',
  stripe:
    'The product id in Stripe, such as prod_ABC; or a price id, where prices unlock different entitlements.',
  rc_billing: 'Any identifier, such as pro_monthly.',
  roku: 'The product code in the Roku developer dashboard.',
  paddle: 'The product id in Paddle, such as pro_01abc; or a price id.',
  test_store: 'Any identifier, such as pro_monthly. Use letters, digits, ".", "-" and "_" only.',
};

/** Converts a typed price to micros; null if it is invalid. */
export function microsOf(price: string): number | null {
  const found = /^(\d{1,9})(?:[.,](\d{1,6}))?$/.exec(price.trim());
  return found ? Number(found[1]) * 1_000_000 + Number((found[2] ?? '').padEnd(6, '0')) : null;
}
