import { randomUUID } from 'node:crypto';
import { type Buyer, buyer, shop } from '../support/world.js';

describe('the erasure of a customer', () => {
  const store = shop();

  const rowsIn = (table: string, customerId: string): Promise<unknown[]> =>
    store.server.dataSource.query(`SELECT 1 FROM ${table} WHERE customer_id = $1`, [customerId]);

  it('removes a long ledger by batches before the customer, who may buy the same again', async () => {
    const [erased, other] = [buyer(store), buyer(store)];
    const receipt = { fetch_token: `test_${store.clock.nowMs()}_long` };
    expect((await erased.buy('pro_monthly', receipt)).status).toBe(200);
    const [{ customer_id: internal }] = await store.server.dataSource.query(
      'SELECT customer_id FROM customer_aliases WHERE app_user_id = $1',
      [erased.id],
    );
    await store.server.dataSource.query(
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
      await store.server.dataSource.query(
        `INSERT INTO ${table} (project_id, customer_id, code, ${columns})
         SELECT $1, $2, 'LONG', ${values} FROM generate_series(1, 1500) n`,
        [store.projectId, internal],
      );
    }
    await store.server.dataSource.query(
      `INSERT INTO customer_days (project_id, customer_id, day)
       SELECT $1, $2, date '2010-01-01' + n FROM generate_series(1, 1200) n`,
      [store.projectId, internal],
    );
    store.clock.advanceMs(1);
    expect((await store.backend.delete(erased.path)).status).toBe(200);
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
    expect((await other.buy('pro_monthly', receipt)).status).toBe(200);
    const [subscription] = await other.list('subscriptions');
    expect(subscription.total_revenue_in_usd.gross).toBe(9.99);
    await store.backend.delete(`${store.path}/virtual_currencies/LONG`);
  });

  it('forgets answers under an Idempotency-Key that show the customer by whatever id, and no others', async () => {
    const [erased, bystander] = [buyer(store), buyer(store)];
    const key = (name: string) => ({ 'idempotency-key': `${name} of ${erased.id}` });
    const device = buyer(store, `$RCAnonymousID:${randomUUID().replaceAll('-', '')}`);
    await device.info();
    await store.sdk.post('/v1/subscribers/identify', { app_user_id: device.id, new_app_user_id: erased.id });
    const attributes = { attributes: [{ name: 'secret', value: 'of the deceased' }] };
    const post = (name: string, { path }: Buyer) =>
      store.backend.post(`${path}/attributes`, attributes, key(name));
    const create = () => store.backend.post(`${store.path}/customers`, { id: bystander.id }, key('create'));
    const buyTest = () =>
      store.backend.post(
        `${store.path}/test_purchases`,
        { app_user_id: erased.id, product_id: 'pro_monthly' },
        key('test'),
      );
    expect((await create()).status).toBe(201);
    expect((await buyTest()).status).toBe(201);
    for (const [name, customer] of [
      ['by id', erased],
      ['by device', device],
      ['by bystander', bystander],
    ] as const) {
      expect((await post(name, customer)).status).toBe(200);
      expect((await post(name, customer)).headers['idempotent-replayed']).toBe('true');
    }
    await store.backend.delete(erased.path);
    expect((await post('by id', erased)).status).toBe(404);
    expect((await post('by device', device)).status).toBe(404);
    expect((await post('by bystander', bystander)).headers['idempotent-replayed']).toBe('true');
    expect((await create()).headers['idempotent-replayed']).toBe('true');
    const again = await buyTest();
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, undefined]);
    await store.backend.delete(bystander.path);
    expect((await create()).headers['idempotent-replayed']).toBeUndefined();
  });

  it.each(['source', 'target', 'nobody'])(
    'forgets the answer of a transfer, which shows both sides, with either of them (%s)',
    async (deleted) => {
      const [source, target, other] = [buyer(store), buyer(store), buyer(store)];
      const key = { 'idempotency-key': `transfer of ${source.id}` };
      const transfer = () =>
        store.backend.post(`${source.path}/actions/transfer`, { target_customer_id: target.id }, key);
      expect((await source.buy()).status).toBe(200);
      expect((await transfer()).status).toBe(200);
      expect((await transfer()).headers['idempotent-replayed']).toBe('true');
      await other.info();
      const gone = deleted === 'source' ? source : deleted === 'target' ? target : other;
      expect((await store.backend.delete(gone.path)).status).toBe(200);
      const kept = await store.server.dataSource.query<unknown[]>(
        `SELECT 1 FROM idempotency_keys WHERE tenant_id = $1 AND key = $2`,
        [store.projectId, key['idempotency-key']],
      );
      expect(kept).toHaveLength(deleted === 'nobody' ? 1 : 0);
    },
  );

  it('forgets answers of a test clock that list the customer, and of a refund that names them as the first owner', async () => {
    const [listed, alone, source, target] = [buyer(store), buyer(store), buyer(store), buyer(store)];
    const key = (name: string) => ({ 'idempotency-key': `${name} of ${listed.id}` });
    const clock = { name: 'Kept', frozen_time: store.clock.nowMs() };
    const { id } = (await store.backend.post(`${store.path}/test_clocks`, clock)).body;
    for (const customer of [listed, alone]) {
      await store.backend.post(`${store.path}/customers`, { id: customer.id, test_clock_id: id });
    }
    const rename = () =>
      store.backend.post(`${store.path}/test_clocks/${id}`, { name: 'Again' }, key('name'));
    expect((await rename()).body.customer_ids).toEqual([listed.id, alone.id].sort());
    expect((await source.buy()).status).toBe(200);
    const [{ id: bought }] = await source.list('subscriptions');
    await store.backend.post(`${source.path}/actions/transfer`, { target_customer_id: target.id });
    const refund = () =>
      store.backend.post(`${store.path}/subscriptions/${bought}/actions/refund`, {}, key('refund'));
    expect((await refund()).body).toMatchObject({ customer_id: target.id, original_customer_id: source.id });
    const kept = async () =>
      (
        await store.server.dataSource.query<{ key: string }[]>(
          `SELECT key FROM idempotency_keys WHERE tenant_id = $1 AND key = ANY ($2) ORDER BY key`,
          [store.projectId, [key('name'), key('refund')].map((headers) => headers['idempotency-key'])],
        )
      ).map((row) => row.key.split(' ')[0]);
    expect(await kept()).toEqual(['name', 'refund']);
    await store.backend.delete(alone.path);
    expect(await kept()).toEqual(['refund']);
    await store.backend.delete(source.path);
    expect(await kept()).toEqual([]);
  });
});
