import { addPeriods, isDatePeriod, parsePeriod } from '../../../libs/kernel/index.js';
import { isCurrency } from '../../../libs/money/index.js';
import type { AppType } from '../../platform/principal/app-types.js';
import type { ProductType } from '../snapshot/catalog.model.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import type { SubscriptionFieldsDto, TestStorePriceDto } from './product.dto.js';
import type { Product } from './product.entity.js';

/** Durations of a product. Only subscriptions can have a trial and a grace period. */
export type Durations = Pick<Product, 'duration' | 'trialDuration' | 'gracePeriodDuration'>;
export type TestStorePrice = Pick<Product, 'testStorePriceMicros' | 'testStorePriceCurrency'>;

export const noDurations: Durations = { duration: null, trialDuration: null, gracePeriodDuration: null };
export const noPrice: TestStorePrice = { testStorePriceMicros: null, testStorePriceCurrency: null };

/** Longer periods would end in years that the API's date format cannot represent. */
const MAX_DURATION_MS = 1000 * 366 * 86_400_000;

/** Absent fields stay unchanged, null clears. @throws ApiError 400 naming the field */
export function durationsAfter(
  present: Durations,
  type: ProductType,
  appType: AppType,
  fields: SubscriptionFieldsDto | null | undefined,
): Durations {
  const isSubscription = type === 'subscription';
  // Google Play rents out one-time products of every type.
  const hasDuration = isSubscription || type === 'non_renewing_subscription' || appType === 'play_store';
  if (fields && !hasDuration) {
    throw ApiError.parameter('subscription', `This app's products of type ${type} have no duration.`);
  }
  if (!hasDuration || fields === null) return noDurations;
  const after = (name: keyof SubscriptionFieldsDto, before: string | null): string | null => {
    const text = fields?.[name];
    if (typeof text === 'string') {
      if (name !== 'duration' && !isSubscription) {
        const param = `subscription.${name}`;
        throw ApiError.parameter(param, `${param} is only for products of type subscription.`);
      }
      assertDuration(name, text, appType);
    }
    return text === undefined ? before : text;
  };
  return {
    duration: after('duration', present.duration),
    trialDuration: after('trial_duration', present.trialDuration),
    gracePeriodDuration: after('grace_period_duration', present.gracePeriodDuration),
  };
}

/** Absent fields stay unchanged, null clears. @throws ApiError 400 naming the field */
export function priceAfter(
  { testStorePriceMicros, testStorePriceCurrency }: TestStorePrice,
  appType: AppType,
  price: TestStorePriceDto | null | undefined,
): TestStorePrice {
  if (price === undefined) return { testStorePriceMicros, testStorePriceCurrency };
  if (price === null) return noPrice;
  if (appType !== 'test_store') {
    throw ApiError.parameter('test_store_price', 'test_store_price is only for Test Store products.');
  }
  if (!isCurrency(price.currency)) {
    throw ApiError.parameter(
      'test_store_price.currency',
      'test_store_price.currency must be an ISO 4217 code in use.',
    );
  }
  return { testStorePriceMicros: price.amount_micros, testStorePriceCurrency: price.currency };
}

/** Returns the display name of a request, under either of its two field names; undefined if both are absent. */
export function displayNameOf(fields: {
  display_name?: string | null;
  title?: string | null;
}): string | null | undefined {
  const given = [fields.display_name, fields.title].filter((name) => name !== undefined);
  return given.find((name) => name !== null) ?? given[0];
}

/** Test Store periods may be minutes, so that developers can watch a whole subscription lifetime. */
function assertDuration(name: keyof SubscriptionFieldsDto, text: string, appType: AppType): void {
  const param = `subscription.${name}`;
  if (name !== 'duration' && appType !== 'test_store') {
    throw ApiError.parameter(param, `${param} is only for Test Store products.`);
  }
  const period = parsePeriod(text);
  if (!period || !(isDatePeriod(period) || appType === 'test_store')) {
    throw ApiError.parameter(param, `${param} must be an ISO 8601 duration such as P1M.`);
  }
  if (addPeriods(0, period) > MAX_DURATION_MS) {
    throw ApiError.parameter(param, `${param} must be at most about 1000 years.`);
  }
}
