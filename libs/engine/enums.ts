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
export type Ownership = 'purchased' | 'family_shared';
export type PeriodKind = 'normal' | 'trial' | 'intro' | 'prepaid';
export type PeriodType = PeriodKind | 'promotional';
export type PriceSource = 'store' | 'order' | 'import' | 'device' | 'catalog' | 'unknown';

export type SubscriptionStatus =
  'trialing' | 'active' | 'in_grace_period' | 'in_billing_retry' | 'paused' | 'expired';

export type AutoRenewalStatus = 'will_renew' | 'will_not_renew' | 'will_change_product' | 'will_pause';

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
