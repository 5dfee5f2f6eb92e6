import type { Package, Product } from '../../catalog.types.js';
import type { PreviewPackage } from './preview-content.js';

type Price = PreviewPackage['price'];

/** Periods of packages without products, by the lookup keys that SDKs know. */
const periods: Record<string, string | null> = {
  $rc_weekly: 'P1W',
  $rc_monthly: 'P1M',
  $rc_two_month: 'P2M',
  $rc_three_month: 'P3M',
  $rc_six_month: 'P6M',
  $rc_annual: 'P1Y',
  $rc_lifetime: null,
};

/** Prices of products without a test price, in micros of US dollars. */
const prices: Record<string, number> = {
  P1W: 2_990_000,
  P1M: 9_990_000,
  P2M: 17_990_000,
  P3M: 24_990_000,
  P6M: 39_990_000,
  P1Y: 59_990_000,
};
const OTHER_PRICE = 99_990_000;

const activeProducts = ({ products }: Package): Product[] =>
  (products?.items ?? []).map(({ product }) => product).filter(({ state }) => state === 'active');

/** The product whose price and period the preview shows: the one of the test store, if there is one. */
export function shownProduct(item: Package, testStoreApps: ReadonlySet<string>): Product | undefined {
  const products = activeProducts(item);
  return products.find(({ app_id: app }) => testStoreApps.has(app)) ?? products[0];
}

export function previewPackage(
  item: Package,
  product: Product | undefined,
  testPrice: Price | undefined,
): PreviewPackage {
  const isSubscription = product ? product.type === 'subscription' : item.lookup_key !== '$rc_lifetime';
  const period = isSubscription
    ? (product?.subscription?.duration ?? periods[item.lookup_key] ?? 'P1M')
    : null;
  return {
    identifier: item.lookup_key,
    title: product?.display_name ?? item.display_name,
    type: isSubscription ? 'subscription' : product?.type === 'consumable' ? 'consumable' : 'non_consumable',
    period,
    trial: product?.subscription?.trial_duration ?? null,
    price: testPrice ?? { amount_micros: prices[period ?? ''] ?? OTHER_PRICE, currency: 'USD' },
  };
}
