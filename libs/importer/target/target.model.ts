/** Objects of this product's REST v2 with the fields that the import commands read. Times are epoch milliseconds. */

export interface TargetProject {
  id: string;
  name: string;
}

export interface TargetApp {
  id: string;
  name: string;
  type: string;
  app_store?: TargetAppDetails;
  mac_app_store?: TargetAppDetails;
  play_store?: TargetAppDetails;
  amazon?: TargetAppDetails;
  stripe?: TargetAppDetails;
  roku?: TargetAppDetails;
  paddle?: TargetAppDetails;
  rc_billing?: TargetAppDetails;
}

export interface TargetAppDetails {
  bundle_id?: string;
  package_name?: string;
  app_name?: string;
  [other: string]: unknown;
}

export interface TargetPublicKey {
  id: string;
  key: string;
  environment: string;
  app_id: string;
}

export interface TargetProduct {
  id: string;
  app_id: string;
  store_identifier: string;
  type: string;
  state?: string;
  display_name?: string | null;
  subscription?: { duration?: string | null } | null;
}

export interface TargetEntitlement {
  id: string;
  lookup_key: string;
  display_name: string;
  state?: string;
}

export interface TargetOffering {
  id: string;
  lookup_key: string;
  is_current: boolean;
  metadata?: Record<string, unknown> | null;
  state?: string;
}

export interface TargetPackage {
  id: string;
  lookup_key: string;
}

export interface TargetPackageProduct {
  product: TargetProduct;
  eligibility_criteria: string;
}

export interface TargetCurrency {
  code: string;
  state?: string;
}

export interface TargetCustomer {
  id: string;
  first_seen_at?: number | null;
  last_seen_at?: number | null;
}

export interface TargetSubscription {
  id: string;
  customer_id: string;
  product_id: string | null;
  gives_access: boolean;
  status: string;
  environment: string;
  store: string;
  store_subscription_identifier: string;
  current_period_ends_at: number | null;
  ends_at: number | null;
}

export interface TargetPurchase {
  id: string;
  status: string;
  environment: string;
  store: string;
  store_purchase_identifier: string;
}

export interface TargetActiveEntitlement {
  entitlement_id: string;
  expires_at: number | null;
}

export interface TargetBalance {
  currency_code: string;
  balance: number;
}

export interface ImportResult {
  customers: ImportedCustomer[];
}

export interface ImportedCustomer {
  id: string;
  status: 'created' | 'updated' | 'merged';
  subscriptions: number;
  purchases: number;
  needs_token_refresh: number;
  notes: string[];
}

export interface ImportStatus {
  customers: number;
  subscriptions: number;
  needs_token_refresh: number;
  needs_token_refresh_by_app: Record<string, number>;
  unconfirmed_original_ids?: number;
  held_open?: number;
  transactions_without_price?: number;
  resolving?: number;
  last_import_at?: number | null;
}
