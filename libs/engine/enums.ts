/** Shared by facts, state and events. Times are epoch milliseconds, money is integer micros. */

export type Store =
  | 'amazon'
  | 'app_store'
  | 'mac_app_store'
  | 'play_store'
  | 'promotional'
  | 'stripe'
  | 'rc_billing'
  | 'roku'
  | 'paddle'
  | 'test_store';

export type Environment = 'production' | 'sandbox';
/**
 * `assigned`: a seat that someone else pays for. `unknown`: the store reported a kind that this version does not know.
 * Only what is `purchased` counts as money.
 */
export type Ownership = 'purchased' | 'family_shared' | 'assigned' | 'unknown';
export type PeriodKind = 'normal' | 'trial' | 'intro' | 'prepaid';
export type PeriodType = PeriodKind | 'promotional';
export type PriceSource = 'store' | 'order' | 'import' | 'device' | 'catalog' | 'unknown';

export type SubscriptionStatus =
  'trialing' | 'active' | 'in_grace_period' | 'in_billing_retry' | 'paused' | 'expired';

export type AutoRenewalStatus = 'will_renew' | 'will_not_renew' | 'will_change_product' | 'will_pause';

/** Someone else pays for the purchase. */
export function isPaidByOther(ownership: Ownership): boolean {
  return ownership === 'family_shared' || ownership === 'assigned';
}

/** A null amount means an unknown price, never zero. */
export interface Price {
  amountMicros: number | null;
  currency: string | null;
  source: PriceSource;
}

export const unknownPrice: Price = { amountMicros: null, currency: null, source: 'unknown' };

/** Why renewal was turned off or a subscription ended, as reported by the store. */
export type CancelReason =
  'UNSUBSCRIBE' | 'BILLING_ERROR' | 'DEVELOPER_INITIATED' | 'PRICE_INCREASE' | 'CUSTOMER_SUPPORT' | 'UNKNOWN';
