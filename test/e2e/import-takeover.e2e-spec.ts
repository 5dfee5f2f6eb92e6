import { createHash } from 'node:crypto';
import type { Answer, Json } from '../support/api-client.js';
import { type AppStoreWorld, startAppStoreWorld } from '../support/arrange-app-store.js';
import { type PlayWorld, startPlayWorld } from '../support/arrange-play.js';
import { brokenInvariants } from '../support/customer-invariants.js';
import { fakeProducts } from '../support/fake-app-store/fake-app-store.js';
import { playProducts } from '../support/fake-play/fake-play.js';
import type { FakePlaySubscription } from '../support/fake-play/fake-play-subscription.js';
import { DueWorkJob } from '../../src/purchases/due-work/due-work.job.js';
import { SelfCheckJob } from '../../src/purchases/self-check/self-check.job.js';

const DAY_MS = 86_400_000;

type World = AppStoreWorld | PlayWorld;

const ledgerOf = (world: World, id: string): Promise<Json[]> =>
  world.server.dataSource.query(
    `SELECT t.kind, t.amount_micros::float / 1000000 AS amount, t.period_key AS period, t.price_source AS source
     FROM store_transactions t JOIN customer_aliases a ON a.project_id = t.project_id AND a.customer_id = t.customer_id
     WHERE a.app_user_id = $1 ORDER BY t.purchased_at, t.recorded_at, t.kind_seq`,
    [id],
  );
/** No store is asked in the call: what reports confirm afterwards is the subject here. */
const post = async (world: World, body: object): Promise<Json> => {
  const unasked = { resolve_store_ids: false, ...body };
  const answer: Answer = await world.backend.post(`${world.path}/import/customers`, unasked);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body.customers[0];
};
const subscriptionsOf = async (world: World, id: string): Promise<Json[]> =>
  (await world.backend.get(`${world.path}/customers/${id}/subscriptions`)).body.items;
const sum = (rows: Json[]): number => rows.reduce((all, { amount }) => all + Number(amount ?? 0), 0);

async function assertWhole(world: World): Promise<void> {
  const { dataSource } = world.server;
  expect(await brokenInvariants(dataSource)).toEqual({});
  const ids = await dataSource.query<{ id: string }[]>('SELECT id FROM customers');
  const selfCheck = world.server.app.get(SelfCheckJob);
  const differing = await selfCheck.findDifferences(
    world.projectId,
    ids.map(({ id }) => id),
  );
  expect([...differing.values()].flat()).toEqual([]);
}

describe('an App Store subscription that was imported', () => {
  let world: AppStoreWorld;
  let count = 0;

  beforeAll(async () => {
    world = await startAppStoreWorld();
  });

  afterAll(async () => {
    await assertWhole(world);
    await world.close();
  });

  const person = (): string => `apple-${++count}`;
  const subscribe = (renewals: number) => {
    const { store, clock } = world;
    const subscription = store.subscribe(store.account(), fakeProducts.monthly);
    for (let index = 0; index < renewals; index++) {
      clock.advanceMs(Number(subscription.latest.expiresDate) - clock.nowMs());
      subscription.renew();
    }
    clock.advanceMs(DAY_MS);
    return subscription;
  };
  const item = (subscription: ReturnType<typeof subscribe>, more: Json = {}): Json => {
    const { transactions } = subscription;
    return {
      app_id: world.appId,
      store: 'app_store',
      product_identifier: fakeProducts.monthly.id,
      starts_at: transactions[0]?.purchaseDate,
      current_period_starts_at: subscription.latest.purchaseDate,
      current_period_ends_at: subscription.latest.expiresDate,
      status: 'active',
      auto_renewal_status: 'will_renew',
      store_subscription_identifier: subscription.latest.transactionId,
      original_transaction_id: subscription.latest.originalTransactionId,
      ...more,
    };
  };
  const transactionsOf = (subscription: ReturnType<typeof subscribe>, amount: number | null): Json[] =>
    subscription.transactions.map(({ transactionId, purchaseDate, expiresDate }) => ({
      id: transactionId,
      purchased_at: purchaseDate,
      expires_at: expiresDate,
      ...(amount !== null && { price: { amount, currency: 'USD' } }),
    }));

  it('stays the same one when the SDK posts its receipt', async () => {
    const id = person();
    const subscription = subscribe(0);
    await post(world, {
      customers: [{ id, subscriptions: [item(subscription, { price: { amount: 5, currency: 'USD' } })] }],
    });
    const [before] = await subscriptionsOf(world, id);
    const explained = async (): Promise<Json> =>
      (await world.backend.get(`${world.path}/customers/${id}/access_explanation`)).body.entitlements[0]
        .sources[0];
    expect(await explained()).toMatchObject({ gives_access: true, imported_at: world.clock.nowMs() });
    expect((await world.post(id, subscription.signed())).status).toBe(200);
    expect(await explained()).toMatchObject({ gives_access: true, imported_at: null, imported_as_of: null });
    const after = await subscriptionsOf(world, id);
    expect(after.map((one) => one.id)).toEqual([before?.id]);
    expect(await world.events(id)).toEqual([]);
    const rows = await ledgerOf(world, id);
    expect(rows.map(({ kind }) => kind)).toEqual(['purchase', 'correction']);
    expect(sum(rows)).toBeCloseTo(9.99);
    world.clock.advanceMs(Number(subscription.latest.expiresDate) - world.clock.nowMs());
    await world.notify(subscription.renew());
    expect(await world.events(id)).toEqual(['RENEWAL']);
  });

  it('has one row for each period that the store knows by another key', async () => {
    const id = person();
    const subscription = subscribe(2);
    await post(world, {
      customers: [
        { id, subscriptions: [item(subscription, { transactions: transactionsOf(subscription, 9.99) })] },
      ],
    });
    expect(await ledgerOf(world, id)).toHaveLength(3);
    for (const transaction of subscription.transactions)
      await world.post(id, subscription.signed(transaction));
    const rows = await ledgerOf(world, id);
    expect(rows.map(({ kind }) => kind)).toEqual(['purchase', 'renewal', 'renewal']);
    expect(await world.events(id)).toEqual([]);
  });

  it('takes the real original id in place of a guess', async () => {
    const id = person();
    const subscription = subscribe(2);
    const guess = item(subscription, { original_transaction_id: undefined });
    await post(world, { customers: [{ id, subscriptions: [guess] }] });
    const [before] = await subscriptionsOf(world, id);
    await world.post(id, subscription.signed());
    const after = await subscriptionsOf(world, id);
    expect(after.map((one) => one.id)).toEqual([before?.id]);
    expect(await world.events(id)).toEqual([]);
    expect(sum(await ledgerOf(world, id))).toBeCloseTo(9.99);
    const [row] = await world.server.dataSource.query<Json[]>(
      'SELECT store_key, key_state FROM subscriptions WHERE id = $1',
      [before?.id],
    );
    expect(row).toEqual({ store_key: subscription.latest.originalTransactionId, key_state: null });
  });

  it('becomes one again if both of its halves were imported', async () => {
    const id = person();
    const subscription = subscribe(2);
    const [first, second] = subscription.transactions;
    const half = (transaction: Json, more: Json): Json =>
      item(subscription, {
        original_transaction_id: undefined,
        starts_at: transaction?.purchaseDate,
        current_period_starts_at: transaction?.purchaseDate,
        current_period_ends_at: transaction?.expiresDate,
        store_subscription_identifier: transaction?.transactionId,
        price: { amount: 9.99, currency: 'USD' },
        ...more,
      });
    const over = half(second, { status: 'expired' });
    await post(world, { customers: [{ id, subscriptions: [over, half(subscription.latest, {})] }] });
    const before = await subscriptionsOf(world, id);
    expect(before).toHaveLength(2);
    for (const transaction of [subscription.latest, second, first])
      await world.post(id, subscription.signed(transaction));
    const after = await subscriptionsOf(world, id);
    expect(after).toHaveLength(1);
    expect(await world.events(id)).toEqual([]);
    expect(sum(await ledgerOf(world, id))).toBeCloseTo(3 * 9.99);
    for (const { id: former } of before) {
      expect((await world.backend.get(`${world.path}/subscriptions/${former}`)).body.id).toBe(after[0]?.id);
    }
  });

  it('keeps what the store said when an import says otherwise, and follows a newer period', async () => {
    const id = person();
    const subscription = subscribe(0);
    await world.post(id, subscription.signed());
    await post(world, {
      customers: [
        {
          id,
          subscriptions: [
            item(subscription, { status: 'expired', current_period_ends_at: world.clock.nowMs() - 1000 }),
          ],
        },
      ],
    });
    expect(await subscriptionsOf(world, id)).toMatchObject([{ status: 'active', gives_access: true }]);
    const start = Number(subscription.latest.expiresDate);
    world.clock.advanceMs(start + DAY_MS - world.clock.nowMs());
    await post(world, {
      customers: [
        {
          id,
          subscriptions: [
            item(subscription, {
              current_period_starts_at: start,
              current_period_ends_at: start + 30 * DAY_MS,
              store_subscription_identifier: 'later',
            }),
          ],
        },
      ],
    });
    expect(await subscriptionsOf(world, id)).toMatchObject([
      { gives_access: true, current_period_ends_at: start + 30 * DAY_MS },
    ]);
  });

  it('never becomes two, whichever comes first', async () => {
    for (let index = 0; index < 50; index++) {
      const id = person();
      const subscription = world.store.subscribe(world.store.account(), fakeProducts.monthly);
      const imported = { customers: [{ id, subscriptions: [item(subscription)] }] };
      const [, answer] = await Promise.all([post(world, imported), world.post(id, subscription.signed())]);
      expect(answer.status).toBe(200);
      expect(await subscriptionsOf(world, id)).toHaveLength(1);
      const initial = (await world.events(id)).filter((type) => type.startsWith('INITIAL_PURCHASE'));
      expect(initial.length).toBeLessThan(2);
      expect(sum(await ledgerOf(world, id))).toBeCloseTo(9.99);
    }
  });
});

describe('a Google Play subscription that was imported without its token', () => {
  let world: PlayWorld;
  let count = 0;

  beforeAll(async () => {
    world = await startPlayWorld();
  });

  afterAll(async () => {
    await assertWhole(world);
    await world.close();
  });

  const imported = async (
    named: { order?: string; hasAccount?: boolean } = {},
  ): Promise<{ id: string; bought: FakePlaySubscription; sub: Json }> => {
    const id = `android-${++count}`;
    const account = createHash('sha256').update(id).digest('hex');
    const bought = world.play.subscribe(playProducts.monthly, named.hasAccount ? { account } : {});
    const order = named.order ?? bought.latestOrderId;
    const start = world.clock.nowMs();
    const item = {
      app_id: world.appId,
      store: 'play_store',
      product_identifier: `${playProducts.monthly.id}:${playProducts.monthly.basePlanId}`,
      starts_at: start,
      current_period_starts_at: start,
      current_period_ends_at: bought.expiryMs,
      status: 'active',
      auto_renewal_status: 'will_renew',
      store_subscription_identifier: order,
    };
    world.clock.advanceMs(DAY_MS);
    expect(await post(world, { customers: [{ id, subscriptions: [item] }] })).toMatchObject({
      needs_token_refresh: 1,
    });
    const [sub] = await subscriptionsOf(world, id);
    return { id, bought, sub: sub ?? {} };
  };

  it('continues with a notification of its renewal, which is news', async () => {
    const { id, bought, sub } = await imported();
    world.clock.advanceMs(bought.expiryMs - world.clock.nowMs());
    for (const type of bought.renew()) await world.notify(bought.token, type);
    const after = await subscriptionsOf(world, id);
    expect(after.map((one) => one.id)).toEqual([sub.id]);
    expect(await world.events(id)).toEqual(['RENEWAL']);
  });

  it('continues with a receipt, which is none', async () => {
    const { id, bought, sub } = await imported();
    expect((await world.post(id, bought.token)).status).toBe(200);
    const after = await subscriptionsOf(world, id);
    expect(after.map((one) => one.id)).toEqual([sub.id]);
    expect(await world.events(id)).toEqual([]);
    expect((await ledgerOf(world, id)).filter(({ kind }) => kind !== 'correction')).toHaveLength(1);
    expect(await post(world, { customers: [{ id }] })).toMatchObject({ needs_token_refresh: 0 });
  });

  it('stays with its owner where purchases stay, and the SDK learns it beforehand', async () => {
    const { id, bought, sub } = await imported();
    const behave = (transfer_behavior: string): Promise<Answer> =>
      world.backend.post(world.path, { transfer_behavior });
    await behave('keep');
    const ask = async (appUserId: string): Promise<boolean> => {
      const path = `/v1/subscribers/${appUserId}/restore/eligibility`;
      const { body } = await world.sdk.post(path, { fetch_token: bought.token });
      return body.is_purchase_allowed_by_restore_behavior;
    };
    expect([await ask('stranger'), await ask(id)]).toEqual([false, true]);
    const refused = await world.post('stranger', bought.token);
    expect([refused.status, refused.body.code]).toEqual([400, 7102]);
    await behave('transfer');
    expect(await ask('stranger')).toBe(true);
    expect((await subscriptionsOf(world, id)).map((one) => one.id)).toEqual([sub.id]);
  });

  it('ignores a purchase of another product', async () => {
    const { id, sub } = await imported({ order: 'GPA.9999-0000-0000-00002' });
    const other = world.play.subscribe(playProducts.basic);
    await world.post(id, other.token, playProducts.basic);
    expect(await subscriptionsOf(world, id)).toHaveLength(2);
    expect((await world.events(id))[0]).toContain('INITIAL_PURCHASE');
    expect((await subscriptionsOf(world, id)).map((one) => one.id)).toContain(sub.id);
  });

  it('refuses changes at Google without its token, except refunds by its order', async () => {
    const { id, bought, sub } = await imported();
    const order = bought.latestOrderId;
    const path = `${world.path}/subscriptions/${sub.id}/actions`;
    const asked = [
      await world.backend.post(`${path}/cancel`, {}),
      await world.backend.post(`${path}/extend`, { extend_by_days: 3, extend_reason_code: 'undeclared' }),
    ];
    for (const { status, body } of asked)
      expect([status, body.message]).toEqual([422, expect.stringContaining('no purchase token yet')]);
    const v1 = `/v1/subscribers/${id}/transactions/${encodeURIComponent(order)}/refund`;
    expect((await world.backend.post(v1, {})).status).toBe(200);
    expect(await subscriptionsOf(world, id)).toMatchObject([{ gives_access: false }]);
  });

  it('ends once when Google says that it is over', async () => {
    const { id, bought } = await imported();
    world.clock.advanceMs(40 * DAY_MS);
    for (const type of bought.expire()) await world.notify(bought.token, type);
    await world.server.app.get(DueWorkJob).run();
    expect((await world.events(id)).filter((type) => type.startsWith('EXPIRATION'))).toHaveLength(1);
  });

  describe('if new purchases are tracked', () => {
    beforeAll(() => world.configure({ track_new_purchases: true }));

    it("continues with a purchase that names the customer's account, although no order is the same", async () => {
      const { id, bought, sub } = await imported({ order: 'GPA.9999-0000-0000-00001', hasAccount: true });
      await world.notify(bought.token, 4);
      const after = await subscriptionsOf(world, id);
      expect(after.map((one) => one.id)).toEqual([sub.id]);
      expect(await world.events(id)).toEqual([]);
      world.clock.advanceMs(bought.expiryMs - world.clock.nowMs());
      for (const type of bought.renew()) await world.notify(bought.token, type);
      expect(await world.events(id)).toEqual(['RENEWAL']);
    });

    it('gets its token from the purchase that replaces it', async () => {
      const { id, bought, sub } = await imported();
      const next = world.play.subscribe(playProducts.yearly, { replaces: bought });
      await world.notify(next.token, 4);
      const after = await subscriptionsOf(world, id);
      expect(after).toHaveLength(2);
      expect(after.find((one) => one.id === sub.id)).toMatchObject({ gives_access: false });
      expect(after.find((one) => one.id !== sub.id)).toMatchObject({ gives_access: true });
    });
  });
});
