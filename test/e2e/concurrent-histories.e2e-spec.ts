import fc from 'fast-check';
import {
  type Subscription,
  type SubscriptionFacts,
  deriveState,
  type Observation,
} from '../../libs/engine/index.js';
import { ManualClock } from '../../libs/kernel/index.js';
import { histories, ids as people } from '../../libs/engine/testing/histories.js';
import { at, day, DAY_MS } from '../../libs/engine/testing/subscription-history.js';
import { ReferenceSubscription } from '../../libs/engine/testing/reference-model.js';
import { missingEvents } from '../../libs/engine/testing/missing-events.js';
import { CatalogService } from '../../src/catalog/snapshot/catalog.service.js';
import { DueWorkJob } from '../../src/purchases/due-work/due-work.job.js';
import { ApiError } from '../../src/platform/http/errors/api-error.js';
import { PostedPurchasesService } from '../../src/purchases/recording/posted-purchases.service.js';
import { ReportedPurchasesService } from '../../src/purchases/recording/reported-purchases.service.js';
import { differencesOf } from '../../src/purchases/self-check/differences.js';
import { SelfCheckRepository } from '../../src/purchases/self-check/self-check.repository.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import { type Deed, roundsOf } from '../support/concurrent-history.js';
import { brokenInvariants } from '../support/customer-invariants.js';
import { createTestDatabase } from '../support/database/index.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const HISTORIES = 30;
const STEPS = 15;
const seed = fc.readConfigureGlobal().seed ?? 0;
const behaviors = ['transfer', 'transfer_if_no_active', 'keep', 'share'];

describe(`random histories through PostgreSQL, two to four things at once (seed ${seed})`, () => {
  const clock = new ManualClock(day(0));
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let servers: TestServer[];
  /** One for each transfer behaviour. */
  let stores: TestStore[];

  beforeAll(async () => {
    database = await createTestDatabase();
    const env = { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_TRUST_PROXY: 'true' };
    const start = () => startTestServer({ databaseUrl: database.url, clock, env });
    servers = [await start(), await start()];
    stores = [];
    for (const behavior of behaviors) {
      const store = await createTestStore(servers[0]!);
      await store.backend.post(store.path, { transfer_behavior: behavior, sandbox_transfer_behavior: null });
      for (const name of ['monthly', 'yearly', 'basic']) {
        const body = { store_identifier: name, app_id: store.appId, type: 'subscription' };
        const { id } = (await store.backend.post(`${store.path}/products`, body)).body;
        const path = `${store.path}/entitlements/${store.entitlements.pro.id}/actions/attach_products`;
        expect((await store.backend.post(path, { product_ids: [id] })).status).toBe(200);
      }
      stores.push(store);
    }
  });

  afterAll(async () => {
    for (const server of servers) await server.close();
    await database.drop();
  });

  const query = <T>(text: string, values: unknown[]): Promise<T[]> =>
    servers[0]!.dataSource.query<T[]>(text, values);

  /** One history in a project: its customers, and the reports about each of its subscriptions. */
  class Run {
    readonly heard = new Map<
      string,
      { reference: ReferenceSubscription; said: Observation<SubscriptionFacts>[] }
    >();
    private deeds = 0;

    constructor(
      readonly number: number,
      readonly store: TestStore,
      private readonly storeName: 'app_store' | 'play_store' | 'test_store',
    ) {}

    key = (subscription: string): string => `${subscription}-${this.number}`;
    idOf = (name: string): string =>
      name.startsWith('$')
        ? `$RCAnonymousID:${(this.number * 10 + Number(name.at(-1))).toString(16).padStart(32, '0')}`
        : `${name}-${this.number}`;

    async do(deed: Deed): Promise<void> {
      const server = servers[this.deeds++ % servers.length]!;
      const sdk = server.http.withKey(this.store.publicKey);
      const allowed = (status: number): void => expect([200, 201, 404, 409, 422]).toContain(status);
      switch (deed.kind) {
        case 'tick':
          return server.app.get(DueWorkJob).run();
        case 'receive': {
          const known = this.heard.get(deed.subscription) ?? {
            reference: new ReferenceSubscription(),
            said: [],
          };
          this.heard.set(deed.subscription, known);
          known.reference.receive(deed.observation);
          known.said.push(deed.observation);
          return this.say(server, deed.subscription, deed.observation, this.deeds % 3 === 0);
        }
        case 'post': {
          const [observation] = this.heard.get(deed.subscription)?.said ?? [];
          if (!observation) return;
          await this.post(server, deed, observation);
          return;
        }
        case 'identify':
        case 'alias': {
          const [from, to] = [this.idOf(deed.id), this.idOf(deed.other)];
          const body = { app_user_id: from, new_app_user_id: to };
          const path = deed.kind === 'alias' ? `${encodeURIComponent(from)}/alias` : 'identify';
          return allowed((await sdk.post(`/v1/subscribers/${path}`, body)).status);
        }
        case 'transfer': {
          const path = `${this.store.path}/customers/${encodeURIComponent(this.idOf(deed.id))}/actions/transfer`;
          const body = { target_customer_id: this.idOf(deed.other) };
          return allowed((await this.store.backend.post(path, body)).status);
        }
      }
    }

    private purchasesOf(subscription: string, observation: Observation<SubscriptionFacts>) {
      const purchase = {
        kind: 'subscription' as const,
        key: this.key(subscription),
        firstPostStands: false,
        observation,
      };
      const { projectId, appId } = this.store;
      const environment = 'production' as const;
      return { projectId, appId, store: this.storeName, environment, purchases: [purchase] };
    }

    /** A receipt of the first owner, or a report of the store alone. */
    async say(
      server: TestServer,
      subscription: string,
      observation: Observation<SubscriptionFacts>,
      asReceipt = false,
    ) {
      const owner = people[subscription.charCodeAt(1) % people.length] ?? 'ann';
      const isTaken =
        asReceipt && (await this.post(server, { subscription, id: owner, isRestore: false }, observation));
      if (isTaken) return;
      const recorded = this.purchasesOf(subscription, observation);
      const newOwner = { kind: 'person' as const, appUserId: this.idOf(owner) };
      await server.app.get(ReportedPurchasesService).record(recorded, newOwner);
    }

    /** False when the purchase stays with another customer: nothing of the receipt was recorded. */
    private async post(
      server: TestServer,
      { subscription, id, isRestore }: { subscription: string; id: string; isRestore: boolean },
      observation: Observation<SubscriptionFacts>,
    ): Promise<boolean> {
      const posted = {
        ...this.purchasesOf(subscription, observation),
        appUserId: this.idOf(id),
        device: null,
        isRestore,
        requestId: `request-${this.number}-${this.deeds}`,
        attributes: [],
        attributeSource: 'sdk' as const,
      };
      const catalog = await server.app.get(CatalogService).get(this.store.projectId);
      try {
        await server.app.get(PostedPurchasesService).record(posted, catalog);
        return true;
      } catch (error) {
        if (error instanceof ApiError && error.code === 7102) return false;
        throw error;
      }
    }

    /** A customer buys, another posts the receipt, and the first is erased, all at once. */
    async erase(): Promise<void> {
      const [one, other] = [`gone-${this.number}`, `visitor-${this.number}`];
      const report = at(0).period(0).renewal(0).observation;
      const recorded = this.purchasesOf('gone', report);
      await servers[0]!.app
        .get(ReportedPurchasesService)
        .record(recorded, { kind: 'person', appUserId: one });
      const path = `${this.store.path}/customers/${one}`;
      const post = { subscription: 'gone', id: 'visitor', isRestore: true };
      await Promise.all([
        this.store.backend.delete(path),
        this.post(servers[1]!, post, report),
        servers[0]!.app.get(ReportedPurchasesService).record(recorded, { kind: 'person', appUserId: other }),
      ]);
    }
  }

  /** Everything that must hold of a history at a moment. */
  async function check({ store, heard, key }: Run, nowMs: number): Promise<void> {
    const { projectId } = store;
    for (const [subscription, { reference }] of heard) {
      const rows = await query<{ id: string; customerId: string; facts: SubscriptionFacts; money: string }>(
        `SELECT s.id, s.customer_id AS "customerId", s.facts, (SELECT coalesce(sum(t.amount_micros), 0)
           FROM store_transactions t WHERE t.project_id = $1 AND t.subscription_id = s.id) AS money
         FROM subscriptions s WHERE s.project_id = $1 AND s.store_key = $2`,
        [projectId, key(subscription)],
      );
      const [row] = rows;
      expect([subscription, rows.length]).toEqual([subscription, 1]);
      if (!row) continue;
      for (const time of [nowMs, nowMs + DAY_MS, nowMs + 31 * DAY_MS]) {
        const { givesAccess } = deriveState(row.facts, time);
        expect([subscription, time, givesAccess]).toEqual([subscription, time, reference.givesAccess(time)]);
      }
      expect([subscription, Number(row.money)]).toEqual([subscription, reference.revenueMicros()]);
      const recorded = await query<{ type: string; count: number }>(
        `SELECT type, count(*)::int AS count FROM events
         WHERE project_id = $1 AND subscription_id = $2 AND type IN ('INITIAL_PURCHASE', 'RENEWAL')
           -- A return to a known period is none of its own.
           AND dedupe_key !~ ':rn:p[0-9]+:[0-9]+$'
         GROUP BY type ORDER BY type`,
        [projectId, row.id],
      );
      const counts = Object.fromEntries(recorded.map(({ type, count }) => [type, count]));
      const renewals = reference.periodCount - 1;
      expect([subscription, counts]).toEqual([
        subscription,
        { INITIAL_PURCHASE: 1, ...(renewals > 0 ? { RENEWAL: renewals } : {}) },
      ]);
    }
  }

  /** After what is due was done: nothing is left that the facts would tell by now. */
  async function checkAllEmitted({ store, heard, key }: Run, nowMs: number): Promise<void> {
    const { projectId } = store;
    for (const name of heard.keys()) {
      const [subscription] = await query<Subscription>(
        `SELECT id, store, environment, store_key AS "storeKey", facts, emitted,
           facts_at_ms::float8 AS "factsAtMs"
         FROM subscriptions WHERE project_id = $1 AND store_key = $2`,
        [projectId, key(name)],
      );
      const recorded = await query<Parameters<typeof missingEvents>[1][number]>(
        `SELECT type, body ->> 'transaction_id' AS "transactionId", body ->> 'cancel_reason' AS "cancelReason"
         FROM events WHERE project_id = $1 AND subscription_id = $2`,
        [projectId, subscription?.id],
      );
      if (subscription) expect([name, missingEvents(subscription, recorded, nowMs)]).toEqual([name, []]);
    }
  }

  /**
   * Checks that state and answers of all customers of a project match their facts, and that no event number
   * is missing.
   */
  async function checkCustomers({ projectId }: TestStore): Promise<void> {
    const rows = await query<{ id: string }>('SELECT id FROM customers WHERE project_id = $1', [projectId]);
    const { app } = servers[0]!;
    const ids = rows.map(({ id }) => id);
    const catalog = await app.get(CatalogService).getCurrent(projectId);
    const stored = await app.get(SelfCheckRepository).load(projectId, ids);
    expect(stored).toHaveLength(ids.length);
    expect(stored.flatMap((customer) => differencesOf(customer, catalog, clock.nowMs()))).toEqual([]);
    const gaps = await query(
      `SELECT c.id FROM customers c LEFT JOIN events e ON e.project_id = c.project_id AND e.customer_id = c.id
       WHERE c.project_id = $1 GROUP BY c.id, c.event_sequence
       HAVING count(DISTINCT e.sequence) <> c.event_sequence OR coalesce(max(e.sequence), 0) <> c.event_sequence`,
      [projectId],
    );
    expect(gaps).toEqual([]);
  }

  /** State that a replay could change. */
  const written = async ({ projectId }: TestStore): Promise<unknown> => {
    const [row] = await query(
      `SELECT (SELECT count(*) FROM events WHERE project_id = $1) AS events,
         (SELECT count(*) FROM store_transactions WHERE project_id = $1) AS money,
         (SELECT sum(version) FROM subscriptions WHERE project_id = $1) AS subscriptions,
         (SELECT sum(version) FROM customers WHERE project_id = $1) AS customers`,
      [projectId],
    );
    return row;
  };

  it('matches one owner a subscription, access and money of the reference, every event once; replays change nothing', async () => {
    const sizes = [2, 3, 4];
    const worlds = fc.sample(histories, { seed, numRuns: HISTORIES });
    for (const [number, history] of worlds.entries()) {
      const store = stores[number % stores.length]!;
      const run = new Run(number, store, history.store as 'app_store');
      clock.setMs(day(0));
      for (const { nowMs, deeds } of roundsOf(history, sizes, STEPS)) {
        clock.setMs(nowMs);
        await Promise.all(deeds.map((deed) => run.do(deed)));
      }
      await run.erase();
      await check(run, clock.nowMs());
      for (const laterMs of [1, 400 * DAY_MS]) {
        clock.advanceMs(laterMs);
        await Promise.all(servers.map(({ app }) => app.get(DueWorkJob).run()));
        await servers[0]!.app.get(DueWorkJob).run();
        await check(run, clock.nowMs());
        await checkAllEmitted(run, clock.nowMs());
      }
      const again = [...run.heard].flatMap(([subscription, { said }]) =>
        said.map((report) => [subscription, report] as const),
      );
      const before = await written(store);
      await Promise.all(
        again.map(([subscription, report], n) => run.say(servers[n % 2]!, subscription, report)),
      );
      await check(run, clock.nowMs());
      expect([number, await written(store)]).toEqual([number, before]);
    }
    for (const store of stores) await checkCustomers(store);
    expect(await brokenInvariants(servers[0]!.dataSource)).toEqual({});
  });
});
