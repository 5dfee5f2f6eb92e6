import { ManualClock } from '../../libs/kernel/index.js';
import { DueWorkJob } from '../../src/purchases/due-work/due-work.job.js';
import { TestClockJob } from '../../src/test-store/test-clocks/test-clock.job.js';
import type { Answer, Json } from '../support/api-client.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import { brokenInvariants } from '../support/customer-invariants.js';
import { createTestDatabase } from '../support/database/index.js';
import { startTestServer, TEST_START_MS, type TestServer } from '../support/test-server.js';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Lead time before the end of a period at which the next one is recorded. */
const AHEAD_MS = 10_000;

describe('renewals of the Test Store', () => {
  const clock = new ManualClock(TEST_START_MS);
  const env = { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_TRUST_PROXY: 'true' };
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let server: TestServer;
  let replica: TestServer;
  let store: TestStore;

  beforeAll(async () => {
    database = await createTestDatabase();
    server = await startTestServer({ databaseUrl: database.url, clock, env });
    replica = await startTestServer({ databaseUrl: database.url, clock, env });
    store = await createTestStore(server);
    const trial = await store.backend.post(`${store.path}/products`, {
      store_identifier: 'trial_monthly',
      app_id: store.appId,
      type: 'subscription',
      subscription: { duration: 'P1M', trial_duration: 'P1W', grace_period_duration: 'P3D' },
      test_store_price: { amount_micros: 4_990_000, currency: 'USD' },
    });
    expect(trial.status).toBe(201);
  });

  // Every test begins when all subscriptions of the one before have ended.
  beforeEach(async () => {
    clock.advanceMs(7 * 366 * DAY_MS);
    await run();
    expect(await waiting()).toBe(0);
  });

  afterAll(async () => {
    expect(await brokenInvariants(server.dataSource)).toEqual({});
    await replica.close();
    await server.close();
    await database.drop();
  });

  let count = 0;
  const person = (): string => `renewing-${++count}`;
  const run = (on = server): Promise<void> => on.app.get(DueWorkJob).run();
  const ok = (answer: Answer, status = 200): Json => {
    expect([answer.status, answer.text]).toEqual([status, expect.anything()]);
    return answer.body;
  };
  const waiting = async (): Promise<number> => {
    const text = `SELECT count(*)::int AS count FROM subscriptions WHERE next_due_at IS NOT NULL`;
    const [row] = await server.dataSource.query<{ count: number }[]>(text);
    return row?.count ?? Number.NaN;
  };
  const set = async (fields: object, appId = store.appId): Promise<Json> =>
    ok(await store.backend.post(`${store.path}/apps/${appId}`, { test_store: fields })).test_store;
  const post = (id: string, productId: string, boughtMs = clock.nowMs()): Promise<Answer> =>
    store.sdk.post('/v1/receipts', {
      app_user_id: id,
      fetch_token: `test_${boughtMs}_renewing-${++count}`,
      product_id: productId,
    });
  /** A customer who has just bought. */
  const buyer = async (productId = 'pro_monthly'): Promise<string> => {
    const id = person();
    ok(await post(id, productId));
    return id;
  };
  const simulate = async (body: object): Promise<Json> =>
    ok(await store.backend.post(`${store.path}/test_purchases`, body), 201);
  const get = async (id: string, suffix: string): Promise<Json> =>
    ok(await store.backend.get(`${store.path}/customers/${id}${suffix}`));
  const subscription = async (id: string): Promise<Json> => (await get(id, '/subscriptions')).items[0];
  const isPro = async (id: string): Promise<boolean> =>
    (await get(id, '/active_entitlements')).items.length === 1;
  const events = async (id: string): Promise<Json[]> => {
    const { items } = await get(id, '/events?limit=100');
    return items.map(({ body }: Json) => body).sort((a: Json, b: Json) => a.sequence - b.sequence);
  };
  const labels = async (id: string): Promise<string[]> =>
    (await events(id)).map(({ type, cancel_reason: cancel, expiration_reason: end }) =>
      [type, cancel ?? end].filter(Boolean).join('/'),
    );
  const renewals = async (id: string): Promise<Json[]> =>
    (await events(id)).filter(({ type }) => type === 'RENEWAL');

  const ended = ['CANCELLATION/UNSUBSCRIBE', 'EXPIRATION/UNSUBSCRIBE'];
  const renewed = (times: number): string[] => Array<string>(times).fill('RENEWAL');

  describe('that are real', () => {
    beforeAll(() => set({ renewal_mode: null, max_renewals: null }));

    it('row 98: renewals of the Test Store come before each period ends, so access has no gap', async () => {
      const id = await buyer();
      const { current_period_ends_at: endMs, id: subscriptionId } = await subscription(id);
      clock.setMs(endMs - AHEAD_MS - 1);
      await run();
      expect(await labels(id)).toEqual(['INITIAL_PURCHASE']);
      clock.setMs(endMs - AHEAD_MS);
      await run();
      expect(await labels(id)).toEqual(['INITIAL_PURCHASE', 'RENEWAL']);
      for (const ms of [endMs - 1, endMs, endMs + 1]) {
        clock.setMs(ms);
        expect(await isPro(id)).toBe(true);
        const { subscriber, request_date_ms: now } = ok(await store.sdk.get(`/v1/subscribers/${id}`));
        expect(Date.parse(subscriber.entitlements.pro.expires_date)).toBeGreaterThan(now);
      }
      const [bought, renewal] = await events(id);
      expect(renewal).toMatchObject({
        environment: 'SANDBOX',
        purchased_at_ms: endMs,
        event_timestamp_ms: endMs - AHEAD_MS,
        transaction_id: `${bought?.transaction_id}..0`,
        original_transaction_id: bought?.transaction_id,
        price: 9.99,
        is_trial_conversion: false,
      });
      const read = ok(await store.backend.get(`${store.path}/subscriptions/${subscriptionId}/transactions`));
      expect(read.items).toHaveLength(2);
    });

    it('row 99: renewals of the Test Store end with the fifth, which turns auto-renew off', async () => {
      const id = await buyer();
      const start = new Date(clock.nowMs());
      const monthsOn = (months: number): number => new Date(start).setUTCMonth(start.getUTCMonth() + months);
      clock.setMs(monthsOn(5) + DAY_MS);
      await run();
      expect(await labels(id)).toEqual(['INITIAL_PURCHASE', ...renewed(5), ended[0]]);
      expect(await subscription(id)).toMatchObject({
        status: 'active',
        gives_access: true,
        auto_renewal_status: 'will_not_renew',
      });
      clock.setMs(monthsOn(6) + DAY_MS);
      await run();
      expect(await labels(id)).toEqual(['INITIAL_PURCHASE', ...renewed(5), ...ended]);
      expect(await subscription(id)).toMatchObject({ status: 'expired', gives_access: false });
      expect(await waiting()).toBe(0);
    });

    it('invents none for a purchase that was over when it was first posted', async () => {
      const id = person();
      ok(await post(id, 'pro_monthly', clock.nowMs() - 40 * DAY_MS));
      expect(await labels(id)).toEqual(['INITIAL_PURCHASE', ...ended]);
      clock.advanceMs(400 * DAY_MS);
      await run();
      expect(await labels(id)).toEqual(['INITIAL_PURCHASE', ...ended]);
      expect((await subscription(id)).status).toBe('expired');
    });

    it('continues after a restart of the server', async () => {
      const id = await buyer();
      const { current_period_ends_at: endMs } = await subscription(id);
      const other = await startTestServer({ databaseUrl: database.url, clock, env });
      clock.setMs(endMs + 3_600_000);
      await run(other);
      await other.close();
      expect(await labels(id)).toEqual(['INITIAL_PURCHASE', 'RENEWAL']);
    });
  });

  describe('that are accelerated', () => {
    beforeAll(() => set({ renewal_mode: 'accelerated', max_renewals: null }));

    it.each([
      ['pro_monthly', 5],
      ['pro_yearly', 60],
    ])('renews %s every %d minutes', async (productId, minutes) => {
      const id = await buyer(productId);
      const startMs = clock.nowMs();
      const { current_period_ends_at: endMs } = await subscription(id);
      expect(endMs - startMs).toBe(minutes * MINUTE_MS);
      clock.setMs(startMs + 2 * minutes * MINUTE_MS + 1);
      await run();
      const times = (await renewals(id)).map(({ purchased_at_ms: ms }) => (ms - startMs) / MINUTE_MS);
      expect(times).toEqual([minutes, 2 * minutes]);
      expect(await isPro(id)).toBe(true);
    });

    it('converts a trial of a little more than a minute into a paid subscription', async () => {
      const id = await buyer('trial_monthly');
      const startMs = clock.nowMs();
      const { current_period_ends_at: endMs, status } = await subscription(id);
      expect([endMs - startMs, status]).toEqual([70_000, 'trialing']);
      clock.setMs(endMs);
      await run();
      expect(await renewals(id)).toMatchObject([
        { is_trial_conversion: true, price: 4.99, purchased_at_ms: endMs },
      ]);
      expect((await subscription(id)).current_period_ends_at).toBe(endMs + 5 * MINUTE_MS);
    });

    it('emits those missed in hours without any server in order, each at its own time', async () => {
      const id = await buyer();
      const startMs = clock.nowMs();
      clock.advanceMs(8 * 60 * MINUTE_MS);
      await run();
      expect(await labels(id)).toEqual(['INITIAL_PURCHASE', ...renewed(5), ...ended]);
      const recorded = await events(id);
      expect(recorded.slice(1, 6).map(({ purchased_at_ms: ms }) => (ms - startMs) / MINUTE_MS)).toEqual([
        5, 10, 15, 20, 25,
      ]);
      expect(recorded.at(-1)?.expiration_at_ms).toBe(startMs + 30 * MINUTE_MS);
      const occurred: { at: Date }[] = await server.dataSource.query(
        `SELECT occurred_at AS at FROM events WHERE customer_id = (
           SELECT customer_id FROM customer_aliases WHERE app_user_id = $1) ORDER BY sequence`,
        [id],
      );
      const minutes = occurred.map(({ at }) => (at.getTime() - startMs) / MINUTE_MS);
      expect(minutes).toEqual([0, 5, 10, 15, 20, 25, 25 - AHEAD_MS / MINUTE_MS, 30]);
      expect((await subscription(id)).status).toBe('expired');
      expect(await waiting()).toBe(0);
    });

    it('emits them once each with servers that poll at the same time', async () => {
      const ids = await Promise.all(Array.from({ length: 40 }, () => buyer()));
      for (let round = 0; round < 4; round++) {
        clock.advanceMs(5 * MINUTE_MS);
        await Promise.all([run(), run(replica), run(), run(replica)]);
      }
      const recorded: { type: string; count: number }[] = await server.dataSource.query(
        `SELECT e.type, count(*)::int AS count FROM events e JOIN customer_aliases a USING (project_id, customer_id)
         WHERE a.app_user_id = ANY ($1) GROUP BY e.type ORDER BY e.type`,
        [ids],
      );
      expect(recorded).toEqual([
        { type: 'INITIAL_PURCHASE', count: 40 },
        { type: 'RENEWAL', count: 160 },
      ]);
    });

    it('leaves customers of a test clock to their clock, month by month', async () => {
      const id = person();
      const frozen = Date.UTC(2030, 0, 1);
      const made = ok(
        await store.backend.post(`${store.path}/test_clocks`, { name: 'Clock', frozen_time: frozen }),
        201,
      );
      ok(await store.backend.post(`${store.path}/customers`, { id, test_clock_id: made.id }), 201);
      ok(await post(id, 'pro_monthly'));
      clock.advanceMs(DAY_MS);
      await run();
      expect(await labels(id)).toEqual(['INITIAL_PURCHASE']);
      const target = Date.UTC(2030, 7, 2);
      ok(
        await store.backend.post(`${store.path}/test_clocks/${made.id}/actions/advance`, {
          frozen_time: target,
        }),
      );
      await server.app.get(TestClockJob).drain();
      // More than max_renewals: the plan of the clock says renew.
      expect(await labels(id)).toEqual(['INITIAL_PURCHASE', ...renewed(7)]);
    });

    describe('and what happens in between', () => {
      /** Bought and renewed once; five minutes later there would be another one. */
      const renewedOnce = async (): Promise<{ id: string; subscriptionId: string }> => {
        const id = await buyer();
        clock.advanceMs(6 * MINUTE_MS);
        await run();
        expect(await labels(id)).toEqual(['INITIAL_PURCHASE', 'RENEWAL']);
        return { id, subscriptionId: (await subscription(id)).id };
      };
      const later = async (): Promise<void> => {
        clock.advanceMs(5 * MINUTE_MS);
        await run();
      };

      it('ends a cancelled subscription, and renews it again when that is taken back', async () => {
        const { id, subscriptionId } = await renewedOnce();
        await simulate({ subscription_id: subscriptionId, scenario: 'cancel' });
        await later();
        expect((await labels(id)).slice(2)).toEqual(ended);
        const other = await renewedOnce();
        await simulate({ subscription_id: other.subscriptionId, scenario: 'cancel' });
        await simulate({ subscription_id: other.subscriptionId, scenario: 'uncancel' });
        await later();
        expect((await labels(other.id)).slice(2)).toEqual([
          'CANCELLATION/UNSUBSCRIBE',
          'UNCANCELLATION',
          'RENEWAL',
        ]);
      });

      it('skips a refunded subscription', async () => {
        const { id, subscriptionId } = await renewedOnce();
        ok(await store.backend.post(`${store.path}/subscriptions/${subscriptionId}/actions/refund`));
        expect(await isPro(id)).toBe(false);
        await later();
        expect((await labels(id)).slice(2)).toEqual([
          'CANCELLATION/CUSTOMER_SUPPORT',
          'EXPIRATION/CUSTOMER_SUPPORT',
        ]);
      });

      it('renews a transferred subscription for its new owner', async () => {
        const { id, subscriptionId } = await renewedOnce();
        const newOwner = person();
        const { store_subscription_identifier: token } = await subscription(id);
        ok(
          await store.sdk.post('/v1/receipts', {
            app_user_id: newOwner,
            fetch_token: token.replace(/\.\.\d+$/, ''),
            product_id: 'pro_monthly',
            is_restore: true,
          }),
        );
        await later();
        expect((await labels(newOwner)).at(-1)).toBe('RENEWAL');
        expect((await subscription(newOwner)).id).toBe(subscriptionId);
        expect([await isPro(id), await isPro(newOwner)]).toEqual([false, true]);
        expect((await labels(id)).filter((label) => label === 'RENEWAL')).toHaveLength(1);
      });

      it('leaves a failed charge failed', async () => {
        const { id, subscriptionId } = await renewedOnce();
        await simulate({ subscription_id: subscriptionId, scenario: 'billing_issue' });
        await later();
        clock.advanceMs(DAY_MS);
        await run();
        expect((await labels(id)).slice(2)).toEqual([
          'BILLING_ISSUE',
          'CANCELLATION/BILLING_ERROR',
          'EXPIRATION/BILLING_ERROR',
        ]);
      });

      it('follows an app that is set to renew no more, and to renew again', async () => {
        const { id } = await renewedOnce();
        await set({ renewal_mode: 'none' });
        const other = await buyer();
        clock.advanceMs(4 * MINUTE_MS);
        await run();
        await set({ renewal_mode: 'accelerated' });
        clock.advanceMs(7 * DAY_MS);
        await run();
        expect((await labels(id)).slice(2)).toEqual(ended);
        // A month was sold; what follows are five minutes each.
        clock.advanceMs(30 * DAY_MS);
        await run();
        expect(await labels(other)).toEqual(['INITIAL_PURCHASE', ...renewed(5), ...ended]);
      });

      it('ends with the last paid period after the product is deleted', async () => {
        const product = ok(
          await store.backend.post(`${store.path}/products`, {
            store_identifier: `gone_${++count}`,
            app_id: store.appId,
            type: 'subscription',
          }),
          201,
        );
        const id = await buyer(product.store_identifier);
        ok(await store.backend.delete(`${store.path}/products/${product.id}`));
        await later();
        expect(await labels(id)).toEqual(['INITIAL_PURCHASE', ...ended]);
      });
    });

    describe('of simulated purchases', () => {
      const bought = async (scenario: string, more: object = {}): Promise<string> => {
        const id = person();
        await simulate({ app_user_id: id, product_id: 'pro_monthly', scenario, ...more });
        return id;
      };

      it.each<[string, object, string[]]>([
        ['purchase', {}, ['RENEWAL']],
        ['trial', {}, ['RENEWAL']],
        ['renewal', {}, ['RENEWAL']],
        ['uncancel', {}, ['RENEWAL']],
        ['extend', {}, []],
        ['refund_reversed', {}, ['RENEWAL']],
        ['price_increase', {}, ['RENEWAL']],
        ['billing_recovery', {}, ['RENEWAL']],
        ['product_change', { new_product_id: 'trial_monthly' }, ['RENEWAL']],
        ['product_change_deferred', { new_product_id: 'trial_monthly' }, ['RENEWAL']],
        ['cancel', {}, ['EXPIRATION/UNSUBSCRIBE']],
        ['refund', {}, []],
        ['expire', {}, []],
        ['billing_issue', {}, ['EXPIRATION/BILLING_ERROR']],
        ['billing_issue_no_grace', {}, []],
        ['pause', {}, ['EXPIRATION/SUBSCRIPTION_PAUSED']],
      ])('%s: what follows in five minutes', async (scenario, more, expected) => {
        const id = await bought(scenario, more);
        const before = (await labels(id)).length;
        clock.advanceMs(5 * MINUTE_MS + 1);
        await run();
        expect((await labels(id)).slice(before)).toEqual(expected);
      });

      it('continues with the chosen product, at its price', async () => {
        const id = await bought('product_change_deferred', { new_product_id: 'trial_monthly' });
        clock.advanceMs(5 * MINUTE_MS);
        await run();
        expect(await renewals(id)).toMatchObject([{ product_id: 'trial_monthly', price: 4.99 }]);
      });

      it('continues after a pause, on the announced day', async () => {
        const id = await bought('pause');
        clock.advanceMs(10 * MINUTE_MS);
        await run();
        expect((await labels(id)).slice(-2)).toEqual(['EXPIRATION/SUBSCRIPTION_PAUSED', 'RENEWAL']);
        expect(await isPro(id)).toBe(true);
      });
    });
  });

  describe('that are limited, or none', () => {
    it('stops at max_renewals', async () => {
      await set({ renewal_mode: 'accelerated', max_renewals: 2 });
      const id = await buyer();
      clock.advanceMs(10 * MINUTE_MS);
      await run();
      expect(await labels(id)).toEqual(['INITIAL_PURCHASE', ...renewed(2), ended[0]]);
      expect(await subscription(id)).toMatchObject({ auto_renewal_status: 'will_not_renew' });
      clock.advanceMs(5 * MINUTE_MS);
      await run();
      expect(await labels(id)).toEqual(['INITIAL_PURCHASE', ...renewed(2), ...ended]);
    });

    it('skips an app without them', async () => {
      await set({ renewal_mode: 'none', max_renewals: null });
      const id = await buyer();
      clock.advanceMs(32 * DAY_MS);
      await run();
      expect(await labels(id)).toEqual(['INITIAL_PURCHASE', ...ended]);
    });
  });
});
