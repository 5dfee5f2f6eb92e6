import { describeAccess } from '../support/access-checks.js';
import type { Answer, Json } from '../support/api-client.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import { brokenInvariants } from '../support/customer-invariants.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { walkList } from '../support/walk-list.js';

const DAY_MS = 86_400_000;
const NOW_MS = Date.UTC(2026, 4, 20, 12);

describe('test purchases', () => {
  let server: TestServer;
  let store: TestStore;
  let path: string;
  let hook: Json;

  beforeAll(async () => {
    server = await startTestServer({ env: { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_TRUST_PROXY: 'true' } });
    store = await createTestStore(server);
    path = `${store.path}/test_purchases`;
    const integration = { name: 'All', url: 'https://backend.example/hook' };
    hook = (await store.backend.post(`${store.path}/integrations/webhooks`, integration)).body;
  });

  beforeEach(() => server.clock.setMs(NOW_MS));

  afterAll(async () => {
    expect(await brokenInvariants(server.dataSource)).toEqual({});
    await server.close();
  });

  let people = 0;
  const person = (): string => `tester-${++people}`;
  const post = (body: object): Promise<Answer> => store.backend.post(path, body);
  const made = async (body: object): Promise<Json> => {
    const answer = await post({ app_user_id: person(), product_id: 'pro_monthly', ...body });
    expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
    return answer.body;
  };
  const items = async (list: string): Promise<Json[]> =>
    (await store.backend.get(`${store.path}${list}`)).body.items;
  /** Oldest first. */
  const eventsOf = async (appUserId: string): Promise<Json[]> => {
    const url = `${store.path}/customers/${encodeURIComponent(appUserId)}/events`;
    return (await walkList(store.backend, url, 20)).reverse();
  };
  const deliveries = async (ids: string[]): Promise<string[]> => {
    const sql = `SELECT event_id FROM webhook_deliveries WHERE webhook_integration_id = $1 AND event_id = ANY ($2)`;
    const rows = await server.dataSource.query<{ event_id: string }[]>(sql, [hook.id, ids]);
    return rows.map((row) => row.event_id);
  };
  /** The newest row about something. */
  const auditOf = async (target: string): Promise<Json> =>
    (await items('/audit_logs?limit=100')).find((row) => row.target_identifier === target);
  const activeEntitlements = ({ customer }: Json): string[] =>
    customer.active_entitlements.items.map((item: Json) => item.entitlement_id);

  interface Expected {
    types: string[];
    status: string;
    renewal?: string;
    access: boolean;
    /** Kinds of ledger rows, oldest first. */
    money: string[];
  }

  const bought = 'INITIAL_PURCHASE';

  describe.each<[string, Expected]>([
    [
      'purchase',
      { types: [bought], status: 'active', renewal: 'will_renew', access: true, money: ['purchase'] },
    ],
    ['trial', { types: [bought], status: 'trialing', access: true, money: ['trial'] }],
    [
      'trial_conversion',
      { types: [bought, 'RENEWAL'], status: 'active', access: true, money: ['trial', 'renewal'] },
    ],
    [
      'renewal',
      { types: [bought, 'RENEWAL'], status: 'active', access: true, money: ['purchase', 'renewal'] },
    ],
    [
      'cancel',
      {
        types: [bought, 'CANCELLATION'],
        status: 'active',
        renewal: 'will_not_renew',
        access: true,
        money: ['purchase'],
      },
    ],
    [
      'uncancel',
      {
        types: [bought, 'CANCELLATION', 'UNCANCELLATION'],
        status: 'active',
        renewal: 'will_renew',
        access: true,
        money: ['purchase'],
      },
    ],
    [
      'billing_issue',
      {
        types: [bought, 'BILLING_ISSUE', 'CANCELLATION'],
        status: 'in_grace_period',
        access: true,
        money: ['purchase'],
      },
    ],
    [
      'billing_issue_no_grace',
      {
        types: [bought, 'BILLING_ISSUE', 'CANCELLATION', 'EXPIRATION'],
        status: 'in_billing_retry',
        access: false,
        money: ['purchase'],
      },
    ],
    [
      'billing_recovery',
      {
        types: [bought, 'BILLING_ISSUE', 'CANCELLATION', 'RENEWAL'],
        status: 'active',
        access: true,
        money: ['purchase', 'renewal'],
      },
    ],
    [
      'refund',
      { types: [bought, 'CANCELLATION'], status: 'expired', access: false, money: ['purchase', 'refund'] },
    ],
    [
      'refund_reversed',
      {
        types: [bought, 'CANCELLATION', 'REFUND_REVERSED'],
        status: 'active',
        access: true,
        money: ['purchase', 'refund', 'refund_reversal'],
      },
    ],
    [
      'product_change',
      {
        types: [bought, 'PRODUCT_CHANGE', 'RENEWAL'],
        status: 'active',
        access: true,
        money: ['purchase', 'renewal'],
      },
    ],
    [
      'product_change_deferred',
      {
        types: [bought, 'PRODUCT_CHANGE'],
        status: 'active',
        renewal: 'will_change_product',
        access: true,
        money: ['purchase'],
      },
    ],
    [
      'pause',
      {
        types: [bought, 'SUBSCRIPTION_PAUSED'],
        status: 'active',
        renewal: 'will_pause',
        access: true,
        money: ['purchase'],
      },
    ],
    [
      'extend',
      { types: [bought, 'SUBSCRIPTION_EXTENDED'], status: 'active', access: true, money: ['purchase'] },
    ],
    [
      'price_increase',
      {
        types: [bought, 'PRICE_INCREASE_CONSENT_REQUIRED', 'PRICE_INCREASE_CONSENT_APPROVED'],
        status: 'active',
        access: true,
        money: ['purchase'],
      },
    ],
    [
      'expire',
      {
        types: [bought, 'CANCELLATION', 'EXPIRATION'],
        status: 'expired',
        renewal: 'will_not_renew',
        access: false,
        money: ['purchase'],
      },
    ],
  ])('the scenario %s of a subscription', (scenario, { types, status, renewal, access, money }) => {
    it('answers with its events, the customer and the subscription', async () => {
      const id = person();
      const body = await made({ app_user_id: id, scenario, new_product_id: 'pro_yearly' });
      expect(body).toMatchObject({ object: 'test_purchase', scenario, event_types: types, purchase: null });
      expect(body.subscription).toMatchObject({
        store: 'test_store',
        environment: 'sandbox',
        customer_id: id,
        status,
        gives_access: access,
        ...(renewal && { auto_renewal_status: renewal }),
      });
      expect(body.customer.id).toBe(id);
      expect(activeEntitlements(body)).toEqual(access ? [store.entitlements.pro.id] : []);
      const read = await store.backend.get(`${store.path}/subscriptions/${body.subscription.id}`);
      expect(read.body).toEqual(body.subscription);
      // No SDK showed itself.
      expect(body.customer.last_seen_at).toBeNull();
    });

    it('records events as of now that happened at their own times, and has them delivered', async () => {
      const id = person();
      const body = await made({ app_user_id: id, scenario, new_product_id: 'pro_yearly' });
      const events = await eventsOf(id);
      const recorded = scenario.startsWith('refund')
        ? [...types.slice(0, 2), 'EXPIRATION', ...types.slice(2)]
        : types;
      expect(events.map(({ type }) => type)).toEqual(recorded);
      const listed = events.filter(({ id: eventId }) => body.events.includes(eventId));
      expect(listed.map(({ type }) => type)).toEqual(types);
      expect(events.map(({ created_at: at }) => at)).toEqual(events.map((_, index) => NOW_MS + index));
      expect(events[0]?.occurred_at).toBe(body.subscription.starts_at);
      const times = events.map(({ occurred_at: at }) => at as number);
      expect(times).toEqual([...times].sort((a, b) => a - b));
      const sequences = events.map(({ body: event }) => event.sequence);
      expect(sequences).toEqual(events.map((_, index) => index + 1));
      const ids = events.map(({ id: eventId }) => eventId as string);
      expect((await deliveries(ids)).sort()).toEqual([...ids].sort());
    });

    it('books its money and marks its customer for the charts', async () => {
      const id = person();
      const body = await made({ app_user_id: id, scenario, new_product_id: 'pro_yearly' });
      const rows = (await items(`/transactions?customer=${id}`)).reverse();
      expect(rows.map(({ kind }) => kind).sort()).toEqual([...money].sort());
      const gross = rows.reduce(
        (sum, { revenue_in_usd: revenue }) => sum + Math.round(revenue.gross * 100),
        0,
      );
      expect(Math.round(body.subscription.total_revenue_in_usd.gross * 100)).toBe(gross);
      const marks = await server.dataSource.query<object[]>(
        `SELECT 1 FROM chart_changes c JOIN customer_aliases a USING (project_id, customer_id)
         WHERE c.project_id = $1 AND a.app_user_id = $2`,
        [store.projectId, id],
      );
      expect(marks.length).toBeGreaterThan(0);
    });
  });

  describe('the details of scenarios', () => {
    const eventOf = async (body: Json, type: string): Promise<Json> => {
      const found = (await eventsOf(body.customer.id)).find((event) => event.type === type);
      return found?.body;
    };

    it.each<[string, string, object]>([
      ['trial', 'INITIAL_PURCHASE', { period_type: 'TRIAL', price: 0 }],
      ['trial_conversion', 'RENEWAL', { is_trial_conversion: true, price: 9.99, period_type: 'NORMAL' }],
      ['cancel', 'CANCELLATION', { cancel_reason: 'UNSUBSCRIBE', price: 0 }],
      ['billing_issue', 'CANCELLATION', { cancel_reason: 'BILLING_ERROR' }],
      ['billing_issue', 'BILLING_ISSUE', { grace_period_expiration_at_ms: NOW_MS + 7 * DAY_MS }],
      ['billing_issue_no_grace', 'BILLING_ISSUE', { grace_period_expiration_at_ms: null }],
      ['billing_issue_no_grace', 'EXPIRATION', { expiration_reason: 'BILLING_ERROR' }],
      ['refund', 'CANCELLATION', { cancel_reason: 'CUSTOMER_SUPPORT', price: -9.99 }],
      ['refund', 'EXPIRATION', { expiration_reason: 'CUSTOMER_SUPPORT' }],
      ['refund_reversed', 'REFUND_REVERSED', { price: 9.99 }],
      ['product_change', 'PRODUCT_CHANGE', { product_id: 'pro_monthly', new_product_id: 'pro_yearly' }],
      ['product_change', 'RENEWAL', { product_id: 'pro_yearly', price: 79.99 }],
      ['product_change_deferred', 'PRODUCT_CHANGE', { new_product_id: 'pro_yearly' }],
      ['expire', 'EXPIRATION', { expiration_reason: 'UNSUBSCRIBE' }],
    ])('%s: %s holds %j', async (scenario, type, fields) => {
      const body = await made({ scenario, new_product_id: 'pro_yearly' });
      expect(await eventOf(body, type)).toMatchObject({
        environment: 'SANDBOX',
        store: 'TEST_STORE',
        ...fields,
      });
    });

    it('renewals are named after the token', async () => {
      const body = await made({ scenario: 'renewal', offset_days: 40 });
      const token = body.store_transaction_id as string;
      expect(token).toMatch(/^test_\d{13}_[0-9a-f-]{36}$/);
      const transactions = await items(
        `/subscriptions/${body.subscription.id}/transactions?sort=purchased_at`,
      );
      expect(transactions.map(({ id }) => id)).toEqual([token, `${token}..0`, `${token}..1`]);
      expect(body.subscription.store_subscription_identifier).toBe(`${token}..1`);
    });

    it('extends an end by a period', async () => {
      const body = await made({ scenario: 'extend' });
      expect(body.subscription.ends_at).toBe(Date.UTC(2026, 6, 20, 12));
    });

    it('expires a purchase of long ago; one of a while ago still runs', async () => {
      const old = await made({ purchased_at: NOW_MS - 100 * DAY_MS });
      expect(old.event_types).toEqual([bought, 'CANCELLATION', 'EXPIRATION']);
      expect(old.subscription).toMatchObject({ status: 'expired', starts_at: NOW_MS - 100 * DAY_MS });
      const recent = await made({ offset_days: 10 });
      expect(recent.subscription).toMatchObject({ status: 'active', starts_at: NOW_MS - 10 * DAY_MS });
    });

    it('takes price, currency, country and offering from the request', async () => {
      const body = await made({
        price: 4.5,
        currency: 'EUR',
        country_code: 'deu',
        presented_offering_id: 'default',
      });
      expect(body.subscription).toMatchObject({ country: 'DE', presented_offering_id: store.offering.id });
      expect(await eventOf(body, bought)).toMatchObject({
        currency: 'EUR',
        price_in_purchased_currency: 4.5,
        country_code: 'DE',
        presented_offering_id: 'default',
      });
    });

    it('defaults price and currency each to those of the product', async () => {
      const renamed = await made({ currency: 'EUR' });
      expect(await eventOf(renamed, bought)).toMatchObject({
        currency: 'EUR',
        price_in_purchased_currency: 9.99,
      });
      const repriced = await made({ price: 3 });
      expect(await eventOf(repriced, bought)).toMatchObject({ currency: 'USD', price: 3 });
      const body = { subscription_id: renamed.subscription.id, scenario: 'renewal', price: 8 };
      const { status, body: renewed } = await post(body);
      expect(status).toBe(201);
      const event = await eventOf(renewed, 'RENEWAL');
      expect(event).toMatchObject({ currency: 'EUR', price_in_purchased_currency: 8 });
    });

    it('charges nothing for a product without a price', async () => {
      const product = { store_identifier: 'priceless', app_id: store.appId, type: 'subscription' };
      await store.backend.post(`${store.path}/products`, product);
      const body = await made({ product_id: 'priceless' });
      expect(await eventOf(body, bought)).toMatchObject({ price: 0, currency: 'USD' });
    });

    it('accepts expiration as an alias of expire', async () => {
      expect(await made({ scenario: 'expiration' })).toMatchObject({ scenario: 'expire' });
    });

    it('shows an app of the SDK what was simulated', async () => {
      const id = person();
      await made({ app_user_id: id, scenario: 'billing_issue' });
      const { body } = await store.sdk.get(`/v1/subscribers/${id}`);
      expect(body.subscriber.subscriptions.pro_monthly).toMatchObject({
        is_sandbox: true,
        store: 'test_store',
        billing_issues_detected_at: new Date(NOW_MS).toISOString().replace('.000', ''),
      });
    });
  });

  describe('one-time products', () => {
    it.each([
      ['purchase', ['NON_RENEWING_PURCHASE'], 'owned', [1990]],
      ['refund', ['NON_RENEWING_PURCHASE', 'CANCELLATION'], 'refunded', [1990, -1990]],
    ])('%s', async (scenario, types, status, cents) => {
      const id = person();
      const body = await made({ app_user_id: id, product_id: 'pro_lifetime', scenario, price: 19.9 });
      expect(body).toMatchObject({
        event_types: types,
        subscription: null,
        purchase: { status, customer_id: id },
      });
      expect(activeEntitlements(body)).toEqual(status === 'owned' ? [store.entitlements.pro.id] : []);
      expect((await eventsOf(id)).map(({ type }) => type)).toEqual(types);
      const rows = (await items(`/transactions?customer=${id}`)).reverse();
      expect(rows.map((row) => Math.round(row.revenue_in_usd.gross * 100)).sort()).toEqual([...cents].sort());
      expect(await deliveries(body.events)).toHaveLength(types.length);
    });

    it('allows buying a consumable again and again', async () => {
      const id = person();
      for (let n = 0; n < 3; n++) await made({ app_user_id: id, product_id: 'coins_100' });
      expect(await items(`/customers/${id}/purchases`)).toHaveLength(3);
    });

    it.each(['trial', 'renewal', 'cancel', 'refund_reversed', 'transfer', 'expire'])(
      'has no %s',
      async (scenario) => {
        const answer = await post({
          app_user_id: person(),
          product_id: 'coins_100',
          scenario,
          transfer_to: 'x',
        });
        expect([answer.status, answer.body.type, answer.body.param]).toEqual([
          422,
          'unprocessable_entity_error',
          'scenario',
        ]);
      },
    );
  });

  describe('the scenario transfer', () => {
    const behave = (transfer_behavior: string) => store.backend.post(store.path, { transfer_behavior });

    afterEach(() => behave('transfer'));

    it('gives the purchase to the customer who restores it', async () => {
      const [from, to] = [person(), person()];
      const body = await made({ app_user_id: from, scenario: 'transfer', transfer_to: to });
      expect(body).toMatchObject({ event_types: [bought, 'TRANSFER'], subscription: { customer_id: to } });
      expect(activeEntitlements(body)).toEqual([]);
      const history = await items(`/subscriptions/${body.subscription.id}/ownership_history`);
      expect(history).toMatchObject([
        { from_customer_id: from, to_customer_id: to, rule: 'transfer', is_restore: true },
      ]);
      expect(await deliveries(body.events)).toHaveLength(2);
      const receiver = await store.backend.get(`${store.path}/customers/${to}`);
      expect(activeEntitlements({ customer: receiver.body })).toEqual([store.entitlements.pro.id]);
    });

    it('fails with everything else undone where purchases stay', async () => {
      await behave('keep');
      const [from, to] = [person(), person()];
      const answer = await post({
        app_user_id: from,
        product_id: 'pro_monthly',
        scenario: 'transfer',
        transfer_to: to,
      });
      expect([answer.status, answer.body.type]).toEqual([409, 'resource_already_exists']);
      for (const id of [from, to]) {
        expect((await store.backend.get(`${store.path}/customers/${id}`)).status).toBe(404);
      }
    });

    it('needs another customer to restore', async () => {
      const id = person();
      const body = { app_user_id: id, product_id: 'pro_monthly', scenario: 'transfer' };
      for (const more of [{}, { transfer_to: id }, { transfer_to: 'null' }]) {
        const answer = await post({ ...body, ...more });
        expect([answer.status, answer.body.param]).toEqual([400, 'transfer_to']);
      }
    });
  });

  describe('with subscription_id', () => {
    it('scenarios walk a subscription through a life', async () => {
      const id = person();
      const { subscription } = await made({ app_user_id: id });
      const walk = async (scenario: string, more: object = {}): Promise<Json> => {
        const answer = await post({ subscription_id: subscription.id, scenario, ...more });
        expect([scenario, answer.status, answer.text]).toEqual([scenario, 201, expect.any(String)]);
        expect(answer.body.subscription.id).toBe(subscription.id);
        return answer.body;
      };
      expect((await walk('cancel')).event_types).toEqual(['CANCELLATION']);
      expect((await walk('cancel')).event_types).toEqual([]);
      expect((await walk('uncancel')).event_types).toEqual(['UNCANCELLATION']);
      const renewed = await walk('renewal', { price: 5 });
      expect(renewed.event_types).toEqual(['RENEWAL']);
      expect(renewed.store_transaction_id).toMatch(/\.\.0$/);
      expect(renewed.subscription.ends_at).toBe(Date.UTC(2026, 6, 20, 12));
      expect((await walk('billing_issue')).event_types).toEqual(['BILLING_ISSUE', 'CANCELLATION']);
      expect((await walk('billing_recovery')).event_types).toEqual(['RENEWAL']);
      const changed = await walk('product_change', { new_product_id: store.products.yearly.id });
      expect(changed.event_types).toEqual(['PRODUCT_CHANGE', 'RENEWAL']);
      expect(changed.subscription.product_id).toBe(store.products.yearly.id);
      const expired = await walk('expire');
      expect(expired.event_types).toEqual(['CANCELLATION', 'EXPIRATION']);
      expect([expired.subscription.status, activeEntitlements(expired)]).toEqual(['expired', []]);
      expect((await walk('renewal')).event_types).toEqual(['RENEWAL']);
      expect((await walk('refund')).event_types).toEqual(['CANCELLATION']);
      const rows = await items(`/transactions?customer=${id}`);
      const gross = rows.reduce((sum, row) => sum + Math.round(row.revenue_in_usd.gross * 100), 0);
      expect(gross).toBe(999 + 500 + 500 + 7999);
    });

    it('refuses impossible scenarios', async () => {
      const { subscription } = await made({ scenario: 'expire' });
      for (const scenario of [
        'cancel',
        'uncancel',
        'expire',
        'billing_issue',
        'billing_recovery',
        'product_change',
      ]) {
        const body = { subscription_id: subscription.id, scenario, new_product_id: 'pro_yearly' };
        const answer = await post(body);
        expect([scenario, answer.status, answer.body.type]).toEqual([
          scenario,
          422,
          'unprocessable_entity_error',
        ]);
      }
    });

    it.each([
      ['scenario', { scenario: 'trial' }],
      ['scenario', {}],
      ['offset_days', { scenario: 'cancel', offset_days: 3 }],
      ['country_code', { scenario: 'cancel', country_code: 'DE' }],
      ['app_user_id', { scenario: 'cancel', app_user_id: 'another customer' }],
      ['product_id', { scenario: 'cancel', product_id: 'pro_yearly' }],
      ['new_product_id', { scenario: 'product_change' }],
      ['currency', { scenario: 'renewal', price: 1, currency: 'XXQ' }],
    ])('%s is at fault in %j', async (param, more) => {
      const { subscription } = await made({});
      const answer = await post({ subscription_id: subscription.id, ...more });
      expect([answer.status, answer.body.type, answer.body.param]).toEqual([400, 'parameter_error', param]);
    });

    it('refuses unknown subscriptions and those of other stores and projects', async () => {
      const { subscription } = await made({});
      const cancel = { subscription_id: subscription.id, scenario: 'cancel' };
      expect((await post({ ...cancel, subscription_id: 'sub_unknown' })).status).toBe(404);
      const other = await createTestStore(server);
      expect((await other.backend.post(`${other.path}/test_purchases`, cancel)).status).toBe(404);
      await server.dataSource.query(`UPDATE subscriptions SET store = 'app_store' WHERE id = $1`, [
        subscription.id,
      ]);
      const answer = await post(cancel);
      expect([answer.status, answer.body.param]).toEqual([422, 'subscription_id']);
    });

    it('simulates the same scenario at once only once', async () => {
      const { subscription, customer } = await made({});
      const cancel = { subscription_id: subscription.id, scenario: 'cancel' };
      const answers = await Promise.all(Array.from({ length: 6 }, () => post(cancel)));
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 201]);
      expect((await eventsOf(customer.id)).map(({ type }) => type)).toEqual([bought, 'CANCELLATION']);
    });
  });

  describe('bad requests', () => {
    let appStore: Json;

    beforeAll(async () => {
      const app = { name: 'iPhone', type: 'app_store', app_store: { bundle_id: 'com.example.test' } };
      appStore = (await store.backend.post(`${store.path}/apps`, app)).body;
      const product = { store_identifier: 'ios_monthly', app_id: appStore.id, type: 'subscription' };
      await store.backend.post(`${store.path}/products`, product);
    });

    const base = { app_user_id: 'somebody', product_id: 'pro_monthly' };

    it.each<[string, object]>([
      ['app_user_id', { product_id: 'pro_monthly' }],
      ['app_user_id', { ...base, app_user_id: 'null' }],
      ['app_user_id', { ...base, app_user_id: 5 }],
      ['product_id', { app_user_id: 'somebody' }],
      ['scenario', { ...base, scenario: 'explode' }],
      ['price', { ...base, price: -1 }],
      ['price', { ...base, price: '9.99' }],
      ['currency', { ...base, price: 1, currency: 'XXQ' }],
      ['country_code', { ...base, country_code: 'XQ' }],
      ['purchased_at', { ...base, purchased_at: NOW_MS + 1 }],
      ['purchased_at', { ...base, purchased_at: NOW_MS, offset_days: 1 }],
      ['purchased_at', { ...base, purchased_at: NOW_MS - DAY_MS, scenario: 'renewal' }],
      ['offset_days', { ...base, offset_days: 731 }],
      ['offset_days', { ...base, offset_days: 1.5 }],
      ['new_product_id', { ...base, scenario: 'product_change' }],
      ['presented_offering_id', { ...base, presented_offering_id: '' }],
      ['presented_offering_id', { ...base, presented_offering_id: 'half \ud83d' }],
    ])('%s is at fault in %j', async (param, body) => {
      const answer = await post(body);
      expect([answer.status, answer.body.type, answer.body.param]).toEqual([400, 'parameter_error', param]);
    });

    it('answers 404 for unknown products and apps', async () => {
      const answers = [
        ['product_id', { ...base, product_id: 'nothing' }],
        ['app_id', { ...base, app_id: 'app_unknown' }],
        ['new_product_id', { ...base, scenario: 'product_change', new_product_id: 'nothing' }],
      ] as const;
      for (const [param, body] of answers) {
        const answer = await post(body);
        expect([answer.status, answer.body.type, answer.body.param]).toEqual([
          404,
          'resource_missing',
          param,
        ]);
      }
    });

    it('refuses products of other stores', async () => {
      const cases = [
        ['product_id', { ...base, product_id: 'ios_monthly' }],
        ['app_id', { ...base, app_id: appStore.id }],
        ['new_product_id', { ...base, scenario: 'product_change', new_product_id: 'coins_100' }],
        ['new_product_id', { ...base, scenario: 'product_change', new_product_id: 'pro_monthly' }],
      ] as const;
      for (const [param, body] of cases) {
        const answer = await post(body);
        expect([answer.status, answer.body.type, answer.body.param]).toEqual([
          422,
          'unprocessable_entity_error',
          param,
        ]);
      }
      expect((await store.backend.get(`${store.path}/customers/${base.app_user_id}`)).status).toBe(404);
    });

    it('needs the app for a product that several Test Store apps have', async () => {
      const second = (await store.backend.post(`${store.path}/apps`, { name: 'Second', type: 'test_store' }))
        .body;
      const product = { store_identifier: 'shared', type: 'subscription' };
      for (const app_id of [store.appId, second.id]) {
        await store.backend.post(`${store.path}/products`, { ...product, app_id });
      }
      const ambiguous = await post({ ...base, product_id: 'shared' });
      expect([ambiguous.status, ambiguous.body.param]).toEqual([400, 'app_id']);
      const body = await made({ product_id: 'shared', app_id: second.id });
      expect((await eventsOf(body.customer.id))[0]?.app_id).toBe(second.id);
      // One that only one of them has needs none.
      await made({ product_id: 'pro_monthly' });
    });

    it('refuses an excessive number of renewals', async () => {
      const product = {
        store_identifier: 'five_minutes',
        app_id: store.appId,
        type: 'subscription',
        subscription: { duration: 'PT5M' },
      };
      await store.backend.post(`${store.path}/products`, product);
      const answer = await post({
        ...base,
        product_id: 'five_minutes',
        scenario: 'renewal',
        offset_days: 730,
      });
      expect([answer.status, answer.body.param]).toEqual([422, 'scenario']);
    });
  });

  describe('restoring by order id', () => {
    const restore = (appUserId: string, body: object): Promise<Answer> =>
      store.backend.post(
        `${store.path}/customers/${encodeURIComponent(appUserId)}/actions/restore_purchase_by_order_id`,
        body,
      );
    const behave = (transfer_behavior: string) => store.backend.post(store.path, { transfer_behavior });
    const customer = async (id = person()): Promise<string> => {
      await store.backend.post(`${store.path}/customers`, { id });
      return id;
    };
    const ownerOf = async (id: string): Promise<string> =>
      (await store.backend.get(`${store.path}/subscriptions/${id}`)).body.customer_id;

    afterEach(() => behave('transfer'));

    it('moves a subscription, by its token or the id of any renewal', async () => {
      const {
        subscription,
        customer: from,
        store_transaction_id: token,
      } = await made({ scenario: 'renewal' });
      for (const order_id of [token, `${token}..0`, `${token}..7`]) {
        const to = await customer();
        server.clock.advanceMs(1000);
        const answer = await restore(to, { order_id });
        expect([answer.status, answer.body.id]).toEqual([200, to]);
        expect(activeEntitlements({ customer: answer.body })).toEqual([store.entitlements.pro.id]);
        expect(answer.body.last_seen_at).toBeNull();
        expect(await ownerOf(subscription.id)).toBe(to);
        const [moved] = await items(`/subscriptions/${subscription.id}/ownership_history`);
        expect(moved).toMatchObject({ to_customer_id: to, rule: 'transfer', is_restore: true });
        const [transfer] = (await eventsOf(to)).filter(({ type }) => type === 'TRANSFER');
        expect(transfer?.body).toMatchObject({ transferred_to: [to], store: 'TEST_STORE' });
        expect(await deliveries([transfer?.id])).toHaveLength(1);
        expect(await auditOf(to)).toMatchObject({ action_type: 'customer_purchase_restored' });
      }
      expect(await items(`/customers/${from.id}/active_entitlements`)).toEqual([]);
    });

    it('moves a one-time purchase', async () => {
      const { purchase, store_transaction_id: order_id } = await made({ product_id: 'pro_lifetime' });
      const to = await customer();
      expect((await restore(to, { order_id })).status).toBe(200);
      expect((await items(`/customers/${to}/purchases`)).map(({ id }) => id)).toEqual([purchase.id]);
    });

    it('changes nothing for the owner, however often', async () => {
      const id = person();
      const { store_transaction_id: order_id } = await made({ app_user_id: id });
      for (let n = 0; n < 2; n++) expect((await restore(id, { order_id })).status).toBe(200);
      expect((await eventsOf(id)).map(({ type }) => type)).toEqual([bought]);
    });

    it.each([
      ['keep', 'purchase', 409],
      ['transfer_if_no_active', 'purchase', 409],
      ['transfer_if_no_active', 'expire', 200],
    ])('obeys the transfer behaviour %s after %s', async (behavior, scenario, status) => {
      const { subscription, customer: owner, store_transaction_id: order_id } = await made({ scenario });
      await behave(behavior);
      const to = await customer();
      const answer = await restore(to, { order_id });
      expect(answer.status).toBe(status);
      if (status === 409)
        expect(answer.body).toMatchObject({ type: 'resource_already_exists', param: 'order_id' });
      expect(await ownerOf(subscription.id)).toBe(status === 409 ? owner.id : to);
    });

    it('makes customers one where they share, and with an anonymous owner', async () => {
      const shared = await made({});
      await behave('share');
      const to = await customer();
      const answer = await restore(to, { order_id: shared.store_transaction_id });
      expect(answer.status).toBe(200);
      const aliases = await items(`/customers/${to}/aliases`);
      expect(aliases.map(({ id }) => id).sort()).toEqual([shared.customer.id, to].sort());
      await behave('transfer');
      const anonymous = `$RCAnonymousID:${'a'.repeat(32)}`;
      const { store_transaction_id: order_id } = await made({ app_user_id: anonymous });
      const identified = await customer();
      expect((await restore(identified, { order_id })).body.id).toBe(identified);
      expect((await eventsOf(identified)).map(({ type }) => type)).not.toContain('TRANSFER');
    });

    it('leaves one owner when many customers restore at once', async () => {
      const { subscription, store_transaction_id: order_id } = await made({});
      const people = await Promise.all(Array.from({ length: 5 }, () => customer()));
      const answers = await Promise.all(people.map((id) => restore(id, { order_id })));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
      expect(people).toContain(await ownerOf(subscription.id));
      expect(await items(`/subscriptions/${subscription.id}/ownership_history`)).toHaveLength(5);
    });

    it('finds neither unknown orders, nor grants, nor what other projects have', async () => {
      const to = await customer();
      const grant = { entitlement_id: store.entitlements.pro.id, expires_at: NOW_MS + DAY_MS };
      await store.backend.post(`${store.path}/customers/${to}/actions/grant_entitlement`, grant);
      const [granted] = await items(`/customers/${to}/subscriptions`);
      const other = await createTestStore(server);
      const body = { app_user_id: 'elsewhere', product_id: 'pro_monthly' };
      const foreign = (await other.backend.post(`${other.path}/test_purchases`, body)).body;
      const names = ['unknown', granted?.store_subscription_identifier, foreign.store_transaction_id];
      for (const order_id of names) {
        const answer = await restore(to, { order_id });
        expect([answer.status, answer.body.type, answer.body.param]).toEqual([
          404,
          'resource_missing',
          'order_id',
        ]);
      }
      const mine = await made({});
      const noCustomer = await restore('nobody-here', { order_id: mine.store_transaction_id });
      expect(noCustomer.status).toBe(404);
      expect((await store.backend.get(`${store.path}/customers/nobody-here`)).status).toBe(404);
    });

    it.each([[{}], [{ order_id: '' }], [{ order_id: 'x'.repeat(256) }], [{ order_id: 5 }]])(
      'needs an order id: %j',
      async (body) => {
        const answer = await restore(await customer(), body);
        expect([answer.status, answer.body.param]).toEqual([400, 'order_id']);
      },
    );

    it('says what is missing for orders that only their store knows', async () => {
      const to = await customer();
      const order_id = 'GPA.3312-1234-5678-90123';
      expect((await restore(to, { order_id })).status).toBe(404);
      const app = { name: 'Android', type: 'play_store', play_store: { package_name: 'com.example.test' } };
      await store.backend.post(`${store.path}/apps`, app);
      const answer = await restore(to, { order_id });
      expect([answer.status, answer.body.param]).toEqual([422, 'order_id']);
    });
  });

  describe('refunds of subscriptions', () => {
    const refund = (id: string): Promise<Answer> =>
      store.backend.post(`${store.path}/subscriptions/${id}/actions/refund`);
    const refundTransaction = (id: string, transaction: string): Promise<Answer> =>
      store.backend.post(`${store.path}/subscriptions/${id}/transactions/${transaction}/actions/refund`);

    it('refunds the latest payment and ends access at once, once', async () => {
      const id = person();
      const { subscription } = await made({ app_user_id: id, scenario: 'renewal', offset_days: 3 });
      server.clock.advanceMs(1000);
      const answers = await Promise.all(Array.from({ length: 4 }, () => refund(subscription.id)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422]);
      const done = answers.find(({ status }) => status === 200)?.body;
      expect(done).toMatchObject({
        object: 'subscription',
        status: 'expired',
        gives_access: false,
        ends_at: NOW_MS + 1000,
        total_revenue_in_usd: expect.objectContaining({ gross: 9.99 }),
      });
      const events = await eventsOf(id);
      expect(events.map(({ type }) => type)).toEqual([bought, 'RENEWAL', 'CANCELLATION', 'EXPIRATION']);
      expect(events[2]?.body).toMatchObject({ cancel_reason: 'CUSTOMER_SUPPORT', price: -9.99 });
      expect(await items(`/customers/${id}/active_entitlements`)).toEqual([]);
      const transactions = await items(`/subscriptions/${subscription.id}/transactions?sort=purchased_at`);
      expect(transactions.map(({ refunded_at }) => refunded_at)).toEqual([null, NOW_MS + 1000]);
      expect(transactions[1]).toMatchObject({ effective_expiration_date: NOW_MS + 1000 });
      expect(await auditOf(subscription.id)).toMatchObject({ action_type: 'subscription_refunded' });
    });

    it('keeps access and renewal when one payment is refunded', async () => {
      const id = person();
      const { subscription, store_transaction_id: token } = await made({
        app_user_id: id,
        scenario: 'renewal',
      });
      server.clock.advanceMs(1000);
      for (const transaction of [token, `${token}..0`]) {
        const { status, body } = await refundTransaction(subscription.id, transaction);
        expect([status, body]).toMatchObject([
          200,
          { object: 'subscription_transaction', id: transaction, refunded_at: NOW_MS + 1000 },
        ]);
        const again = await refundTransaction(subscription.id, transaction);
        expect([again.status, again.body.type]).toEqual([422, 'unprocessable_entity_error']);
      }
      const read = (await store.backend.get(`${store.path}/subscriptions/${subscription.id}`)).body;
      expect(read).toMatchObject({ status: 'active', auto_renewal_status: 'will_renew', gives_access: true });
      expect(read.total_revenue_in_usd.gross).toBe(0);
      expect((await eventsOf(id)).map(({ type }) => type)).toEqual([bought, 'RENEWAL']);
      // Nothing is left to refund.
      expect((await refund(subscription.id)).status).toBe(422);
    });

    it('works in the millisecond of the purchase', async () => {
      const { subscription } = await made({ scenario: 'uncancel' });
      expect((await refund(subscription.id)).body).toMatchObject({ status: 'expired', ends_at: NOW_MS });
    });

    it('refuses them for trials, and answers 404 for missing ones', async () => {
      const { subscription, store_transaction_id: token } = await made({ scenario: 'trial' });
      for (const answer of [await refund(subscription.id), await refundTransaction(subscription.id, token)]) {
        expect([answer.status, answer.body.type]).toEqual([422, 'unprocessable_entity_error']);
      }
      expect((await refund('sub_unknown')).status).toBe(404);
      expect((await refundTransaction('sub_unknown', token)).status).toBe(404);
      expect((await refundTransaction(subscription.id, 'unknown')).status).toBe(404);
      const other = await made({});
      expect((await refundTransaction(subscription.id, other.store_transaction_id)).status).toBe(404);
    });

    it('needs an app of that store for other stores', async () => {
      const { subscription } = await made({});
      await server.dataSource.query(`UPDATE subscriptions SET store = 'app_store' WHERE id = $1`, [
        subscription.id,
      ]);
      expect((await refund(subscription.id)).status).toBe(422);
      await server.dataSource.query(`UPDATE subscriptions SET store = 'play_store' WHERE id = $1`, [
        subscription.id,
      ]);
      expect((await refund(subscription.id)).status).toBe(422);
    });
  });

  it('buys once for a request that is sent twice with one Idempotency-Key', async () => {
    const id = person();
    const body = { app_user_id: id, product_id: 'pro_monthly' };
    const client = store.backend.with({ 'idempotency-key': `test-purchase-${id}` });
    const [first, second] = [await client.post(path, body), await client.post(path, body)];
    expect([first?.status, second?.status]).toEqual([201, 201]);
    expect(second?.body).toEqual(first?.body);
    expect(await items(`/customers/${id}/subscriptions`)).toHaveLength(1);
  });

  it('audits what was simulated', async () => {
    server.clock.advanceMs(60_000);
    const { subscription } = await made({ scenario: 'refund' });
    expect(await auditOf(subscription.id)).toMatchObject({
      action_type: 'subscription_simulated',
      additional_data: { scenario: 'refund' },
    });
  });

  it('records purchases of blocked customers, who get nothing', async () => {
    const id = person();
    await store.backend.post(`${store.path}/blocked_customers`, { app_user_id: id, reason: 'none' });
    const body = await made({ app_user_id: id });
    expect([body.subscription.gives_access, activeEntitlements(body)]).toEqual([true, []]);
  });

  describeAccess(
    () => server,
    'POST',
    (projectId) => `/v2/projects/${projectId}/test_purchases`,
    'customer_information:purchases:read_write',
  );
});
