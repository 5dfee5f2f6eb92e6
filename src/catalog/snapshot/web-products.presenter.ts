import type { CatalogProduct } from './catalog.model.js';
import { testStorePriceIn } from './test-store-prices.policy.js';

const DEFAULT_PERIOD = 'P1M';

interface Price {
  amount_micros: number;
  currency: string;
}

function purchaseOption(product: CatalogProduct, price: Price): object {
  const common = { id: 'base_option', price_id: `prc_${product.storeIdentifier}` };
  if (product.type !== 'subscription') return { ...common, base_price: price, discount: null };
  const trial = product.trialDuration
    ? { period_duration: product.trialDuration, cycle_count: 1, price: null }
    : null;
  return {
    ...common,
    base: { period_duration: product.duration ?? DEFAULT_PERIOD, cycle_count: 1, price },
    trial,
    intro_price: null,
    discount: null,
    base_price: null,
  };
}

function presentProduct(product: CatalogProduct, currency: string | null): object {
  // The mobile SDKs reject the whole response if one product has no price, so a price of zero is better.
  const price = testStorePriceIn(product, currency) ?? { amountMicros: 0, currency: 'USD' };
  const isConsumable = product.type === 'consumable';
  return {
    identifier: product.storeIdentifier,
    product_type:
      product.type === 'subscription' ? 'subscription' : isConsumable ? 'consumable' : 'non_consumable',
    title: product.displayName ?? product.storeIdentifier,
    description: null,
    default_purchase_option_id: 'base_option',
    purchase_options: {
      base_option: purchaseOption(product, { amount_micros: price.amountMicros, currency: price.currency }),
    },
  };
}

/** Products without a price in `currency` have their default price. */
export function presentWebProducts(products: CatalogProduct[], currency: string | null): object {
  return { product_details: products.map((product) => presentProduct(product, currency)) };
}
