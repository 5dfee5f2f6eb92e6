import pg from 'pg';
import { DataSource } from 'typeorm';
import { ManualClock } from '../../libs/kernel/index.js';
import { runCommandProcess } from '../support/command-line.js';
import { createTestStore } from '../support/arrange-store.js';
import { until } from '../support/program.js';
import { type ServerProcess, startServerProcess } from '../support/server-process.js';
import type { TestServer } from '../support/test-server.js';
import { recordEvent } from '../support/webhook-outbox.js';
import { type Receiver, startReceiver } from '../support/webhook-receiver.js';
import { freePort } from '../support/free-port.mjs';
import { type Cluster, type Node, startCluster } from './cluster.mjs';
import { createOnNode, createOnNodes, runOn } from './databases.mjs';
import { byStatus, ProjectLoad, type Shop, stripe } from './project-load.js';

const DATABASE = 'failures';
/** Only what hangs takes longer (ms), on a busy machine too; figures of a machine that is left alone are printed. */
const HANGS_MS = 10_000;
const LEASE_MS = 5_000;

const programs = process.env.CITUS_BIN;
const describeFailures = programs ? describe : describe.skip;

/** Prints figures of a run. */
function report(what: string, figures: object): void {
  const rounded = (_: string, value: unknown): unknown =>
    typeof value === 'number' ? Math.round(value) : value;
  process.stdout.write(`${what}: ${JSON.stringify(figures, rounded, 1)}\n`);
}

/** The shard group of a project, and the node that has it. */
interface Placement {
  shardId: string;
  port: number;
}

describeFailures('failures of a Citus cluster', () => {
  let cluster: Cluster;
  let databaseUrl: string;
  let sql: pg.Pool;
  let receiver: Receiver;
  let server: ServerProcess;
  const shops: Shop[] = [];
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    cluster = await startCluster(programs ?? '');
    await createOnNodes(cluster.urls, DATABASE);
    // A move takes its time for each table, and a rebalance moves some of the groups.
    await runOn(cluster.urls[0] ?? '', [`ALTER DATABASE ${DATABASE} SET citus.shard_count = 4`]);
    databaseUrl = Object.assign(new URL(cluster.urls[0] ?? ''), { pathname: `/${DATABASE}` }).href;
    sql = new pg.Pool({ connectionString: databaseUrl, max: 4 });
    sql.on('error', () => undefined);
    env = {
      DATABASE_URL: databaseUrl,
      SERVICE_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
      SERVICE_DEMO: 'false',
      PORT: String(await freePort()),
      SERVICE_ALLOW_SIGNUP: 'true',
      SERVICE_TRUST_PROXY: 'true',
      SERVICE_ALLOW_PRIVATE_NETWORKS: 'true',
      SERVICE_LOG_LEVEL: 'error',
      SERVICE_TEST_STORES: 'true',
      SERVICE_STRIPE_API_URL: 'http://127.0.0.1:9',
      SERVICE_WEBHOOK_LEASE_MS: String(LEASE_MS),
    };
    for (const command of ['migrate', 'distribute']) {
      const { status, errors } = await runCommandProcess([command], env);
      if (status !== 0) throw new Error(`tenure ${command}: ${errors}`);
    }
    receiver = await startReceiver();
    server = await startServer();

    shops.push(await createShop());
  });

  afterAll(async () => {
    await server?.stop();
    await receiver?.close();
    await sql?.end();
    await cluster?.stop();
  });

  const startServer = (): Promise<ServerProcess> => startServerProcess(databaseUrl, env);

  async function createShop(): Promise<Shop> {
    const store = await createTestStore(server);
    const app = await store.backend.post(`${store.path}/apps`, {
      name: 'Stripe',
      type: 'stripe',
      stripe: { stripe_secret_key: stripe.secretKey, stripe_webhook_secret: stripe.webhookSecret },
    });
    await store.backend.post(`${store.path}/integrations/webhooks`, {
      name: 'events',
      url: `${receiver.url}/${store.projectId}`,
    });
    return { ...store, stripeAppId: app.body.id };
  }

  async function rows<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await sql.query<Row>(text, values)).rows;
  }

  async function placementOf({ projectId }: Shop): Promise<Placement> {
    const [found] = await rows<Placement>(
      `SELECT s.shardid AS "shardId", s.nodeport AS port FROM citus_shards s
       WHERE s.shardid = get_shard_id_for_distribution_column('customers', $1::text)`,
      [projectId],
    );
    return found as Placement;
  }

  /** Two projects on different workers. */
  async function shopsApart(): Promise<[Shop, Shop]> {
    const [first] = shops as [Shop];
    const { port } = await placementOf(first);
    for (let index = 1; ; index++) {
      const shop = shops[index] ?? (await createShop());
      shops[index] = shop;
      if ((await placementOf(shop)).port !== port) return [first, shop];
    }
  }

  const nodeAt = (port: number): Node => cluster.nodes.find((node) => node.port === port) as Node;

  const ofServer = (): ServerProcess => server;
  const loads: ProjectLoad[] = [];

  function startLoad(shop: Shop): ProjectLoad {
    const load = new ProjectLoad(ofServer, shop);
    loads.push(load);
    return load;
  }

  // A failed test leaves its load running, and webhooks without an answer.
  afterEach(async () => {
    await Promise.all(loads.splice(0).map((load) => load.end()));
    receiver.answerWith((response) => response.end('ok'));
  });

  async function untilAllSucceed(loads: ProjectLoad[], count?: number): Promise<void> {
    await Promise.all(loads.map((load) => load.untilSucceeding(count)));
  }

  /** Each acknowledged receipt has one transaction and one event. */
  async function expectRecordedOnce({ shop, acknowledged }: ProjectLoad): Promise<void> {
    const tokens = acknowledged.map(({ fetch_token }) => fetch_token).sort();
    const transactions = await rows<{ token: string }>(
      `SELECT unnest(store_ids) AS token FROM store_transactions WHERE project_id = $1`,
      [shop.projectId],
    );
    const known = new Set(tokens);
    expect(
      transactions
        .map(({ token }) => token)
        .filter((token) => known.has(token))
        .sort(),
    ).toEqual(tokens);
    const events = await rows<{ customer: string }>(
      `SELECT body ->> 'app_user_id' AS customer FROM events
       WHERE project_id = $1 AND type = 'NON_RENEWING_PURCHASE'`,
      [shop.projectId],
    );
    const customers = acknowledged.map(({ app_user_id }) => app_user_id).sort();
    const bought = new Set(customers);
    const named = events.map(({ customer }) => customer).filter((customer) => bought.has(customer));
    expect(named.sort()).toEqual(customers);
  }

  /** Returns the ids of a project's events, once all are delivered. */
  async function deliveredEvents({ projectId }: Shop): Promise<string[]> {
    await until(async () => {
      const [row] = await rows<{ open: number }>(
        `SELECT count(*)::int AS open FROM webhook_deliveries WHERE project_id = $1 AND status <> 'delivered'`,
        [projectId],
      );
      return row?.open === 0;
    });
    const events = await rows<{ id: string }>(`SELECT id FROM events WHERE project_id = $1`, [projectId]);
    return events.map(({ id }) => id).sort();
  }

  /** Ids of the events that a project's webhook received, with repetitions. */
  const received = ({ projectId }: Shop): string[] =>
    receiver.requests
      .filter(({ path }) => path.endsWith(projectId))
      .map(({ body }) => JSON.parse(body).event?.id ?? JSON.parse(body).id)
      .sort();

  async function expectDeliveredOnce(shop: Shop): Promise<void> {
    const events = await deliveredEvents(shop);
    expect(received(shop)).toEqual(events);
  }

  /** No request of an SDK, a store or a backend failed; nothing was lost, and nothing was recorded or sent twice. */
  async function expectUndisturbed(what: string, loads: ProjectLoad[], startedAt: number): Promise<void> {
    await untilAllSucceed(loads);
    for (const load of loads) await load.stop();
    report(what, {
      answers: loads.map((load) => byStatus(load.since(startedAt))),
      longestMs: loads.map((load) => load.longest(startedAt)),
      longestGapMs: loads.map((load) => load.longestGapMs(startedAt)),
    });
    for (const load of loads) {
      expect(byStatus(load.failedSince(startedAt))).toEqual({});
      expect(load.longestGapMs(startedAt)).toBeLessThan(HANGS_MS);
      await expectRecordedOnce(load);
      await expectDeliveredOnce(load.shop);
    }
  }

  /** Grants access until a time; its expiration is due work. */
  async function grant(
    { path, backend, entitlements }: Shop,
    customer: string,
    untilMs: number,
  ): Promise<void> {
    const of = `${path}/customers/${customer}`;
    await backend.post(`${path}/customers`, { id: customer });
    const body = { entitlement_id: entitlements.pro.id, expires_at: Math.round(untilMs) };
    const { status, text } = await backend.post(`${of}/actions/grant_entitlement`, body);
    if (status !== 201) throw new Error(`grant: ${status} ${text}`);
  }

  async function expiredCustomers({ projectId }: Shop): Promise<string[]> {
    const events = await rows<{ customer: string }>(
      `SELECT body ->> 'app_user_id' AS customer FROM events WHERE project_id = $1 AND type = 'EXPIRATION'`,
      [projectId],
    );
    return events.map(({ customer }) => customer).sort();
  }

  it('answers 503 for the projects of a killed worker only, and loses and repeats nothing', async () => {
    const [lost, other] = (await shopsApart()).map(startLoad) as [ProjectLoad, ProjectLoad];
    await untilAllSucceed([lost, other]);
    const worker = nodeAt((await placementOf(lost.shop)).port);
    const killedAt = performance.now();
    await worker.kill();
    const kinds = (): Set<string> => new Set(lost.failedSince(killedAt).map(({ kind }) => kind));
    await until(() => kinds().size === 4 && lost.failedSince(killedAt).length >= 40);
    await other.untilSucceeding(20);
    const restartedAt = performance.now();
    await worker.restart();
    const backAt = performance.now();
    await untilAllSucceed([lost, other], 20);
    await Promise.all([lost.stop(), other.stop()]);

    const failed = lost.failedSince(killedAt);
    const recoveredMs = Math.max(...failed.map(({ endedAt }) => endedAt)) - backAt;
    report('worker killed', {
      lost: byStatus(lost.since(killedAt)),
      other: byStatus(other.since(killedAt)),
      downMs: restartedAt - killedAt,
      restartMs: backAt - restartedAt,
      recoveredMs,
      longestOfOther: other.longest(killedAt),
      longestGapOfOtherMs: other.longestGapMs(killedAt),
    });
    expect(new Set(failed.map(({ status, retryAfter }) => `${status} ${retryAfter}`))).toEqual(
      new Set(['503 2']),
    );
    expect(byStatus(other.failedSince(killedAt))).toEqual({});
    expect(recoveredMs).toBeLessThan(HANGS_MS);
    expect(other.longestGapMs(killedAt)).toBeLessThan(HANGS_MS);
    for (const load of [lost, other]) await expectRecordedOnce(load);
    // Attempts that the worker's death left unrecorded are repeated.
    const events = await deliveredEvents(lost.shop);
    expect([...new Set(received(lost.shop))]).toEqual(events);
    await expectDeliveredOnce(other.shop);
  });

  it('moves a shard group without an error', async () => {
    const [moved, other] = (await shopsApart()).map(startLoad) as [ProjectLoad, ProjectLoad];
    await untilAllSucceed([moved, other]);
    const from = await placementOf(moved.shop);
    const to = await placementOf(other.shop);
    const startedAt = performance.now();
    await rows(
      `SELECT citus_move_shard_placement($1::bigint, '127.0.0.1', $2::int, '127.0.0.1', $3::int, 'force_logical')`,
      [from.shardId, from.port, to.port],
    );
    report('move', { tookMs: performance.now() - startedAt });
    expect((await placementOf(moved.shop)).port).toBe(to.port);
    await expectUndisturbed('shard group moved', [moved, other], startedAt);
  });

  it('rebalances onto a new worker without an error', async () => {
    const added = await cluster.add('worker3');
    await createOnNode(added.url, DATABASE);
    await rows(`SELECT citus_add_node('127.0.0.1', $1::int)`, [added.port]);
    const moved = await createShopToMove();
    const other = shops.find((shop) => shop !== moved) as Shop;
    const running = [moved, other].map(startLoad);
    await untilAllSucceed(running);
    const from = await placementOf(moved);
    const startedAt = performance.now();
    await rows(`SELECT citus_rebalance_start(shard_transfer_mode => 'force_logical')`);
    await until(async () => {
      const [job] = await rows<{ state: string }>('SELECT state FROM citus_rebalance_status()');
      if (job?.state === 'failed') throw new Error('The rebalance failed');
      return job?.state === 'finished';
    });
    report('rebalance', { tookMs: performance.now() - startedAt });
    expect((await placementOf(moved)).port).not.toBe(from.port);
    await expectUndisturbed('rebalanced', running, startedAt);
  });

  /** A project whose shard group a rebalance would move. */
  async function createShopToMove(): Promise<Shop> {
    for (let index = 0; ; index++) {
      const shop = shops[index] ?? (await createShop());
      shops[index] = shop;
      const planned = await rows(
        `SELECT 1 FROM get_rebalance_table_shards_plan() p
         JOIN pg_dist_shard s ON s.shardid = p.shardid
         JOIN pg_dist_partition t ON t.logicalrelid = s.logicalrelid
         JOIN pg_dist_shard c ON c.logicalrelid = 'customers'::regclass AND c.shardminvalue = s.shardminvalue
         JOIN pg_dist_partition ct ON ct.logicalrelid = c.logicalrelid AND ct.colocationid = t.colocationid
         WHERE c.shardid = get_shard_id_for_distribution_column('customers', $1::text)`,
        [shop.projectId],
      );
      if (planned.length > 0) return shop;
    }
  }

  it('delivers every event after a process with leases is killed, and repeats only what it had leased', async () => {
    const shop = await createShop();
    shops.push(shop);
    const before = receiver.requests.length;
    receiver.answerWith((response, count) => {
      // Later requests stay open, and so do their leases.
      if (count <= before + 20) response.end('ok');
    });
    const customers = Array.from({ length: 30 }, (_, index) => `granted-${index + 10}`);
    // They expire one after the other.
    for (const customer of customers) await grant(shop, customer, Date.now() + 4_000);
    const dataSource = new DataSource({ type: 'postgres', url: databaseUrl });
    await dataSource.initialize();
    const outbox = { dataSource, clock: new ManualClock(Date.now()) } as TestServer;
    for (let count = 0; count < 60; count++) await recordEvent(outbox, shop.projectId);
    await dataSource.destroy();
    await receiver.received(before + 40);
    await until(async () => (await expiredCustomers(shop)).length >= 5);
    process.kill(server.pid, 'SIGKILL');
    const leased = await rows<{ id: string }>(
      `SELECT event_id AS id FROM webhook_deliveries
       WHERE project_id = $1 AND status = 'pending' AND lease_until IS NOT NULL`,
      [shop.projectId],
    );
    receiver.answerWith((response) => response.end('ok'));
    server = await startServer();
    await until(async () => (await expiredCustomers(shop)).length >= customers.length);
    const events = await deliveredEvents(shop);
    expect(await expiredCustomers(shop)).toEqual(customers);
    const sent = received(shop);
    expect([...new Set(sent)]).toEqual(events);
    const repeated = sent.filter((id, index) => sent[index - 1] === id);
    report('process killed', {
      events: events.length,
      leased: leased.length,
      repeated: repeated.length,
    });
    expect(repeated.length).toBeGreaterThan(0);
    expect(leased.map(({ id }) => id)).toEqual(expect.arrayContaining(repeated));
  });

  it('continues webhooks and due work of other projects while a worker is down', async () => {
    const [lost, other] = await shopsApart();
    const expired = (shop: Shop) => async (): Promise<boolean> =>
      (await expiredCustomers(shop)).includes('last');
    const worker = nodeAt((await placementOf(lost)).port);
    const dataSource = new DataSource({ type: 'postgres', url: databaseUrl });
    await dataSource.initialize();
    await Promise.all([lost, other].map((shop) => grant(shop, 'last', Date.now() + 3_000)));
    const killedAt = performance.now();
    await worker.kill();
    await until(expired(other));
    report('expiration on another worker', { afterKillMs: performance.now() - killedAt });
    // Without a notification to the dispatcher.
    const outbox = { dataSource, clock: new ManualClock(Date.now()) } as TestServer;
    const recorded = await recordEvent(outbox, other.projectId);
    await until(() => received(other).includes(recorded));
    await dataSource.destroy();
    await worker.restart();
    await until(expired(lost));
    const events = await deliveredEvents(lost);
    expect([...new Set(received(lost))]).toEqual(events);
    await expectDeliveredOnce(other);
  });
});
