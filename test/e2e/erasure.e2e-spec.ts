import { randomUUID } from 'node:crypto';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

describe('the erasure of a customer', () => {
  let server: TestServer;
  let store: TestStore;

  beforeAll(async () => {
    server = await startTestServer({ env: { SERVICE_ALLOW_SIGNUP: 'true' } });
    store = await createTestStore(server);
  });

  afterAll(() => server.close());

  let count = 0;
  const person = (): string => `erased-${++count}`;
  const v1 = (id: string): string => `/v1/subscribers/${encodeURIComponent(id)}`;
  const v2 = (id: string, suffix = ''): string =>
    `${store.path}/customers/${encodeURIComponent(id)}${suffix}`;
  const buy = async (appUserId: string, fetchToken: string): Promise<void> => {
    const body = { app_user_id: appUserId, fetch_token: fetchToken, product_id: 'pro_monthly' };
    expect((await store.sdk.post('/v1/receipts', body)).status).toBe(200);
  };
  const rowsIn = (table: string, customerId: string): Promise<unknown[]> =>
    server.dataSource.query(`SELECT 1 FROM ${table} WHERE customer_id = $1`, [customerId]);

  it('removes a long ledger by batches before the customer, who may buy the same again', async () => {
    const [id, other] = [person(), person()];
    const fetchToken = `test_${server.clock.nowMs()}_long`;
    await buy(id, fetchToken);
    const [{ customer_id: internal }] = await server.dataSource.query(
      'SELECT customer_id FROM customer_aliases WHERE app_user_id = $1',
      [id],
    );
    await server.dataSource.query(
      `INSERT INTO store_transactions (project_id, recorded_at, id, customer_id, subscription_id, store, environment,
         kind, kind_seq, period_key, owner_key, store_ids, commission_bps, tax_bps, quantity, price_source,
         purchased_at, period_type, ownership)
       SELECT project_id, recorded_at, id || n, customer_id, subscription_id, store, environment, 'renewal', 0,
         'long-' || n, owner_key, ARRAY['long-' || n], 0, 0, 1, 'unknown', purchased_at, period_type, ownership
       FROM store_transactions, generate_series(1, 2300) n WHERE customer_id = $1`,
      [internal],
    );
    const currency = { code: 'LONG', name: 'Long' };
    await store.backend.post(`${store.path}/virtual_currencies`, currency);
    for (const [table, columns, values] of [
      ['virtual_currency_transactions', 'created_at, id, kind, amount', `now(), n::text, 'adjustment', 1`],
      ['virtual_currency_lots', 'created_at, id, remaining', 'now(), n::text, 1'],
    ]) {
      await server.dataSource.query(
        `INSERT INTO ${table} (project_id, customer_id, code, ${columns})
         SELECT $1, $2, 'LONG', ${values} FROM generate_series(1, 1500) n`,
        [store.projectId, internal],
      );
    }
    await server.dataSource.query(
      `INSERT INTO customer_days (project_id, customer_id, day)
       SELECT $1, $2, date '2010-01-01' + n FROM generate_series(1, 1200) n`,
      [store.projectId, internal],
    );
    server.clock.advanceMs(1);
    expect((await store.backend.delete(v2(id))).status).toBe(200);
    for (const table of [
      'store_transactions',
      'subscriptions',
      'virtual_currency_transactions',
      'virtual_currency_lots',
      'customer_days',
    ]) {
      expect([table, await rowsIn(table, internal)]).toEqual([table, []]);
    }
    const { body: log } = await store.backend.get(`${store.path}/audit_logs?limit=1`);
    const { additional_data: data } = log.items[0];
    expect(data.erased).toMatchObject({
      transactions: 2301,
      currency_transactions: 1500,
      subscriptions: 1,
    });
    expect(data.complete).toBe(true);
    await buy(other, fetchToken);
    const [subscription] = (await store.backend.get(v2(other, '/subscriptions'))).body.items;
    expect(subscription.total_revenue_in_usd.gross).toBe(9.99);
    await store.backend.delete(`${store.path}/virtual_currencies/LONG`);
  });

  it('forgets answers under an Idempotency-Key that show the customer by whatever id, and no others', async () => {
    const [id, bystander] = [person(), person()];
    const key = (name: string) => ({ 'idempotency-key': `${name} of ${id}` });
    const device = `$RCAnonymousID:${randomUUID().replaceAll('-', '')}`;
    await store.sdk.get(v1(device));
    await store.sdk.post('/v1/subscribers/identify', { app_user_id: device, new_app_user_id: id });
    const attributes = { attributes: [{ name: 'secret', value: 'of the deceased' }] };
    const post = (name: string, of: string) =>
      store.backend.post(v2(of, '/attributes'), attributes, key(name));
    const create = () => store.backend.post(`${store.path}/customers`, { id: bystander }, key('create'));
    const buyTest = () =>
      store.backend.post(
        `${store.path}/test_purchases`,
        { app_user_id: id, product_id: 'pro_monthly' },
        key('test'),
      );
    expect((await create()).status).toBe(201);
    expect((await buyTest()).status).toBe(201);
    for (const [name, of] of [
      ['by id', id],
      ['by device', device],
      ['by bystander', bystander],
    ] as const) {
      expect((await post(name, of)).status).toBe(200);
      expect((await post(name, of)).headers['idempotent-replayed']).toBe('true');
    }
    await store.backend.delete(v2(id));
    expect((await post('by id', id)).status).toBe(404);
    expect((await post('by device', device)).status).toBe(404);
    expect((await post('by bystander', bystander)).headers['idempotent-replayed']).toBe('true');
    expect((await create()).headers['idempotent-replayed']).toBe('true');
    const again = await buyTest();
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, undefined]);
    await store.backend.delete(v2(bystander));
    expect((await create()).headers['idempotent-replayed']).toBeUndefined();
  });

  it.each(['source', 'target', 'nobody'])(
    'forgets the answer of a transfer, which shows both sides, with either of them (%s)',
    async (deleted) => {
      const [source, target, other] = [person(), person(), person()];
      const key = { 'idempotency-key': `transfer of ${source}` };
      const transfer = () =>
        store.backend.post(v2(source, '/actions/transfer'), { target_customer_id: target }, key);
      await buy(source, `test_${server.clock.nowMs()}_${source}`);
      expect((await transfer()).status).toBe(200);
      expect((await transfer()).headers['idempotent-replayed']).toBe('true');
      await store.sdk.get(v1(other));
      const gone = deleted === 'source' ? source : deleted === 'target' ? target : other;
      expect((await store.backend.delete(v2(gone))).status).toBe(200);
      const kept = await server.dataSource.query<unknown[]>(
        `SELECT 1 FROM idempotency_keys WHERE tenant_id = $1 AND key = $2`,
        [store.projectId, key['idempotency-key']],
      );
      expect(kept).toHaveLength(deleted === 'nobody' ? 1 : 0);
    },
  );

  it('forgets answers of a test clock that list the customer, and of a refund that names them as the first owner', async () => {
    const [listed, alone, source, target] = [person(), person(), person(), person()];
    const key = (name: string) => ({ 'idempotency-key': `${name} of ${listed}` });
    const clock = { name: 'Kept', frozen_time: server.clock.nowMs() };
    const { id } = (await store.backend.post(`${store.path}/test_clocks`, clock)).body;
    for (const customer of [listed, alone]) {
      await store.backend.post(`${store.path}/customers`, { id: customer, test_clock_id: id });
    }
    const rename = () =>
      store.backend.post(`${store.path}/test_clocks/${id}`, { name: 'Again' }, key('name'));
    expect((await rename()).body.customer_ids).toEqual([listed, alone].sort());
    await buy(source, `test_${server.clock.nowMs()}_${source}`);
    const [{ id: bought }] = (await store.backend.get(v2(source, '/subscriptions'))).body.items;
    await store.backend.post(v2(source, '/actions/transfer'), { target_customer_id: target });
    const refund = () =>
      store.backend.post(`${store.path}/subscriptions/${bought}/actions/refund`, {}, key('refund'));
    expect((await refund()).body).toMatchObject({ customer_id: target, original_customer_id: source });
    const kept = async () =>
      (
        await server.dataSource.query<{ key: string }[]>(
          `SELECT key FROM idempotency_keys WHERE tenant_id = $1 AND key = ANY ($2) ORDER BY key`,
          [store.projectId, [key('name'), key('refund')].map((headers) => headers['idempotency-key'])],
        )
      ).map((row) => row.key.split(' ')[0]);
    expect(await kept()).toEqual(['name', 'refund']);
    await store.backend.delete(v2(alone));
    expect(await kept()).toEqual(['refund']);
    await store.backend.delete(v2(source));
    expect(await kept()).toEqual([]);
  });
});
