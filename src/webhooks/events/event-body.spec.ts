import type { EngineEvent } from '../../../libs/engine/index.js';
import { toUsdMicros } from '../../../libs/money/index.js';
import { purchaseEventBody } from './event-body.js';

const head = { id: '8F14E45F-CEEA-467F-A1B2-000000000001', createdAtMs: 1_770_000_000_000, sequence: 7 };

const customer = {
  originalAppUserId: 'ann',
  aliases: [{ appUserId: 'ann', isAnonymous: false, createdAtMs: 1 }],
  enrollments: [],
  attributes: [{ name: '$email', value: 'ann@example.com', updatedAtMs: 2, source: 'sdk' as const }],
};

const context = {
  appId: 'app1',
  store: 'play_store',
  environment: 'production',
  entitlementLookupKeys: ['pro'],
} as const;

const event: EngineEvent = {
  type: 'CANCELLATION',
  dedupeKey: 'sub_1:un:0',
  occurredAtMs: 1_769_000_000_000,
  delivery: 'send',
  storeProductId: 'pro',
  planId: 'monthly',
  periodType: 'normal',
  purchasedAtMs: Date.UTC(2026, 0, 1),
  expirationAtMs: Date.UTC(2026, 1, 1),
  transactionId: 'GPA.1..0',
  originalTransactionId: 'GPA.1',
  ownership: 'purchased',
  price: { amountMicros: 0, currency: 'USD', source: 'store' },
  country: 'US',
  offerCode: null,
  presentedOfferingId: null,
};

/** The body as sent: fields without a value are absent. */
function bodyOf(change: Partial<EngineEvent>): Record<string, unknown> {
  const place = { ...context, entitlementLookupKeys: ['pro'], commissionBps: 1500 };
  const body = purchaseEventBody(head, { ...event, ...change }, customer, 'ann', place, (amount) =>
    toUsdMicros(amount),
  );
  return JSON.parse(JSON.stringify(body)) as Record<string, unknown>;
}

/** Fields that occur only in some types. */
const own = [
  'renewal_number',
  'is_trial_conversion',
  'cancel_reason',
  'expiration_reason',
  'grace_period_expiration_at_ms',
  'auto_resume_at_ms',
  'new_product_id',
];

describe('the body of a purchase event', () => {
  it.each<[Partial<EngineEvent>, Record<string, unknown>]>([
    [{ type: 'CANCELLATION', cancelReason: 'BILLING_ERROR' }, { cancel_reason: 'BILLING_ERROR' }],
    [
      { type: 'EXPIRATION', expirationReason: 'SUBSCRIPTION_PAUSED' },
      { expiration_reason: 'SUBSCRIPTION_PAUSED' },
    ],
    [{ type: 'BILLING_ISSUE', gracePeriodExpirationAtMs: 9 }, { grace_period_expiration_at_ms: 9 }],
    [{ type: 'BILLING_ISSUE', gracePeriodExpirationAtMs: null }, { grace_period_expiration_at_ms: null }],
    [{ type: 'SUBSCRIPTION_PAUSED', autoResumeAtMs: null }, { auto_resume_at_ms: null }],
    [{ type: 'PRODUCT_CHANGE', newProductId: 'pro:yearly' }, { new_product_id: 'pro:yearly' }],
    [{ type: 'PRODUCT_CHANGE' }, {}],
    [
      { type: 'RENEWAL', isTrialConversion: false, renewalNumber: 2 },
      { is_trial_conversion: false, renewal_number: 2 },
    ],
    [{ type: 'UNCANCELLATION' }, {}],
    [{ type: 'SUBSCRIPTION_EXTENDED' }, {}],
  ])('adds fields for %j: %j', (change, expected) => {
    const body = bodyOf(change);
    expect(Object.fromEntries(Object.entries(body).filter(([name]) => own.includes(name)))).toEqual(expected);
    expect(body).toMatchObject({
      type: change.type,
      sequence: 7,
      product_id: 'pro:monthly',
      price: 0,
      price_in_purchased_currency: 0,
      store: 'PLAY_STORE',
    });
  });

  it('has a negative price for a refund, at the rate of the purchase', () => {
    const price = { amountMicros: -9_990_000, currency: 'USD', source: 'store' } as const;
    expect(bodyOf({ cancelReason: 'CUSTOMER_SUPPORT', price })).toMatchObject({
      price: -9.99,
      price_in_purchased_currency: -9.99,
      currency: 'USD',
    });
    const bought = bodyOf({ price: { amountMicros: 9_990_000, currency: 'EUR', source: 'store' } });
    const refunded = bodyOf({ price: { amountMicros: -9_990_000, currency: 'EUR', source: 'store' } });
    expect(refunded.price).toBe(-Number(bought.price));
  });

  it('has no price if it is unknown, which is not zero', () => {
    const price = { amountMicros: null, currency: null, source: 'unknown' } as const;
    expect(bodyOf({ price })).toMatchObject({
      price: null,
      price_in_purchased_currency: null,
      currency: null,
    });
  });

  it.each(['PRICE_INCREASE_CONSENT_REQUIRED', 'PRICE_INCREASE_CONSENT_APPROVED'] as const)(
    'names the purchase for %s, and neither periods nor money',
    (type) => {
      expect(bodyOf({ type })).toEqual({
        id: head.id,
        type,
        event_timestamp_ms: head.createdAtMs,
        sequence: 7,
        app_id: 'app1',
        app_user_id: 'ann',
        original_app_user_id: 'ann',
        aliases: ['ann'],
        product_id: 'pro:monthly',
        transaction_id: 'GPA.1..0',
        original_transaction_id: 'GPA.1',
        store: 'PLAY_STORE',
        environment: 'PRODUCTION',
        currency: 'USD',
        country_code: 'US',
        subscriber_attributes: { $email: { value: 'ann@example.com', updated_at_ms: 2 } },
      });
    },
  );
});
