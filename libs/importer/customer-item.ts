/**
 * One customer as another system knows it, in the form that `POST /v2/projects/{project_id}/import/customers` expects.
 * Names and times (epoch milliseconds) are those of the API, so that an item can be sent, or written to a JSON Lines
 * file, unchanged. Only required fields are always present; an absent field is unknown to the source.
 */

import type { AutoRenewalStatus, Environment, Ownership, PeriodKind, Store } from '../engine/index.js';

export interface ImportCustomer {
  /** App user id, possibly anonymous. */
  id: string;
  /** Other app user ids of the customer; `id` itself may be among them. */
  aliases?: string[];
  first_seen_at?: number;
  last_seen_at?: number;
  attributes?: ImportAttribute[];
  subscriptions?: ImportSubscription[];
  purchases?: ImportPurchase[];
  /** Balance at the source by currency code. */
  virtual_currencies?: Record<string, number>;
  original_application_version?: string;
  original_purchase_date?: number;
  /** Lookup key of the offering assigned to the customer. */
  offering_override?: string | null;
  blocked?: boolean;
}

export interface ImportAttribute {
  name: string;
  /** Null deletes the attribute if this entry is newer. */
  value: string | null;
  updated_at: number;
}

export type ImportSubscriptionStatus =
  | 'trialing'
  | 'active'
  | 'in_grace_period'
  | 'in_billing_retry'
  | 'paused'
  | 'expired'
  // The server leaves these two out and adds a note.
  | 'unknown'
  | 'incomplete';

/** The last two mean `will_renew`. */
export type ImportAutoRenewalStatus =
  AutoRenewalStatus | 'requires_price_increase_consent' | 'has_already_renewed';

/** In units of the currency (`9.99`), as in v2. An unknown price is null, never 0. */
export interface ImportPrice {
  amount: number;
  currency: string;
}

/**
 * The server requires dates, product and status unless the item contains only the app, the store and an identifier:
 * then the server asks the store.
 */
export interface ImportSubscription {
  /** Absent only for `promotional`. */
  app_id?: string;
  store: Store;
  /** The store's identifier; Google Play: `subscription:basePlan`. */
  product_identifier?: string;
  environment?: Environment;
  starts_at?: number;
  current_period_starts_at?: number;
  /** Null if it never ends, or is paused without a date. */
  current_period_ends_at?: number | null;
  /** End of access if it differs from the end of the period. */
  ends_at?: number | null;
  status?: ImportSubscriptionStatus;
  auto_renewal_status?: ImportAutoRenewalStatus;
  /** The latest transaction id, the order id, or the store's own subscription id. */
  store_subscription_identifier?: string;
  original_transaction_id?: string;
  purchase_token?: string;
  /** Required by Amazon to find a receipt. */
  store_user_id?: string;
  gives_access?: boolean;
  period_type?: PeriodKind;
  ownership?: Ownership;
  country?: string;
  presented_offering_id?: string;
  /** Price of the current period. */
  price?: ImportPrice | null;
  refunded_at?: number | null;
  unsubscribe_detected_at?: number | null;
  billing_issues_detected_at?: number | null;
  grace_period_expires_at?: number | null;
  auto_resume_at?: number | null;
  transactions?: ImportTransaction[];
  /** Required for `promotional`, and used only there. */
  entitlement_lookup_keys?: string[];
  /** App user id of the first owner. */
  original_customer_id?: string;
}

export interface ImportTransaction {
  id: string;
  purchased_at: number;
  expires_at?: number | null;
  product_identifier?: string;
  price?: ImportPrice | null;
  period_type?: PeriodKind;
  refunded_at?: number | null;
}

/** Product types as named in v2. */
export type ImportProductType =
  'subscription' | 'consumable' | 'non_consumable' | 'non_renewing_subscription' | 'one_time';

/** `product_identifier`, `purchased_at` and `status` may be absent if the store is asked, as with subscriptions. */
export interface ImportPurchase {
  app_id: string;
  store: Store;
  product_identifier?: string;
  purchased_at?: number;
  store_purchase_identifier?: string;
  status?: 'owned' | 'refunded';
  environment?: Environment;
  quantity?: number;
  price?: ImportPrice | null;
  refunded_at?: number | null;
  ownership?: Ownership;
  country?: string;
  presented_offering_id?: string;
  purchase_token?: string;
  /** Used if the product is not in the catalog. */
  type?: ImportProductType;
}
