import { ManualClock } from '../../libs/kernel/index.js';
import type { Environment, Store } from '../../libs/engine/index.js';
import { at, day, DAY_MS, type ReportBuilder } from '../../libs/engine/testing/subscription-history.js';
import { CatalogService } from '../../src/catalog/snapshot/catalog.service.js';
import { DueWorkJob } from '../../src/purchases/due-work/due-work.job.js';
import { BATCH, CANDIDATES, DueWorkRepository } from '../../src/purchases/due-work/due-work.repository.js';
import { DueWorkService } from '../../src/purchases/due-work/due-work.service.js';
import { PROJECTS_PER_POLL } from '../../src/purchases/due-work/project-poller.js';
import { ReportedPurchasesService } from '../../src/purchases/recording/reported-purchases.service.js';
import { TestClockJob } from '../../src/test-store/test-clocks/test-clock.job.js';
import { DeliveryDispatcherService } from '../../src/webhooks/deliveries/delivery-dispatcher.service.js';
import type { Json } from '../support/api-client.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import { brokenInvariants } from '../support/customer-invariants.js';
import { createTestDatabase } from '../support/database/index.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { startReceiver } from '../support/webhook-receiver.js';

const HOUR_MS = 3_600_000;

describe('what is due', () => {
  const clock = new ManualClock(day(0));
  let server: TestServer;
  let replica: TestServer;
  let store: TestStore;
  let database: Awaited<ReturnType<typeof createTestDatabase>>;

  beforeAll(async () => {
    database = await createTestDatabase();
    const env = { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_TRUST_PROXY: 'true' };
    server = await startTestServer({ databaseUrl: database.url, clock, env });
    replica = await startTestServer({ databaseUrl: database.url, clock, env });
    store = await createTestStore(server);
  });

  // Every test begins with nothing due and a time that no other test has.
  let start = 0;
  beforeEach(async () => {
    await run();
    start += 2_000;
    clock.setMs(day(start));
    await run();
  });

  afterAll(async () => {
    expect(await brokenInvariants(server.dataSource)).toEqual({});
    await replica.close();
    await server.close();
    await database.drop();
  });

  let count = 0;
  const person = (): string => `due-${++count}`;
  const run = (): Promise<void> => server.app.get(DueWorkJob).run();
  const moveTo = (days: number): void => clock.setMs(day(start + days));
  const buy = async (appUserId: string, productId = 'pro_monthly', client = store.sdk): Promise<void> => {
    const token = `test_${clock.nowMs()}_due-${++count}`;
    const answer = await client.post('/v1/receipts', {
      app_user_id: appUserId,
      fetch_token: token,
      product_id: productId,
    });
    expect(answer.status).toBeLessThan(300);
  };
  const grant = async (appUserId: string, days: number): Promise<void> => {
    const body = { end_time_ms: day(start + days) };
    const path = `/v1/subscribers/${appUserId}/entitlements/pro/promotional`;
    expect((await store.backend.post(path, body)).status).toBe(200);
  };
  /** A report of a store without a request, by default received at once. */
  const report = async (
    appUserId: string,
    key: string,
    saying: ReportBuilder,
    storeName: Store = 'play_store',
    appId = store.appId,
    heardAtMs = saying.atMs,
  ) => {
    clock.setMs(heardAtMs);
    const purchases = [
      { kind: 'subscription' as const, key, firstPostStands: false, observation: saying.observation },
    ];
    const environment: Environment = 'production';
    const recorded = { projectId: store.projectId, appId, store: storeName, environment, purchases };
    await server.app.get(ReportedPurchasesService).record(recorded, { kind: 'person', appUserId });
  };
  const customer = (appUserId: string, suffix = ''): Promise<Json> =>
    store.backend.get(`${store.path}/customers/${appUserId}${suffix}`);
  /** Bodies of a customer's events, in the order of their numbers. */
  const events = async (appUserId: string): Promise<Json[]> => {
    const { body } = await customer(appUserId, '/events?limit=100');
    const bodies = body.items.map((item: Json) => item.body) as Json[];
    return bodies.sort((a, b) => a.sequence - b.sequence);
  };
  const labels = async (appUserId: string): Promise<string[]> =>
    (await events(appUserId)).map(
      ({ type, cancel_reason: cancel, expiration_reason: end }) =>
        `${type}${cancel || end ? '/' : ''}${cancel ?? end ?? ''}`,
    );
  const subscriptionRows = (
    appUserId: string,
  ): Promise<{ status: string; due: Date | null; version: number }[]> =>
    server.dataSource.query(
      `SELECT s.status, s.next_due_at AS due, s.version FROM subscriptions s JOIN customer_aliases a
         ON a.project_id = s.project_id AND a.customer_id = s.customer_id WHERE a.app_user_id = $1`,
      [appUserId],
    );
  const metric = async (name: string): Promise<number> => {
    const text = await (await fetch(`${server.baseUrl}/metrics`)).text();
    const line = text.split('\n').find((candidate) => candidate.startsWith(name));
    return Number(line?.split(' ').at(-1));
  };

  describe('is emitted', () => {
    it('emits when a subscription of the Test Store ends: in the history, to webhooks, and not before', async () => {
      const endpoint = await startReceiver();
      const made = await store.backend.post(`${store.path}/integrations/webhooks`, {
        name: 'Backend',
        url: endpoint.url,
      });
      const id = person();
      await buy(id);
      const [bought] = await events(id);
      const endMs: number = bought?.expiration_at_ms;
      clock.setMs(endMs - 1);
      await run();
      expect(await labels(id)).toEqual(['INITIAL_PURCHASE']);
      clock.setMs(endMs);
      await run();
      expect(await labels(id)).toEqual([
        'INITIAL_PURCHASE',
        'CANCELLATION/UNSUBSCRIBE',
        'EXPIRATION/UNSUBSCRIBE',
      ]);
      expect((await events(id)).at(-1)).toMatchObject({
        expiration_at_ms: endMs,
        event_timestamp_ms: endMs + 1,
        product_id: 'pro_monthly',
        entitlement_ids: ['pro'],
        app_user_id: id,
        sequence: 3,
      });
      clock.advanceMs(10);
      await server.app.get(DeliveryDispatcherService).drain();
      expect(endpoint.requests.map(({ body }) => JSON.parse(body).event.type).sort()).toEqual([
        'CANCELLATION',
        'EXPIRATION',
        'INITIAL_PURCHASE',
      ]);
      expect((await customer(id, '/active_entitlements')).body.items).toEqual([]);
      expect(await subscriptionRows(id)).toMatchObject([{ status: 'expired', due: null }]);
      await store.backend.delete(`${store.path}/integrations/webhooks/${made.body.id}`);
      await endpoint.close();
    });

    it('emits when a promotional grant ends, without a cancellation', async () => {
      const id = person();
      await grant(id, 3);
      moveTo(3);
      await run();
      expect(await labels(id)).toEqual(['INITIAL_PURCHASE', 'EXPIRATION/DEVELOPER_INITIATED']);
    });

    const newEntitlement = async (key: string): Promise<string> => {
      const body = { lookup_key: key, display_name: key };
      return (await store.backend.post(`${store.path}/entitlements`, body)).body.id;
    };
    const grantOf = (appUserId: string, entitlement: string, days: number) =>
      store.backend.post(`/v1/subscribers/${appUserId}/entitlements/${entitlement}/promotional`, {
        end_time_ms: day(start + days),
      });

    it('emits when the entitlement of grants is deleted: they end now, and nothing else does', async () => {
      const gone = await newEntitlement('gone');
      const path = `${store.path}/test_clocks`;
      const testClock = await store.backend.post(path, { name: 'Clock', frozen_time: day(start - 9) });
      const clocked = person();
      const member = { id: clocked, test_clock_id: testClock.body.id };
      expect((await store.backend.post(`${store.path}/customers`, member)).status).toBe(201);
      const [both, over] = [person(), person()];
      for (const id of [both, clocked]) expect((await grantOf(id, gone, 30)).status).toBe(200);
      await grant(both, 30);
      expect((await grantOf(over, gone, 1)).status).toBe(200);
      moveTo(1);
      await run();
      moveTo(2);
      const recorded = await labels(over);
      const advancing = `${path}/${testClock.body.id}/actions/advance`;
      expect((await store.backend.post(advancing, { frozen_time: day(start - 8) })).status).toBe(200);
      await server.app.get(TestClockJob).drain();
      await store.backend.delete(`${store.path}/entitlements/${gone}`);
      await replica.app.get(DueWorkJob).run();
      const ended = ['CANCELLATION/DEVELOPER_INITIATED', 'EXPIRATION/DEVELOPER_INITIATED'];
      expect(await labels(both)).toEqual(['INITIAL_PURCHASE', 'INITIAL_PURCHASE', ...ended]);
      expect(await labels(clocked)).toEqual(['INITIAL_PURCHASE', ...ended]);
      expect(await labels(over)).toEqual(recorded);
      expect((await events(both)).at(-1)).toMatchObject({ expiration_at_ms: day(start + 2) });
      expect((await events(clocked)).at(-1)).toMatchObject({ expiration_at_ms: day(start - 8) });
      const states = (await customer(both, '/subscriptions')).body.items.map(
        ({ status, gives_access: access }: Json) => [status, access] as unknown,
      );
      expect(states).toEqual(
        expect.arrayContaining([
          ['active', true],
          ['expired', false],
        ]),
      );
      expect((await customer(clocked, '/subscriptions')).body.items).toMatchObject([
        { status: 'expired', gives_access: false },
      ]);
      expect(await subscriptionRows(clocked)).toMatchObject([{ due: null }]);
      moveTo(31);
      await run();
      expect(await labels(clocked)).toHaveLength(3);
    });

    it('emits for every grant created while its entitlement was being deleted', async () => {
      const gone = await newEntitlement('going');
      const ids = Array.from({ length: 12 }, person);
      const answers = await Promise.all(
        ids.map(async (id, n) => {
          if (n === 6) await store.backend.delete(`${store.path}/entitlements/${gone}`);
          return grantOf(id, gone, 30);
        }),
      );
      expect(answers.filter(({ status }) => ![200, 404].includes(status))).toEqual([]);
      clock.advanceMs(1);
      await run();
      const running = await server.dataSource.query<object[]>(
        `SELECT id FROM subscriptions WHERE granted_entitlement_id = $1 AND status <> 'expired'`,
        [gone],
      );
      expect(running).toEqual([]);
    });

    it.each<[string, (from: number) => ReportBuilder[], number, string[], string]>([
      [
        'a cancelled subscription ends',
        (from) => [bought(from), at(from + 2).renewal(0, { autoRenew: false })],
        30,
        ['CANCELLATION/UNSUBSCRIBE', 'EXPIRATION/UNSUBSCRIBE'],
        'expired',
      ],
      [
        'grace ends',
        (from) => [bought(from), at(from + 29).renewal(0, { inRetry: true, graceUntilMs: day(from + 36) })],
        36,
        ['BILLING_ISSUE', 'CANCELLATION/BILLING_ERROR', 'EXPIRATION/BILLING_ERROR'],
        'in_billing_retry',
      ],
      [
        'a charge failed early, without grace',
        (from) => [bought(from), at(from + 29).renewal(0, { inRetry: true })],
        30,
        ['BILLING_ISSUE', 'CANCELLATION/BILLING_ERROR', 'EXPIRATION/BILLING_ERROR'],
        'in_billing_retry',
      ],
      [
        'a pause begins',
        (from) => [
          bought(from),
          at(from + 5).renewal(0, { pauseScheduled: true, autoResumeAtMs: day(from + 60) }),
        ],
        30,
        ['SUBSCRIPTION_PAUSED', 'EXPIRATION/SUBSCRIPTION_PAUSED'],
        'paused',
      ],
      [
        'a trial ends that was cancelled',
        (from) => [
          at(from)
            .period(0, { kind: 'trial', startMs: day(from), endMs: day(from + 7) })
            .renewal(0),
          at(from + 1).renewal(0, { autoRenew: false }),
        ],
        7,
        ['CANCELLATION/UNSUBSCRIBE', 'EXPIRATION/UNSUBSCRIBE'],
        'expired',
      ],
    ])('emits when %s', async (_, sayings, endsOn, expected, status) => {
      const id = person();
      for (const saying of sayings(start)) await report(id, id, saying);
      moveTo(endsOn);
      clock.advanceMs(-1);
      await run();
      expect(await labels(id)).toEqual(['INITIAL_PURCHASE', ...expected.slice(0, -1)]);
      clock.advanceMs(1);
      await run();
      expect(await labels(id)).toEqual(['INITIAL_PURCHASE', ...expected]);
      expect((await events(id)).at(-1)).toMatchObject({ expiration_at_ms: day(start + endsOn) });
      expect(await subscriptionRows(id)).toMatchObject([{ status }]);
      // The rest of its lifetime: nothing is emitted twice, and nothing stays due.
      moveTo(400);
      await run();
      expect(await labels(id)).toEqual(['INITIAL_PURCHASE', ...expected]);
      expect(await subscriptionRows(id)).toMatchObject([{ due: null }]);
    });

    it('emits a day later if the store still owes a renewal, though access ends at once', async () => {
      const id = person();
      await report(id, id, bought(start));
      moveTo(30);
      await run();
      expect(await labels(id)).toEqual(['INITIAL_PURCHASE']);
      expect(await subscriptionRows(id)).toEqual([
        { status: 'expired', due: new Date(day(start + 31)), version: expect.anything() },
      ]);
      moveTo(31);
      await run();
      expect(await labels(id)).toEqual(['INITIAL_PURCHASE', 'CANCELLATION/UNKNOWN', 'EXPIRATION/UNKNOWN']);
    });

    it('emits an hour later if there are no credentials to ask the store with, as of then', async () => {
      const body = { name: 'Phone', type: 'app_store', app_store: { bundle_id: 'com.example' } };
      const app = await store.backend.post(`${store.path}/apps`, body);
      const [early, late] = [person(), person()];
      await report(early, early, bought(start), 'app_store', app.body.id);
      moveTo(30);
      clock.advanceMs(HOUR_MS - 1);
      await run();
      expect(await labels(early)).toEqual(['INITIAL_PURCHASE']);
      clock.advanceMs(1);
      await run();
      const ended = ['INITIAL_PURCHASE', 'CANCELLATION/UNKNOWN', 'EXPIRATION/UNKNOWN'];
      expect(await labels(early)).toEqual(ended);

      await report(late, late, bought(start + 40), 'app_store', app.body.id);
      moveTo(70);
      await run();
      const key = { subscription_private_key: 'k', subscription_key_id: 'i', subscription_key_issuer: 's' };
      const given = await store.backend.post(`${store.path}/apps/${app.body.id}`, { app_store: key });
      expect(given.status).toBe(200);
      moveTo(71);
      clock.advanceMs(-1);
      await run();
      expect(await labels(late)).toEqual(['INITIAL_PURCHASE']);
      clock.advanceMs(1);
      await run();
      expect(await labels(late)).toEqual(ended);
    });

    it('emits nothing when the renewal comes first', async () => {
      const id = person();
      await report(id, id, bought(start));
      moveTo(30);
      await run();
      await report(
        id,
        id,
        at(start + 30.5)
          .period(1, { startMs: day(start + 30), endMs: day(start + 60) })
          .renewal(1),
      );
      moveTo(31);
      await run();
      expect(await labels(id)).toEqual(['INITIAL_PURCHASE', 'RENEWAL']);
      expect(await subscriptionRows(id)).toMatchObject([{ status: 'active' }]);
    });

    it.each([
      [
        'running',
        10,
        { autoRenew: false },
        ['CANCELLATION/UNSUBSCRIBE'],
        ['CANCELLATION/UNSUBSCRIBE', 'EXPIRATION/UNSUBSCRIBE'],
      ],
      [
        'ended',
        32,
        { inRetry: true },
        ['CANCELLATION/UNKNOWN', 'EXPIRATION/UNKNOWN', 'BILLING_ISSUE', 'CANCELLATION/BILLING_ERROR'],
        ['CANCELLATION/UNKNOWN', 'EXPIRATION/UNKNOWN', 'BILLING_ISSUE', 'CANCELLATION/BILLING_ERROR'],
      ],
    ] as const)(
      'emits nothing more when a report about a %s subscription comes after newer ones',
      async (_, days, renewal, expected, inTheEnd) => {
        const id = person();
        await report(id, id, bought(start));
        moveTo(days);
        await run();
        const partial = { kind: 'partial', amountMicros: 1_000_000 } as const;
        await report(id, id, at(start + days + 1).refund(0, partial));
        const old = at(start + days).renewal(0, renewal);
        await report(id, id, old, 'play_store', store.appId, day(start + days + 2));
        const replay = () => report(id, id, old, 'play_store', store.appId, clock.nowMs());
        clock.advanceMs(1);
        await Promise.all([server, replica].map(({ app }) => app.get(DueWorkJob).run()));
        expect(await labels(id)).toEqual(['INITIAL_PURCHASE', ...expected]);
        const rows = await subscriptionRows(id);
        await replay();
        expect(await subscriptionRows(id)).toEqual(rows);
        moveTo(400);
        await run();
        await replay();
        expect(await labels(id)).toEqual(['INITIAL_PURCHASE', ...inTheEnd]);
        expect(await subscriptionRows(id)).toMatchObject([{ due: null }]);
      },
    );

    it('emits for a blocked customer too, who still gets nothing', async () => {
      const id = person();
      await buy(id);
      const blocked = await store.backend.post(`${store.path}/blocked_customers`, { app_user_id: id });
      expect(blocked.status).toBe(201);
      moveTo(40);
      await run();
      expect(await labels(id)).toEqual([
        'INITIAL_PURCHASE',
        'CANCELLATION/UNSUBSCRIBE',
        'EXPIRATION/UNSUBSCRIBE',
      ]);
      expect((await store.sdk.get(`/v1/subscribers/${id}`)).body.subscriber.entitlements).toEqual({});
    });

    it('emits for neither deleted customers nor deleted projects', async () => {
      const id = person();
      await buy(id);
      expect((await store.backend.delete(`${store.path}/customers/${id}`)).status).toBe(200);
      const gone = await createTestStore(server);
      await buy(person(), 'pro_monthly', gone.sdk);
      expect((await gone.session.delete(gone.path)).status).toBe(200);
      moveTo(40);
      await run();
      const types: { type: string }[] = await server.dataSource.query(
        'SELECT type FROM events WHERE project_id = $1',
        [gone.projectId],
      );
      expect(types).toEqual([{ type: 'INITIAL_PURCHASE' }]);
      expect(await metric('tenure_due_work_oldest_seconds')).toBe(0);
    });
  });

  describe('after hours without any server', () => {
    it('emits everything in the order in which it happened, each at its own time', async () => {
      const id = person();
      await report(id, `${id}-a`, bought(start, 12));
      await report(id, `${id}-b`, bought(start, 10));
      moveTo(0);
      await grant(id, 11.5);
      await report(id, `${id}-a`, at(start + 1).renewal(0, { autoRenew: false }));
      // `b` is owed a renewal: its end is final a day after it.
      moveTo(12);
      clock.advanceMs(9 * HOUR_MS);
      await run();
      const nowMs = clock.nowMs();
      const recorded = (await events(id)).slice(4);
      const seen = recorded.map(({ type, expiration_at_ms: end }) => [type, (end - day(start)) / DAY_MS]);
      expect(seen).toEqual([
        ['CANCELLATION', 10],
        ['EXPIRATION', 10],
        ['EXPIRATION', 11.5],
        ['EXPIRATION', 12],
      ]);
      expect(recorded.map(({ event_timestamp_ms: sent }) => sent - nowMs)).toEqual([0, 1, 2, 3]);
      expect(recorded.map(({ sequence }) => sequence)).toEqual([5, 6, 7, 8]);
      const rows: { at: Date }[] = await server.dataSource.query(
        `SELECT occurred_at AS at FROM events WHERE type = 'EXPIRATION' AND customer_id = (
           SELECT customer_id FROM customer_aliases WHERE app_user_id = $1) ORDER BY sequence`,
        [id],
      );
      expect(rows.map((row) => row.at.getTime())).toEqual([10, 11.5, 12].map((days) => day(start + days)));
    });

    it('shows as the age of the oldest, until it is done', async () => {
      const before = await metric('tenure_due_work_total{result="done"}');
      for (let index = 0; index < 3; index++) await grant(person(), 1 + index);
      moveTo(5);
      expect(await metric('tenure_due_work_oldest_seconds')).toBe((4 * DAY_MS) / 1000);
      await run();
      expect(await metric('tenure_due_work_oldest_seconds')).toBe(0);
      expect(await metric('tenure_due_work_total{result="done"}')).toBe(before + 3);
    });
  });

  it('emits once with any number of servers, for every customer', async () => {
    const ids = Array.from({ length: 130 }, person);
    for (let first = 0; first < ids.length; first += 10) {
      await Promise.all(ids.slice(first, first + 10).map((id) => buy(id)));
    }
    moveTo(40);
    const jobs = [server, replica].map(({ app }) => app.get(DueWorkJob));
    for (let round = 0; round < 3; round++) await Promise.all(jobs.map((job) => job.run()));
    const recorded: { type: string; count: number }[] = await server.dataSource.query(
      `SELECT e.type, count(*)::int AS count FROM events e JOIN customer_aliases a USING (project_id, customer_id)
       WHERE a.app_user_id = ANY ($1) GROUP BY e.type ORDER BY e.type`,
      [ids],
    );
    expect(recorded).toEqual(
      ['CANCELLATION', 'EXPIRATION', 'INITIAL_PURCHASE'].map((type) => ({ type, count: ids.length })),
    );
  });

  it('starts with the customer who has waited longest', async () => {
    const ids = Array.from({ length: 70 }, person);
    for (const [index, id] of ids.entries()) await grant(id, 10 - index * 0.01);
    moveTo(20);
    await run();
    const recorded: { id: string }[] = await server.dataSource.query(
      `SELECT a.app_user_id AS id FROM events e JOIN customer_aliases a USING (project_id, customer_id)
       WHERE a.app_user_id = ANY ($1) AND e.type = 'EXPIRATION' ORDER BY e.xmin::text::bigint, e.occurred_at`,
      [ids],
    );
    expect(recorded.map(({ id }) => id)).toEqual(ids.toReversed());
  });

  it('waits for a customer held by another server, delays no other customer, and is done when that one dies', async () => {
    const [held = '', free = ''] = [person(), person()];
    await grant(held, 1);
    await grant(free, 1);
    moveTo(1);
    const other = replica.dataSource.createQueryRunner();
    await other.startTransaction();
    await other.query(
      `SELECT 1 FROM customers WHERE project_id = $2
         AND id = (SELECT customer_id FROM customer_aliases WHERE project_id = $2 AND app_user_id = $1) FOR UPDATE`,
      [held, store.projectId],
    );
    await run();
    expect([await labels(held), await labels(free)].map(({ length }) => length)).toEqual([1, 2]);
    await other.rollbackTransaction();
    await other.release();
    await run();
    expect(await labels(held)).toEqual(['INITIAL_PURCHASE', 'EXPIRATION/DEVELOPER_INITIATED']);
  });

  it('postpones a failing customer without blocking others, and retries later', async () => {
    const [broken = '', ...others] = Array.from({ length: 4 }, person);
    for (const id of [broken, ...others]) await grant(id, 1);
    const facts = `(SELECT customer_id FROM customer_aliases WHERE app_user_id = '${broken}')`;
    const [row]: { facts: object }[] = await server.dataSource.query(
      `SELECT facts FROM subscriptions WHERE customer_id = ${facts}`,
    );
    const write = (value: unknown) =>
      server.dataSource.query(`UPDATE subscriptions SET facts = $1 WHERE customer_id = ${facts}`, [
        JSON.stringify(value),
      ]);
    await write({ periods: {}, refunds: {}, renewal: null, replaced: null, pending: null });
    const before = await metric('tenure_due_work_total{result="failed"}');
    moveTo(1);
    await run();
    for (const id of others) {
      expect(await labels(id)).toEqual(['INITIAL_PURCHASE', 'EXPIRATION/DEVELOPER_INITIATED']);
    }
    expect(await labels(broken)).toEqual(['INITIAL_PURCHASE']);
    expect(await metric('tenure_due_work_total{result="failed"}')).toBe(before + 1);
    const late = person();
    await write(row?.facts);
    await grant(late, 1.001);
    clock.advanceMs(10 * 60_000 - 1);
    await run();
    expect(await labels(late)).toHaveLength(2);
    expect(await labels(broken)).toEqual(['INITIAL_PURCHASE']);
    clock.advanceMs(1);
    await run();
    expect(await labels(broken)).toEqual(['INITIAL_PURCHASE', 'EXPIRATION/DEVELOPER_INITIATED']);
    expect((await events(broken)).at(-1)).toMatchObject({ expiration_at_ms: day(start + 1) });
  });

  it('continues with other projects when the catalog of one cannot be read', async () => {
    const other = await createTestStore(server);
    const [here, there] = [person(), person()];
    await buy(here);
    await buy(there, 'pro_monthly', other.sdk);
    moveTo(40);
    const catalogs = server.app.get(CatalogService);
    const get = catalogs.get.bind(catalogs);
    catalogs.get = (projectId, version) =>
      projectId === store.projectId ? Promise.reject(new Error('unreadable')) : get(projectId, version);
    await run();
    catalogs.get = get;
    const recorded = (id: string, projectId: string): Promise<unknown[]> =>
      server.dataSource.query(
        `SELECT 1 FROM events e JOIN customer_aliases a USING (project_id, customer_id)
         WHERE a.app_user_id = $1 AND e.project_id = $2 AND e.type = 'EXPIRATION'`,
        [id, projectId],
      );
    expect(await recorded(here, store.projectId)).toHaveLength(0);
    expect(await recorded(there, other.projectId)).toHaveLength(1);
    await run();
    expect(await recorded(here, store.projectId)).toHaveLength(1);
  });

  describe('in many projects', () => {
    /** Ids of projects in the order of the turns that did something. */
    const turnsDuring = async (work: () => Promise<void>): Promise<string[]> => {
      const service = server.app.get(DueWorkService);
      const processBatch = service.processBatch.bind(service);
      const turns: string[] = [];
      service.processBatch = async (projectId, sinceMs) => {
        const turn = await processBatch(projectId, sinceMs);
        if (turn.done > 0) turns.push(projectId);
        return turn;
      };
      await work();
      service.processBatch = processBatch;
      return turns;
    };

    it('serves one customer of a small project after one batch of a large one', async () => {
      const small = await createTestStore(server);
      const crowd = Array.from({ length: 2 * BATCH + 10 }, person);
      for (const id of crowd) await buy(id);
      clock.advanceMs(1);
      const alone = person();
      await buy(alone, 'pro_monthly', small.sdk);
      moveTo(40);
      const turns = await turnsDuring(() => server.app.get(DueWorkJob).wake());
      expect(turns).toEqual([store.projectId, small.projectId, store.projectId, store.projectId]);
      const ends: { projectId: string; count: number }[] = await server.dataSource.query(
        `SELECT e.project_id AS "projectId", count(*)::int AS count FROM events e
         JOIN customer_aliases a USING (project_id, customer_id)
         WHERE a.app_user_id = ANY ($1) AND e.type = 'EXPIRATION' GROUP BY 1 ORDER BY 2`,
        [[...crowd, alone]],
      );
      expect(ends).toEqual([
        { projectId: small.projectId, count: 1 },
        { projectId: store.projectId, count: crowd.length },
      ]);
    });

    /** As many others as so many looks go through, with ids before any that a project has, and nothing due. */
    const behindIdleProjects = async (looks: number, work: () => Promise<void>): Promise<void> => {
      await server.dataSource.query(
        `INSERT INTO projects (id, name, created_at) SELECT '!' || n, 'Idle', $2 FROM generate_series(1, $1::int) n`,
        [looks * PROJECTS_PER_POLL, new Date(clock.nowMs())],
      );
      await server.dataSource.query(
        `INSERT INTO project_anchors SELECT id, '' FROM projects WHERE starts_with(id, '!')`,
      );
      await server.dataSource.query(
        `INSERT INTO subscriptions SELECT idle.* FROM projects p,
           LATERAL (SELECT * FROM subscriptions WHERE project_id = $1 LIMIT 1) s,
           LATERAL jsonb_populate_record(NULL::subscriptions, to_jsonb(s) || jsonb_build_object(
             'project_id', p.id, 'next_due_at', $2::timestamptz)) idle
         WHERE p.name = 'Idle'`,
        [store.projectId, new Date(clock.nowMs() + DAY_MS)],
      );
      try {
        await work();
      } finally {
        await server.dataSource.query(`DELETE FROM subscriptions WHERE starts_with(project_id, '!')`);
        await server.dataSource.query(`DELETE FROM project_anchors WHERE starts_with(project_id, '!')`);
        await server.dataSource.query(`DELETE FROM projects WHERE starts_with(id, '!')`);
      }
    };
    const turnsOfAWake = (): Promise<string[]> => turnsDuring(() => server.app.get(DueWorkJob).wake());

    it('finds it behind more projects than one poll covers', async () => {
      const id = person();
      await grant(id, 1);
      moveTo(2);
      await behindIdleProjects(1, async () => {
        expect(await turnsOfAWake()).toEqual([]);
        expect(await metric('tenure_due_work_oldest_seconds')).toBe(DAY_MS / 1000);
        expect(await turnsOfAWake()).toEqual([store.projectId]);
        expect(await labels(id)).toHaveLength(2);
      });
    });

    it('emits on time even if a poll was not long before, wherever the next one is', async () => {
      const [first, second, unheard] = [person(), person(), person()];
      await grant(first, 1);
      await grant(second, 1.0003);
      moveTo(1);
      clock.advanceMs(-1_000);
      await behindIdleProjects(4, async () => {
        for (let look = 0; look < 5; look++) expect(await turnsOfAWake()).toEqual([]);
        await grant(unheard, 1);
        clock.advanceMs(999);
        expect(await turnsOfAWake()).toEqual([]);
        clock.advanceMs(1);
        // The looks are at the others now: the moment was seen before.
        expect(await turnsOfAWake()).toEqual([store.projectId]);
        expect([await labels(first), await labels(unheard)].map(({ length }) => length)).toEqual([2, 2]);
        // The next one became known after that turn.
        expect(await turnsOfAWake()).toEqual([]);
        moveTo(1.0003);
        expect(await turnsOfAWake()).toEqual([store.projectId]);
        expect(await labels(second)).toHaveLength(2);
      });
    });

    it('polls again from the time of the batch, whatever became due meanwhile', async () => {
      await grant(person(), 1);
      await grant(person(), 1.0001);
      moveTo(1);
      const repository = server.app.get(DueWorkRepository);
      const claim = repository.claim.bind(repository);
      repository.claim = async (...values) => {
        const claimed = await claim(...values);
        moveTo(1.0002);
        return claimed;
      };
      const processBatch = () => server.app.get(DueWorkService).processBatch(store.projectId, day(start));
      expect(await processBatch()).toEqual({
        done: 1,
        failed: 0,
        isUnfinished: false,
        dueAtMs: day(start + 1),
      });
      repository.claim = claim;
      expect(await processBatch()).toMatchObject({ done: 1 });
      // Another server may have been faster: what comes next is known without another poll.
      await grant(person(), 1.0003);
      expect(await processBatch()).toEqual({
        done: 0,
        failed: 0,
        isUnfinished: false,
        dueAtMs: day(start + 1.0003),
      });
    });

    it('retries with the next poll while another server holds the customer who is due', async () => {
      const ids = [person(), person()];
      for (const [index, id] of ids.entries()) await grant(id, 1 + index * 0.0001);
      moveTo(1.0002);
      const other = replica.dataSource.createQueryRunner();
      await other.startTransaction();
      await other.query(
        `SELECT 1 FROM customers WHERE project_id = $2
           AND id = (SELECT customer_id FROM customer_aliases WHERE project_id = $2 AND app_user_id = $1) FOR UPDATE`,
        [ids[0], store.projectId],
      );
      const processBatch = () => server.app.get(DueWorkService).processBatch(store.projectId, day(start));
      const again = { failed: 0, isUnfinished: false, dueAtMs: day(start + 1) };
      expect([await processBatch(), await processBatch()]).toEqual([
        { ...again, done: 1 },
        { ...again, done: 0 },
      ]);
      await other.rollbackTransaction();
      await other.release();
      expect(await processBatch()).toEqual({ ...again, done: 1, dueAtMs: day(start + 1.0002) });
    });

    it('leaves it for the next poll if the database fails while customers are tried alone', async () => {
      const id = person();
      await grant(id, 1);
      moveTo(1);
      const [service, repository] = [server.app.get(DueWorkService), server.app.get(DueWorkRepository)];
      const [dueOf, lockOne] = [repository.dueOf.bind(repository), repository.lockOne.bind(repository)];
      repository.dueOf = () => Promise.reject(new Error('unreadable'));
      repository.lockOne = () => Promise.reject(Object.assign(new Error('deadlock'), { code: '40P01' }));
      const turn = await service.processBatch(store.projectId, day(start));
      Object.assign(repository, { dueOf, lockOne });
      expect(turn).toEqual({ done: 0, failed: 0, isUnfinished: false, dueAtMs: day(start + 1) });
      expect(await service.processBatch(store.projectId, turn.dueAtMs ?? 0)).toMatchObject({ done: 1 });
      expect(await labels(id)).toHaveLength(2);
    });

    it('needs more than one batch, even if few customers have all of it', async () => {
      const id = person();
      for (let count = 0; count <= CANDIDATES; count++) await report(id, `${id}-${count}`, bought(start, 10));
      moveTo(11);
      const turn = await server.app.get(DueWorkService).processBatch(store.projectId, day(start));
      expect(turn).toMatchObject({ done: CANDIDATES + 1, isUnfinished: true });
    });

    it('skips customers of a project that was deleted between the poll and the due time', async () => {
      const gone = await createTestStore(server);
      const id = person();
      const body = { end_time_ms: day(start + 1) };
      const path = `/v1/subscribers/${id}/entitlements/pro/promotional`;
      expect((await gone.backend.post(path, body)).status).toBe(200);
      moveTo(1);
      await server.app.get(CatalogService).get(gone.projectId);
      expect((await gone.session.delete(gone.path)).status).toBe(200);
      const nothing = { done: 0, failed: 0, isUnfinished: false, dueAtMs: null };
      expect(await server.app.get(DueWorkService).processBatch(gone.projectId, day(start))).toEqual(nothing);
      const types = `SELECT type FROM events WHERE project_id = $1`;
      expect(await server.dataSource.query<unknown>(types, [gone.projectId])).toEqual([
        { type: 'INITIAL_PURCHASE' },
      ]);
    });
  });

  it('emits each once, numbered without gaps, with concurrent purchases of the same customers', async () => {
    const ids = Array.from({ length: 24 }, person);
    await Promise.all(ids.map((id) => buy(id)));
    moveTo(40);
    const jobs = [server, replica].map(({ app }) => app.get(DueWorkJob));
    await Promise.all([
      ...ids.map((id) => buy(id)),
      ...jobs.map((job) => job.run()),
      ...ids.map((id) => buy(id, 'pro_yearly', replica.http.withKey(store.publicKey))),
    ]);
    await run();
    for (const id of ids) {
      const recorded = await events(id);
      expect(recorded.map(({ sequence }) => sequence)).toEqual(recorded.map((_, index) => index + 1));
      const types = recorded.map(({ type }) => type as string).sort();
      expect(types).toEqual([
        'CANCELLATION',
        'EXPIRATION',
        'INITIAL_PURCHASE',
        'INITIAL_PURCHASE',
        'INITIAL_PURCHASE',
      ]);
      const info = await store.sdk.get(`/v1/subscribers/${id}`);
      expect(Object.keys(info.body.subscriber.subscriptions).sort()).toEqual(['pro_monthly', 'pro_yearly']);
    }
  });
});

/** The first period of a subscription, in days; until its store says otherwise it renews. */
function bought(from: number, length = 30): ReportBuilder {
  return at(from)
    .period(0, { startMs: day(from), endMs: day(from + length) })
    .renewal(0);
}
