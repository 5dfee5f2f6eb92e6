import { createHash } from 'node:crypto';
import { parsePeriod } from '../../../../libs/kernel/index.js';
import type { Catalog, CatalogApp, CatalogProduct, ProductType } from '../../snapshot/catalog.model.js';

/** Xcode's default price for a new product, used for subscriptions without a known price. */
const DEFAULT_PRICE = '0.99';

/** Xcode gives every object in the file an id of eight hexadecimal digits. Ours are the same in every file. */
function internalId(...parts: string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 8).toUpperCase();
}

/** The subscription lengths that the App Store supports, by months and days. */
const storeKitPeriods: Record<string, string> = {
  '0/7': 'P1W',
  '1/0': 'P1M',
  '2/0': 'P2M',
  '3/0': 'P3M',
  '6/0': 'P6M',
  '12/0': 'P1Y',
};

function storeKitPeriod(duration: string | null): string | undefined {
  const period = duration === null ? null : parsePeriod(duration);
  if (!period || period.hours + period.minutes + period.seconds > 0) return undefined;
  return storeKitPeriods[`${period.years * 12 + period.months}/${period.weeks * 7 + period.days}`];
}

const oneTimeTypes: Partial<Record<ProductType, string>> = {
  consumable: 'Consumable',
  non_consumable: 'NonConsumable',
  one_time: 'NonConsumable',
  non_renewing_subscription: 'NonRenewingSubscription',
};

/**
 * Returns the price of the Test Store product with the same store identifier, because App Store prices are not known
 * here.
 */
function knownPrice(catalog: Catalog, storeIdentifier: string): string | undefined {
  for (const app of catalog.apps.values()) {
    if (app.type !== 'test_store') continue;
    const price = catalog.productOf(app.id, storeIdentifier)?.testStorePrice;
    if (price) return (price.amountMicros / 1e6).toFixed(2);
  }
  return undefined;
}

function common(product: CatalogProduct, displayPrice: string, type: string): object {
  const name = product.displayName ?? product.storeIdentifier;
  return {
    displayPrice,
    familyShareable: false,
    internalID: internalId(product.id),
    localizations: [{ description: '', displayName: name, locale: 'en_US' }],
    productID: product.storeIdentifier,
    referenceName: name,
    type,
  };
}

/**
 * The StoreKit configuration file (JSON of Xcode's `.storekit` format, version 2) of an App Store app: its active
 * subscriptions of a length that the App Store supports, and its other active products with a known price.
 */
export function storeKitConfig(catalog: Catalog, app: CatalogApp): Record<string, unknown> {
  const groupId = internalId(app.id, 'group');
  const subscriptions: object[] = [];
  const products: object[] = [];
  const nonRenewing: object[] = [];
  for (const product of catalog.productsOfApp(app.id).filter(({ active }) => active)) {
    const price = knownPrice(catalog, product.storeIdentifier);
    const oneTimeType = oneTimeTypes[product.type];
    if (oneTimeType !== undefined) {
      const list = product.type === 'non_renewing_subscription' ? nonRenewing : products;
      if (price !== undefined) list.push(common(product, price, oneTimeType));
      continue;
    }
    const period = storeKitPeriod(product.duration);
    if (period === undefined) continue;
    subscriptions.push({
      ...common(product, price ?? DEFAULT_PRICE, 'RecurringSubscription'),
      adHocOffers: [],
      codeOffers: [],
      groupNumber: 1,
      introductoryOffer: null,
      recurringSubscriptionPeriod: period,
      subscriptionGroupID: groupId,
    });
  }
  const group = { id: groupId, localizations: [], name: app.name, subscriptions };
  return {
    identifier: internalId(app.id),
    nonRenewingSubscriptions: nonRenewing,
    products,
    settings: {},
    subscriptionGroups: subscriptions.length > 0 ? [group] : [],
    version: { major: 2, minor: 0 },
  };
}
