import { eventTypesOfKind, isGrant, type Kind, kindOf } from './event.js';
import { sampleEvent } from './sample-event.js';

describe('the kind of an event', () => {
  it.each<[string, object, Kind | null]>([
    ['INITIAL_PURCHASE', { period_type: 'NORMAL' }, 'initial_purchase'],
    ['INITIAL_PURCHASE', { period_type: 'INTRO' }, 'initial_purchase'],
    ['INITIAL_PURCHASE', { period_type: 'PREPAID' }, 'initial_purchase'],
    ['INITIAL_PURCHASE', { period_type: 'TRIAL' }, 'trial_started'],
    ['INITIAL_PURCHASE', { period_type: 'PROMOTIONAL' }, 'non_subscription_purchase'],
    ['RENEWAL', { is_trial_conversion: true }, 'trial_converted'],
    ['RENEWAL', { is_trial_conversion: false }, 'renewal'],
    ['RENEWAL', {}, 'renewal'],
    ['CANCELLATION', { period_type: 'TRIAL', price: 0 }, 'trial_cancelled'],
    ['CANCELLATION', { period_type: 'TRIAL', price: null }, 'trial_cancelled'],
    ['CANCELLATION', { period_type: 'TRIAL', price: -9.99 }, 'cancellation'],
    ['CANCELLATION', { period_type: 'NORMAL', price: 0 }, 'cancellation'],
    ['UNCANCELLATION', {}, 'uncancellation'],
    ['NON_RENEWING_PURCHASE', { period_type: 'NORMAL' }, 'non_subscription_purchase'],
    ['SUBSCRIPTION_PAUSED', {}, 'subscription_paused'],
    ['EXPIRATION', { period_type: 'TRIAL' }, 'expiration'],
    ['BILLING_ISSUE', {}, 'billing_issue'],
    ['PRODUCT_CHANGE', {}, 'product_change'],
    ['TRANSFER', {}, 'transfer'],
    ['REFUND_REVERSED', {}, 'refund_reversed'],
    ...[
      'SUBSCRIBER_ALIAS',
      'SUBSCRIPTION_EXTENDED',
      'TEMPORARY_ENTITLEMENT_GRANT',
      'VIRTUAL_CURRENCY_TRANSACTION',
      'EXPERIMENT_ENROLLMENT',
      'PURCHASE_REDEEMED',
      'PRICE_INCREASE_CONSENT_REQUIRED',
      'FUNNEL_PURCHASE',
      'INVOICE_ISSUANCE',
      'constructor',
    ].map((type): [string, object, null] => [type, {}, null]),
  ])('follows from %s with %j: %s', (type, change, kind) => {
    expect(kindOf({ type, ...change })).toBe(kind);
  });

  it('agrees with the samples and the types of the filter', () => {
    for (const kind of Object.keys(eventTypesOfKind) as Kind[]) {
      const event = sampleEvent(kind);
      expect(kindOf(event)).toBe(kind);
      expect(eventTypesOfKind[kind]).toContain(event.type.toLowerCase());
    }
  });
});

it('recognizes granted access by its period or its store', () => {
  expect(isGrant({ period_type: 'PROMOTIONAL', store: 'PROMOTIONAL' })).toBe(true);
  expect(isGrant({ period_type: 'NORMAL', store: 'PROMOTIONAL' })).toBe(true);
  expect(isGrant({ period_type: 'NORMAL', store: 'APP_STORE' })).toBe(false);
});
