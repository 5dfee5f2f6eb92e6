import type { DestinationEvent, Kind } from './event.js';

export const SAMPLE_AT_MS = 1_767_323_045_678;
const MONTH_MS = 31 * 86_400_000;

/** Fields in which the events of a kind differ from a renewal. */
const differences: Record<Kind, Partial<DestinationEvent>> = {
  initial_purchase: { type: 'INITIAL_PURCHASE' },
  trial_started: { type: 'INITIAL_PURCHASE', period_type: 'TRIAL', price: 0, price_in_purchased_currency: 0 },
  trial_converted: { type: 'RENEWAL', is_trial_conversion: true },
  renewal: { type: 'RENEWAL', is_trial_conversion: false },
  trial_cancelled: {
    type: 'CANCELLATION',
    period_type: 'TRIAL',
    price: 0,
    price_in_purchased_currency: 0,
    cancel_reason: 'UNSUBSCRIBE',
  },
  cancellation: {
    type: 'CANCELLATION',
    price: 0,
    price_in_purchased_currency: 0,
    cancel_reason: 'UNSUBSCRIBE',
  },
  uncancellation: { type: 'UNCANCELLATION', price: 0, price_in_purchased_currency: 0 },
  non_subscription_purchase: { type: 'NON_RENEWING_PURCHASE', expiration_at_ms: null },
  subscription_paused: {
    type: 'SUBSCRIPTION_PAUSED',
    store: 'PLAY_STORE',
    price: 0,
    price_in_purchased_currency: 0,
    auto_resume_at_ms: SAMPLE_AT_MS + MONTH_MS,
  },
  expiration: {
    type: 'EXPIRATION',
    price: 0,
    price_in_purchased_currency: 0,
    expiration_reason: 'UNSUBSCRIBE',
  },
  billing_issue: {
    type: 'BILLING_ISSUE',
    price: 0,
    price_in_purchased_currency: 0,
    grace_period_expiration_at_ms: SAMPLE_AT_MS + MONTH_MS,
  },
  product_change: {
    type: 'PRODUCT_CHANGE',
    price: 0,
    price_in_purchased_currency: 0,
    new_product_id: 'pro_yearly',
  },
  transfer: { type: 'TRANSFER' },
  refund_reversed: { type: 'REFUND_REVERSED' },
};

/** An event of the kind, by the customer with these ids: the first one is the current one. */
export function sampleEvent(
  kind: Kind,
  [appUserId = 'ada', ...others]: readonly string[] = [],
): DestinationEvent {
  const shared = {
    id: 'A6F3D1C2-0000-4000-8000-000000000001',
    event_timestamp_ms: SAMPLE_AT_MS,
    app_id: 'app1a2b3c4d5',
    store: 'APP_STORE',
    environment: 'PRODUCTION',
    subscriber_attributes: {},
  };
  const { type = '', ...own } = differences[kind];
  if (kind === 'transfer')
    return { ...shared, type, transferred_from: ['previous-owner'], transferred_to: [appUserId, ...others] };
  return {
    ...shared,
    type,
    app_user_id: appUserId,
    original_app_user_id: appUserId,
    aliases: [appUserId, ...others],
    product_id: 'pro_monthly',
    entitlement_id: null,
    entitlement_ids: ['pro'],
    period_type: 'NORMAL',
    purchased_at_ms: SAMPLE_AT_MS,
    expiration_at_ms: SAMPLE_AT_MS + MONTH_MS,
    presented_offering_id: null,
    transaction_id: '2000000000000001',
    original_transaction_id: '2000000000000000',
    is_family_share: false,
    currency: 'EUR',
    price: 10.86,
    price_in_purchased_currency: 9.99,
    commission_percentage: 0.3,
    tax_percentage: 0,
    offer_code: null,
    ...own,
  };
}
