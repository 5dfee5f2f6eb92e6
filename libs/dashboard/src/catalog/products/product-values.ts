import type { Schema } from '../../api/types.js';
import type { App, Product } from '../catalog.types.js';
import { microsOf } from './product-words.js';

export interface ProductValues {
  app_id: string;
  type: Product['type'];
  store_identifier: string;
  display_name: string;
  test_store_price: { amount_micros: string; currency: string };
  subscription: { duration: string; trial_duration: string };
}

export const newProduct = (appId: string): ProductValues => ({
  app_id: appId,
  type: 'subscription',
  store_identifier: '',
  display_name: '',
  test_store_price: { amount_micros: '', currency: 'USD' },
  subscription: { duration: 'P1M', trial_duration: '' },
});

export function valuesOf(product: Product): ProductValues {
  const { indicative_price: price, subscription } = product;
  return {
    app_id: product.app_id,
    type: product.type,
    store_identifier: product.store_identifier,
    display_name: product.display_name ?? '',
    test_store_price: {
      amount_micros: price ? String(price.amount_micros / 1_000_000) : '',
      currency: price?.currency ?? 'USD',
    },
    subscription: {
      duration: subscription?.duration ?? '',
      trial_duration: subscription?.trial_duration ?? '',
    },
  };
}

/** Whether access to a one-time product can be limited in time: rentals of Google Play, non-renewing subscriptions. */
export function hasAccessLength(type: Product['type'], appType: App['type'] | undefined): boolean {
  return type === 'non_renewing_subscription' || (appType === 'play_store' && type !== 'subscription');
}

/** Validates before anything is sent. */
export function problemsOf(values: ProductValues, isTestStore: boolean) {
  const { amount_micros: amount, currency } = values.test_store_price;
  const isPriced = isTestStore && amount.trim() !== '';
  return {
    app_id: values.app_id === '' ? 'Choose an app.' : null,
    store_identifier:
      values.store_identifier.trim() === '' ? 'Enter the identifier of the product in the store.' : null,
    'test_store_price.amount_micros':
      isPriced && microsOf(amount) === null ? 'Enter an amount such as 9.99.' : null,
    'test_store_price.currency': isPriced && currency.trim() === '' ? 'Enter a currency such as USD.' : null,
  };
}

/** Converts the editable fields for the API. */
export function bodyOf(
  values: ProductValues,
  isTestStore: boolean,
  withLength = false,
): Schema<'UpdateProductDto'> {
  const { test_store_price: price, subscription } = values;
  const micros = microsOf(price.amount_micros);
  const name = values.display_name.trim() === '' ? null : values.display_name;
  const length = withLength && { subscription: { duration: subscription.duration.trim() || null } };
  if (!isTestStore) return { display_name: name, ...length };
  return {
    display_name: name,
    ...length,
    test_store_price:
      micros === null ? null : { amount_micros: micros, currency: price.currency.trim().toUpperCase() },
    ...(values.type === 'subscription' && {
      subscription: {
        duration: subscription.duration || null,
        trial_duration: subscription.trial_duration || null,
      },
    }),
  };
}
