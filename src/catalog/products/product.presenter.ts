import { presentApp } from '../apps/app.presenter.js';
import type { App } from '../apps/app.entity.js';
import type { CatalogProduct } from '../snapshot/catalog.model.js';
import type { ProductDto } from './product.dto.js';
import type { Product } from './product.entity.js';

export interface ProductExpansion {
  apps?: Map<string, App>;
  indicativePrice?: boolean;
  activeSubscriptions?: number;
}

const isConsumable: Record<string, boolean | null> = {
  consumable: true,
  non_consumable: false,
  non_renewing_subscription: false,
  one_time: null,
};

type ShownProduct = Omit<Product, 'projectId'>;

function indicativePrice(product: ShownProduct): ProductDto['indicative_price'] {
  const { testStorePriceMicros, testStorePriceCurrency } = product;
  if (testStorePriceMicros === null || testStorePriceCurrency === null) return null;
  return {
    object: 'indicative_price',
    currency: testStorePriceCurrency,
    country: null,
    amount_micros: testStorePriceMicros,
  };
}

function durationsOf(product: ShownProduct): ProductDto['subscription'] {
  const { type, duration, gracePeriodDuration, trialDuration } = product;
  if (type !== 'subscription') return duration === null ? null : { duration };
  return { duration, grace_period_duration: gracePeriodDuration, trial_duration: trialDuration };
}

export function presentProduct(product: ShownProduct, expansion: ProductExpansion = {}): ProductDto {
  const app = expansion.apps?.get(product.appId);
  const isSubscription = product.type === 'subscription';
  return {
    object: 'product',
    id: product.id,
    store_identifier: product.storeIdentifier,
    type: product.type,
    state: product.state,
    display_name: product.displayName,
    subscription: durationsOf(product),
    one_time: isSubscription ? null : { is_consumable: isConsumable[product.type] ?? null },
    created_at: product.createdAt.getTime(),
    app_id: product.appId,
    ...(app ? { app: presentApp(app) } : {}),
    ...(expansion.activeSubscriptions !== undefined && {
      active_subscriptions: expansion.activeSubscriptions,
    }),
    ...(expansion.indicativePrice ? { indicative_price: indicativePrice(product) } : {}),
  };
}

export function presentCatalogProduct({
  active,
  createdAtMs,
  testStorePrice,
  ...product
}: CatalogProduct): ProductDto {
  return presentProduct({
    ...product,
    state: active ? 'active' : 'inactive',
    createdAt: new Date(createdAtMs),
    testStorePriceMicros: testStorePrice?.amountMicros ?? null,
    testStorePriceCurrency: testStorePrice?.currency ?? null,
  });
}
