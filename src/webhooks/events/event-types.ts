/** Event types that an integration can request, in the lower-case form of its filter. */
export const webhookEventTypes = [
  'initial_purchase',
  'renewal',
  'product_change',
  'cancellation',
  'billing_issue',
  'non_renewing_purchase',
  'uncancellation',
  'transfer',
  'subscription_paused',
  'expiration',
  'subscription_extended',
  'invoice_issuance',
  'temporary_entitlement_grant',
  'refund_reversed',
  'virtual_currency_transaction',
  'test',
  'experiment_enrollment',
  'purchase_redeemed',
  'subscriber_alias',
  'price_increase_consent_required',
  'price_increase_consent_approved',
  'funnel_viewed',
  'funnel_step_completed',
  'funnel_purchase',
  'refund_requested',
  'refund_request_decided',
] as const;

/** Types that an integration receives only if its filter names them. An empty filter selects all others. */
export const optInEventTypes = [
  'subscriber_alias',
  'funnel_viewed',
  'funnel_step_completed',
  'funnel_purchase',
  'refund_requested',
  'refund_request_decided',
];

/** Types of messages to one channel, in upper case. They are in no list of events, and no integration can request them. */
export const unlistedEventTypes = ['DIGEST'];
