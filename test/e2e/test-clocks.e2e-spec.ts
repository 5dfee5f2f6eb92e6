import { ManualClock } from '../../libs/kernel/index.js';
import { ErasureJob } from '../../src/support/lifecycle/erasure.job.js';
import { DueWorkJob } from '../../src/purchases/due-work/due-work.job.js';
import { TestClockJob } from '../../src/test-store/test-clocks/test-clock.job.js';
import { DeliveryDispatcherService } from '../../src/webhooks/deliveries/delivery-dispatcher.service.js';
import type { Answer, Json } from '../support/api-client.js';
import { createSecretKey } from '../support/arrange.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import { brokenInvariants } from '../support/customer-invariants.js';
import { createTestDatabase } from '../support/database/index.js';
import { countQueries } from '../support/query-count.js';
import { startTestServer, TEST_START_MS, type TestServer } from '../support/test-server.js';
import { walkList } from '../support/walk-list.js';
import { startReceiver } from '../support/webhook-receiver.js';

const DAY_MS = 86_400_000;
/** Start time of clocks, in another year than the server's. */
const FROZEN_MS = Date.UTC(2030, 0, 31, 12);
const at = (year: number, month: number, day: number): number => Date.UTC(year, month - 1, day, 12);

describe('test clocks', () => {
  const time = new ManualClock(TEST_START_MS);
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let server: TestServer;
  let replica: TestServer;
  let store: TestStore;
  let path: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    const env = { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_TRUST_PROXY: 'true' };
    server = await startTestServer({ databaseUrl: database.url, clock: time, env });
    replica = await startTestServer({ databaseUrl: database.url, clock: time, env });
    store = await createTestStore(server);
    path = `${store.path}/test_clocks`;
    await store.backend.post(`${store.path}/products`, {
      store_identifier: 'trial_monthly',
      app_id: store.appId,
      type: 'subscription',
      subscription: { duration: 'P1M', trial_duration: 'P1W', grace_period_duration: 'P3D' },
      test_store_price: { amount_micros: 4_990_000, currency: 'USD' },
    });
  });

  beforeEach(() => time.advanceMs(1_000));

  afterAll(async () => {
    expect(await brokenInvariants(server.dataSource)).toEqual({});
    await replica.close();
    await server.close();
    await database.drop();
  });

  let count = 0;
  const person = (): string => `clocked-${++count}`;
  const expectStatus = (answer: Answer, status: number): Json => {
    expect([answer.status, answer.text]).toEqual([status, expect.anything()]);
    return answer.body;
  };
  const newClock = async (more: object = {}): Promise<string> =>
    expectStatus(await store.backend.post(path, { name: 'Clock', frozen_time: FROZEN_MS, ...more }), 201).id;
  const born = async (clockId: string): Promise<string> => {
    const id = person();
    const body = { id, test_clock_id: clockId };
    expectStatus(await store.backend.post(`${store.path}/customers`, body), 201);
    return id;
  };
  const post = (id: string, productId: string): Promise<Answer> =>
    store.sdk.post('/v1/receipts', {
      app_user_id: id,
      fetch_token: `test_${time.nowMs()}_clocked-${++count}`,
      product_id: productId,
    });
  const buy = async (id: string, productId = 'pro_monthly'): Promise<Json> =>
    expectStatus(await post(id, productId), 200);
  const run = (on = server): Promise<void> => on.app.get(TestClockJob).drain();
  const advance = (clockId: string, toMs: number): Promise<Answer> =>
    store.backend.post(`${path}/${clockId}/actions/advance`, { frozen_time: toMs });
  const advanced = async (clockId: string, toMs: number): Promise<Json> => {
    expectStatus(await advance(clockId, toMs), 200);
    await run();
    const clock = expectStatus(await store.backend.get(`${path}/${clockId}`), 200);
    expect(clock).toMatchObject({ status: 'ready', frozen_time: toMs, target_time: null });
    return clock;
  };
  const attach = (clockId: string, id: string): Promise<Answer> =>
    store.backend.post(`${path}/${clockId}/actions/attach_customer`, { customer_id: id });
  const get = async (id: string, suffix = ''): Promise<Json> =>
    expectStatus(await store.backend.get(`${store.path}/customers/${id}${suffix}`), 200);
  const bodies = async (id: string): Promise<Json[]> => {
    const { items } = await get(id, '/events?limit=100');
    return items.map(({ body }: Json) => body).sort((a: Json, b: Json) => a.sequence - b.sequence);
  };
  const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  /** `day TYPE/REASON` of each event, by the time that its body says. */
  const recorded = async (id: string): Promise<string[]> =>
    (await bodies(id)).map(
      ({ type, event_timestamp_ms: ms, cancel_reason: cancel, expiration_reason: end }) => {
        const reason = cancel ?? end;
        return `${day(ms)} ${type}${reason ? `/${reason}` : ''}`;
      },
    );
  const activeUntil = async (id: string): Promise<string[]> =>
    (await get(id, '/active_entitlements')).items.map(({ expires_at: ms }: Json) => day(ms));

  describe('as objects', () => {
    it('creates, reads, lists, changes and deletes them, with an audit row for each write', async () => {
      const made = await store.backend.post(path, { name: 'First', frozen_time: FROZEN_MS });
      expect([made.status, made.body]).toEqual([
        201,
        {
          object: 'test_clock',
          id: expect.stringMatching(/^tclk_/),
          name: 'First',
          frozen_time: FROZEN_MS,
          status: 'ready',
          target_time: null,
          progress: null,
          error: null,
          plan: ['renew'],
          customer_ids: [],
          period_ends_at: null,
          created_at: time.nowMs(),
        },
      ]);
      const { id } = made.body;
      const changed = await store.backend.post(`${path}/${id}`, { name: 'Renamed', plan: ['cancel'] });
      expect([changed.status, changed.body]).toEqual([
        200,
        { ...made.body, name: 'Renamed', plan: ['cancel'] },
      ]);
      expect((await store.backend.get(`${path}/${id}`)).body).toEqual(changed.body);
      const gone = await store.backend.delete(`${path}/${id}`);
      expect(gone.body).toEqual({ object: 'test_clock', id, deleted_at: time.nowMs() });
      expect((await store.backend.get(`${path}/${id}`)).status).toBe(404);
      const audit = await store.backend.get(`${store.path}/audit_logs?limit=3`);
      expect(audit.body.items.map((row: Json) => row.action_type).sort()).toEqual([
        'test_clock_created',
        'test_clock_deleted',
        'test_clock_updated',
      ]);
    });

    it('lists them oldest first, page by page', async () => {
      const other = await createTestStore(server);
      const ids: string[] = [];
      for (const name of ['a', 'b', 'c']) {
        time.advanceMs(1);
        const body = { name, frozen_time: FROZEN_MS };
        ids.push((await other.backend.post(`${other.path}/test_clocks`, body)).body.id);
      }
      const all = await walkList(other.backend, `${other.path}/test_clocks`, 2);
      expect(all.map(({ id }: Json) => id)).toEqual(ids);
      const wrong = await other.backend.get(`${other.path}/test_clocks?starting_after=unknown`);
      expect([wrong.status, wrong.body.param]).toEqual([400, 'starting_after']);
    });

    it.each<[string, object]>([
      ['name', { frozen_time: FROZEN_MS }],
      ['name', { name: '', frozen_time: FROZEN_MS }],
      ['frozen_time', { name: 'x' }],
      ['frozen_time', { name: 'x', frozen_time: 'soon' }],
      ['frozen_time', { name: 'x', frozen_time: 1.5 }],
      ['frozen_time', { name: 'x', frozen_time: Date.UTC(1999, 0, 1) }],
      ['frozen_time', { name: 'x', frozen_time: Date.UTC(2201, 0, 1) }],
      ['plan', { name: 'x', frozen_time: FROZEN_MS, plan: [] }],
      ['plan', { name: 'x', frozen_time: FROZEN_MS, plan: ['explode'] }],
      ['plan', { name: 'x', frozen_time: FROZEN_MS, plan: 'renew' }],
    ])('refuses a bad %s: %j', async (param, body) => {
      const answer = await store.backend.post(path, body);
      expect([answer.status, answer.body.param]).toEqual([400, param]);
    });

    it('moves forward only, by two years and 500 periods at most, one advance at a time', async () => {
      const id = await newClock();
      const refused = async (toMs: unknown): Promise<unknown[]> => {
        const answer = await advance(id, toMs as number);
        return [answer.status, answer.body.param];
      };
      for (const bad of [FROZEN_MS, FROZEN_MS - 1, FROZEN_MS + 3 * 366 * DAY_MS, 'x', null]) {
        expect([bad, await refused(bad)]).toEqual([bad, [400, 'frozen_time']]);
      }
      await store.backend.post(`${store.path}/products`, {
        store_identifier: 'hourly',
        app_id: store.appId,
        type: 'subscription',
        subscription: { duration: 'PT1H' },
      });
      await buy(await born(id), 'hourly');
      expect(await refused(FROZEN_MS + 30 * DAY_MS)).toEqual([400, 'frozen_time']);
      const first = await advance(id, FROZEN_MS + 2 * DAY_MS);
      expect([first.status, first.body.status, first.body.target_time]).toEqual([
        200,
        'advancing',
        FROZEN_MS + 2 * DAY_MS,
      ]);
      await run();
    });

    it('refuses other projects, public keys and keys without the permission', async () => {
      const id = await newClock();
      const stranger = await createTestStore(server);
      for (const suffix of ['', '/actions/advance', '/actions/attach_customer']) {
        const body = { frozen_time: FROZEN_MS + 1, customer_id: 'x' };
        expect(
          (await stranger.backend.post(`${stranger.path}/test_clocks/${id}${suffix}`, body)).status,
        ).toBe(404);
      }
      expect((await stranger.backend.get(`${stranger.path}/test_clocks/${id}`)).status).toBe(404);
      expect((await stranger.backend.delete(`${stranger.path}/test_clocks/${id}`)).status).toBe(404);
      const born = await stranger.backend.post(`${stranger.path}/customers`, {
        id: person(),
        test_clock_id: id,
      });
      expect([born.status, born.body.param]).toEqual([404, 'test_clock_id']);
      const reader = await createSecretKey(store.session, store.projectId, [
        'customer_information:customers:read',
      ]);
      expect((await reader.client.get(path)).status).toBe(200);
      expect((await reader.client.post(path, { name: 'x', frozen_time: FROZEN_MS })).status).toBe(403);
      expect((await store.sdk.get(path)).status).toBe(403);
    });
  });

  describe('let time pass', () => {
    it('renews by default, with purchases and access as if the time had passed', async () => {
      const id = await newClock();
      const user = await born(id);
      const { subscriber, request_date_ms: now } = await buy(user);
      expect(now).toBe(FROZEN_MS);
      expect(subscriber.entitlements.pro).toMatchObject({
        purchase_date: '2030-01-31T12:00:00Z',
        expires_date: '2030-02-28T12:00:00Z',
      });
      expect(await activeUntil(user)).toEqual(['2030-02-28']);
      const clock = await advanced(id, at(2030, 4, 15));
      expect(clock).toMatchObject({ customer_ids: [user], period_ends_at: at(2030, 4, 30) });
      expect(await recorded(user)).toEqual([
        '2030-01-31 INITIAL_PURCHASE',
        '2030-02-28 RENEWAL',
        '2030-03-31 RENEWAL',
      ]);
      expect(await activeUntil(user)).toEqual(['2030-04-30']);
      const phone = await store.sdk.get(`/v1/subscribers/${user}`);
      expect(phone.body).toMatchObject({
        request_date: '2030-04-15T12:00:00Z',
        request_date_ms: at(2030, 4, 15),
      });
      expect(phone.headers['x-revenuecat-request-time']).toBe(String(at(2030, 4, 15)));
      expect(phone.body.subscriber.entitlements.pro.expires_date).toBe('2030-04-30T12:00:00Z');
      const [subscription] = (await get(user, '/subscriptions')).items;
      expect(subscription).toMatchObject({
        status: 'active',
        gives_access: true,
        current_period_starts_at: at(2030, 3, 31),
        current_period_ends_at: at(2030, 4, 30),
      });
      const one = await store.backend.get(`${store.path}/subscriptions/${subscription.id}`);
      expect(one.body).toMatchObject({ status: 'active', gives_access: true });
      const money = await store.backend.get(`${store.path}/subscriptions/${subscription.id}/transactions`);
      expect(money.body.items).toHaveLength(3);
    });

    it("lists events in the project's log, which can show one clock alone", async () => {
      const [id, other] = [await newClock(), await newClock()];
      const users = [await born(id), await born(id)];
      for (const user of users) await buy(user);
      await buy(await born(other));
      await advanced(id, at(2030, 4, 15));
      const log = `${store.path}/events?test_clock_id=${id}`;
      const first = expectStatus(await store.backend.get(`${log}&limit=4`), 200);
      const rest = expectStatus(await store.backend.get(first.next_page), 200);
      const logged: Json[] = [...first.items, ...rest.items];
      expect(logged.map(({ type, customer_id: user }) => `${type} ${user}`).sort()).toEqual(
        users
          .flatMap((user) => ['INITIAL_PURCHASE', 'RENEWAL', 'RENEWAL'].map((type) => `${type} ${user}`))
          .sort(),
      );
      expect(logged.map((event) => event.occurred_at)).toEqual(
        logged.map((event) => event.occurred_at).sort((a, b) => b - a),
      );
      const after = await store.backend.get(`${log}&starting_after=${logged[3].id}`);
      expect(after.body.items).toEqual(logged.slice(4));
      const narrowed = await store.backend.get(`${log}&type=renewal&customer=${users[0]}`);
      expect(narrowed.body.items).toHaveLength(2);
      const stranger = await createTestStore(server);
      const foreign = await stranger.backend.get(`${stranger.path}/events?test_clock_id=${id}`);
      expect([foreign.status, foreign.body.items]).toEqual([200, []]);
    });

    it.each<[string[], string[], string]>([
      [['cancel'], ['2030-02-04 CANCELLATION/UNSUBSCRIBE', '2030-02-07 EXPIRATION/UNSUBSCRIBE'], 'expired'],
      [
        ['renew', 'cancel'],
        ['2030-02-07 RENEWAL', '2030-02-21 CANCELLATION/UNSUBSCRIBE', '2030-03-07 EXPIRATION/UNSUBSCRIBE'],
        'expired',
      ],
      [
        ['renew', 'billing_issue'],
        [
          '2030-02-07 RENEWAL',
          '2030-03-07 BILLING_ISSUE',
          '2030-03-07 CANCELLATION/BILLING_ERROR',
          '2030-03-10 EXPIRATION/BILLING_ERROR',
        ],
        'in_billing_retry',
      ],
      [
        ['renew', 'billing_recovery', 'cancel'],
        [
          '2030-02-07 RENEWAL',
          '2030-03-07 BILLING_ISSUE',
          '2030-03-07 CANCELLATION/BILLING_ERROR',
          '2030-03-08 RENEWAL',
          '2030-03-23 CANCELLATION/UNSUBSCRIBE',
          '2030-04-07 EXPIRATION/UNSUBSCRIBE',
        ],
        'expired',
      ],
    ])('follows the plan %j', async (plan, expected, status) => {
      const id = await newClock({ plan });
      const user = await born(id);
      await buy(user, 'trial_monthly');
      await advanced(id, at(2030, 6, 1));
      expect(await recorded(user)).toEqual(['2030-01-31 INITIAL_PURCHASE', ...expected]);
      expect((await get(user, '/subscriptions')).items).toMatchObject([{ status, gives_access: false }]);
    });

    it('reaches the same history in one advance and in many, including credits', async () => {
      const coins = { store_identifier: 'coins_monthly', app_id: store.appId, type: 'subscription' };
      const product = expectStatus(await store.backend.post(`${store.path}/products`, coins), 201);
      const grant = { product_ids: [product.id], amount: 50, expire_at_cycle_end: true };
      const currency = { code: 'CLOCK', name: 'Coins', product_grants: [grant] };
      expectStatus(await store.backend.post(`${store.path}/virtual_currencies`, currency), 201);
      const plan = ['renew', 'billing_recovery', 'renew', 'cancel'];
      const histories: unknown[] = [];
      for (const stops of [[], [at(2030, 2, 7), at(2030, 3, 7), at(2030, 3, 8), at(2030, 4, 1)]]) {
        const id = await newClock({ plan });
        const user = await born(id);
        for (const product of ['trial_monthly', 'pro_monthly', 'coins_monthly']) {
          // Simultaneous events are emitted in the order of the customers' ids.
          time.advanceMs(1_000);
          await buy(user, product);
        }
        for (const stop of [...stops, at(2031, 1, 1)]) await advanced(id, stop);
        histories.push(
          (await bodies(user)).map(
            ({ type, expiration_at_ms: end, event_timestamp_ms: ms, product_id: product }) => [
              type,
              product,
              end,
              ms,
            ],
          ),
        );
      }
      expect(histories[1]).toEqual(histories[0]);
      expect((histories[0] as unknown[]).length).toBeGreaterThan(10);
      const credits = (histories[0] as unknown[][]).filter(
        ([type]) => type === 'VIRTUAL_CURRENCY_TRANSACTION',
      );
      expect(credits.map(([, , , ms]) => day(ms as number))).toEqual([
        '2030-01-31',
        '2030-02-28',
        '2030-04-01',
        '2030-05-01',
      ]);
    });

    it('emits credits as what the balance could hold of them', async () => {
      const sold = { store_identifier: 'capped_monthly', app_id: store.appId, type: 'subscription' };
      const product = expectStatus(await store.backend.post(`${store.path}/products`, sold), 201);
      const currency = {
        code: 'CAPPED',
        name: 'Coins',
        product_grants: [{ product_ids: [product.id], amount: 50 }],
      };
      expectStatus(await store.backend.post(`${store.path}/virtual_currencies`, currency), 201);
      const id = await newClock();
      const user = await born(id);
      const adjusting = `${store.path}/customers/${user}/virtual_currencies/transactions`;
      const adjustments = { CAPPED: 2_000_000_000 - 110 };
      expectStatus(await store.backend.post(adjusting, { adjustments }), 200);
      await buy(user, 'capped_monthly');
      await advanced(id, at(2030, 4, 15));
      const credits = (await bodies(user)).filter(({ type }) => type === 'VIRTUAL_CURRENCY_TRANSACTION');
      expect(credits.flatMap((body) => body.adjustments).map(({ amount }: Json) => amount as number)).toEqual(
        [50, 50, 10],
      );
    });

    it('follows a plan that is changed on the way', async () => {
      const id = await newClock();
      const user = await born(id);
      await buy(user);
      await advanced(id, at(2030, 3, 25));
      expectStatus(await store.backend.post(`${path}/${id}`, { plan: ['cancel'] }), 200);
      await advanced(id, at(2030, 5, 1));
      // Halfway is over already: it is cancelled at once.
      expect(await recorded(user)).toEqual([
        '2030-01-31 INITIAL_PURCHASE',
        '2030-02-28 RENEWAL',
        '2030-03-25 CANCELLATION/UNSUBSCRIBE',
        '2030-03-31 EXPIRATION/UNSUBSCRIBE',
      ]);
      expect(await activeUntil(user)).toEqual([]);
    });

    it('ends grants by the clock and not by the real time', async () => {
      const id = await newClock();
      const user = await born(id);
      const grant = (expiresAt: number): Promise<Answer> =>
        store.backend.post(`${store.path}/customers/${user}/actions/grant_entitlement`, {
          entitlement_id: store.entitlements.pro.id,
          expires_at: expiresAt,
        });
      const early = await grant(FROZEN_MS - DAY_MS);
      expect([early.status, early.body.param]).toEqual([400, 'expires_at']);
      expectStatus(await grant(FROZEN_MS + 3 * DAY_MS), 201);
      expect(await activeUntil(user)).toEqual(['2030-02-03']);
      await advanced(id, FROZEN_MS + 3 * DAY_MS);
      expect(await recorded(user)).toEqual([
        '2030-01-31 INITIAL_PURCHASE',
        '2030-02-03 EXPIRATION/DEVELOPER_INITIATED',
      ]);
    });

    it('applies to the explanation of access and the owners it names', async () => {
      const id = await newClock({ plan: ['cancel'] });
      const [user, newOwner] = [await born(id), await born(id)];
      await buy(user);
      const explained = async (whom: string): Promise<Json> => {
        const { explained_at, entitlements } = await get(whom, '/access_explanation');
        const [{ active, since, until, cause }] = entitlements;
        return { explained_at, active, since, until, cause };
      };
      const endsAt = at(2030, 2, 28);
      expect(await explained(user)).toEqual({
        explained_at: FROZEN_MS,
        active: true,
        since: FROZEN_MS,
        until: endsAt,
        cause: { type: 'purchase', occurred_at: FROZEN_MS },
      });
      const movedAt = at(2030, 2, 7);
      await advanced(id, movedAt);
      const target = { target_customer_id: newOwner };
      expectStatus(await store.backend.post(`${store.path}/customers/${user}/actions/transfer`, target), 200);
      const cause = { type: 'transfer', occurred_at: movedAt };
      expect(await explained(newOwner)).toMatchObject({ active: true, since: movedAt, until: endsAt, cause });
      expect(await explained(user)).toMatchObject({ active: false, since: movedAt });
      await advanced(id, at(2030, 3, 1));
      expect(await explained(newOwner)).toEqual({
        explained_at: at(2030, 3, 1),
        active: false,
        since: endsAt,
        until: null,
        cause: { type: 'expiry', occurred_at: endsAt },
      });
    });

    it('works in the past too, while real time does not affect its customers', async () => {
      const id = await newClock({ frozen_time: at(2020, 1, 1), plan: ['cancel'] });
      const user = await born(id);
      await buy(user);
      expect(await activeUntil(user)).toEqual(['2020-02-01']);
      await server.app.get(DueWorkJob).run();
      expect(await recorded(user)).toEqual(['2020-01-01 INITIAL_PURCHASE']);
      await advanced(id, at(2020, 3, 1));
      expect((await recorded(user)).at(-1)).toBe('2020-02-01 EXPIRATION/UNSUBSCRIBE');
    });

    it('sends webhooks now, with the times of the clock', async () => {
      const endpoint = await startReceiver();
      const id = await newClock();
      const user = await born(id);
      await buy(user);
      const webhook = await store.backend.post(`${store.path}/integrations/webhooks`, {
        name: 'Backend',
        url: endpoint.url,
      });
      await advanced(id, at(2030, 4, 15));
      time.advanceMs(1_000);
      await server.app.get(DeliveryDispatcherService).drain();
      const events = endpoint.requests.map(({ body }) => JSON.parse(body).event);
      expect(events.map((event) => [event.type, day(event.event_timestamp_ms as number)]).sort()).toEqual([
        ['RENEWAL', '2030-02-28'],
        ['RENEWAL', '2030-03-31'],
      ]);
      await store.backend.delete(`${store.path}/integrations/webhooks/${webhook.body.id}`);
      await endpoint.close();
    });

    it('shares the work between several servers, and emits each step once', async () => {
      const id = await newClock();
      const users: string[] = [];
      for (let index = 0; index < 8; index++) users.push(await born(id));
      for (const user of users) await buy(user);
      expectStatus(await advance(id, at(2031, 1, 31)), 200);
      for (let round = 0; round < 2; round++) await Promise.all([run(), run(replica)]);
      await run();
      expect((await store.backend.get(`${path}/${id}`)).body.status).toBe('ready');
      for (const user of users) {
        const events = await bodies(user);
        expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
        expect(events.map(({ type }) => type)).toEqual(['INITIAL_PURCHASE', ...Array(12).fill('RENEWAL')]);
      }
    });

    it('continues where a server that died had stopped', async () => {
      const id = await newClock();
      const [first = '', second = ''] = [await born(id), await born(id)];
      for (const user of [first, second]) await buy(user);
      const holder = replica.dataSource.createQueryRunner();
      await holder.startTransaction();
      await holder.query(
        `SELECT 1 FROM customers WHERE id = (SELECT customer_id FROM customer_aliases WHERE app_user_id = $1) FOR UPDATE`,
        [first],
      );
      expectStatus(await advance(id, at(2030, 3, 1)), 200);
      await run();
      const halfway = (await store.backend.get(`${path}/${id}`)).body;
      expect(halfway).toMatchObject({
        status: 'advancing',
        frozen_time: FROZEN_MS,
        progress: 0.5,
        error: null,
      });
      const { key } = await createSecretKey(store.session, store.projectId);
      expect((await replica.http.withKey(key).get(`${path}/${id}`)).body).toEqual(halfway);
      expect((await recorded(second)).at(-1)).toBe('2030-02-28 RENEWAL');
      expect((await store.backend.post(`${path}/${id}`, { plan: ['cancel'] })).status).toBe(409);
      expect((await advance(id, at(2030, 4, 1))).status).toBe(409);
      expect((await attach(id, person())).status).toBe(409);
      await holder.rollbackTransaction();
      await holder.release();
      // A clock with a locked customer is due again a second later.
      time.advanceMs(1_000);
      await run(replica);
      expect((await store.backend.get(`${path}/${id}`)).body.status).toBe('ready');
      expect((await recorded(first)).at(-1)).toBe('2030-02-28 RENEWAL');
    });

    it('fails visibly when it cannot, and can be tried again', async () => {
      const id = await newClock();
      const user = await born(id);
      await buy(user);
      const owned = `customer_id = (SELECT customer_id FROM customer_aliases WHERE app_user_id = '${user}')`;
      const [row]: { facts: object }[] = await server.dataSource.query(
        `SELECT facts FROM subscriptions WHERE ${owned}`,
      );
      const write = (facts: unknown): Promise<unknown> =>
        server.dataSource.query(`UPDATE subscriptions SET facts = $1 WHERE ${owned}`, [
          JSON.stringify(facts),
        ]);
      await write({ periods: {}, refunds: {}, renewal: null, replaced: null, pending: null });
      expectStatus(await advance(id, at(2030, 3, 1)), 200);
      await run();
      const failed = (await store.backend.get(`${path}/${id}`)).body;
      expect(failed).toMatchObject({ status: 'failed', target_time: at(2030, 3, 1), progress: 0 });
      expect(failed.error).toBe(
        `Customer "${user}" could not be advanced beyond 2030-01-31T12:00:00.000Z. ` +
          'Advance the clock again to retry, or delete it. The log of the server has the cause.',
      );
      await write(row?.facts);
      expect((await advance(id, at(2030, 2, 28))).status).toBe(400);
      await advanced(id, at(2030, 3, 1));
      expect((await recorded(user)).at(-1)).toBe('2030-02-28 RENEWAL');
    });
  });

  describe('and their customers', () => {
    it('accepts earlier purchases, which advance from the real time to that of the clock', async () => {
      const user = person();
      await buy(user);
      const id = await newClock({ frozen_time: time.nowMs() + 70 * DAY_MS });
      const attached = expectStatus(await attach(id, user), 200);
      expect([attached.status, attached.customer_ids]).toEqual(['advancing', [user]]);
      const customer = await store.backend.get(`${store.path}/customers/${user}`);
      expect(expectStatus(customer, 200).test_clock_id).toBe(id);
      await run();
      expect((await store.backend.get(`${path}/${id}`)).body.status).toBe('ready');
      expect((await bodies(user)).map(({ type }) => type)).toEqual([
        'INITIAL_PURCHASE',
        'RENEWAL',
        'RENEWAL',
      ]);
      expect(await activeUntil(user)).toHaveLength(1);
      // Nothing of theirs is due by the real time any more.
      time.advanceMs(400 * DAY_MS);
      await server.app.get(DueWorkJob).run();
      expect((await bodies(user)).map(({ type }) => type)).toEqual([
        'INITIAL_PURCHASE',
        'RENEWAL',
        'RENEWAL',
      ]);
      time.advanceMs(-400 * DAY_MS);
      expect(expectStatus(await attach(id, user), 200).status).toBe('ready');
    });

    it('refuses customers who cannot use a clock', async () => {
      const id = await newClock();
      const unknown = await attach(id, 'nobody-at-all');
      expect([unknown.status, unknown.body.param]).toEqual([404, 'customer_id']);
      const other = await newClock();
      const taken = await born(other);
      const past = await newClock({ frozen_time: at(2020, 1, 1) });
      const buyer = person();
      await buy(buyer);
      const refused = async (clockId: string, user: string): Promise<unknown[]> => {
        const answer = await attach(clockId, user);
        return [answer.status, answer.body.param];
      };
      expect(await refused(id, taken)).toEqual([422, 'customer_id']);
      expect(await refused(past, buyer)).toEqual([422, 'customer_id']);
      await server.dataSource.query(
        `UPDATE subscriptions SET store = 'app_store'
         WHERE customer_id = (SELECT customer_id FROM customer_aliases WHERE app_user_id = $1)`,
        [buyer],
      );
      expect(await refused(id, buyer)).toEqual([422, 'customer_id']);
    });

    it('allows fifty at most, of whom one may be attached again', async () => {
      const id = await newClock();
      const first = await born(id);
      for (let others = 0; others < 49; others++) await born(id);
      expectStatus(await attach(id, first), 200);
      const latecomer = person();
      const body = { id: latecomer, test_clock_id: id };
      const refused = await store.backend.post(`${store.path}/customers`, body);
      expect([refused.status, refused.body.param]).toEqual([422, 'test_clock_id']);
      expectStatus(await store.backend.post(`${store.path}/customers`, { id: latecomer }), 201);
      const alsoRefused = await attach(id, latecomer);
      expect([alsoRefused.status, alsoRefused.body.param]).toEqual([422, 'customer_id']);
    });

    it('allows fifty at most, however many come at once', async () => {
      const id = await newClock();
      const answers = await Promise.all(
        Array.from({ length: 55 }, () =>
          store.backend.post(`${store.path}/customers`, { id: person(), test_clock_id: id }),
        ),
      );
      const refused = answers.filter(({ status }) => status !== 201);
      expect(refused.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422]);
      expect(expectStatus(await store.backend.get(`${path}/${id}`), 200).customer_ids).toHaveLength(50);
    });

    it('keeps their purchases apart where the other customer has another time', async () => {
      const id = await newClock();
      const user = await born(id);
      const token = `test_${time.nowMs()}_shared`;
      const body = { fetch_token: token, product_id: 'pro_monthly' };
      expectStatus(await store.sdk.post('/v1/receipts', { ...body, app_user_id: user }), 200);
      const other = await store.sdk.post('/v1/receipts', { ...body, app_user_id: person() });
      expect([other.status, other.body.code]).toEqual([400, 7102]);
      const transfer = await store.backend.post(`${store.path}/customers/${user}/actions/transfer`, {
        target_customer_id: person(),
      });
      expect(transfer.status).toBe(422);
      const device = '$RCAnonymousID:00000000000000000000000000000abc';
      await store.sdk.get(`/v1/subscribers/${encodeURIComponent(device)}`);
      const login = await store.sdk.post('/v1/subscribers/identify', {
        app_user_id: device,
        new_app_user_id: user,
      });
      expect([login.status, login.body.request_date_ms]).toEqual([200, FROZEN_MS]);
      expect((await get(user, '/aliases')).items.map(({ id }: Json) => id)).toEqual([user]);
    });

    it('deletes them with the clock, and only them', async () => {
      const id = await newClock();
      const [user, stays] = [await born(id), person()];
      await buy(user);
      await buy(stays);
      expectStatus(await store.backend.delete(`${path}/${id}`), 200);
      expect((await store.backend.get(`${store.path}/customers/${user}`)).status).toBe(404);
      expect((await get(stays)).id).toBe(stays);
      await server.app.get(ErasureJob).drain();
      const left: { table: string }[] = await server.dataSource.query(
        `SELECT 1 FROM events WHERE project_id = $1 AND body ->> 'app_user_id' = $2`,
        [store.projectId, user],
      );
      expect(left).toEqual([]);
    });

    it('deletes them at once, and large data in batches, by any process that lives', async () => {
      const id = await newClock();
      const users = [await born(id), await born(id)];
      for (const user of users) await buy(user);
      const rows = (): Promise<{ customers: number; renewals: number; erasures: number }[]> =>
        server.dataSource.query(
          `SELECT (SELECT count(*)::int FROM customers WHERE project_id = $1 AND test_clock_id = $2) AS customers,
             (SELECT count(*)::int FROM store_transactions WHERE project_id = $1 AND kind = 'renewal'
                AND period_key LIKE 'much-%') AS renewals,
             (SELECT count(*)::int FROM customer_erasures WHERE project_id = $1) AS erasures`,
          [store.projectId, id],
        );
      await server.dataSource.query(
        `INSERT INTO store_transactions SELECT much.* FROM store_transactions t, generate_series(1, 1200) n,
           LATERAL jsonb_populate_record(NULL::store_transactions, to_jsonb(t) || jsonb_build_object(
             'id', t.id || n, 'kind', 'renewal', 'period_key', 'much-' || n)) much
         WHERE t.project_id = $1 AND t.customer_id IN (
           SELECT id FROM customers WHERE project_id = $1 AND test_clock_id = $2)`,
        [store.projectId, id],
      );
      expect(await rows()).toEqual([{ customers: 2, renewals: 2400, erasures: 0 }]);
      // No customer outlives the deletion: remaining work is dropped.
      const job = server.app.get(ErasureJob);
      const wake = job.wake.bind(job);
      job.wake = () => undefined;
      try {
        expectStatus(await store.backend.delete(`${path}/${id}`), 200);
      } finally {
        job.wake = wake;
      }
      expectStatus(await store.backend.get(`${path}/${id}`), 404);
      expectStatus(await store.backend.delete(`${path}/${id}`), 404);
      for (const user of users) {
        expectStatus(await store.backend.get(`${store.path}/customers/${user}`), 404);
      }
      expect(await rows()).toEqual([{ customers: 0, renewals: 2400, erasures: 2 }]);
      // A later customer with the same id has nothing to do with it.
      await buy(users[0]!);
      await job.drain();
      expect(await rows()).toEqual([{ customers: 0, renewals: 0, erasures: 0 }]);
      expect((await get(users[0]!, '/subscriptions')).items).toHaveLength(1);
    });

    it('adds no statement for other customers', async () => {
      const user = person();
      await buy(user);
      const clocked = await born(await newClock());
      await buy(clocked);
      const statementsOf = countQueries(server);
      const read = (id: string): Promise<string[]> =>
        statementsOf(() => store.sdk.get(`/v1/subscribers/${id}`));
      expect(await read(user)).toHaveLength(1);
      expect(await read(clocked)).toHaveLength(1);
    });
  });
});
