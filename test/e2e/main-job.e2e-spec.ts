import { once } from 'node:events';
import { verifyWebhook } from '../../libs/signing/index.js';
import { LastSeenRecorder } from '../../src/customers/customers/last-seen/last-seen.recorder.js';
import { DeliveryDispatcherService } from '../../src/webhooks/deliveries/delivery-dispatcher.service.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import { startTestServer, TEST_START_MS, type TestServer } from '../support/test-server.js';
import { startReceiver } from '../support/webhook-receiver.js';

const DAY_MS = 86_400_000;

/** 2 February 2026, one calendar month after the clock of the tests. */
const MONTH_LATER_MS = Date.UTC(2026, 1, 2, 3, 4, 5, 678);

describe('the main job', () => {
  let server: TestServer;
  let store: TestStore;

  beforeAll(async () => {
    server = await startTestServer({ env: { SERVICE_ALLOW_SIGNUP: 'true' } });
    store = await createTestStore(server);
  });

  afterAll(() => server.close());

  let purchases = 0;
  const token = (atMs = server.clock.nowMs()): string => `test_${atMs}_purchase-${++purchases}`;
  const buy = (appUserId: string, productId: string, more: object = {}) =>
    store.sdk.post('/v1/receipts', {
      app_user_id: appUserId,
      fetch_token: token(),
      product_id: productId,
      ...more,
    });
  const customer = (appUserId: string, suffix = '') =>
    store.backend.get(`${store.path}/customers/${encodeURIComponent(appUserId)}${suffix}`);
  const eventTypes = async (appUserId: string): Promise<string[]> =>
    (await customer(appUserId, '/events')).body.items.map(({ type }: { type: string }) => type);

  describe('customer info', () => {
    it('answers HEAD like GET, and leaves no trace of it', async () => {
      const head = async (id: string): Promise<Response> => {
        const answer = await fetch(`${server.baseUrl}/v1/subscribers/${id}`, {
          method: 'HEAD',
          headers: { authorization: `Bearer ${store.publicKey}`, 'x-platform': 'iOS' },
        });
        expect(await answer.text()).toBe('');
        return answer;
      };
      const [unknown, again] = [await head('head-only'), await head('head-only')];
      expect([unknown.status, again.status]).toEqual([201, 201]);
      expect((await customer('head-only')).status).toBe(404);
      const first = await store.sdk.get('/v1/subscribers/head-only');
      expect(first.status).toBe(201);
      expect(unknown.headers.get('content-length')).toBe(first.headers['content-length']);
      server.clock.advanceMs(DAY_MS);
      const known = await head('head-only');
      expect([known.status, known.headers.get('x-revenuecat-etag')]).toEqual([
        200,
        first.headers['x-revenuecat-etag'],
      ]);
      await server.app.get(LastSeenRecorder).flush();
      expect((await customer('head-only')).body.last_seen_at).toBe(server.clock.nowMs() - DAY_MS);
      server.clock.setMs(TEST_START_MS);
    });

    it('creates the customer on first sight and answers exactly the documented keys', async () => {
      const first = await store.sdk.get('/v1/subscribers/newcomer');
      expect(first.status).toBe(201);
      expect(first.body).toEqual({
        request_date: '2026-01-02T03:04:05Z',
        request_date_ms: TEST_START_MS,
        subscriber: {
          entitlements: {},
          first_seen: '2026-01-02T03:04:05Z',
          last_seen: '2026-01-02T03:04:05Z',
          management_url: null,
          non_subscriptions: {},
          original_app_user_id: 'newcomer',
          original_application_version: null,
          original_purchase_date: null,
          other_purchases: {},
          subscriptions: {},
        },
      });
      const second = await store.sdk.get('/v1/subscribers/newcomer');
      expect([second.status, second.body]).toEqual([200, first.body]);
      expect(second.headers['x-revenuecat-request-time']).toBe(String(TEST_START_MS));
      expect(second.headers['cache-control']).toBe('no-store');
      expect(second.headers.etag).toBeUndefined();
    });

    it('creates one customer for many first calls at once', async () => {
      const answers = await Promise.all(
        Array.from({ length: 12 }, () => store.sdk.get('/v1/subscribers/many-at-once')),
      );
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(11);
    });

    it('answers 304 with the tag and the time, without a body, when the SDK holds the answer', async () => {
      const first = await store.sdk.get('/v1/subscribers/etag');
      const tag = first.headers['x-revenuecat-etag'] ?? '';
      expect(tag).toMatch(/^[0-9a-f]{16}$/);
      const again = await store.sdk.get('/v1/subscribers/etag', { 'x-revenuecat-etag': tag });
      expect([again.status, again.text]).toEqual([304, '']);
      expect(again.headers).toMatchObject({
        'x-revenuecat-etag': tag,
        'x-revenuecat-request-time': String(server.clock.nowMs()),
      });
      expect((await store.sdk.get('/v1/subscribers/etag', { 'x-revenuecat-etag': '' })).status).toBe(200);
      await buy('etag', 'pro_monthly');
      const changed = await store.sdk.get('/v1/subscribers/etag', { 'x-revenuecat-etag': tag });
      expect(changed.status).toBe(200);
      expect(changed.headers['x-revenuecat-etag']).not.toBe(tag);
    });

    it('finds the same customer under every spelling of an anonymous id', async () => {
      const id = `$RCAnonymousID:${'ab'.repeat(16)}`;
      const spellings = [`$RCAnonymousID%3A${'ab'.repeat(16)}`, `%24RCAnonymousID%3A${'ab'.repeat(16)}`, id];
      const answers = [];
      for (const spelling of spellings) answers.push(await store.sdk.get(`/v1/subscribers/${spelling}`));
      expect(answers.map(({ status }) => status)).toEqual([201, 200, 200]);
      expect(new Set(answers.map(({ body }) => body.subscriber.original_app_user_id))).toEqual(new Set([id]));
    });

    it.each([
      ['a'.repeat(100)],
      ['😀'.repeat(100)],
      ['user@example.com'],
      ['with space'],
      ['%'],
      ['ünïcödé'],
      ['..'.concat('x')],
    ])('takes the id %j', async (id) => {
      const answer = await store.sdk.get(`/v1/subscribers/${encodeURIComponent(id)}`);
      expect([answer.status, answer.body.subscriber.original_app_user_id]).toEqual([201, id]);
    });

    it.each([
      ['a'.repeat(101)],
      ['😀'.repeat(101)],
      ['a/b'],
      ['   '],
      ['\0'],
      ['a\0b'],
      ['no_user'],
      ['null'],
      ['none'],
      ['nil'],
      ['(null)'],
      ['NaN'],
      ['unidentified'],
      ['undefined'],
      ['unknown'],
      ['anonymous'],
      ['guest'],
      ['-1'],
      ['0'],
      ['[]'],
      ['{}'],
      ['[object Object]'],
      ['\\x00'],
    ])('refuses the id %j with code 7220 on every call', async (id) => {
      const path = `/v1/subscribers/${encodeURIComponent(id)}`;
      const calls = [
        await store.sdk.get(path),
        await store.sdk.get(`${path}/offerings`),
        await store.sdk.get(`${path}/virtual_currencies`),
        await store.sdk.post('/v1/receipts', {
          app_user_id: id,
          fetch_token: token(),
          product_id: 'pro_monthly',
        }),
        await store.sdk.post('/v1/subscribers/identify', { app_user_id: 'someone', new_app_user_id: id }),
      ];
      expect(calls.map(({ status, body }) => [status, body.code])).toEqual(calls.map(() => [400, 7220]));
    });

    it('answers malformed percent-encoding with 400, not 500', async () => {
      const answer = await fetch(`${server.baseUrl}/v1/subscribers/%E0%A4%A`, {
        headers: { authorization: `Bearer ${store.publicKey}` },
      });
      expect([answer.status, ((await answer.json()) as { code: number }).code]).toEqual([400, 7226]);
    });

    it('asks for a known key, with or without the word Bearer', async () => {
      const bare = await server.http.get('/v1/subscribers/keys', { authorization: store.publicKey });
      expect(bare.status).toBe(201);
      for (const authorization of [
        '',
        'Bearer test_unknown',
        'Bearer',
        'Basic abc',
        `Bearer ${'x'.repeat(5000)}`,
      ]) {
        const answer = await server.http.get('/v1/subscribers/keys', authorization ? { authorization } : {});
        expect([answer.status, answer.body.code]).toEqual([401, 7225]);
        expect(answer.headers['access-control-allow-origin']).toBe('*');
      }
    });
  });

  describe('offerings and products', () => {
    it('lists the current offering with the packages of the app, in order', async () => {
      const answer = await store.sdk.get('/v1/subscribers/shopper/offerings');
      expect(answer.body).toEqual({
        current_offering_id: 'default',
        placements: { fallback_offering_id: 'default', offering_ids_by_placement: {} },
        offerings: [
          {
            identifier: 'default',
            description: 'The default',
            metadata: null,
            packages: [
              { identifier: '$rc_monthly', platform_product_identifier: 'pro_monthly' },
              { identifier: '$rc_annual', platform_product_identifier: 'pro_yearly' },
            ],
          },
        ],
      });
      const tag = answer.headers['x-revenuecat-etag'] ?? '';
      const again = await store.sdk.get('/v1/subscribers/shopper/offerings', { 'x-revenuecat-etag': tag });
      expect([again.status, again.text]).toEqual([304, '']);
    });

    it('describes products with prices and periods, and knows only the products of the app', async () => {
      const path = '/rcbilling/v1/subscribers/shopper/products';
      const answer = await store.sdk.get(`${path}?id=pro_monthly&id=coins_100&id=unknown&currency=USD`);
      expect(answer.body.product_details).toEqual([
        {
          identifier: 'pro_monthly',
          product_type: 'subscription',
          title: 'Name of pro_monthly',
          description: null,
          default_purchase_option_id: 'base_option',
          purchase_options: {
            base_option: {
              id: 'base_option',
              price_id: 'prc_pro_monthly',
              base: {
                period_duration: 'P1M',
                cycle_count: 1,
                price: { amount_micros: 9_990_000, currency: 'USD' },
              },
              trial: null,
              intro_price: null,
              discount: null,
              base_price: null,
            },
          },
        },
        {
          identifier: 'coins_100',
          product_type: 'consumable',
          title: 'Name of coins_100',
          description: null,
          default_purchase_option_id: 'base_option',
          purchase_options: {
            base_option: {
              id: 'base_option',
              price_id: 'prc_coins_100',
              base_price: { amount_micros: 990_000, currency: 'USD' },
              discount: null,
            },
          },
        },
      ]);
      expect((await store.sdk.get(`${path}?id=`)).body).toEqual({ product_details: [] });
      expect((await store.sdk.get(path)).body).toEqual({ product_details: [] });
    });

    it('shows a catalog change at once', async () => {
      const before = await store.sdk.get('/v1/subscribers/shopper/offerings');
      server.clock.advanceMs(1);
      const made = await store.backend.post(`${store.path}/offerings`, {
        lookup_key: 'second',
        display_name: 'Second',
        metadata: { colour: 'blue' },
      });
      expect(made.body.is_current).toBe(false);
      const tag = before.headers['x-revenuecat-etag'] ?? '';
      const after = await store.sdk.get('/v1/subscribers/shopper/offerings', { 'x-revenuecat-etag': tag });
      expect(after.status).toBe(200);
      expect(after.body.current_offering_id).toBe('default');
      server.clock.advanceMs(-1);
      expect(after.body.offerings[1]).toEqual({
        identifier: 'second',
        description: 'Second',
        metadata: { colour: 'blue' },
        packages: [],
      });
    });
  });

  describe('a subscription', () => {
    it('saves it, gives access, and returns it to the backend', async () => {
      const answer = await buy('subscriber', 'pro_monthly', {
        presented_offering_identifier: 'default',
        currency: 'USD',
      });
      expect(answer.status).toBe(200);
      expect(answer.headers['x-revenuecat-etag']).toBeUndefined();
      expect(answer.body.purchased_products).toEqual({ pro_monthly: { should_consume: false } });
      const { entitlements, subscriptions } = answer.body.subscriber;
      expect(entitlements).toEqual({
        pro: {
          expires_date: '2026-02-02T03:04:05Z',
          grace_period_expires_date: null,
          product_identifier: 'pro_monthly',
          purchase_date: '2026-01-02T03:04:05Z',
        },
      });
      expect(subscriptions).toEqual({
        pro_monthly: {
          auto_resume_date: null,
          billing_issues_detected_at: null,
          display_name: 'Name of pro_monthly',
          expires_date: '2026-02-02T03:04:05Z',
          grace_period_expires_date: null,
          is_sandbox: true,
          management_url: null,
          original_purchase_date: '2026-01-02T03:04:05Z',
          ownership_type: 'PURCHASED',
          period_type: 'normal',
          price: { amount: 9.99, currency: 'USD' },
          purchase_date: '2026-01-02T03:04:05Z',
          refunded_at: null,
          store: 'test_store',
          store_transaction_id: `test_${TEST_START_MS}_purchase-${purchases}`,
          unsubscribe_detected_at: null,
        },
      });
      const info = await store.sdk.get('/v1/subscribers/subscriber');
      expect(info.body.subscriber).toEqual(answer.body.subscriber);
    });

    it('shows in REST v2 as customer, active entitlement, subscription and event', async () => {
      const { body } = await customer('subscriber');
      expect(body).toMatchObject({
        object: 'customer',
        id: 'subscriber',
        project_id: store.projectId,
        first_seen_at: TEST_START_MS,
        last_seen_at: TEST_START_MS,
        experiment: null,
        test_clock_id: null,
      });
      const active = {
        object: 'customer.active_entitlement',
        entitlement_id: store.entitlements.pro.id,
        expires_at: MONTH_LATER_MS,
      };
      expect(body.active_entitlements.items).toEqual([active]);
      expect((await customer('subscriber', '/active_entitlements')).body.items).toEqual([active]);
      expect((await customer('subscriber', '/purchases')).body.items).toEqual([]);
      const subscriptions = (await customer('subscriber', '/subscriptions')).body.items;
      expect(subscriptions).toEqual([
        {
          object: 'subscription',
          id: expect.stringMatching(/^sub_[0-9a-z]{16}$/),
          customer_id: 'subscriber',
          original_customer_id: 'subscriber',
          product_id: store.products.monthly.id,
          starts_at: TEST_START_MS,
          current_period_starts_at: TEST_START_MS,
          current_period_ends_at: MONTH_LATER_MS,
          ends_at: MONTH_LATER_MS,
          gives_access: true,
          pending_payment: false,
          auto_renewal_status: 'will_renew',
          status: 'active',
          total_revenue_in_usd: { currency: 'USD', gross: 9.99, commission: 0, tax: 0, proceeds: 9.99 },
          presented_offering_id: store.offering.id,
          presented_placement_id: null,
          applied_targeting_rule: null,
          entitlements: expect.objectContaining({ object: 'list' }),
          environment: 'sandbox',
          store: 'test_store',
          store_subscription_identifier: expect.stringMatching(/^test_\d+_purchase-\d+$/),
          ownership: 'purchased',
          seats: null,
          bundle: null,
          country: null,
          management_url: null,
        },
      ]);
      expect(subscriptions[0].entitlements.items[0].lookup_key).toBe('pro');
      const [event] = (await customer('subscriber', '/events')).body.items;
      expect(event).toMatchObject({
        object: 'customer.event',
        type: 'INITIAL_PURCHASE',
        app_id: store.appId,
      });
      expect(event.body.id).toBe(event.id);
    });

    it('ends with its period: the entitlement stays listed and is no longer active', async () => {
      await buy('lapsing', 'pro_monthly');
      const nowMs = server.clock.nowMs();
      server.clock.setMs(MONTH_LATER_MS - 1);
      expect((await customer('lapsing', '/active_entitlements')).body.items).toHaveLength(1);
      server.clock.setMs(MONTH_LATER_MS);
      expect((await customer('lapsing', '/active_entitlements')).body.items).toEqual([]);
      const [subscription] = (await customer('lapsing', '/subscriptions')).body.items;
      expect(subscription).toMatchObject({ status: 'expired', gives_access: false });
      const info = await store.sdk.get('/v1/subscribers/lapsing');
      expect(info.body.subscriber.entitlements.pro.expires_date).toBe('2026-02-02T03:04:05Z');
      server.clock.setMs(nowMs);
    });

    it('stays the same purchase when posted again, even many times at once, without a second event', async () => {
      const receipt = { app_user_id: 'repeater', fetch_token: token(), product_id: 'pro_monthly' };
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => store.sdk.post('/v1/receipts', receipt)),
      );
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      const changed = await store.sdk.post('/v1/receipts', {
        ...receipt,
        price: 1,
        currency: 'EUR',
        product_id: 'pro_yearly',
        presented_offering_identifier: 'other',
      });
      expect(changed.body.subscriber).toEqual(answers[0]?.body.subscriber);
      expect((await customer('repeater', '/subscriptions')).body.items).toHaveLength(1);
      expect(await eventTypes('repeater')).toEqual(['INITIAL_PURCHASE']);
    });

    it('records a subscription that was over before it was posted as lapsed', async () => {
      const answer = await store.sdk.post('/v1/receipts', {
        app_user_id: 'late',
        fetch_token: token(TEST_START_MS - 60 * DAY_MS),
        product_id: 'pro_monthly',
      });
      expect(answer.body.subscriber.entitlements.pro.expires_date).toBe('2025-12-03T03:04:05Z');
      expect((await customer('late', '/active_entitlements')).body.items).toEqual([]);
      expect((await eventTypes('late')).sort()).toEqual(['CANCELLATION', 'EXPIRATION', 'INITIAL_PURCHASE']);
    });

    it('starts with the trial of the product, once for each customer', async () => {
      await store.backend.post(`${store.path}/products`, {
        store_identifier: 'trial_monthly',
        app_id: store.appId,
        type: 'subscription',
        subscription: { duration: 'P1M', trial_duration: 'P1W' },
        test_store_price: { amount_micros: 4_990_000, currency: 'USD' },
      });
      const first = await buy('tryer', 'trial_monthly');
      expect(first.body.subscriber.subscriptions.trial_monthly).toMatchObject({
        period_type: 'trial',
        price: { amount: 0, currency: 'USD' },
        expires_date: '2026-01-09T03:04:05Z',
      });
      const [event] = (await customer('tryer', '/events')).body.items;
      expect(event.body).toMatchObject({ period_type: 'TRIAL', price: 0, price_in_purchased_currency: 0 });
      const second = await buy('tryer', 'trial_monthly');
      expect(second.body.subscriber.subscriptions.trial_monthly).toMatchObject({
        period_type: 'normal',
        expires_date: '2026-02-02T03:04:05Z',
      });
    });
  });

  describe('one-time purchases', () => {
    it('consumables are listed, must be consumed, and can be bought again', async () => {
      const first = await buy('gamer', 'coins_100');
      expect(first.body.purchased_products).toEqual({ coins_100: { should_consume: true } });
      server.clock.advanceMs(1);
      const second = await buy('gamer', 'coins_100');
      server.clock.advanceMs(-1);
      const items = second.body.subscriber.non_subscriptions.coins_100;
      expect(items).toHaveLength(2);
      expect(items[0]).toEqual({
        display_name: 'Name of coins_100',
        id: expect.any(String),
        is_sandbox: true,
        original_purchase_date: '2026-01-02T03:04:05Z',
        price: { amount: 0.99, currency: 'USD' },
        purchase_date: '2026-01-02T03:04:05Z',
        store: 'test_store',
        store_transaction_id: `test_${TEST_START_MS}_purchase-${purchases - 1}`,
      });
      expect(second.body.subscriber.entitlements).toEqual({});
      const purchased = (await customer('gamer', '/purchases')).body.items;
      expect(purchased[0]).toMatchObject({
        object: 'purchase',
        customer_id: 'gamer',
        product_id: store.products.coins.id,
        purchased_at: TEST_START_MS + 1,
        revenue_in_usd: { currency: 'USD', gross: 0.99, commission: 0, tax: 0, proceeds: 0.99 },
        quantity: 1,
        status: 'owned',
        environment: 'sandbox',
        store: 'test_store',
        ownership: 'purchased',
      });
      expect(await eventTypes('gamer')).toEqual(['NON_RENEWING_PURCHASE', 'NON_RENEWING_PURCHASE']);
    });

    it('non-consumables unlock their entitlement for ever', async () => {
      const answer = await buy('owner', 'pro_lifetime');
      expect(answer.body.purchased_products).toEqual({ pro_lifetime: { should_consume: false } });
      expect(answer.body.subscriber.entitlements.pro).toEqual({
        expires_date: null,
        grace_period_expires_date: null,
        product_identifier: 'pro_lifetime',
        purchase_date: '2026-01-02T03:04:05Z',
      });
      expect((await customer('owner', '/active_entitlements')).body.items[0].expires_at).toBeNull();
    });

    it('stores a product that is not in the catalog, which unlocks nothing', async () => {
      const answer = await buy('early', 'not_yet_there');
      expect(answer.status).toBe(200);
      expect(answer.body.subscriber.entitlements).toEqual({});
      const [purchase] = (await customer('early', '/purchases')).body.items;
      expect(purchase).toMatchObject({ product_id: null, revenue_in_usd: { gross: 0 } });
      expect(answer.body.subscriber.non_subscriptions.not_yet_there[0].price).toBeNull();
    });
  });

  describe('receipts as the SDKs send them', () => {
    it('accepts iOS bodies: price as text, unknown keys', async () => {
      const answer = await buy('ios', 'pro_monthly', {
        payload_version: 1,
        price: '12.34',
        currency: 'EUR',
        transaction_id: 'x',
        initiation_source: 'purchase',
        is_restore: false,
        normal_duration: 'P1M',
        something_new: { a: [1] },
      });
      expect(answer.body.subscriber.subscriptions.pro_monthly.price).toEqual({
        amount: 12.34,
        currency: 'EUR',
      });
      const [event] = (await customer('ios', '/events')).body.items;
      expect(event.body.price_in_purchased_currency).toBe(12.34);
      expect(event.body.price).toBeGreaterThan(12);
      expect(event.body.price).toBeLessThan(17);
    });

    it('accepts Android bodies: product_ids instead of product_id, nulls for what is absent', async () => {
      const answer = await store.sdk.post('/v1/receipts', {
        app_user_id: 'android',
        fetch_token: token(),
        product_ids: ['coins_100'],
        platform_product_ids: null,
        price: null,
        currency: null,
        store_user_id: null,
        presented_offering_identifier: null,
      });
      expect(answer.body.purchased_products).toEqual({ coins_100: { should_consume: true } });
    });

    it('accepts Android products that are only named beside their plans', async () => {
      const answer = await store.sdk.post('/v1/receipts', {
        app_user_id: 'plans',
        fetch_token: token(),
        platform_product_ids: [{ product_id: 'coins_100', base_plan_id: null }, 'odd', {}],
      });
      expect(answer.body.purchased_products).toEqual({ coins_100: { should_consume: true } });
    });

    it('records nothing for an app transaction without a purchase', async () => {
      const answer = await store.sdk.post('/v1/receipts', { app_user_id: 'sync', app_transaction: 'a.b.c' });
      expect([answer.status, answer.body.purchased_products]).toEqual([200, {}]);
      expect((await customer('sync', '/events')).body.items).toEqual([]);
    });

    it('needs X-Platform with a secret key to find the app', async () => {
      const body = { app_user_id: 'server-side', fetch_token: token(), product_id: 'pro_monthly' };
      const without = await store.backend.post('/v1/receipts', body);
      expect([without.status, without.body.code]).toEqual([400, 7000]);
      const other = await store.backend.post('/v1/receipts', body, { 'x-platform': 'ios' });
      expect([other.status, other.body.code]).toEqual([400, 7000]);
      expect((await store.backend.post('/v1/receipts', body, { 'x-platform': 'test' })).status).toBe(200);
    });

    it.each([
      ['garbage', 'garbage', 7103],
      ['a signed transaction of another store', 'eyJhbGciOiJFUzI1NiJ9.e30.c2ln', 7103],
      ['a token without a time', 'test__id', 7103],
      ['a token without an id', `test_${TEST_START_MS}_`, 7103],
      ['a token of the day after tomorrow', `test_${TEST_START_MS + 2 * DAY_MS}_id`, 7103],
      ['a token with a NUL', `test_${TEST_START_MS}_\0`, 7226],
      ['a number', 5, 7226],
      ['nothing', undefined, 7226],
    ])('%s is refused for ever and saves nothing', async (_, fetchToken, code) => {
      const answer = await store.sdk.post('/v1/receipts', {
        app_user_id: 'nobody-bought',
        fetch_token: fetchToken,
        product_id: 'pro_monthly',
      });
      expect([answer.status, answer.body.code]).toEqual([400, code]);
      expect((await customer('nobody-bought')).status).toBe(404);
    });

    it('counts a slightly fast device clock as now', async () => {
      const answer = await store.sdk.post('/v1/receipts', {
        app_user_id: 'fast-clock',
        fetch_token: token(server.clock.nowMs() + 3_600_000),
        product_id: 'pro_monthly',
      });
      expect(answer.body.subscriber.subscriptions.pro_monthly.purchase_date).toBe('2026-01-02T03:04:05Z');
    });

    it.each([
      ['no product', { product_id: undefined }, 7226],
      ['a product that is no text', { product_id: 5 }, 7226],
      ['no customer', { app_user_id: undefined }, 7220],
    ])('%s is a 400', async (_, change, code) => {
      const answer = await buy('careless', 'pro_monthly', change);
      expect([answer.status, answer.body.code]).toEqual([400, code]);
    });

    it('answers 400 in the SDK format for bodies that are no JSON objects, and accepts large ones', async () => {
      const headers = { 'content-type': 'application/json' };
      for (const body of ['{"a":', '[]', '"text"', 'null', '']) {
        const answer = await store.sdk.send('POST', '/v1/receipts', body, headers);
        expect([answer.status, answer.body.code]).toEqual([400, 7226]);
      }
      const large = await buy('large', 'pro_monthly', { ignored: 'x'.repeat(9 * 1024 * 1024) });
      expect(large.status).toBe(200);
    });
  });

  describe('whose purchase it is', () => {
    const anonymous = (letter: string): string => `$RCAnonymousID:${letter.repeat(32)}`;
    const restore = (appUserId: string, fetchToken: string, isRestore = true) =>
      store.sdk.post('/v1/receipts', {
        app_user_id: appUserId,
        fetch_token: fetchToken,
        product_id: 'pro_monthly',
        is_restore: isRestore,
      });
    const settings = (body: object) => store.backend.post(store.path, body);

    it('moves to another identified customer with one TRANSFER event in both histories', async () => {
      const fetchToken = token();
      await restore('giver', fetchToken, false);
      server.clock.advanceMs(1);
      const answer = await restore('taker', fetchToken);
      expect(Object.keys(answer.body.subscriber.entitlements)).toEqual(['pro']);
      expect((await store.sdk.get('/v1/subscribers/giver')).body.subscriber.entitlements).toEqual({});
      const [subscription] = (await customer('taker', '/subscriptions')).body.items;
      expect(subscription).toMatchObject({ customer_id: 'taker', original_customer_id: 'giver' });
      expect(subscription.total_revenue_in_usd.gross).toBe(9.99);
      expect(await eventTypes('taker')).toEqual(['TRANSFER']);
      expect(await eventTypes('giver')).toEqual(['TRANSFER', 'INITIAL_PURCHASE']);
      const [{ body }] = (await customer('taker', '/events')).body.items;
      expect(body).toMatchObject({
        transferred_from: ['giver'],
        transferred_to: ['taker'],
        store: 'TEST_STORE',
      });
      expect(body.app_user_id).toBeUndefined();
    });

    it('makes an anonymous owner and an identified poster one customer, without a TRANSFER', async () => {
      const fetchToken = token();
      await restore(anonymous('c'), fetchToken, false);
      server.clock.advanceMs(1);
      await restore('merged', fetchToken);
      const { body } = await store.sdk.get(`/v1/subscribers/${encodeURIComponent(anonymous('c'))}`);
      expect(body.subscriber.original_app_user_id).toBe('merged');
      expect(await eventTypes('merged')).toEqual(['SUBSCRIBER_ALIAS', 'INITIAL_PURCHASE']);
    });

    it.each([
      ['keep', true, 400],
      ['keep', false, 400],
      ['transfer_if_no_active', true, 400],
      ['share', false, 400],
      ['share', true, 200],
      ['transfer', false, 200],
    ])('applies behaviour %s with is_restore %s: %i', async (behavior, isRestore, status) => {
      const name = `${behavior}-${isRestore}`;
      const fetchToken = token();
      await restore(`${name}-owner`, fetchToken, false);
      await settings({ sandbox_transfer_behavior: behavior });
      const answer = await restore(`${name}-poster`, fetchToken, isRestore);
      await settings({ sandbox_transfer_behavior: null });
      expect(answer.status).toBe(status);
      if (status === 400) {
        expect(answer.body.code).toBe(7102);
        expect((await customer(`${name}-owner`, '/subscriptions')).body.items).toHaveLength(1);
      } else {
        expect(Object.keys(answer.body.subscriber.entitlements)).toEqual(['pro']);
      }
    });

    it('has one owner and one INITIAL_PURCHASE when many customers post it at once', async () => {
      const fetchToken = token();
      const names = Array.from({ length: 6 }, (_, index) => `racer-${index}`);
      const answers = await Promise.all(names.map((name) => restore(name, fetchToken)));
      expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
      const owned = await Promise.all(
        names.map(async (name) => (await customer(name, '/subscriptions')).body.items.length),
      );
      expect(owned.reduce((sum: number, count: number) => sum + count, 0)).toBe(1);
      const all = (await Promise.all(names.map(eventTypes))).flat();
      expect(all.filter((type) => type === 'INITIAL_PURCHASE')).toHaveLength(1);
    });
  });

  describe('signing in', () => {
    const identify = (from: string, to: string) =>
      store.sdk.post('/v1/subscribers/identify', { app_user_id: from, new_app_user_id: to });
    let devices = 0;
    const device = (): string => `$RCAnonymousID:${(++devices).toString(16).padStart(32, '0')}`;

    it("keeps an anonymous customer's purchases under a new id", async () => {
      const from = device();
      await buy(from, 'pro_monthly');
      server.clock.advanceMs(1);
      const answer = await identify(from, 'signed-in');
      expect(answer.status).toBe(201);
      expect(answer.body.subscriber.original_app_user_id).toBe(from);
      expect(Object.keys(answer.body.subscriber.entitlements)).toEqual(['pro']);
      expect(await eventTypes('signed-in')).toEqual(['SUBSCRIBER_ALIAS', 'INITIAL_PURCHASE']);
      expect((await identify(from, 'signed-in')).status).toBe(200);
    });

    it('merges an anonymous customer into an existing one that has no anonymous id', async () => {
      await store.sdk.get('/v1/subscribers/existing');
      const from = device();
      await buy(from, 'pro_monthly');
      const answer = await identify(from, 'existing');
      expect(answer.status).toBe(200);
      expect(answer.body.subscriber.original_app_user_id).toBe('existing');
      expect(Object.keys(answer.body.subscriber.entitlements)).toEqual(['pro']);
    });

    it('switches a second device to the existing customer and keeps its own apart', async () => {
      const [first, second] = [device(), device()];
      await identify(first, 'two-devices');
      await buy(second, 'pro_monthly');
      const answer = await identify(second, 'two-devices');
      expect([answer.status, answer.body.subscriber.entitlements]).toEqual([200, {}]);
      const apart = await store.sdk.get(`/v1/subscribers/${encodeURIComponent(second)}`);
      expect(Object.keys(apart.body.subscriber.entitlements)).toEqual(['pro']);
    });

    it('switches an identified customer, and creates a customer for a new id', async () => {
      await buy('first-person', 'pro_monthly');
      const created = await identify('first-person', 'second-person');
      expect([created.status, created.body.subscriber.entitlements]).toEqual([201, {}]);
      expect((await identify('first-person', 'second-person')).status).toBe(200);
    });

    it('works for a device the server has never seen', async () => {
      const from = device();
      const answer = await identify(from, 'from-nowhere');
      expect(answer.status).toBe(201);
      expect((await store.sdk.get(`/v1/subscribers/${encodeURIComponent(from)}`)).status).toBe(200);
    });

    it('succeeds for many sign-ins to one new id at once, one of which created it', async () => {
      const answers = await Promise.all(Array.from({ length: 6 }, () => identify(device(), 'popular')));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    });

    it('loses nothing with sign-in and purchase at the same moment', async () => {
      for (let round = 0; round < 5; round++) {
        const from = device();
        await store.sdk.get(`/v1/subscribers/${encodeURIComponent(from)}`);
        const [signedIn, bought] = await Promise.all([
          identify(from, `busy-${round}`),
          buy(from, 'pro_monthly'),
        ]);
        expect([signedIn.status, bought.status]).toEqual([201, 200]);
        const info = await store.sdk.get(`/v1/subscribers/busy-${round}`);
        expect(Object.keys(info.body.subscriber.entitlements)).toEqual(['pro']);
      }
    });
  });

  it('answers the currencies of a project without any with an empty map', async () => {
    const answer = await store.sdk.get('/v1/subscribers/rich/virtual_currencies');
    expect([answer.status, answer.body]).toEqual([200, { virtual_currencies: {} }]);
  });

  describe('the webhook', () => {
    it('brings the signed event, as recorded, within one round of the dispatcher', async () => {
      const receiver = await startReceiver();
      server.clock.setMs(TEST_START_MS);
      const made = await store.backend.post(`${store.path}/integrations/webhooks`, {
        name: 'Backend',
        url: receiver.url,
        authorization_header: 'Basic c2VjcmV0',
      });
      expect(made.status).toBe(201);
      const secret: string = made.body.signing_secret;
      const arrived = once(receiver.events, 'request');
      await buy('hooked', 'pro_monthly', { presented_offering_identifier: 'default' });
      await arrived;
      await server.app.get(DeliveryDispatcherService).drain();
      expect(receiver.requests).toHaveLength(1);
      const [request] = receiver.requests;
      expect(request?.headers).toMatchObject({
        'content-type': 'application/json',
        'user-agent': 'Service-Webhooks/1.0',
        authorization: 'Basic c2VjcmV0',
      });
      const signature = String(request?.headers['x-service-webhook-signature']);
      expect(verifyWebhook(signature, secret, request?.body ?? '', server.clock.nowMs())).toBe(true);
      const { api_version: apiVersion, event } = JSON.parse(request?.body ?? '{}');
      expect(apiVersion).toBe('1.0');
      const [recorded] = (await customer('hooked', '/events')).body.items;
      expect(event).toEqual(recorded.body);
      expect(event).toEqual({
        id: expect.stringMatching(/^[0-9A-F]{8}-[0-9A-F]{4}-4[0-9A-F]{3}-[89AB][0-9A-F]{3}-[0-9A-F]{12}$/),
        type: 'INITIAL_PURCHASE',
        event_timestamp_ms: TEST_START_MS,
        sequence: 1,
        app_id: store.appId,
        app_user_id: 'hooked',
        original_app_user_id: 'hooked',
        aliases: ['hooked'],
        product_id: 'pro_monthly',
        entitlement_id: null,
        entitlement_ids: ['pro'],
        period_type: 'NORMAL',
        purchased_at_ms: TEST_START_MS,
        expiration_at_ms: MONTH_LATER_MS,
        environment: 'SANDBOX',
        presented_offering_id: 'default',
        transaction_id: `test_${TEST_START_MS}_purchase-${purchases}`,
        original_transaction_id: `test_${TEST_START_MS}_purchase-${purchases}`,
        is_family_share: false,
        country_code: null,
        currency: 'USD',
        price: 9.99,
        price_in_purchased_currency: 9.99,
        subscriber_attributes: {},
        store: 'TEST_STORE',
        takehome_percentage: 1,
        tax_percentage: 0,
        commission_percentage: 0,
        offer_code: null,
        renewal_number: 1,
        metadata: null,
      });
      await receiver.close();
    });
  });

  describe('REST v2 reads of customers', () => {
    it('pages, filters by environment, and refuses foreign cursors', async () => {
      for (let index = 0; index < 3; index++) {
        await buy('pager', 'pro_monthly');
        server.clock.advanceMs(1000);
      }
      const first = (await customer('pager', '/subscriptions?limit=2&environment=sandbox')).body;
      expect(first.items).toHaveLength(2);
      const url = `/v2/projects/${store.projectId}/customers/pager/subscriptions`;
      expect(first.url).toBe(url);
      const next = `${url}?limit=2&environment=sandbox&starting_after=${first.items[1].id}/`;
      expect(first.next_page).toContain(next);
      const second = (await store.backend.get(first.next_page)).body;
      expect([second.items.length, second.next_page]).toEqual([1, null]);
      const starts = [...first.items, ...second.items].map(({ starts_at: startsAt }) => startsAt);
      expect(starts).toEqual(starts.toSorted((a, b) => b - a));
      expect((await customer('pager', '/subscriptions?environment=production')).body.items).toEqual([]);
      const events = (await customer('pager', '/events?limit=2')).body;
      expect((await store.backend.get(events.next_page)).body.items).toHaveLength(1);
      for (const suffix of ['/subscriptions', '/purchases', '/events', '/active_entitlements']) {
        const foreign = await customer('pager', `${suffix}?starting_after=sub_unknown`);
        expect([foreign.status, foreign.body.param]).toEqual([400, 'starting_after']);
        const environment = await customer('pager', `${suffix}?environment=moon`);
        if (suffix !== '/active_entitlements') {
          expect([environment.status, environment.body.param]).toEqual([400, 'environment']);
        }
        expect((await customer('pager', `${suffix}?limit=x`)).body.param).toBe('limit');
      }
    });

    it('never creates a customer, and knows no unknown expansion', async () => {
      expect((await customer('never-seen')).status).toBe(404);
      expect((await customer('pager', '?expand=attributes')).body.attributes.items).toEqual([]);
      expect((await customer('pager', '?expand=everything')).body).toMatchObject({
        type: 'parameter_error',
        param: 'expand',
      });
    });

    it.each([
      ['expand', '?expand[]='],
      ['expand', '?expand%5B%5D=attributes'],
      ['expand', '?expand[0]=attributes'],
      ['limit', '/events?limit[]=1'],
      ['starting_after', '/events?starting_after[a]=x'],
    ])('refuses %s in the brackets of other query languages: %s', async (param, suffix) => {
      const answer = await customer('pager', suffix);
      expect([answer.status, answer.body.param]).toEqual([400, param]);
    });
  });
});
