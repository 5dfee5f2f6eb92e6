import pg from 'pg';
import { type AppStoreWorld, startAppStoreWorld } from '../support/arrange-app-store.js';
import { fakeProducts } from '../support/fake-app-store/fake-app-store.js';
import type { FakeSubscription } from '../support/fake-app-store/fake-subscription.js';

const DAY_MS = 86_400_000;
const COUNT = 30;
const RENEWALS = `kind = 'renewal'`;

describe('store notifications that arrive together', () => {
  let world: AppStoreWorld;
  let people = 0;

  /** Customers with a subscription that is about to renew. */
  const subscribed = async (
    count: number,
  ): Promise<{ appUserId: string; subscription: FakeSubscription }[]> => {
    const all = Array.from({ length: count }, () => ({
      appUserId: `person-${++people}`,
      subscription: world.store.subscribe(world.store.account('Production'), fakeProducts.monthly),
    }));
    const answers = await Promise.all(
      all.map(({ appUserId, subscription }) => world.post(appUserId, subscription.signed())),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    world.clock.advanceMs(29 * DAY_MS);
    return all;
  };
  const query = async (text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> =>
    world.server.dataSource.query(text, values);

  beforeAll(async () => {
    world = await startAppStoreWorld();
  });
  afterAll(() => world.close());

  it('records each renewal once, many in one transaction, with a notification that arrives twice', async () => {
    const all = await subscribed(COUNT);
    const notifications = all.map(({ subscription }) => subscription.renew());
    const answers = await Promise.all([...notifications, ...notifications].map((one) => world.deliver(one)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await world.process();
    expect(await query(`SELECT state, count(*)::int FROM store_notifications GROUP BY state`)).toEqual([
      { state: 'processed', count: COUNT },
    ]);
    for (const { appUserId } of all)
      expect((await world.events(appUserId)).toSorted()).toEqual(['INITIAL_PURCHASE', 'RENEWAL']);
    const [renewals] = await query(
      `SELECT count(*)::int AS rows, count(DISTINCT xmin::text)::int AS transactions
       FROM store_transactions WHERE ${RENEWALS}`,
    );
    expect(renewals?.rows).toBe(COUNT);
    expect(renewals?.transactions).toBeLessThan(COUNT / 2);
  });

  it('records all that concern one subscription', async () => {
    const [{ appUserId, subscription }] = (await subscribed(1)) as [
      Awaited<ReturnType<typeof subscribed>>[0],
    ];
    const changes = [subscription.renew(), subscription.renew(), subscription.renew()];
    await Promise.all(changes.toReversed().map((one) => world.deliver(one)));
    await world.process();
    expect((await world.events(appUserId)).toSorted()).toEqual([
      'INITIAL_PURCHASE',
      'RENEWAL',
      'RENEWAL',
      'RENEWAL',
    ]);
  });

  it('delays only the notification about a customer held by another session', async () => {
    const all = await subscribed(COUNT);
    const [held] = all as [(typeof all)[0]];
    const client = new pg.Client({ connectionString: world.server.databaseUrl });
    await client.connect();
    await client.query('BEGIN');
    await client.query('SELECT FROM customers WHERE original_app_user_id = $1 FOR UPDATE', [held.appUserId]);
    await Promise.all(all.map(({ subscription }) => world.deliver(subscription.renew())));
    const done = world.process();
    const renewed = async (): Promise<unknown> =>
      (await query(`SELECT count(*)::int AS count FROM store_notifications WHERE state = 'received'`))[0]
        ?.count;
    while ((await renewed()) !== 1) await new Promise((resolve) => setImmediate(resolve));
    expect(await world.events(held.appUserId)).toEqual(['INITIAL_PURCHASE']);
    await client.query('COMMIT');
    await client.end();
    await done;
    expect(await renewed()).toBe(0);
    expect((await world.events(held.appUserId)).toSorted()).toEqual(['INITIAL_PURCHASE', 'RENEWAL']);
  });

  it('assigns purchases without an owner, each to its own customer', async () => {
    await world.configure({ track_new_purchases: true });
    const bought = Array.from({ length: COUNT }, () =>
      world.store.subscribe(world.store.account('Production'), fakeProducts.monthly),
    );
    await Promise.all(bought.map((one) => world.deliver(one.renew())));
    await world.process();
    const keys = bought.map(({ originalTransactionId }) => originalTransactionId);
    const [found] = await query(
      `SELECT count(*)::int AS subscriptions, count(DISTINCT customer_id)::int AS customers
       FROM subscriptions WHERE store_key = ANY ($1)`,
      [keys],
    );
    expect(found).toEqual({ subscriptions: COUNT, customers: COUNT });
    const [accounts] = await query(
      `SELECT count(*)::int AS count FROM store_accounts a JOIN subscriptions s USING (project_id, customer_id)
       WHERE s.store_key = ANY ($1)`,
      [keys],
    );
    expect(accounts?.count).toBe(COUNT);
  });
});
