import type Stripe from 'stripe';
import { microsOf } from '../stripe/amounts.js';
import type { StripeApi } from '../stripe/stripe-api.js';
import { type ListedProduct, MAX_LISTED, sortedListing } from './listed-product.js';
import { periodOf } from './periods.js';

/** A price is on sale only together with its product. */
function isOnSale({ active, product }: Stripe.Price): boolean {
  return active && (typeof product === 'string' || (!product.deleted && product.active));
}

function nameOf({ nickname, product }: Stripe.Price): string | null {
  const name = typeof product === 'string' || product.deleted ? null : product.name;
  if (name === null || nickname === null || nickname === '') return name ?? nickname;
  return `${name} (${nickname})`;
}

/** Tiered and metered prices, and those that the buyer chooses, have no single amount. */
function amountOf({ unit_amount_decimal: amount, currency }: Stripe.Price): ListedProduct['price'] {
  if (amount === null) return null;
  return {
    amountMicros: Math.round(microsOf(Number(amount.toString()), currency)),
    currency: currency.toUpperCase(),
  };
}

/** The normal form of one price. */
export function stripeListing(price: Stripe.Price): ListedProduct {
  const { id, product, recurring } = price;
  const isActive = isOnSale(price);
  const trialDays = recurring?.trial_period_days ?? null;
  return {
    storeIdentifier: id,
    parentIdentifier: typeof product === 'string' ? product : product.id,
    type: recurring ? 'subscription' : 'one_time',
    displayName: nameOf(price),
    duration: recurring && periodOf(recurring.interval, recurring.interval_count),
    trialDuration: trialDays === null ? null : periodOf('day', trialDays),
    price: amountOf(price),
    state: isActive ? 'active' : 'inactive',
    storeState: isActive ? 'active' : 'archived',
    offers: [],
  };
}

/** @throws StripeCallFailed, TooManyListed */
export async function listStripeProducts(api: StripeApi): Promise<ListedProduct[]> {
  const prices = await api.prices(MAX_LISTED + 1);
  return sortedListing(prices.map(stripeListing));
}
