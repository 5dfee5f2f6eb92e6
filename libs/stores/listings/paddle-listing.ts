import type { PaddleApi, PaddleObject } from '../paddle/paddle-api.js';
import { microsOf } from '../paddle/paddle-objects.js';
import { objectOf, textOf } from './json-values.js';
import { type ListedProduct, readPages, sortedListing } from './listed-product.js';
import { periodOf } from './periods.js';

function amountOf(unitPrice: unknown): ListedProduct['price'] {
  const { amount, currency_code: code } = objectOf(unitPrice);
  const currency = textOf(code);
  return currency === null || textOf(amount) === null
    ? null
    : { amountMicros: microsOf(String(amount), currency), currency };
}

function spanOf(span: unknown): string | null {
  const { interval, frequency } = objectOf(span);
  return periodOf(interval, frequency);
}

/** A price's name is often that of its period, such as "Monthly". */
function nameOf({ name, product }: PaddleObject): string | null {
  const [own, ofProduct] = [textOf(name), textOf(objectOf(product).name)];
  return own === null || ofProduct === null || own === ofProduct
    ? (ofProduct ?? own)
    : `${ofProduct} (${own})`;
}

/** The normal form of one price with its product. */
export function paddleListing(price: PaddleObject): ListedProduct[] {
  const storeIdentifier = textOf(price.id);
  if (storeIdentifier === null) return [];
  const isActive = price.status === 'active' && (objectOf(price.product).status ?? 'active') === 'active';
  return [
    {
      storeIdentifier,
      parentIdentifier: textOf(price.product_id),
      type: textOf(objectOf(price.billing_cycle).interval) === null ? 'one_time' : 'subscription',
      displayName: nameOf(price),
      duration: spanOf(price.billing_cycle),
      trialDuration: spanOf(price.trial_period),
      price: amountOf(price.unit_price),
      state: isActive ? 'active' : 'inactive',
      storeState: isActive ? 'active' : 'archived',
      offers: [],
    },
  ];
}

/** @throws PaddleCallFailed, TooManyListed */
export async function listPaddleProducts(api: PaddleApi): Promise<ListedProduct[]> {
  const prices = await readPages((after) => api.pricesPage(after));
  return sortedListing(prices.flatMap(paddleListing));
}
