import type { Field, Operator } from './conditions.js';

export const fieldLabels = {
  country: 'Country',
  app_config: 'App',
  platform: 'Platform',
  app_version: 'App version',
  sdk_version: 'SDK version',
  custom_attribute: 'Attribute',
  rollout: 'Share of customers',
  refund_reason: 'Reason',
  product: 'Product',
  purchase_kind: 'Type of purchase',
  days_since_purchase: 'Days since the purchase',
  days_since_first_purchase: 'Days since the first purchase',
  days_since_last_seen: 'Days since last seen',
  paid_periods: 'Paid periods',
  refunds_before: 'Earlier refunds',
  requests_before: 'Earlier requests',
  lifetime_usd: 'Total spent (USD)',
  refunded_usd: 'Total refunded (USD)',
  price_usd: 'Price (USD)',
  consumed_percent: 'Consumed (percent)',
} satisfies Record<Field, string>;

export const operatorLabels = {
  in: 'is any of',
  'not in': 'is none of',
  '=': 'is',
  '!=': 'is not',
  '>': 'is above',
  '>=': 'is at least',
  '<': 'is below',
  '<=': 'is at most',
} satisfies Record<Operator, string>;

/** Fields with a fixed set of values. */
export const choices: Partial<Record<Field, Record<string, string>>> = {
  refund_reason: {
    UNINTENDED_PURCHASE: 'Unintended purchase',
    FULFILLMENT_ISSUE: 'Not received or not working',
    UNSATISFIED_WITH_PURCHASE: 'Unsatisfied',
    LEGAL: 'Legal',
    OTHER: 'Other',
    CHARGEBACK: 'Chargeback',
    NONE: 'None given',
  },
  purchase_kind: {
    auto_renewable: 'Subscription',
    consumable: 'Consumable',
    non_consumable: 'Non-consumable',
    non_renewing: 'Non-renewing subscription',
  },
};

export const valueHints: Partial<Record<Field, string>> = {
  country: 'Two letters: US, DE',
  platform: 'ios, android, web …',
  rollout: 'Percent, 1 to 99',
};

export const contextLabels: Partial<Record<Field, string>> = {
  app_version: 'App',
  sdk_version: 'SDK',
  custom_attribute: 'Attribute',
};
