import type Stripe from 'stripe';

export type StripeLibrary = typeof Stripe;

/** Stripe's library takes about 5 MB of memory, so a server without Stripe apps does not load it. */
export async function stripeLibrary(): Promise<StripeLibrary> {
  return (await import('stripe')).default;
}
