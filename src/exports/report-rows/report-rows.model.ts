/** ISO 8601, in UTC. */
type Time = string;

/** A row of `report_transactions` without its sequence number. Decimals are texts with six digits. */
export interface TransactionRow {
  purchaseId: string;
  periodKey: string;
  product: string;
  customerId: string;
  appId: string | null;
  country: string | null;
  countrySource: 'from_sdk' | 'estimated' | null;
  productIdentifier: string;
  productDisplayName: string | null;
  productDuration: string | null;
  startTime: Time;
  endTime: Time | null;
  gracePeriodEndTime: Time | null;
  effectiveEndTime: Time | null;
  store: string;
  isAutoRenewable: boolean;
  isTrialPeriod: boolean;
  isInIntroOfferPeriod: boolean;
  isSandbox: boolean;
  priceInUsd: string | null;
  purchasePriceInUsd: string | null;
  takehomePercentage: string;
  taxPercentage: string;
  commissionPercentage: string;
  storeTransactionId: string;
  originalStoreTransactionId: string | null;
  refundedAt: Time | null;
  unsubscribeDetectedAt: Time | null;
  billingIssuesDetectedAt: Time | null;
  purchasedCurrency: string | null;
  priceInPurchasedCurrency: string | null;
  purchasePriceInPurchasedCurrency: string | null;
  entitlementIdentifiers: string[] | null;
  renewalNumber: number;
  isTrialConversion: boolean;
  presentedOffering: string | null;
  ownershipType: 'PURCHASED' | 'FAMILY_SHARED';
  offer: string | null;
  offerType: string | null;
  autoResumeTime: Time | null;
}

type Attributes = Record<string, { value: string; updated_at_ms: number }>;

/** A row of `report_customers` without its sequence numbers. */
export interface CustomerRow {
  customerId: string;
  originalAppUserId: string;
  lastSeenAppUserId: string;
  aliases: string[];
  firstSeenAt: Time;
  lastSeenAt: Time | null;
  lastSeenPlatform: string | null;
  lastSeenAppVersion: string | null;
  lastSeenCountry: string | null;
  reservedAttributes: Attributes | null;
  customAttributes: Attributes | null;
  experimentId: string | null;
  experimentVariant: string | null;
}

/** A row of `report_subscriptions` without its sequence number. */
export interface SubscriptionRow {
  id: string;
  kind: 'subscription' | 'one_time';
  customerId: string;
  appId: string | null;
  store: string;
  environment: string;
  productIdentifier: string;
  status: string;
  givesAccess: boolean;
  autoRenewalStatus: string | null;
  startedAt: Time;
  currentPeriodStartedAt: Time | null;
  currentPeriodEndsAt: Time | null;
  accessEndsAt: Time | null;
  ownership: 'purchased' | 'family_shared';
  originalStoreTransactionId: string;
  latestStoreTransactionId: string;
  entitlementIdentifiers: string[] | null;
  priceCurrency: string | null;
  priceMicros: number | null;
}

export interface ReportRows {
  customer: CustomerRow;
  transactions: TransactionRow[];
  subscriptions: SubscriptionRow[];
}
