import type { Schema } from '../../api/types.js';
import type { App, Product } from '../catalog.types.js';
import { microsOf } from './product-words.js';

/** Fields by their names in the server's errors. */
export type ProductField =
  | 'app_id'
  | 'type'
  | 'store_identifier'
  | 'display_name'
  | 'test_store_price.amount_micros'
  | 'test_store_price.currency'
  | 'subscription.duration'
  | 'subscription.trial_duration';

export type ProductValues = Record<ProductField, string>;

export const newProduct = (appId: string): ProductValues => ({
  app_id: appId,
  type: 'subscription',
  store_identifier: '',
  display_name: '',
  'test_store_price.amount_micros': '',
  'test_store_price.currency': 'USD',
  'subscription.duration': 'P1M',
  'subscription.trial_duration': '',
});

export function valuesOf(product: Product): ProductValues {
  const { indicative_price: price, subscription } = product;
  return {
    app_id: product.app_id,
    type: product.type,
    store_identifier: product.store_identifier,
    display_name: product.display_name ?? '',
    'test_store_price.amount_micros': price ? String(price.amount_micros / 1_000_000) : '',
    'test_store_price.currency': price?.currency ?? 'USD',
    'subscription.duration': subscription?.duration ?? '',
    'subscription.trial_duration': subscription?.trial_duration ?? '',
  };
}

/** Whether access to a one-time product can be limited in time: rentals of Google Play, non-renewing subscriptions. */
export function hasAccessLength(type: Product['type'], appType: App['type'] | undefined): boolean {
  return type === 'non_renewing_subscription' || (appType === 'play_store' && type !== 'subscription');
}

/** Validates before anything is sent. */
export function problemsOf(values: ProductValues, isTestStore: boolean): Partial<ProductValues> {
  const problems: Partial<ProductValues> = {};
  if (values.app_id === '') problems.app_id = 'Choose an app.';
  if (values.store_identifier.trim() === '')
    problems.store_identifier = 'Enter the identifier of the product in the store.';
  const price = values['test_store_price.amount_micros'];
  if (isTestStore && price.trim() !== '') {
    if (microsOf(price) === null)
      problems['test_store_price.amount_micros'] = 'Enter an amount such as 9.99.';
    if (values['test_store_price.currency'].trim() === '')
      problems['test_store_price.currency'] = 'Enter a currency such as USD.';
  }
  return problems;
}

/** Converts the editable fields for the API. */
export function bodyOf(
  values: ProductValues,
  isTestStore: boolean,
  withLength = false,
): Schema<'UpdateProductDto'> {
  const micros = microsOf(values['test_store_price.amount_micros']);
  const name = values.display_name.trim() === '' ? null : values.display_name;
  const length = withLength && { subscription: { duration: values['subscription.duration'].trim() || null } };
  if (!isTestStore) return { display_name: name, ...length };
  return {
    display_name: name,
    ...length,
    test_store_price:
      micros === null
        ? null
        : { amount_micros: micros, currency: values['test_store_price.currency'].trim().toUpperCase() },
    ...(values.type === 'subscription' && {
      subscription: {
        duration: values['subscription.duration'] || null,
        trial_duration: values['subscription.trial_duration'] || null,
      },
    }),
  };
}
