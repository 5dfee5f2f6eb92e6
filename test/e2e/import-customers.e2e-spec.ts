import { DueWorkJob } from '../../src/purchases/due-work/due-work.job.js';
import type { Answer, ApiClient, Json } from '../support/api-client.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import { statementsOf } from '../support/query-count.js';
import { createSecretKey } from '../support/arrange.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe('importing customers', () => {
  let server: TestServer;
  let store: TestStore;
  let apple: Json;
  let play: Json;
  let reader: ApiClient;
  let stranger: ApiClient;

  beforeAll(async () => {
    server = await startTestServer({ env: { SERVICE_ALLOW_SIGNUP: 'true' } });
    store = await createTestStore(server);
    stranger = (await createTestStore(server, 'other@example.com')).backend;
    const permissions = ['customer_information:customers:read'];
    reader = (await createSecretKey(store.session, store.projectId, permissions)).client;
    const made = async (path: string, body: object): Promise<Json> =>
      (await store.backend.post(`${store.path}/${path}`, body)).body;
    apple = await made('apps', {
      name: 'iOS',
      type: 'app_store',
      app_store: { bundle_id: 'com.example.app' },
    });
    play = await made('apps', {
      name: 'Android',
      type: 'play_store',
      play_store: { package_name: 'com.example' },
    });
    const ids: string[] = [];
    for (const [app_id, store_identifier] of [
      [apple.id, 'pro_month'],
      [play.id, 'pro:monthly'],
    ]) {
      const body = { store_identifier, app_id, type: 'subscription', display_name: 'Pro' };
      ids.push((await made('products', body)).id);
    }
    await made(`entitlements/${store.entitlements.pro.id}/actions/attach_products`, { product_ids: ids });
  });

  beforeEach(() => server.clock.advanceMs(1));

  afterAll(async () => {
    await server.close();
  });

  let count = 0;
  const person = (): string => `imported-${++count}`;
  const post = (body: object): Promise<Answer> => store.backend.post(`${store.path}/import/customers`, body);
  const now = (): number => server.clock.nowMs();
  const v2 = (id: string, suffix = ''): string =>
    `${store.path}/customers/${encodeURIComponent(id)}${suffix}`;
  const active = async (id: string): Promise<Json[]> =>
    (await store.backend.get(v2(id, '/active_entitlements'))).body.items;
  const ios = (id: string, more: Json = {}): Json => ({
    app_id: apple.id,
    store: 'app_store',
    product_identifier: 'pro_month',
    starts_at: now() - 70 * DAY_MS,
    current_period_starts_at: now() - 10 * DAY_MS,
    current_period_ends_at: now() + 20 * DAY_MS,
    status: 'active',
    auto_renewal_status: 'will_renew',
    store_subscription_identifier: `${id}3`,
    original_transaction_id: `${id}1`,
    ...more,
  });

  const rows = async (): Promise<Json> => {
    const tables = [
      'customers',
      'customer_aliases',
      'subscriptions',
      'one_time_purchases',
      'store_transactions',
      'customer_attributes',
      'events',
      'virtual_currency_transactions',
      'subscription_identifiers',
    ];
    const counts = await Promise.all(
      tables.map(async (table) => {
        const [row] = await server.dataSource.query<{ n: string }[]>(`SELECT count(*) AS n FROM ${table}`);
        return [table, Number(row?.n)] as const;
      }),
    );
    const [versions] = await server.dataSource.query<Json[]>(
      'SELECT (SELECT sum(version) FROM customers) AS c, (SELECT sum(version) FROM subscriptions) AS s',
    );
    return { ...Object.fromEntries(counts), ...versions };
  };
  const events = async (id: string): Promise<string[]> =>
    (await store.backend.get(v2(id, '/events'))).body.items.map(({ body }: Json) => body.type).reverse();
  const ledger = async (id: string): Promise<Json[]> =>
    server.dataSource.query(
      `SELECT t.kind, t.amount_micros::float / 1000000 AS amount, t.currency, t.price_source AS source FROM store_transactions t
       JOIN customer_aliases a ON a.project_id = t.project_id AND a.customer_id = t.customer_id
       WHERE a.app_user_id = $1 ORDER BY t.purchased_at, t.kind_seq`,
      [id],
    );
  const one = async (item: Json, more: Json = {}): Promise<Json> => {
    const answer = await post({ customers: [item], ...more });
    expect(answer.status).toBe(200);
    return answer.body.customers[0];
  };
  const android = (id: string, more: Json = {}): Json => ({
    app_id: play.id,
    store: 'play_store',
    product_identifier: 'pro:monthly',
    starts_at: now() - 40 * DAY_MS,
    current_period_starts_at: now() - 10 * DAY_MS,
    current_period_ends_at: now() + 20 * DAY_MS,
    status: 'active',
    auto_renewal_status: 'will_renew',
    store_subscription_identifier: `GPA.${id}..1`,
    ...more,
  });
  const pass = async (ms: number): Promise<void> => {
    server.clock.advanceMs(ms);
    await server.app.get(DueWorkJob).run();
  };
  const usd = (amount: number): Json => ({ amount, currency: 'USD' });

  it('creates a hundred with what they own, and the same call again changes nothing', async () => {
    const customers = Array.from({ length: 100 }, () => {
      const id = person();
      return {
        id,
        aliases: [id, `${id}-too`],
        first_seen_at: now() - 80 * DAY_MS,
        last_seen_at: now() - DAY_MS,
        attributes: [{ name: '$email', value: `${id}@example.com`, updated_at: now() - DAY_MS }],
        subscriptions: [ios(`8${count}`, { price: usd(9.99) })],
      };
    });
    const first = await post({ customers });
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({ object: 'import_result', emit_events: false });
    expect(first.body.customers).toHaveLength(100);
    expect(first.body.customers[0]).toEqual({
      id: customers[0]?.id,
      status: 'created',
      subscriptions: 1,
      purchases: 0,
      needs_token_refresh: 0,
      notes: [],
    });
    const id = customers[0]?.id ?? '';
    expect(await active(`${id}-too`)).toHaveLength(1);
    const customer = (await store.backend.get(v2(id))).body;
    expect(customer).toMatchObject({
      first_seen_at: customers[0]?.first_seen_at,
      last_seen_at: customers[0]?.last_seen_at,
    });
    const before = await rows();
    server.clock.advanceMs(1000);
    const second = await post({ customers });
    expect(
      second.body.customers.every((row: Json) => row.status === 'updated' && row.subscriptions === 1),
    ).toBe(true);
    expect(await rows()).toEqual(before);
    expect(await events(id)).toEqual([]);
  });

  it.each([
    ['too many', { customers: Array.from({ length: 101 }, (_, index) => ({ id: `x${index}` })) }],
    ['none', { customers: [] }],
    ['an object', { customers: {} }],
    ['nothing', {}],
  ])('refuses %s', async (_, body) => {
    const answer = await post(body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ type: 'parameter_error', param: 'customers' });
  });

  it.each<[string, (id: string) => Json, string]>([
    [
      'a bad date',
      (id) => ({ id, subscriptions: [ios(id, { current_period_ends_at: 'x' })] }),
      'subscriptions.0.current_period_ends_at',
    ],
    [
      'an end before the start',
      (id) => ({ id, subscriptions: [ios(id, { current_period_ends_at: 5 })] }),
      'subscriptions.0.current_period_ends_at',
    ],
    [
      'no dates',
      (id) => ({ id, subscriptions: [ios(id, { starts_at: undefined })] }),
      'subscriptions.0.starts_at',
    ],
    [
      'an unknown app',
      (id) => ({ id, subscriptions: [ios(id, { app_id: 'app1' })] }),
      'subscriptions.0.app_id',
    ],
    [
      'no id at the store',
      (id) => ({
        id,
        subscriptions: [
          ios(id, { store_subscription_identifier: undefined, original_transaction_id: undefined }),
        ],
      }),
      'subscriptions.0.store_subscription_identifier',
    ],
    ['a placeholder as the id', () => ({ id: 'null' }), 'id'],
    ['a slash in an alias', (id) => ({ id, aliases: ['a/b'] }), 'aliases.0'],
    ['a balance below zero', (id) => ({ id, virtual_currencies: { GLD: -1 } }), 'virtual_currencies.GLD'],
    [
      'an unknown app of a purchase',
      (id) => ({
        id,
        purchases: [
          {
            app_id: 'a',
            store: 'app_store',
            product_identifier: 'c',
            purchased_at: 1,
            store_purchase_identifier: '1',
            status: 'owned',
          },
        ],
      }),
      'purchases.0.app_id',
    ],
  ])('refuses a whole call with %s', async (_, make, param) => {
    const ids = Array.from({ length: 3 }, person);
    const customers = [{ id: ids[0] }, make(ids[1] ?? ''), { id: ids[2] }];
    const answer = await post({ customers });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ type: 'parameter_error', param: `customers.1.${param}` });
    expect((await store.backend.get(v2(ids[0] ?? ''))).status).toBe(404);
  });

  it('tells nothing of the past, and the end of a subscription once', async () => {
    const id = person();
    await one({ id, subscriptions: [ios('50', { auto_renewal_status: 'will_not_renew' })] });
    await pass(21 * DAY_MS);
    expect(await events(id)).toEqual(['EXPIRATION']);
    await pass(21 * DAY_MS);
    expect(await events(id)).toEqual(['EXPIRATION']);
    expect(await active(id)).toEqual([]);
  });

  it('never tells the end of what was over, whether or not events are wanted', async () => {
    for (const emit_events of [false, true]) {
      const id = person();
      const over = ios(`60${count}`, {
        status: 'expired',
        auto_renewal_status: 'will_not_renew',
        current_period_ends_at: now() - DAY_MS,
      });
      await one({ id, subscriptions: [over] }, { emit_events });
      await pass(3 * DAY_MS);
      expect(await events(id)).toEqual([]);
      const [subscription] = (await store.backend.get(v2(id, '/subscriptions'))).body.items;
      expect(subscription).toMatchObject({
        status: 'expired',
        gives_access: false,
        auto_renewal_status: 'will_not_renew',
      });
    }
  });

  it('tells how new subscriptions stand, once, if events are wanted', async () => {
    const id = person();
    const item = {
      id,
      subscriptions: [
        ios('70', {
          auto_renewal_status: 'will_not_renew',
          transactions: [
            { id: '701', purchased_at: now() - 70 * DAY_MS, price: usd(9.99) },
            { id: '702', purchased_at: now() - 40 * DAY_MS },
            { id: '703', purchased_at: now() - 10 * DAY_MS },
          ],
        }),
      ],
    };
    await one(item, { emit_events: true });
    expect(await events(id)).toEqual(['INITIAL_PURCHASE', 'CANCELLATION']);
    await one(item, { emit_events: true });
    expect(await events(id)).toEqual(['INITIAL_PURCHASE', 'CANCELLATION']);
    const troubled = person();
    const grace = ios('71', {
      status: 'in_grace_period',
      current_period_ends_at: now() - DAY_MS,
      ends_at: now() + 5 * DAY_MS,
    });
    await one({ id: troubled, subscriptions: [grace] }, { emit_events: true });
    expect(await events(troubled)).toEqual(['INITIAL_PURCHASE', 'BILLING_ISSUE', 'CANCELLATION']);
    expect(await active(troubled)).toMatchObject([{ expires_at: grace.ends_at }]);
  });

  it('tells at most fifty events a second to each webhook', async () => {
    const at = await createTestStore(server, 'flooded@example.com');
    const fields = { name: 'iOS', type: 'app_store', app_store: { bundle_id: 'com.example.flooded' } };
    const { id: app_id } = (await at.backend.post(`${at.path}/apps`, fields)).body;
    for (const name of ['a', 'b'])
      await at.backend.post(`${at.path}/integrations/webhooks`, { name, url: 'http://127.0.0.1:9/' });
    let sent = 0;
    const send = async (size: number): Promise<void> => {
      const customers = Array.from({ length: size }, () => {
        sent++;
        return { id: `flood-${sent}`, subscriptions: [ios(`75${sent}`, { app_id })] };
      });
      const body = { customers, emit_events: true };
      expect((await at.backend.post(`${at.path}/import/customers`, body)).status).toBe(200);
    };
    await send(10);
    await send(5);
    const rows = await server.dataSource.query<Json[]>(
      `SELECT webhook_integration_id AS id, round(extract(epoch FROM next_attempt_at) * 1000)::float8 AS at
       FROM webhook_deliveries WHERE project_id = $1 AND attempts = 0 AND lease_until IS NULL ORDER BY 1, 2`,
      [at.projectId],
    );
    for (const { id } of rows) {
      const times = rows.filter((row) => row.id === id).map((row) => Number(row.at));
      // The first one is due at once, and may be on its way already.
      expect(times.length).toBeGreaterThanOrEqual(14);
      times.slice(1).forEach((time, index) => expect(time - Number(times[index])).toBe(20));
    }
    expect(rows.length).toBeGreaterThanOrEqual(28);
  });

  it.each(['in_billing_retry', 'paused'])('leaves %s open for recovery for sixty days', async (status) => {
    const id = person();
    const end = now() - DAY_MS;
    await one({ id, subscriptions: [ios(`72${count}`, { status, current_period_ends_at: end })] });
    const states = async (): Promise<string[]> =>
      (await store.backend.get(v2(id, '/subscriptions'))).body.items.map((item: Json) => item.status);
    await pass(58 * DAY_MS);
    expect(await states()).toEqual([status]);
    await pass(2 * DAY_MS);
    expect(await states()).toEqual(['expired']);
    expect(await events(id)).toEqual([]);
    const stored = await server.dataSource.query<Json[]>(
      'SELECT s.status FROM subscriptions s JOIN customers c ON c.id = s.customer_id WHERE c.original_app_user_id = $1',
      [id],
    );
    expect(stored).toEqual([{ status: 'expired' }]);
  });

  it('leaves an unknown price out of revenue, and counts it until a store tells it', async () => {
    const at = await createTestStore(server, 'unpriced@example.com');
    const fields = { name: 'iOS', type: 'app_store', app_store: { bundle_id: 'com.example.unpriced' } };
    const { id: app_id } = (await at.backend.post(`${at.path}/apps`, fields)).body;
    const unpriced = ios('73', { app_id });
    const send = (item: Json, as_of: number): Promise<Answer> =>
      at.backend.post(`${at.path}/import/customers`, {
        customers: [{ id: 'ada', subscriptions: [item] }],
        as_of,
      });
    const without = async (): Promise<number> =>
      (await at.backend.get(`${at.path}/import/status`)).body.transactions_without_price;
    await send(unpriced, now() - 5);
    expect(await without()).toBe(1);
    const { metrics } = (await at.backend.get(`${at.path}/metrics/overview`)).body;
    expect(metrics.find((metric: Json) => metric.id === 'revenue')).toMatchObject({ value: 0 });
    await send({ ...unpriced, price: usd(9.99) }, now());
    expect(await without()).toBe(0);
  });

  it('changes nothing when a customer stays locked, and can be tried again', async () => {
    const id = person();
    await one({ id });
    const fresh = person();
    const customers = [{ id: fresh }, { id, subscriptions: [ios(`74${count}`)] }];
    const answer = await server.dataSource.transaction(async (tx) => {
      await tx.query('SELECT 1 FROM customers WHERE original_app_user_id = $1 FOR UPDATE', [id]);
      return post({ customers });
    });
    expect(answer.status).toBe(503);
    expect(answer.body).toMatchObject({ type: 'server_error', retryable: true });
    expect((await store.backend.get(v2(fresh))).status).toBe(404);
    expect((await post({ customers })).body.customers).toMatchObject([
      { status: 'created' },
      { status: 'updated', subscriptions: 1 },
    ]);
  });

  describe('a Google Play subscription without its purchase token', () => {
    it('gives access, and keeps its id when the token comes', async () => {
      const id = person();
      const found = await one({ id, subscriptions: [android('1111-1111-1111-11111')] });
      expect(found).toMatchObject({ subscriptions: 1, needs_token_refresh: 1 });
      const subscriptions = async (): Promise<Json[]> =>
        (await store.backend.get(v2(id, '/subscriptions'))).body.items;
      const [before] = await subscriptions();
      expect(before).toMatchObject({
        store_subscription_identifier: 'GPA.1111-1111-1111-11111..1',
        gives_access: true,
      });
      const token = android('1111-1111-1111-11111', {
        purchase_token: 'token-1',
        store_subscription_identifier: 'GPA.1111-1111-1111-11111..2',
      });
      expect(await one({ id, subscriptions: [token] })).toMatchObject({
        subscriptions: 1,
        needs_token_refresh: 0,
      });
      const after = await subscriptions();
      expect(after).toHaveLength(1);
      expect(after[0]?.id).toBe(before?.id);
      expect(await one({ id, subscriptions: [android('1111-1111-1111-11111')] })).toMatchObject({
        subscriptions: 1,
        needs_token_refresh: 0,
      });
    });

    it('keeps access after its period if it renews, at most for sixty days', async () => {
      const [renewing, ending] = [person(), person()];
      const period = now() + 20 * DAY_MS;
      await one({ id: renewing, subscriptions: [android('2222-1111-1111-11111')] });
      await one({
        id: ending,
        subscriptions: [android('3333-1111-1111-11111', { auto_renewal_status: 'will_not_renew' })],
      });
      const [held] = (await store.backend.get(v2(renewing, '/subscriptions'))).body.items;
      expect(held).toMatchObject({ current_period_ends_at: period, ends_at: period + 60 * DAY_MS });
      await pass(21 * DAY_MS);
      expect(await active(renewing)).toHaveLength(1);
      expect(await active(ending)).toEqual([]);
      expect(await events(renewing)).toEqual([]);
      await pass(60 * DAY_MS);
      expect(await active(renewing)).toEqual([]);
      await pass(60 * DAY_MS);
      expect((await events(renewing)).filter((type) => type === 'EXPIRATION')).toHaveLength(1);
    });
  });

  describe('identities', () => {
    it('merges an anonymous customer, who keeps purchases and the original id', async () => {
      const anonymous = `$RCAnonymousID:${'a'.repeat(31)}1`;
      await store.sdk.get(`/v1/subscribers/${encodeURIComponent(anonymous)}`);
      await one({ id: anonymous, subscriptions: [ios('4100')] });
      const id = person();
      const merged = await one({ id, aliases: [anonymous] });
      expect(merged).toMatchObject({ status: 'merged', notes: [] });
      expect((await store.backend.get(v2(id))).body.id).toBe(anonymous);
      expect(await active(id)).toHaveLength(1);
    });

    it('merges two identified customers, with a note and a record of the change', async () => {
      const [a, b] = [person(), person()];
      await one({ id: a });
      await one({ id: b, subscriptions: [ios('4200')] });
      const merged = await one({ id: a, aliases: [b] });
      expect(merged).toMatchObject({ status: 'merged', notes: [`merged ${b} into ${a}`] });
      const [subscription] = (await store.backend.get(v2(a, '/subscriptions'))).body.items;
      const path = `${store.path}/subscriptions/${subscription.id}/ownership_history`;
      const history = (await store.backend.get(path)).body;
      expect(JSON.stringify(history)).toContain('import');
      expect(await events(a)).toEqual([]);
    });

    it('refuses to merge sixty customers by one placeholder', async () => {
      const ids = Array.from({ length: 60 }, person);
      await post({ customers: ids.map((id) => ({ id })) });
      const id = person();
      const refused = await one({ id, aliases: ids });
      expect(refused.notes[0]).toContain('not joined');
      expect((await store.backend.get(v2(ids[7] ?? ''))).body.id).toBe(ids[7]);
    });

    it('leaves a subscription with its current owner', async () => {
      const [a, b] = [person(), person()];
      await one({ id: b, subscriptions: [ios('4300')] });
      const refused = await one({ id: a, subscriptions: [ios('4300')] });
      expect(refused).toMatchObject({
        subscriptions: 0,
        notes: [`subscriptions.0: stays with its present owner ${b}`],
      });
      expect(await active(a)).toEqual([]);
      expect(await events(b)).toEqual([]);
    });

    it('stays deleted', async () => {
      const id = person();
      await one({ id });
      await store.backend.delete(v2(id));
      expect(await one({ id, subscriptions: [ios('4400')] })).toMatchObject({
        status: 'updated',
        subscriptions: 0,
      });
      expect((await store.backend.get(v2(id))).status).toBe(404);
    });

    it('stays blocked', async () => {
      const id = person();
      await one({ id, blocked: true, subscriptions: [ios('4500')] });
      expect(await active(id)).toEqual([]);
    });
  });

  it('keeps the newer value of each attribute', async () => {
    const id = person();
    await one({
      id,
      attributes: [
        { name: 'a', value: 'old', updated_at: 5 },
        { name: 'b', value: 'old', updated_at: 5 },
      ],
    });
    await one({
      id,
      attributes: [
        { name: 'a', value: 'new', updated_at: 6 },
        { name: 'b', value: 'older', updated_at: 4 },
        { name: 'c', value: 'x'.repeat(501), updated_at: 6 },
      ],
    });
    const { items } = (await store.backend.get(v2(id, '/attributes'))).body;
    expect(items.map(({ name, value }: Json) => [name, value])).toEqual([
      ['a', 'new'],
      ['b', 'old'],
    ]);
  });

  it('moves balances by the difference', async () => {
    await store.backend.post(`${store.path}/virtual_currencies`, { code: 'GLD', name: 'Gold' });
    const id = person();
    const balance = async (): Promise<number> =>
      (await store.backend.get(v2(id, '/virtual_currencies'))).body.items[0]?.balance;
    expect(await one({ id, virtual_currencies: { GLD: 100, XXX: 5 } })).toMatchObject({
      notes: ['virtual_currencies.XXX: omitted: there is no such currency'],
    });
    await store.backend.post(v2(id, '/virtual_currencies/transactions'), { adjustments: { GLD: -30 } });
    server.clock.advanceMs(1);
    await one({ id, virtual_currencies: { GLD: 120 } });
    expect(await balance()).toBe(90);
    await one({ id, virtual_currencies: { GLD: 120 } });
    expect(await balance()).toBe(90);
  });

  it('finds a subscription by its original transaction id, although only a later payment is recorded', async () => {
    const id = person();
    await one({ id, subscriptions: [ios('4640')] });
    const [owned] = (await store.backend.get(v2(id, '/subscriptions'))).body.items;
    for (const name of ['46401', '46403']) {
      const { body } = await store.backend.get(
        `${store.path}/subscriptions?store_subscription_identifier=${name}`,
      );
      expect(body.items.map((found: Json) => found.id)).toEqual([owned.id]);
      const { body: customers } = await store.backend.get(`${store.path}/customers?search=${name}`);
      expect(customers.items.map((found: Json) => found.id)).toEqual([id]);
    }
  });

  it('fills what a newer import left out from an older one', async () => {
    const id = person();
    const period = {
      status: 'expired',
      auto_renewal_status: 'will_not_renew',
      current_period_starts_at: now() - 40 * DAY_MS,
      current_period_ends_at: now() - 10 * DAY_MS,
    };
    const asOfMs = now();
    await one({ id, subscriptions: [ios('4650', period)] }, { as_of: asOfMs });
    const subscription = async (): Promise<Json> =>
      (await store.backend.get(v2(id, '/subscriptions'))).body.items[0];
    expect(await subscription()).toMatchObject({ country: null });
    const older = {
      ...period,
      country: 'FR',
      unsubscribe_detected_at: now() - 20 * DAY_MS,
      refunded_at: now() - 15 * DAY_MS,
      price: usd(9.99),
    };
    await one({ id, subscriptions: [ios('4650', older)] }, { as_of: asOfMs - 1000 });
    expect(await subscription()).toMatchObject({ country: 'FR' });
    const oldest = { ...older, country: 'DE', unsubscribe_detected_at: now() - 25 * DAY_MS };
    await one({ id, subscriptions: [ios('4650', oldest)] }, { as_of: asOfMs - 2000 });
    expect(await subscription()).toMatchObject({ country: 'FR' });
    const { body } = await store.backend.get(`/v1/subscribers/${id}`);
    const seconds = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
    expect(body.subscriber.subscriptions.pro_month).toMatchObject({
      unsubscribe_detected_at: seconds(older.unsubscribe_detected_at),
      refunded_at: seconds(older.refunded_at),
      price: usd(9.99),
    });
  });

  it('changes nothing for a paused subscription that comes again without its transactions', async () => {
    const id = person();
    const paused = {
      status: 'paused',
      starts_at: now() - 70 * DAY_MS,
      current_period_starts_at: now() - 40 * DAY_MS,
      current_period_ends_at: null,
      auto_resume_at: now() + 5 * DAY_MS,
      purchase_token: 'paused-token',
    };
    const transactions = [
      { id: `GPA.4660..0`, purchased_at: now() - 70 * DAY_MS, expires_at: now() - 40 * DAY_MS },
      { id: `GPA.4660..1`, purchased_at: now() - 40 * DAY_MS, expires_at: now() - 10 * DAY_MS },
    ];
    const first = { ...android('4660', paused), transactions };
    await one({ id, subscriptions: [first] });
    const before = await rows();
    const shown = async (): Promise<Json> => (await store.backend.get(v2(id, '/subscriptions'))).body;
    const held = await shown();
    expect(held.items).toMatchObject([{ current_period_ends_at: now() - 10 * DAY_MS, gives_access: false }]);
    server.clock.advanceMs(1000);
    await one({ id, subscriptions: [{ ...first, transactions: undefined }] });
    expect(await shown()).toEqual(held);
    expect(await rows()).toEqual(before);
  });

  it('makes two lapsed objects with one original id one subscription', async () => {
    const id = person();
    const first = ios('4600', {
      starts_at: 1000,
      current_period_starts_at: 1000,
      current_period_ends_at: 2_592_000_000,
      status: 'expired',
      store_subscription_identifier: '46005',
    });
    await one({ id, subscriptions: [ios('4600', { starts_at: now() - 10 * DAY_MS }), first] });
    const { items } = (await store.backend.get(v2(id, '/subscriptions'))).body;
    expect(items).toMatchObject([{ starts_at: 1000, current_period_starts_at: now() - 10 * DAY_MS }]);
    expect(await ledger(id)).toHaveLength(2);
  });

  it('grants entitlements once', async () => {
    const id = person();
    const grant = (ends: number | null): Json => ({
      store: 'promotional',
      starts_at: now() - DAY_MS,
      current_period_starts_at: now() - DAY_MS,
      current_period_ends_at: ends,
      status: 'active',
      entitlement_lookup_keys: ['pro'],
    });
    const until = now() + 5 * DAY_MS;
    for (let run = 0; run < 2; run++)
      await one({ id, subscriptions: [grant(until), grant(now() + 200 * 365 * DAY_MS)] });
    const { items } = (await store.backend.get(v2(id, '/subscriptions'))).body;
    expect(items).toHaveLength(2);
    expect(await events(id)).toEqual([]);
  });

  it('records what the other system knows of money', async () => {
    const id = person();
    await one({
      id,
      subscriptions: [
        ios('4700', {
          transactions: [
            { id: '47001', purchased_at: now() - 70 * DAY_MS, period_type: 'trial' },
            {
              id: '47002',
              purchased_at: now() - 40 * DAY_MS,
              price: usd(9.99),
              refunded_at: now() - 39 * DAY_MS,
            },
            { id: '47003', purchased_at: now() - 10 * DAY_MS },
          ],
        }),
      ],
    });
    expect(await ledger(id)).toEqual([
      { kind: 'trial_start', amount: 0, currency: null, source: 'import' },
      { kind: 'renewal', amount: 9.99, currency: 'USD', source: 'import' },
      { kind: 'refund', amount: -9.99, currency: 'USD', source: 'import' },
      { kind: 'renewal', amount: null, currency: null, source: 'import' },
    ]);
  });

  describe('a refunded period', () => {
    const start = (): number => now() - 20 * DAY_MS;
    const refund = (): number => start() + 2 * DAY_MS;
    const refunded = (endMs: number, more: Json = {}): Json =>
      ios(`49${++count}`, {
        starts_at: start(),
        current_period_starts_at: start(),
        current_period_ends_at: endMs,
        status: 'expired',
        auto_renewal_status: 'will_not_renew',
        refunded_at: refund(),
        price: usd(9.99),
        ...more,
      });
    const sale = (id: string, more: Json = {}): Json => ({
      id,
      purchased_at: start(),
      price: usd(9.99),
      ...more,
    });
    const chart = async (projectPath: string, client: ApiClient, name: string): Promise<Json> => {
      const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
      const range = `start_date=${day(start() - DAY_MS)}&end_date=${day(now())}`;
      return (await client.get(`${projectPath}/charts/${name}?${range}`)).body;
    };

    it.each([
      ['its end at the refund', () => refunded(refund())],
      ['its paid end', () => refunded(start() + 30 * DAY_MS)],
      [
        'its end at the refund, and a transaction',
        () => refunded(refund(), { transactions: [sale(`t${count}`)] }),
      ],
      [
        'its end at the refund, and a transaction with its paid end',
        () =>
          refunded(refund(), { transactions: [sale(`t${count}`, { expires_at: start() + 30 * DAY_MS })] }),
      ],
    ])('counts, given with %s, its whole price for two days of MRR, and no expansion', async (_, item) => {
      const other = await createTestStore(server, `${person()}@example.com`);
      const app = { name: 'iOS', type: 'app_store', app_store: { bundle_id: 'com.example.app' } };
      const { body } = await other.backend.post(`${other.path}/apps`, app);
      const customers = [{ id: person(), subscriptions: [{ ...item(), app_id: body.id }] }];
      const answer = await other.backend.post(`${other.path}/import/customers`, { customers });
      expect(answer.body.customers[0]).toMatchObject({ subscriptions: 1 });
      const mrr = await chart(other.path, other.backend, 'mrr');
      expect(mrr.values.map(({ value }: Json) => value)).toEqual([0, 9.99, 9.99, ...Array(19).fill(0)]);
      const { summary } = await chart(other.path, other.backend, 'mrr_movement');
      expect(summary.total).toMatchObject({ 'New MRR': 9.99, 'Churned MRR': 9.99, 'Expansion MRR': 0 });
      const history = await other.backend.get(`${other.path}/metrics/history?metric=mrr&days=30`);
      const days = history.body.values.map(({ value }: Json) => value).filter((value: number) => value !== 0);
      expect(days).toEqual([9.99, 9.99]);
    });

    it('lasts as long as its product without a known end, or as another period of it', async () => {
      const id = person();
      const yearly = {
        store_identifier: 'pro_year',
        app_id: apple.id,
        type: 'subscription',
        display_name: 'Year',
      };
      await store.backend.post(`${store.path}/products`, { ...yearly, subscription: { duration: 'P1Y' } });
      const weekAgo = start() - 7 * DAY_MS;
      await one({
        id,
        subscriptions: [
          refunded(refund(), { product_identifier: 'pro_year' }),
          refunded(refund(), {
            product_identifier: 'pro_week',
            starts_at: weekAgo,
            transactions: [
              sale('4991', { purchased_at: weekAgo, expires_at: start() }),
              sale('4992', { refunded_at: refund() }),
            ],
            store_subscription_identifier: '4992',
          }),
        ],
      });
      const ends = await server.dataSource.query<{ product: string; days: number }[]>(
        `SELECT t.store_product_id AS product,
           (extract(epoch FROM t.expires_at - t.purchased_at) / 86400)::int AS days
         FROM store_transactions t
         JOIN customer_aliases a ON a.project_id = t.project_id AND a.customer_id = t.customer_id
         WHERE a.app_user_id = $1 AND t.kind IN ('purchase', 'renewal') ORDER BY 1, t.purchased_at`,
        [id],
      );
      expect(ends).toEqual([
        { product: 'pro_week', days: 7 },
        { product: 'pro_week', days: 7 },
        { product: 'pro_year', days: 365 },
      ]);
    });
  });

  it('counts a customer as active on the day of the last contact', async () => {
    const id = person();
    const seenAt = now() - 3 * DAY_MS;
    for (let run = 0; run < 2; run++)
      await one({ id, first_seen_at: now() - 9 * DAY_MS, last_seen_at: seenAt });
    const days = await server.dataSource.query<{ day: string }[]>(
      `SELECT d.day::text AS day FROM customer_days d
       JOIN customer_aliases a ON a.project_id = d.project_id AND a.customer_id = d.customer_id
       WHERE a.app_user_id = $1`,
      [id],
    );
    expect(days).toEqual([{ day: new Date(seenAt).toISOString().slice(0, 10) }]);
  });

  const purchase = (key: string, more: Json = {}): Json => ({
    app_id: apple.id,
    store: 'app_store',
    product_identifier: 'pro_forever',
    purchased_at: now() - DAY_MS,
    store_purchase_identifier: key,
    status: 'owned',
    price: usd(50),
    ...more,
  });

  it('records one-time purchases, of which a refunded one unlocks nothing', async () => {
    const id = person();
    const item = { id, purchases: [purchase('p1'), purchase('p2', { status: 'refunded' })] };
    const found = await one(item);
    expect(found).toMatchObject({ purchases: 2 });
    expect(found.notes[0]).toBe('purchases.0: the product "pro_forever" is not in the catalog');
    await one(item);
    const { items } = (await store.backend.get(v2(id, '/purchases'))).body;
    expect(items.map(({ status }: Json) => status).sort()).toEqual(['owned', 'refunded']);
    expect(await ledger(id)).toHaveLength(3);
    expect(await events(id)).toEqual([]);
  });

  it('keeps the offering of a one-time purchase, and gives back what is owned again', async () => {
    const id = person();
    const first = async (): Promise<Json> => (await store.backend.get(v2(id, '/purchases'))).body.items[0];
    const asOf = now() - HOUR_MS;
    const refunded = { status: 'refunded', refunded_at: asOf, presented_offering_id: 'summer' };
    await one({ id, purchases: [purchase('p3', refunded)] }, { as_of: asOf });
    expect(await first()).toMatchObject({ status: 'refunded', presented_offering_id: 'summer' });
    await one({ id, purchases: [purchase('p3')] });
    expect(await first()).toMatchObject({ status: 'owned', presented_offering_id: 'summer' });
    expect((await ledger(id)).reduce((sum, { amount }) => sum + amount, 0)).toBe(50);
  });

  it.each([null, 5, 'x', [[]]])(
    'names an item by its index that is %j instead of an object',
    async (item) => {
      const id = person();
      const paramOf = async (customers: unknown[]): Promise<unknown> => {
        const { status, body } = await post({ customers });
        return [status, body.param];
      };
      expect(await paramOf([{ id }, item])).toEqual([400, 'customers.1']);
      for (const list of ['subscriptions', 'purchases', 'attributes'])
        expect(await paramOf([{ id, [list]: [item] }])).toEqual([400, `customers.0.${list}.0`]);
      const subscriptions = [ios('4900'), ios('4901', { transactions: [item] })];
      expect(await paramOf([{ id, subscriptions }])).toEqual([
        400,
        'customers.0.subscriptions.1.transactions.0',
      ]);
      expect((await store.backend.get(v2(id))).status).toBe(404);
    },
  );

  it('names the list of an alias that is not a text', async () => {
    const { status, body } = await post({ customers: [{ id: person(), aliases: ['a', 5] }] });
    expect([status, body.param]).toEqual([400, 'customers.0.aliases']);
  });

  it('leaves out items of another store, and what is not known there', async () => {
    const id = person();
    const found = await one({
      id,
      subscriptions: [ios('4800', { store: 'amazon' }), ios('4801', { status: 'unknown' })],
    });
    expect(found).toMatchObject({ subscriptions: 0 });
    expect(found.notes).toEqual([
      'subscriptions.0: left out: the app is of the store app_store',
      'subscriptions.1: left out: its status is unknown',
    ]);
  });

  it('takes bodies of several megabytes, and no larger ones than ten', async () => {
    const id = person();
    const attributes = Array.from({ length: 400 }, (_, index) => ({
      name: `long_${index}`,
      value: 'x'.repeat(10_000),
      updated_at: 1,
    }));
    expect((await one({ id, attributes })).notes).toHaveLength(20);
    const answer = await post({ customers: Array.from({ length: 4 }, () => ({ id: person(), attributes })) });
    expect(answer.status).toBe(413);
  });

  it('needs as few statements for a hundred customers as for one', async () => {
    const hundred = Array.from({ length: 100 }, () => {
      const id = person();
      return {
        id,
        aliases: [`${id}-too`],
        attributes: [{ name: 'a', value: id, updated_at: 5 }],
        virtual_currencies: { GLD: 5 },
        subscriptions: [
          ios(`s${id}`, { transactions: [{ id: `t${id}`, purchased_at: now() - 70 * DAY_MS }] }),
        ],
      };
    });
    const all = await statementsOf(server, () => post({ customers: hundred }));
    // One mark for each buyer, sent together with the other statements.
    const statements = all.filter((name) => name !== 'purchases.mark_for_charts');
    expect(statements.length <= 25 ? [] : statements).toEqual([]);
  });

  it('requires a secret key of this project that may write customers', async () => {
    const path = `${store.path}/import/customers`;
    const body = { customers: [{ id: person() }] };
    expect((await reader.post(path, body)).status).toBe(403);
    expect((await store.sdk.post(path, body)).status).toBe(403);
    expect((await server.http.post(path, body)).status).toBe(401);
    expect((await stranger.post(path, body)).status).toBe(404);
  });
});
