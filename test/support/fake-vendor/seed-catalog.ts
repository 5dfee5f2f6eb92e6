import type { VendorWorld } from './vendor.model.js';

const CREATED = Date.UTC(2024, 0, 1);

export const VENDOR_BUNDLE_ID = 'com.example.app';
export const VENDOR_PACKAGE_NAME = 'com.example.app';

function product(id: string, app: string, store: string, type: string, more: object = {}) {
  return {
    object: 'product',
    id,
    store_identifier: store,
    type,
    created_at: CREATED,
    app_id: app,
    display_name: `Product ${store}`,
    ...more,
  };
}

const monthly = {
  subscription: { duration: 'P1M', grace_period_duration: null, trial_duration: 'P1W' },
};
const yearly = { subscription: { duration: 'P1Y', grace_period_duration: null, trial_duration: null } };

/** One app of each store, with what they sell. */
export function seedCatalog(nowMs: number): VendorWorld {
  const app = (id: string, type: string, name: string, more: object = {}) => ({
    object: 'app',
    id,
    name,
    created_at: CREATED,
    type,
    project_id: 'projvendor1',
    ...more,
  });
  return {
    project: { id: 'projvendor1', name: 'Vendor project' },
    nowMs,
    apps: [
      app('appios', 'app_store', 'Example iOS', { app_store: { bundle_id: VENDOR_BUNDLE_ID } }),
      app('appplay', 'play_store', 'Example Android', { play_store: { package_name: VENDOR_PACKAGE_NAME } }),
      app('appstripe', 'stripe', 'Example web', { stripe: { stripe_account_id: null } }),
      app('appamazon', 'amazon', 'Example Fire', { amazon: { package_name: 'com.example.fire' } }),
      app('apprcb', 'rc_billing', 'Example checkout', {
        rc_billing: { seller_company_name: 'Example', app_name: 'Example checkout', default_currency: 'USD' },
      }),
    ],
    publicKeys: [
      ['appios', 'appl_VendorKeyOfTheIosApp0001'],
      ['appplay', 'goog_VendorKeyOfTheAndroidApp01'],
      ['appstripe', 'strp_VendorKeyOfTheWebApp000001'],
      ['appamazon', 'amzn_VendorKeyOfTheFireApp00001'],
      ['apprcb', 'rcb_VendorKeyOfTheCheckout00001'],
    ].map(([id = '', key = '']) => ({
      object: 'public_api_key',
      id: `pk_${id}`,
      key,
      environment: 'production',
      app_id: id,
      created_at: CREATED,
    })),
    products: [
      product('prodiosm', 'appios', 'com.example.monthly', 'subscription', monthly),
      product('prodiosy', 'appios', 'com.example.yearly', 'subscription', yearly),
      product('prodioslife', 'appios', 'com.example.lifetime', 'non_consumable'),
      product('prodioscoins', 'appios', 'com.example.coins', 'consumable'),
      product('prodplaym', 'appplay', 'premium:monthly', 'subscription', monthly),
      product('prodplayy', 'appplay', 'premium:yearly', 'subscription', yearly),
      product('prodplaycoins', 'appplay', 'coins', 'consumable'),
      product('prodstripem', 'appstripe', 'prod_StripeMonthly', 'subscription', monthly),
      product('prodamzm', 'appamazon', 'com.example.fire.monthly', 'subscription', monthly),
      product('prodrcbm', 'apprcb', 'checkout_monthly', 'subscription', monthly),
    ],
    entitlements: [
      {
        id: 'entlpro',
        lookup_key: 'pro',
        display_name: 'Pro',
        product_ids: [
          'prodiosm',
          'prodiosy',
          'prodioslife',
          'prodplaym',
          'prodplayy',
          'prodstripem',
          'prodamzm',
          'prodrcbm',
        ],
      },
      { id: 'entlplus', lookup_key: 'plus', display_name: 'Plus', product_ids: ['prodiosy', 'prodplayy'] },
    ],
    offerings: [
      {
        id: 'ofrngold',
        lookup_key: 'old',
        display_name: 'Old prices',
        is_current: false,
        metadata: null,
        packages: [],
      },
      {
        id: 'ofrngdefault',
        lookup_key: 'default',
        display_name: 'Default',
        is_current: true,
        metadata: { banner: 'summer', tiers: [1, 2] },
        packages: [
          {
            id: 'pkgem',
            lookup_key: '$rc_monthly',
            display_name: 'Monthly',
            position: 1,
            product_ids: ['prodiosm', 'prodplaym', 'prodstripem'],
          },
          {
            id: 'pkgey',
            lookup_key: '$rc_annual',
            display_name: 'Yearly',
            position: 2,
            product_ids: ['prodiosy', 'prodplayy'],
          },
        ],
      },
    ],
    currencies: [
      {
        code: 'GLD',
        name: 'Gold',
        description: 'Spent in the shop',
        product_grants: [
          { product_ids: ['prodioscoins'], amount: 100, trial_amount: 0, expire_at_cycle_end: false },
        ],
      },
    ],
    webhooks: [
      {
        id: 'wh1',
        name: 'Backend',
        url: 'https://example.com/hooks',
        environment: null,
        event_types: ['initial_purchase', 'renewal'],
        app_id: null,
      },
    ],
    customers: new Map(),
  };
}
