import type { SourcePurchase, SourceSubscription } from '../source/source.model.js';
import { buildCustomer, type ItemContext } from './build-customer.js';
import type { CustomerDetails } from './customer-details.js';

const context: ItemContext = {
  apps: { srcios: 'appios', srcplay: 'appplay' },
  products: new Map(
    [
      { id: 'p1', store_identifier: 'monthly', type: 'subscription', app_id: 'srcios' },
      { id: 'p2', store_identifier: 'premium:monthly', type: 'subscription', app_id: 'srcplay' },
      { id: 'p3', store_identifier: 'lost', type: 'subscription', app_id: 'notcreated' },
      { id: 'p4', store_identifier: 'coins', type: 'consumable', app_id: 'srcios' },
    ].map((product) => [product.id, product]),
  ),
  appOfStore: (store) => (store === 'app_store' ? 'appios' : undefined),
  offeringKey: (id) => (id === 'ofrng1' ? 'default' : (id ?? undefined)),
  environment: 'both',
};

const subscription: SourceSubscription = {
  id: 'sub1',
  customer_id: 'ada',
  original_customer_id: 'ada',
  product_id: 'p1',
  starts_at: 1,
  current_period_starts_at: 2,
  current_period_ends_at: 3,
  ends_at: null,
  gives_access: true,
  auto_renewal_status: 'has_already_renewed',
  status: 'active',
  presented_offering_id: 'ofrng1',
  environment: 'production',
  store: 'app_store',
  store_subscription_identifier: '222',
  ownership: 'purchased',
  country: null,
};

const purchase: SourcePurchase = {
  id: 'purch1',
  customer_id: 'ada',
  original_customer_id: 'bob',
  product_id: 'p4',
  purchased_at: 5,
  quantity: 2,
  status: 'owned',
  environment: 'sandbox',
  store: 'app_store',
  store_purchase_identifier: '333',
};

const details: CustomerDetails = {
  customer: { id: 'ada', first_seen_at: 10, last_seen_at: null },
  aliases: [{ id: 'ada' }, { id: '$RCAnonymousID:1' }],
  attributes: [{ name: 'level', value: null, updated_at: 7 }],
  subscriptions: [],
  purchases: [],
  transactions: new Map(),
  tokens: new Map(),
  balances: [],
  subscriber: null,
};

function build(more: Partial<CustomerDetails>, change: Partial<ItemContext> = {}) {
  return buildCustomer({ ...details, ...more }, { ...context, ...change });
}

describe('an import item', () => {
  it('says what the source says, in ids of the target, and leaves out what it does not know', () => {
    const transactions = new Map([
      [
        'sub1',
        [
          { id: '111', purchased_at: 1, expiration_date: 2, product_store_identifier: 'monthly' },
          {
            id: '222',
            purchased_at: 2,
            expiration_date: 3,
            product_store_identifier: 'monthly',
            revenue_in_local_currency: { gross: 9.99, currency: 'EUR' },
          },
        ],
      ],
    ]);
    const { item, skipped, mentioned } = build({
      subscriptions: [subscription],
      purchases: [purchase],
      transactions,
    });
    expect(item).toEqual({
      id: 'ada',
      aliases: ['ada', '$RCAnonymousID:1'],
      first_seen_at: 10,
      attributes: [{ name: 'level', value: null, updated_at: 7 }],
      subscriptions: [
        {
          app_id: 'appios',
          store: 'app_store',
          product_identifier: 'monthly',
          environment: 'production',
          starts_at: 1,
          current_period_starts_at: 2,
          current_period_ends_at: 3,
          status: 'active',
          auto_renewal_status: 'has_already_renewed',
          store_subscription_identifier: '222',
          gives_access: true,
          ownership: 'purchased',
          presented_offering_id: 'default',
          original_customer_id: 'ada',
          price: { amount: 9.99, currency: 'EUR' },
          transactions: [
            { id: '111', purchased_at: 1, expires_at: 2, product_identifier: 'monthly' },
            {
              id: '222',
              purchased_at: 2,
              expires_at: 3,
              product_identifier: 'monthly',
              price: { amount: 9.99, currency: 'EUR' },
            },
          ],
        },
      ],
      purchases: [
        {
          app_id: 'appios',
          store: 'app_store',
          product_identifier: 'coins',
          purchased_at: 5,
          store_purchase_identifier: '333',
          status: 'owned',
          environment: 'sandbox',
          quantity: 2,
          type: 'consumable',
        },
      ],
    });
    expect([skipped, mentioned]).toEqual([[], ['bob']]);
  });

  it('names the product by its transactions where the catalog of the source has lost it', () => {
    const lost = { ...subscription, product_id: null };
    expect(build({ subscriptions: [lost] }).skipped).toEqual([
      { kind: 'subscription', id: 'sub1', reason: 'the source does not know its product' },
    ]);
    const transactions = new Map([['sub1', [{ id: '1', purchased_at: 1, product_store_identifier: 'old' }]]]);
    expect(build({ subscriptions: [lost], transactions }).item.subscriptions).toMatchObject([
      { product_identifier: 'old', app_id: 'appios' },
    ]);
    const ofAnotherApp = { ...subscription, product_id: 'p3' };
    expect(build({ subscriptions: [ofAnotherApp] }).skipped).toMatchObject([
      { reason: 'its app was not created' },
    ]);
  });

  it('carries grants without an app, tokens, balances, and one environment if asked for', () => {
    const grant = {
      ...subscription,
      product_id: null,
      store: 'promotional',
      entitlements: { items: [{ id: 'e1', lookup_key: 'pro' }] },
    };
    const play = { ...subscription, id: 'sub2', product_id: 'p2', store: 'play_store' };
    const { item } = build({
      subscriptions: [grant, play],
      tokens: new Map([['sub2', 'token']]),
      balances: [{ currency_code: 'GLD', balance: 5 }],
    });
    expect(item.subscriptions?.[0]).toMatchObject({ store: 'promotional', entitlement_lookup_keys: ['pro'] });
    expect(item.subscriptions?.[0]).not.toHaveProperty('app_id');
    expect(item.subscriptions?.[1]).toMatchObject({ app_id: 'appplay', purchase_token: 'token' });
    expect(item.virtual_currencies).toEqual({ GLD: 5 });
    const production = build(
      { subscriptions: [subscription], purchases: [purchase] },
      { environment: 'production' },
    );
    expect([production.item.subscriptions?.length, production.item.purchases]).toEqual([1, []]);
  });

  it('takes refunds and dates from v1, for the subscription that v1 means', () => {
    const row = {
      store_transaction_id: 222,
      period_type: 'TRIAL',
      price: { amount: 0, currency: 'USD' },
      refunded_at: '2026-01-02T00:00:00Z',
      billing_issues_detected_at: null,
    };
    const subscriber = {
      original_application_version: '1.0',
      original_purchase_date: '2025-01-01T00:00:00Z',
      subscriptions: { monthly: row },
    };
    const { item } = build({ subscriptions: [subscription], subscriber });
    expect(item).toMatchObject({
      original_application_version: '1.0',
      original_purchase_date: Date.UTC(2025, 0, 1),
      subscriptions: [
        { period_type: 'trial', price: { amount: 0, currency: 'USD' }, refunded_at: Date.UTC(2026, 0, 2) },
      ],
    });
    const earlier = { ...subscription, store_subscription_identifier: '111' };
    expect(build({ subscriptions: [earlier], subscriber }).item.subscriptions?.[0]).not.toHaveProperty(
      'refunded_at',
    );
    const play = {
      ...subscription,
      product_id: 'p2',
      store: 'play_store',
      store_subscription_identifier: 'GPA.1..3',
    };
    const rows = (plan: string) => ({
      subscriptions: { premium: { ...row, store_transaction_id: 'GPA.1..2', product_plan_identifier: plan } },
    });
    const refunded = (plan: string) =>
      build({ subscriptions: [play], subscriber: rows(plan) }).item.subscriptions?.[0]?.refunded_at;
    expect([refunded('monthly'), refunded('yearly')]).toEqual([Date.UTC(2026, 0, 2), undefined]);
  });

  describe('with effective ends', () => {
    const DAY = 86_400_000;
    const expired = {
      ...subscription,
      starts_at: 10 * DAY,
      current_period_starts_at: 10 * DAY,
      current_period_ends_at: 12 * DAY,
      status: 'expired',
    };
    const paid = { id: '222', purchased_at: 10 * DAY, expiration_date: 40 * DAY };
    const built = (effective: number, more: Partial<CustomerDetails> = {}, one = expired) => {
      const transactions = new Map([['sub1', [{ ...paid, effective_expiration_date: effective }]]]);
      return build({ subscriptions: [one], transactions, ...more }).item.subscriptions?.[0];
    };

    it('names a refund where access ended before the paid end', () => {
      expect(built(12 * DAY)?.transactions?.[0]).toMatchObject({
        expires_at: 40 * DAY,
        refunded_at: 12 * DAY,
      });
      expect(built(10 * DAY + 60_000)?.transactions?.[0]).toHaveProperty('refunded_at');
      expect(built(40 * DAY - 60_000)?.transactions?.[0]).not.toHaveProperty('refunded_at');
      const active = { ...expired, status: 'active' };
      expect(built(12 * DAY, {}, active)?.transactions?.[0]).not.toHaveProperty('refunded_at');
    });

    it('names none where the customer changed the product then', () => {
      const next = { ...expired, id: 'sub2', starts_at: 12 * DAY + 60_000 };
      const changed = built(12 * DAY, { subscriptions: [expired, next] });
      expect(changed?.transactions?.[0]).not.toHaveProperty('refunded_at');
    });

    it('prefers the refund that v1 names, and passes on that v1 names none', () => {
      const v1 = (refunded_at: string | null) => ({
        subscriptions: { monthly: { store_transaction_id: '222', price: null, refunded_at } },
      });
      const reported = built(12 * DAY, { subscriber: v1('1970-01-12T00:00:00Z') });
      expect(reported).toMatchObject({ refunded_at: 11 * DAY });
      expect(reported?.transactions?.[0]).not.toHaveProperty('refunded_at');
      expect(built(40 * DAY, { subscriber: v1(null) })).toMatchObject({ refunded_at: null });
    });

    it('names grace where access ends later', () => {
      const grace = built(43 * DAY, {}, { ...expired, status: 'in_grace_period' });
      expect(grace).toMatchObject({ grace_period_expires_at: 43 * DAY });
      expect(grace?.transactions?.[0]).not.toHaveProperty('refunded_at');
    });
  });

  it('names the end of a subscription only where it is later than that of its period', () => {
    const ends = (ends_at: number) =>
      build({ subscriptions: [{ ...subscription, ends_at }] }).item.subscriptions?.[0]?.ends_at;
    expect([ends(2), ends(3), ends(4)]).toEqual([undefined, undefined, 4]);
  });

  it('keeps the price of v2 where v1 has none', () => {
    const revenue = { revenue_in_local_currency: { gross: 9.99, currency: 'EUR' } };
    const transactions = new Map([['sub1', [{ id: '222', purchased_at: 2, ...revenue }]]]);
    const row = { store_transaction_id: '222', price: null };
    const { item } = build({
      subscriptions: [subscription],
      transactions,
      subscriber: { subscriptions: { monthly: row } },
    });
    expect(item.subscriptions?.[0]?.price).toEqual({ amount: 9.99, currency: 'EUR' });
  });
});
