import pg from 'pg';
import type { Answer, Json } from '../support/api-client.js';
import { shop } from '../support/world.js';

describe('receipts that arrive together', () => {
  const store = shop();

  let tokens = 0;
  const newToken = () => `test_${store.clock.nowMs()}_together-${++tokens}`;
  const post = (appUserId: string, fetchToken: string, productId = 'pro_monthly', more: object = {}) =>
    store.sdk.post('/v1/receipts', {
      app_user_id: appUserId,
      fetch_token: fetchToken,
      product_id: productId,
      ...more,
    });
  const customer = (appUserId: string, suffix = '') =>
    store.backend.get(`${store.path}/customers/${encodeURIComponent(appUserId)}${suffix}`);
  const events = async (appUserId: string): Promise<Json[]> =>
    (await customer(appUserId, '/events?limit=100')).body.items;
  const statuses = (answers: Answer[]) => answers.map(({ status }) => status);
  const range = (count: number) => Array.from({ length: count }, (_, index) => index);

  it('saves all of many new customers, each with its own answer, event and device', async () => {
    const answers = await Promise.all(
      range(150).map((n) =>
        store.sdk.with({ 'x-platform': 'web', 'x-client-version': `1.${n}` }).post('/v1/receipts', {
          app_user_id: `new-${n}`,
          fetch_token: newToken(),
          product_id: 'pro_monthly',
        }),
      ),
    );
    expect(new Set(statuses(answers))).toEqual(new Set([200]));
    expect(answers.map(({ body }) => body.subscriber.original_app_user_id)).toEqual(
      range(150).map((n) => `new-${n}`),
    );
    for (const n of [0, 1, 75, 149]) {
      expect(await events(`new-${n}`)).toHaveLength(1);
      const { body } = await customer(`new-${n}`);
      expect(body).toMatchObject({ last_seen_platform: 'web', last_seen_app_version: `1.${n}` });
      expect(body.active_entitlements.items).toHaveLength(1);
    }
  });

  it('saves all of one customer, with sequence numbers without a gap', async () => {
    const answers = await Promise.all(range(40).map(() => post('collector', newToken(), 'coins_100')));
    expect(new Set(statuses(answers))).toEqual(new Set([200]));
    const { body } = await store.sdk.get('/v1/subscribers/collector');
    expect(body.subscriber.non_subscriptions.coins_100).toHaveLength(40);
    const [{ sequences }] = await store.server.dataSource.query(
      `SELECT array_agg(e.sequence ORDER BY e.sequence) AS sequences FROM events e
       JOIN customer_aliases a USING (project_id, customer_id) WHERE a.app_user_id = 'collector'`,
    );
    expect(sequences.map(Number)).toEqual(range(40).map((n) => n + 1));
  });

  it('creates one purchase of one customer for the same token', async () => {
    const same = newToken();
    const others = range(30).map((n) => post(`other-${n}`, newToken()));
    const rivals = range(25).map((n) => post(`rival-${n}`, same));
    expect(new Set(statuses(await Promise.all([...others, ...rivals])))).toEqual(new Set([200]));
    const [{ count }] = await store.server.dataSource.query(
      `SELECT count(*)::int AS count FROM store_transactions WHERE owner_key = $1`,
      [same],
    );
    expect(count).toBe(1);
    const [{ owners }] = await store.server.dataSource.query(
      `SELECT count(DISTINCT customer_id)::int AS owners FROM subscriptions WHERE store_key = $1`,
      [same],
    );
    expect(owners).toBe(1);
  });

  it('refuses one alone, and stores nothing of its poster', async () => {
    await store.backend.post(store.path, { transfer_behavior: 'keep' });
    const owned = newToken();
    await post('owner', owned);
    const good = range(20).map((n) => post(`fine-${n}`, newToken()));
    const [refused, ...rest] = await Promise.all([post('thief', owned), ...good]);
    expect(refused).toMatchObject({ status: 400, body: { code: 7102 } });
    expect(new Set(statuses(rest))).toEqual(new Set([200]));
    expect((await customer('thief')).status).toBe(404);
    await store.backend.post(store.path, { transfer_behavior: 'transfer' });
  });

  it('delays only the receipt of a customer held by another session', async () => {
    await post('held', newToken());
    const client = new pg.Client({ connectionString: store.server.databaseUrl });
    await client.connect();
    await client.query('BEGIN');
    await client.query(
      `SELECT 1 FROM customers c JOIN customer_aliases a ON a.project_id = c.project_id AND a.customer_id = c.id
       WHERE a.app_user_id = 'held' FOR UPDATE OF c`,
    );
    let heldIsDone = false;
    const held = post('held', newToken()).then((answer) => {
      heldIsDone = true;
      return answer;
    });
    const free = await Promise.all(range(40).map((n) => post(`free-${n}`, newToken())));
    expect(new Set(statuses(free))).toEqual(new Set([200]));
    expect(heldIsDone).toBe(false);
    await client.query('COMMIT');
    await client.end();
    expect((await held).status).toBe(200);
    expect(await events('held')).toHaveLength(2);
  });
});
