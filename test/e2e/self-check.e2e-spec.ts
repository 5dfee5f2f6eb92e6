import { ManualClock } from '../../libs/kernel/index.js';
import { DueWorkJob } from '../../src/purchases/due-work/due-work.job.js';
import { SelfCheckJob } from '../../src/purchases/self-check/self-check.job.js';
import type { Json } from '../support/api-client.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import { createTestDatabase } from '../support/database/index.js';
import { startTestServer, TEST_START_MS, type TestServer } from '../support/test-server.js';

const DAY_MS = 86_400_000;
const DIFFERS = 'the stored state of a customer differs from their facts';

describe('the daily check', () => {
  const clock = new ManualClock(TEST_START_MS);
  const lines: string[] = [];
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let server: TestServer;
  let replica: TestServer;
  let store: TestStore;

  beforeAll(async () => {
    database = await createTestDatabase();
    const env = { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_TRUST_PROXY: 'true' };
    const logTo = (line: string): number => lines.push(line);
    server = await startTestServer({ databaseUrl: database.url, clock, env, logTo });
    replica = await startTestServer({ databaseUrl: database.url, clock, env });
    store = await createTestStore(server);
    // Every project gets its moment of the day.
    await run();
  });

  afterAll(async () => {
    await replica.close();
    await server.close();
    await database.drop();
  });

  let count = 0;
  const person = (): string => `checked-${++count}`;
  const run = (on = server): Promise<void> => on.app.get(SelfCheckJob).drain();
  const query = <T>(text: string, values: unknown[] = []): Promise<T[]> =>
    server.dataSource.query<T[]>(text, values);
  const checkedBy = async (on: TestServer, result: string): Promise<number> => {
    const text = await (await fetch(`${on.baseUrl}/metrics`)).text();
    const name = `tenure_self_check_customers_total{result="${result}"}`;
    return Number(
      text
        .split('\n')
        .find((line) => line.startsWith(name))
        ?.split(' ')
        .at(-1),
    );
  };
  /** Result of a daily check: numbers of same and different customers, and log lines. */
  const nextDay = async (): Promise<{ same: number; different: number; logged: Json[] }> => {
    clock.advanceMs(DAY_MS);
    lines.length = 0;
    const before = [await checkedBy(server, 'same'), await checkedBy(server, 'different')];
    await run();
    const after = [await checkedBy(server, 'same'), await checkedBy(server, 'different')];
    const logged = lines.filter((line) => line.includes(DIFFERS)).map((line) => JSON.parse(line));
    return { same: after[0]! - before[0]!, different: after[1]! - before[1]!, logged };
  };
  const buy = async (appUserId: string, productId = 'pro_monthly'): Promise<void> => {
    const fetchToken = `test_${clock.nowMs()}_checked-${++count}`;
    const body = { app_user_id: appUserId, fetch_token: fetchToken, product_id: productId };
    expect((await store.sdk.post('/v1/receipts', body)).status).toBe(200);
  };
  /** Customers with all sorts of purchases. */
  const people = async (): Promise<string[]> => {
    const ids = Array.from({ length: 6 }, person);
    for (const scenario of ['renewal', 'billing_issue', 'refund', 'product_change']) {
      const more = scenario === 'product_change' ? { new_product_id: 'pro_yearly' } : {};
      const body = { app_user_id: ids[0], product_id: 'pro_monthly', scenario, ...more };
      expect((await store.backend.post(`${store.path}/test_purchases`, body)).status).toBe(201);
    }
    for (const id of ids) await buy(id);
    for (const id of ids.slice(3)) await buy(id, 'coins_100');
    await buy(ids[1]!, 'pro_lifetime');
    return ids;
  };
  const customerId = async (appUserId: string): Promise<string> =>
    (
      await query<{ id: string }>('SELECT customer_id AS id FROM customer_aliases WHERE app_user_id = $1', [
        appUserId,
      ])
    )[0]!.id;

  it('finds everything as the facts say after purchases, also where an end is due and not told yet', async () => {
    await people();
    expect(await nextDay()).toEqual({ same: 6, different: 0, logged: [] });
    clock.advanceMs(40 * DAY_MS);
    expect(await nextDay()).toEqual({ same: 6, different: 0, logged: [] });
  });

  it('looks at each project once a day, whichever server comes first', async () => {
    clock.advanceMs(DAY_MS);
    const before = (await checkedBy(server, 'same')) + (await checkedBy(replica, 'same'));
    await Promise.all([run(), run(replica), run(), run(replica)]);
    await Promise.all([run(), run(replica)]);
    expect((await checkedBy(server, 'same')) + (await checkedBy(replica, 'same'))).toBe(before + 6);
  });

  const subscriptionOf = `project_id = $1 AND customer_id = $2 AND id = (
    SELECT min(id) FROM subscriptions WHERE project_id = $1 AND customer_id = $2)`;

  it.each<[string, string, string]>([
    ['status', `UPDATE subscriptions SET status = 'paused' WHERE ${subscriptionOf}`, 'status'],
    [
      'end of access',
      `UPDATE subscriptions SET access_ends_at = access_ends_at + interval '1 day' WHERE ${subscriptionOf}`,
      'access_ends_at',
    ],
    [
      'start',
      `UPDATE subscriptions SET started_at = started_at - interval '1 second' WHERE ${subscriptionOf}`,
      'started_at',
    ],
    [
      'product',
      `UPDATE subscriptions SET store_product_id = 'x' WHERE ${subscriptionOf}`,
      'store_product_id',
    ],
    ['next moment', `UPDATE subscriptions SET next_due_at = NULL WHERE ${subscriptionOf}`, 'next_due_at'],
    [
      'emitted',
      `UPDATE subscriptions SET emitted = '{"opened":[],"accessOpen":false,"unsubscribeOpen":false,"expirations":{}}'
       WHERE ${subscriptionOf}`,
      'missing_events',
    ],
    [
      'facts',
      `UPDATE subscriptions SET facts = jsonb_set(facts::jsonb, '{periods}', '{}')::json WHERE ${subscriptionOf}`,
      'facts',
    ],
    [
      'ledger',
      `UPDATE store_transactions SET amount_micros = amount_micros - 1
       WHERE project_id = $1 AND customer_id = $2 AND subscription_id IS NOT NULL`,
      'ledger',
    ],
    [
      'payments',
      `DELETE FROM store_transactions WHERE project_id = $1 AND customer_id = $2 AND purchase_id IS NOT NULL`,
      'ledger',
    ],
    [
      'one-time purchase',
      `UPDATE one_time_purchases SET status = 'refunded' WHERE project_id = $1 AND customer_id = $2`,
      'status',
    ],
    [
      'answer',
      `UPDATE customer_snapshots SET subscriber = replace(subscriber, 'pro_monthly', 'pro_weekly')
       WHERE project_id = $1 AND customer_id = $2`,
      'answer',
    ],
  ])('names a customer whose %s is another, and leaves it as it is', async (_, change, what) => {
    const id = person();
    await buy(id);
    await buy(id, 'coins_100');
    expect((await nextDay()).different).toBe(0);
    const customer = await customerId(id);
    const tables = ['subscriptions', 'one_time_purchases', 'store_transactions', 'customer_snapshots'];
    const rows = async (): Promise<unknown[]> =>
      Promise.all(
        tables.map((table) =>
          query(
            `SELECT t::text AS row FROM ${table} t WHERE t.project_id = $1 AND t.customer_id = $2 ORDER BY 1`,
            [store.projectId, customer],
          ),
        ),
      );
    await query(change, [store.projectId, customer]);
    const before = await rows();
    const { different, logged } = await nextDay();
    expect(different).toBe(1);
    const [{ level, projectId, customerId: logged0, differences }] = logged as [Json];
    expect([level, projectId, logged0]).toEqual(['error', store.projectId, customer]);
    expect(differences.map((difference: Json) => difference.what)).toEqual([what]);
    expect(JSON.stringify(logged)).not.toContain(id);
    expect(await rows()).toEqual(before);
    await store.backend.delete(`${store.path}/customers/${id}`);
    expect((await nextDay()).different).toBe(0);
  });

  it('emits by the clock what an old statement left out', async () => {
    const id = person();
    const body = { app_user_id: id, product_id: 'pro_monthly', scenario: 'cancel' };
    expect((await store.backend.post(`${store.path}/test_purchases`, body)).status).toBe(201);
    const customer = await customerId(id);
    const recorded = async (): Promise<string[]> =>
      (
        await query<{ type: string }>('SELECT type FROM events WHERE customer_id = $1 ORDER BY sequence', [
          customer,
        ])
      ).map(({ type }) => type);
    expect(await recorded()).toEqual(['INITIAL_PURCHASE', 'CANCELLATION']);
    await query(`DELETE FROM events WHERE customer_id = $1 AND type = 'CANCELLATION'`, [customer]);
    await query(
      `UPDATE subscriptions SET emitted = jsonb_set(emitted::jsonb, '{unsubscribeOpen}', 'false')::json
       WHERE customer_id = $1`,
      [customer],
    );
    const before = await checkedBy(server, 'put_off');
    expect(await nextDay()).toMatchObject({ different: 0, logged: [] });
    expect(await checkedBy(server, 'put_off')).toBe(before + 1);
    await server.app.get(DueWorkJob).run();
    expect(await recorded()).toEqual(['INITIAL_PURCHASE', 'CANCELLATION']);
    expect(await nextDay()).toMatchObject({ different: 0, logged: [] });
    expect(await checkedBy(server, 'put_off')).toBe(before + 1);
  });

  it('continues where it stopped, five hundred customers a day', async () => {
    const many = await createTestStore(server);
    await query(
      `INSERT INTO customers (project_id, id, original_app_user_id, first_seen_at, created_at)
       SELECT $1, 'cus_' || lpad(n::text, 5, '0'), 'many-' || n, now(), now() FROM generate_series(1, 520) n`,
      [many.projectId],
    );
    await query(
      `INSERT INTO customer_aliases (project_id, app_user_id, customer_id, is_anonymous, created_at)
       SELECT $1, 'many-' || n, 'cus_' || lpad(n::text, 5, '0'), false, now() FROM generate_series(1, 520) n`,
      [many.projectId],
    );
    await run();
    const [first, second, third] = [await nextDay(), await nextDay(), await nextDay()];
    const others = first.same - 500;
    expect([first.same, second.same, third.same]).toEqual([others + 500, others + 20, others + 500]);
    expect((await many.session.delete(many.path)).status).toBe(200);
    await nextDay();
    expect((await nextDay()).same).toBe(others);
  });
});
