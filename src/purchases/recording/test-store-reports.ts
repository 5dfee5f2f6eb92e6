import {
  type Subscription,
  viewSubscription,
  type StoreReport,
  unknownPrice,
} from '../../../libs/engine/index.js';
import {
  type Plan,
  plannedStatement,
  type PlanTerms,
  type StoreProduct,
} from '../../../libs/stores/index.js';
import type { Catalog, CatalogProduct } from '../../catalog/snapshot/catalog.model.js';
import { testStorePriceIn } from '../../catalog/snapshot/test-store-prices.policy.js';

/** Real stores charge before a period ends, so that access has no gap. Also covers a few polls of due work. */
const RENEWS_AHEAD_MS = 10_000;

type AppSubscription = Subscription & { appId: string | null };

interface SaleTerms {
  /** Preferred currency of the price. */
  currency: string | null;
  /** Renewals are not accelerated. */
  isTestClock?: boolean;
}

/** A product with its store's terms. */
export function storeProductOf(
  catalog: Catalog,
  product: CatalogProduct,
  { currency, isTestClock = false }: SaleTerms,
): CatalogProduct & StoreProduct {
  const mode = catalog.apps.get(product.appId)?.testStore?.renewalMode;
  const accelerated = mode === 'accelerated' && !isTestClock;
  return { ...product, price: testStorePriceIn(product, currency), accelerated };
}

/**
 * The subscriber's price changes only after a trial or a product change, and stays in the same currency if it can. Null
 * for a product no longer sold.
 */
function termsOf(
  { appId, facts }: AppSubscription,
  catalog: Catalog,
  isTestClock: boolean,
): PlanTerms | null {
  const { latest, renewal } = viewSubscription(facts);
  const storeProductId = renewal.nextProductId ?? latest.storeProductId;
  const known = catalog.productOf(appId, storeProductId);
  if (!known) return null;
  const product = storeProductOf(catalog, known, { currency: latest.price.currency, isTestClock });
  const listed = product.price ? ({ ...product.price, source: 'catalog' } as const) : unknownPrice;
  const goesOn = latest.kind !== 'trial' && storeProductId === latest.storeProductId;
  return { product, price: goesOn ? latest.price : listed, graceDuration: known.gracePeriodDuration };
}

/** The Test Store's next report on a subscription on a test clock; null if there is none. */
export function reportByPlan(
  subscription: AppSubscription,
  plan: Plan,
  catalog: Catalog,
): StoreReport | null {
  const terms = subscription.store === 'test_store' ? termsOf(subscription, catalog, true) : null;
  return terms && plannedStatement(subscription, plan, terms);
}

/** The Test Store's next report in real time, according to the app's settings; null if there is none. */
export function reportInRealTime(subscription: AppSubscription, catalog: Catalog): StoreReport | null {
  const settings = catalog.apps.get(subscription.appId ?? '')?.testStore;
  if (subscription.store !== 'test_store' || !settings || settings.renewalMode === 'none') return null;
  const terms = termsOf(subscription, catalog, false);
  const { maxRenewals } = settings;
  return terms && plannedStatement(subscription, ['renew'], terms, { maxRenewals, aheadMs: RENEWS_AHEAD_MS });
}
