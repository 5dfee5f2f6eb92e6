import fc from 'fast-check';
import {
  Catalog,
  type CatalogApp,
  type CatalogProduct,
  type ProductType,
} from '../../snapshot/catalog.model.js';
import { storeKitConfig } from './store-kit-config.js';

const phone: CatalogApp = {
  id: 'app_phone',
  type: 'app_store',
  name: 'Phone',
  packageName: null,
  storeCanBeAsked: true,
  requiresSecretKey: false,
  commission: { smallBusinessSinceMs: null, agreedBps: null },
  testStore: null,
  createdAtMs: 0,
};
const testStore: CatalogApp = {
  id: 'app_test',
  type: 'test_store',
  name: 'Test',
  packageName: null,
  storeCanBeAsked: true,
  requiresSecretKey: false,
  commission: { smallBusinessSinceMs: null, agreedBps: null },
  testStore: null,
  createdAtMs: 0,
};

function product(id: string, fields: Partial<CatalogProduct> = {}): CatalogProduct {
  return {
    id: `prod_${fields.appId ?? phone.id}_${id}`,
    appId: phone.id,
    storeIdentifier: id,
    type: 'subscription',
    active: true,
    displayName: null,
    duration: null,
    trialDuration: null,
    gracePeriodDuration: null,
    testStorePrice: null,
    testStorePrices: [],
    createdAtMs: 0,
    ...fields,
  };
}

interface Item {
  productID: string;
  displayPrice: string;
  type: string;
  internalID: string;
  recurringSubscriptionPeriod?: string;
}

interface Config {
  identifier: string;
  products: Item[];
  nonRenewingSubscriptions: Item[];
  subscriptionGroups: {
    id: string;
    name: string;
    subscriptions: (Item & { subscriptionGroupID: string })[];
  }[];
}

function configOf(products: CatalogProduct[]): Config {
  const catalog = new Catalog('proj', {
    version: 1,
    transferBehavior: 'transfer',
    sandboxTransferBehavior: null,
    hasOfferingOverrides: false,
    hasImports: false,
    apps: [phone, testStore],
    products,
    entitlements: [],
    productEntitlements: [],
    offerings: [],
    paywalls: [],
    uiConfigRefs: null,
    currencies: [],
    holdoutPercentage: 0,
    sdkEvents: 'essential',
    targetingRules: [],
    experiments: [],
  });
  return storeKitConfig(catalog, phone) as unknown as Config;
}

const priced = (id: string, type: ProductType, amountMicros = 4_990_000): CatalogProduct =>
  product(id, { type, appId: testStore.id, testStorePrice: { amountMicros, currency: 'USD' } });

describe('the StoreKit configuration of an app', () => {
  it.each([
    ['P1W', 'P1W'],
    ['P7D', 'P1W'],
    ['P1M', 'P1M'],
    ['P2M', 'P2M'],
    ['P3M', 'P3M'],
    ['P6M', 'P6M'],
    ['P1Y', 'P1Y'],
    ['P12M', 'P1Y'],
    ['P4W', undefined],
    ['P3D', undefined],
    ['P2Y', undefined],
    ['PT5M', undefined],
    [null, undefined],
  ])('holds a subscription of %s as %s', (duration, period) => {
    const { subscriptionGroups } = configOf([product('pro', { duration })]);
    const found = subscriptionGroups.flatMap(({ subscriptions }) => subscriptions);
    expect(found.map((item) => item.recurringSubscriptionPeriod)).toEqual(period ? [period] : []);
  });

  it('takes the price of the Test Store product with the same identifier', () => {
    const { subscriptionGroups } = configOf([
      product('known', { duration: 'P1M' }),
      product('unknown', { duration: 'P1M' }),
      priced('known', 'subscription', 12_500_000),
    ]);
    const [group] = subscriptionGroups;
    const prices = group?.subscriptions.map((item) => [item.productID, item.displayPrice]);
    expect(prices).toEqual([
      ['known', '12.50'],
      ['unknown', '0.99'],
    ]);
    expect(group?.subscriptions.every((item) => item.subscriptionGroupID === group.id)).toBe(true);
  });

  it('includes other products with a known price, by type', () => {
    const types: [string, ProductType][] = [
      ['coins', 'consumable'],
      ['lifetime', 'non_consumable'],
      ['season', 'non_renewing_subscription'],
    ];
    const config = configOf([
      ...types.map(([id, type]) => product(id, { type })),
      ...types.map(([id, type]) => priced(id, type)),
      product('dear', { type: 'consumable' }),
    ]);
    const kinds = (items: Item[]) => items.map((item) => [item.productID, item.type, item.displayPrice]);
    expect(kinds(config.products)).toEqual([
      ['coins', 'Consumable', '4.99'],
      ['lifetime', 'NonConsumable', '4.99'],
    ]);
    expect(kinds(config.nonRenewingSubscriptions)).toEqual([['season', 'NonRenewingSubscription', '4.99']]);
  });

  it('leaves out archived products and those of other apps', () => {
    const config = configOf([
      product('old', { duration: 'P1M', active: false }),
      product('other', { duration: 'P1M', appId: testStore.id }),
    ]);
    expect(config.subscriptionGroups).toEqual([]);
  });

  it('gives every object a unique, stable id', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 20 }), (ids) => {
        const products = ids.map((id) => product(id, { duration: 'P1M' }));
        const config = configOf(products);
        const [group] = config.subscriptionGroups;
        const all = [
          config.identifier,
          group?.id,
          ...(group?.subscriptions ?? []).map((one) => one.internalID),
        ];
        expect(new Set(all).size).toBe(ids.length + 2);
        for (const id of all) expect(id).toMatch(/^[0-9A-F]{8}$/);
        expect(configOf(products)).toEqual(config);
      }),
    );
  });
});
