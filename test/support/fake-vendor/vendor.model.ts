import type {
  SourceApp,
  SourceAttribute,
  SourceCurrency,
  SourceEntitlement,
  SourceOffering,
  SourcePackage,
  SourceProduct,
  SourcePublicKey,
  SourceWebhook,
} from '../../../libs/importer/source/source.model.js';

export interface VendorTransaction {
  id: string;
  purchased_at: number;
  expiration_date: number | null;
  product_store_identifier: string;
  revenue?: { amount: number; currency: string };
}

export interface VendorSubscription {
  id: string;
  original_customer_id: string;
  product_id: string | null;
  starts_at: number;
  current_period_starts_at: number;
  current_period_ends_at: number | null;
  ends_at: number | null;
  gives_access: boolean;
  auto_renewal_status: string;
  status: string;
  /** Lookup keys, for `promotional`; others give what their product does. */
  grants?: string[];
  environment: 'production' | 'sandbox';
  store: string;
  store_subscription_identifier: string;
  ownership: 'purchased' | 'family_shared';
  country: string | null;
  presented_offering_id: string | null;
  transactions: VendorTransaction[];
  /** Fields that only v1 returns. */
  v1: {
    period_type?: string;
    price?: { amount: number; currency: string };
    refunded_at?: number;
    unsubscribe_detected_at?: number;
    billing_issues_detected_at?: number;
    grace_period_expires_at?: number;
  };
  /** Store identifiers that no API shows. */
  secret: { originalTransactionId?: string; purchaseToken?: string };
}

export interface VendorPurchase {
  id: string;
  original_customer_id: string;
  product_id: string;
  purchased_at: number;
  quantity: number;
  status: 'owned' | 'refunded';
  environment: 'production' | 'sandbox';
  store: string;
  store_purchase_identifier: string;
  ownership: 'purchased' | 'family_shared';
  country: string | null;
}

export interface VendorCustomer {
  id: string;
  first_seen_at: number;
  last_seen_at: number;
  /** Other ids; its own is listed too. */
  aliases: string[];
  attributes: SourceAttribute[];
  subscriptions: VendorSubscription[];
  purchases: VendorPurchase[];
  balances: Record<string, number>;
  /** Not listed; only found by id. */
  hidden: boolean;
  /** Names its seeded history. */
  life: string;
}

export interface VendorWorld {
  project: { id: string; name: string };
  nowMs: number;
  apps: SourceApp[];
  publicKeys: SourcePublicKey[];
  products: SourceProduct[];
  entitlements: (SourceEntitlement & { product_ids: string[] })[];
  offerings: (Omit<SourceOffering, 'packages'> & {
    packages: (SourcePackage & { product_ids: string[] })[];
  })[];
  currencies: SourceCurrency[];
  webhooks: SourceWebhook[];
  customers: Map<string, VendorCustomer>;
}
