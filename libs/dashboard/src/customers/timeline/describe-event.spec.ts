import { readFileSync } from 'node:fs';
import { describeEvent, withNames } from './describe-event.js';

const day = (ms: number) => `day ${ms}`;
const say = (type: string, body: object = {}) =>
  describeEvent(type, { type, product_id: 'pro', ...body }, day);

/** Returns all event types, as webhooks list them. */
function eventTypes(): string[] {
  const document = readFileSync(new URL('../../../../../docs/openapi.json', import.meta.url), 'utf8');
  const found = /"event_types":\s*\{[^}]*"items":\s*\{[^}]*"enum":\s*(\[[^\]]*\])/.exec(document)?.[1];
  return (JSON.parse(found ?? '[]') as string[]).map((type) => type.toUpperCase());
}

describe('an event in words', () => {
  it('names products by their display names, and leaves other fields alone', () => {
    const nameOf = (identifier: string) => ({ pro: 'Acme Pro', max: 'Acme Max' })[identifier] ?? identifier;
    const body = { product_id: 'pro', new_product_id: 'max', offering_id: 'pro', price: 1 };
    const named = withNames(body, nameOf);
    expect(named).toEqual({ ...body, product_id: 'Acme Pro', new_product_id: 'Acme Max' });
    expect(describeEvent('PRODUCT_CHANGE', named, day).sentence).toBe('Changed from Acme Pro to Acme Max');
    expect(withNames({ product_id: 'old' }, nameOf)).toEqual({ product_id: 'old' });
  });

  it.each(eventTypes())('%s has a sentence of its own', (type) => {
    expect(say(type).sentence).not.toBe(type);
  });

  it.each<[string, object, string, string]>([
    ['INITIAL_PURCHASE', {}, 'Bought pro', 'payments'],
    ['INITIAL_PURCHASE', { period_type: 'TRIAL' }, 'Started a trial of pro', 'payments'],
    ['INITIAL_PURCHASE', { period_type: 'INTRO' }, 'Bought pro at an introductory price', 'payments'],
    ['INITIAL_PURCHASE', { is_family_share: true }, 'Got pro through Family Sharing', 'payments'],
    ['INITIAL_PURCHASE', { is_family_share: true, ownership: 'ASSIGNED' }, 'Got a seat of pro', 'payments'],
    ['REFUND_REQUESTED', { refund_reason: 'OTHER' }, 'Asked the store for a refund of pro', 'payments'],
    [
      'REFUND_REQUESTED',
      { refund_reason: 'CHARGEBACK' },
      'Disputed the charge for pro at the bank',
      'payments',
    ],
    [
      'REFUND_REQUEST_DECIDED',
      { outcome: 'refunded', preference_sent: 'decline' },
      'The store granted the refund of pro, you asked to decline',
      'payments',
    ],
    [
      'REFUND_REQUEST_DECIDED',
      { outcome: 'partially_refunded', preference_sent: 'grant_prorated' },
      'The store refunded part of pro, you asked for a partial refund',
      'payments',
    ],
    [
      'REFUND_REQUEST_DECIDED',
      { outcome: 'declined', preference_sent: null },
      'The store declined the refund of pro',
      'payments',
    ],
    ['REFUND_REQUEST_DECIDED', { outcome: 'reversed' }, 'The store reversed the refund of pro', 'payments'],
    [
      'REFUND_REQUEST_DECIDED',
      { outcome: 'no_resolution', preference_sent: 'neutral' },
      'The store reported no decision about the refund of pro, you left it to the store',
      'payments',
    ],
    ['REFUND_REQUEST_DECIDED', {}, 'The store decided about the refund of pro', 'payments'],
    ['NON_RENEWING_PURCHASE', { store: 'PROMOTIONAL', entitlement_ids: ['plus'] }, 'Granted plus', 'changes'],
    ['RENEWAL', {}, 'Renewed pro', 'payments'],
    ['RENEWAL', { is_trial_conversion: true }, 'First payment after the trial of pro', 'payments'],
    ['PRODUCT_CHANGE', { new_product_id: 'max' }, 'Changed from pro to max', 'changes'],
    ['PRODUCT_CHANGE', { items: [] }, 'Changed the add-ons of pro', 'changes'],
    ['CANCELLATION', { cancel_reason: 'UNSUBSCRIBE' }, 'Turned off renewal of pro', 'problems'],
    ['CANCELLATION', { cancel_reason: 'CUSTOMER_SUPPORT' }, 'Refunded pro', 'payments'],
    ['CANCELLATION', { cancel_reason: 'UNKNOWN' }, 'Cancelled pro', 'problems'],
    [
      'BILLING_ISSUE',
      { grace_period_expiration_at_ms: 6 },
      'Charge for pro failed, grace period until day 6',
      'problems',
    ],
    ['BILLING_ISSUE', { grace_period_expiration_at_ms: null }, 'Charge for pro failed', 'problems'],
    ['EXPIRATION', { expiration_reason: 'UNSUBSCRIBE' }, 'pro expired: renewal was off', 'problems'],
    ['EXPIRATION', { store: 'PROMOTIONAL', entitlement_ids: ['plus'] }, 'Grant of plus ended', 'problems'],
    [
      'SUBSCRIPTION_PAUSED',
      { auto_resume_at_ms: 9 },
      'pro pauses at the end of its period, until day 9',
      'problems',
    ],
    ['SUBSCRIPTION_EXTENDED', { expiration_at_ms: 9 }, 'pro was extended to day 9', 'changes'],
    [
      'TRANSFER',
      { transferred_from: ['$RCAnonymousID:1', 'ada'], transferred_to: ['$RCAnonymousID:2'] },
      'Purchases moved from ada to $RCAnonymousID:2',
      'identity',
    ],
    ['SUBSCRIBER_ALIAS', { app_user_id: 'ada' }, 'Known as ada too', 'identity'],
    [
      'VIRTUAL_CURRENCY_TRANSACTION',
      { source: 'admin_api', adjustments: [{ amount: -5, currency: { code: 'GLD' } }] },
      '−5 GLD, adjusted manually',
      'other',
    ],
    [
      'VIRTUAL_CURRENCY_TRANSACTION',
      { source: 'in_app_purchase', adjustments: [{ amount: 10, currency: { code: 'GLD' } }] },
      '+10 GLD with pro',
      'other',
    ],
  ])('%s %j', (type, body, sentence, kind) => {
    expect(say(type, body)).toMatchObject({ sentence, kind });
  });

  it('has money only if some moved', () => {
    expect(say('RENEWAL', { price_in_purchased_currency: 9.99, currency: 'EUR' }).money).toEqual({
      amount: 9.99,
      currency: 'EUR',
    });
    expect(say('EXPIRATION', { price_in_purchased_currency: 0, currency: 'EUR' }).money).toBeNull();
    expect(say('RENEWAL', { price_in_purchased_currency: 9.99, currency: null }).money).toBeNull();
  });

  it('survives bodies of any shape, and types it does not know', () => {
    const odd = {
      product_id: 7,
      transferred_from: 'x',
      adjustments: [{}, 3, null],
      cancel_reason: {},
      items: null,
    };
    for (const type of [...eventTypes(), 'constructor', '__proto__', 'NEWER_TYPE']) {
      expect(typeof describeEvent(type, odd, day).sentence).toBe('string');
    }
    expect(say('NEWER_TYPE').sentence).toBe('NEWER_TYPE');
  });
});
