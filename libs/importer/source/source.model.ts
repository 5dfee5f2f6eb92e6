/** Objects of the vendor's REST v2 with the fields that an import reads. Times are epoch milliseconds. */

export interface SourceList<T> {
  items: T[];
  /** Path with query, already encoded; null at the end. */
  nextPage: string | null;
}

export interface SourceProject {
  id: string;
  name: string;
}

export interface SourceApp {
  id: string;
  name: string;
  type: string;
  app_store?: { bundle_id?: string };
  mac_app_store?: { bundle_id?: string };
  play_store?: { package_name?: string };
  amazon?: { package_name?: string };
  rc_billing?: { app_name?: string | null; support_email?: string | null; default_currency?: string };
  [other: string]: unknown;
}

export interface SourcePublicKey {
  id: string;
  key: string;
  environment: string;
  app_id: string;
}

export interface SourceProduct {
  id: string;
  store_identifier: string;
  type: string;
  app_id: string;
  display_name?: string | null;
  subscription?: {
    duration?: string | null;
    grace_period_duration?: string | null;
    trial_duration?: string | null;
  } | null;
  one_time?: { is_consumable?: boolean | null } | null;
  /** Only `inactive` matters; it means archived. */
  state?: string;
}

export interface SourceEntitlement {
  id: string;
  lookup_key: string;
  display_name: string;
  state?: string;
}

export interface SourceOffering {
  id: string;
  lookup_key: string;
  display_name: string;
  is_current: boolean;
  metadata?: Record<string, unknown> | null;
  state?: string;
  packages?: unknown;
}

export interface SourcePackage {
  id: string;
  lookup_key: string;
  display_name: string;
  position?: number | null;
}

export interface SourcePackageProduct {
  product: SourceProduct;
  eligibility_criteria: string;
}

export interface SourceCurrency {
  code: string;
  name: string;
  description?: string | null;
  state?: string;
  product_grants?: unknown[];
}

export interface SourceWebhook {
  id: string;
  name: string;
  url: string;
  environment?: string | null;
  event_types?: string[] | null;
  app_id?: string | null;
}

export interface SourceCustomer {
  id: string;
  first_seen_at?: number | null;
  last_seen_at?: number | null;
  last_seen_app_version?: string | null;
  last_seen_platform?: string | null;
}

export interface SourceAlias {
  id: string;
}

export interface SourceAttribute {
  name: string;
  value: string | null;
  updated_at: number;
}

export interface SourceSubscription {
  id: string;
  customer_id: string;
  original_customer_id: string;
  product_id: string | null;
  starts_at: number;
  current_period_starts_at: number;
  current_period_ends_at: number | null;
  ends_at?: number | null;
  gives_access: boolean;
  auto_renewal_status: string;
  status: string;
  presented_offering_id?: string | null;
  entitlements?: { items?: { id: string; lookup_key: string }[] };
  environment: string;
  store: string;
  store_subscription_identifier: string;
  ownership?: string;
  country?: string | null;
}

export interface SourceMoney {
  amount?: number;
  gross?: number;
  currency?: string;
}

export interface SourceTransaction {
  id: string;
  purchased_at: number;
  product_store_identifier?: string;
  expiration_date?: number | null;
  effective_expiration_date?: number | null;
  /** Present only in newer transactions. */
  revenue_in_local_currency?: SourceMoney | null;
  revenue_in_usd?: SourceMoney | null;
}

export interface SourcePurchase {
  id: string;
  customer_id: string;
  original_customer_id: string;
  product_id: string;
  purchased_at: number;
  quantity?: number;
  status: string;
  presented_offering_id?: string | null;
  environment: string;
  store: string;
  store_purchase_identifier: string;
  ownership?: string;
  country?: string | null;
}

export interface SourceActiveEntitlement {
  entitlement_id: string;
  expires_at?: number | null;
}

export interface SourceBalance {
  currency_code: string;
  balance: number;
}

/** `GET /v1/subscribers/{id}`, only the fields missing in v2. Dates are ISO 8601. */
export interface SourceSubscriber {
  original_application_version?: string | null;
  original_purchase_date?: string | null;
  subscriptions?: Record<string, SourceSubscriberSubscription>;
}

export interface SourceSubscriberSubscription {
  store_transaction_id?: string | number | null;
  product_plan_identifier?: string | null;
  is_sandbox?: boolean;
  store?: string;
  period_type?: string | null;
  price?: SourceMoney | null;
  refunded_at?: string | null;
  unsubscribe_detected_at?: string | null;
  billing_issues_detected_at?: string | null;
  grace_period_expires_date?: string | null;
  auto_resume_date?: string | null;
}
