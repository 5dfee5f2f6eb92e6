import { LastSeenRecorder } from '../../src/customers/customers/last-seen/last-seen.recorder.js';
import { CustomerCountsJob } from '../../src/insights/metrics/customer-counts.job.js';
import { ProjectPurgeJob } from '../../src/workspace/projects/purge/project-purge.job.js';
import { ProjectPurgeRepository } from '../../src/workspace/projects/purge/project-purge.repository.js';
import { DeliveryDispatcherService } from '../../src/webhooks/deliveries/delivery-dispatcher.service.js';
import type { Json } from '../support/api-client.js';
import { createSecretKey, joinAs, type SignedUp, signUp } from '../support/arrange.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import { createTestDatabase } from '../support/database/index.js';
import { rowsOfProject } from '../support/project-rows.js';
import { expireLeases } from '../support/leases.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { untilBlocked } from '../support/until-blocked.js';
import { recordEvent } from '../support/webhook-outbox.js';
import { startReceiver } from '../support/webhook-receiver.js';

const LEASE_MS = 60_000;
const SETTLED_AFTER_MS = 15 * 60_000;
const env = { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_TRUST_PROXY: 'true' };

/** Customers beside the one who buys: several batches of them. */
const CUSTOMERS = 2_500;

let purchases = 0;

/** A project with something in (nearly) every table: catalog, keys, members, customers, purchases, webhooks. */
async function filledProject(server: TestServer, url = 'https://example.com/hook'): Promise<TestStore> {
  const store = await createTestStore(server);
  const hooks = `${store.path}/integrations/webhooks`;
  const hook = await store.backend.post(hooks, { name: 'Backend', url });
  for (const product of ['pro_monthly', 'pro_lifetime']) {
    const bought = await store.sdk.post('/v1/receipts', {
      app_user_id: 'buyer',
      fetch_token: `test_${server.clock.nowMs()}_deleted-${++purchases}`,
      product_id: product,
    });
    expect(bought.status).toBe(200);
  }
  // What is not delivered waits, so that the rows stay as they are.
  await server.app.get(DeliveryDispatcherService).drain();
  expect((await store.backend.post(`${hooks}/${hook.body.id}`, { enabled: false })).status).toBe(200);
  await server.dataSource.query(
    `WITH c AS (
       INSERT INTO customers (project_id, id, original_app_user_id, first_seen_at, created_at)
       SELECT $1, 'cus_' || n, 'user ' || n, now(), now() FROM generate_series(1, $2) n RETURNING id
     ), a AS (
       INSERT INTO customer_aliases (project_id, app_user_id, customer_id, is_anonymous, created_at)
       SELECT $1, 'user ' || n, 'cus_' || n, false, now() FROM generate_series(1, $2) n
     )
     INSERT INTO customer_attributes (project_id, customer_id, name, value, updated_at_ms, source, set_at)
     SELECT $1, id, 'plan', 'gold', 0, 'api', now() FROM c`,
    [store.projectId, CUSTOMERS],
  );
  return store;
}

const projectRow = (server: TestServer, projectId: string): Promise<unknown[]> =>
  server.dataSource.query('SELECT id FROM projects WHERE id = $1', [projectId]);

describe('DELETE /v2/projects/{project_id}', () => {
  let server: TestServer;
  let replica: TestServer;
  let owner: SignedUp;

  beforeAll(async () => {
    server = await startTestServer({ env });
    replica = await startTestServer({ databaseUrl: server.databaseUrl, clock: server.clock, env });
    owner = await signUp(server);
  });

  afterAll(async () => {
    await replica.close();
    await server.close();
  });

  it('requires an admin in person: other roles, keys and strangers change nothing', async () => {
    const path = `/v2/projects/${owner.projectId}`;
    const { client } = await createSecretKey(owner.session, owner.projectId);
    const stranger = await signUp(server);
    const refused: [Promise<{ status: number; body: { message: string } }>, number, RegExp][] = [
      [server.http.delete(path), 401, /no credential/],
      [client.delete(path), 403, /use a session/],
      [
        (await joinAs(server, 'developer', owner.projectId)).session.delete(path),
        403,
        /^Only an admin of the project may do this; your role is developer\.$/,
      ],
      [
        (await joinAs(server, 'viewer', owner.projectId)).session.delete(path),
        403,
        /\(scope\) `project_configuration:projects:read_write`/,
      ],
      [stranger.session.delete(path), 404, /no project/],
    ];
    for (const [answer, status, message] of refused) {
      const { status: given, body } = await answer;
      expect([given, body.message]).toEqual([status, expect.stringMatching(message)]);
    }
    expect((await owner.session.get(path)).status).toBe(200);
  });

  it('hides the project at once on every replica, ends its keys and leaves the others alone', async () => {
    const { session, cookie, projectId } = await signUp(server);
    const path = `/v2/projects/${projectId}`;
    const other = (await session.post('/v2/projects', { name: 'Other' })).body;
    const { key, client: backend } = await createSecretKey(session, projectId);
    const app = (await backend.post(`${path}/apps`, { name: 'App', type: 'test_store' })).body;
    const publicKey = (await backend.get(`${path}/apps/${app.id}/public_api_keys`)).body.items[0].key;
    const sdk = server.http.withKey(publicKey);
    const there = {
      session: replica.http.withCookie(cookie),
      backend: replica.http.withKey(key),
      sdk: replica.http.withKey(publicKey),
    };
    const sdkPath = '/v1/subscribers/somebody/offerings';
    // The replica knows the keys and the catalog by heart now.
    expect((await there.session.get(path)).status).toBe(200);
    expect((await there.backend.get(path)).status).toBe(200);
    expect((await there.sdk.get(sdkPath)).status).toBe(200);

    const answer = await session.delete(path);
    expect([answer.status, answer.body]).toEqual([
      200,
      { object: 'project', id: projectId, deleted_at: server.clock.nowMs() },
    ]);

    for (const client of [session, there.session]) {
      for (const below of ['', '/apps', `/apps/${app.id}`, '/customers/nobody', '/api_keys', '/audit_logs']) {
        const { status, body } = await client.get(path + below);
        expect([below, status, body.type]).toEqual([below, 404, 'resource_missing']);
      }
      expect((await client.post(`${path}/entitlements`, {})).status).toBe(404);
      expect((await client.delete(path)).status).toBe(404);
      const { items } = (await client.get('/v2/projects')).body;
      expect(items.map(({ id }: Json) => id)).toEqual([other.id]);
      const { projects } = (await client.get('/auth/me')).body;
      expect(projects.map(({ id }: Json) => id)).toEqual([other.id]);
      const cursor = await client.get(`/v2/projects?starting_after=${projectId}`);
      expect([cursor.status, cursor.body.param]).toEqual([400, 'starting_after']);
    }
    expect((await backend.get(path)).status).toBe(401);
    expect((await sdk.get(sdkPath)).status).toBe(401);
    // The clock stands still: only the notification can make the replica forget the keys.
    for (const call of [() => there.backend.get(path), () => there.sdk.get(sdkPath)]) {
      let status: number;
      do ({ status } = await call());
      while (status === 200);
      expect(status).toBe(401);
    }
    expect((await session.get(`/v2/projects/${other.id}`)).status).toBe(200);
  });

  it('happens once in a race', async () => {
    const { session, projectId } = await signUp(server);
    const answers = await Promise.all([1, 2, 3, 4].map(() => session.delete(`/v2/projects/${projectId}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404]);
  });

  it('takes no change of the catalog that comes after it, however far that was', async () => {
    const { session, projectId } = await signUp(server);
    const path = `/v2/projects/${projectId}`;
    const runner = server.dataSource.createQueryRunner();
    await runner.startTransaction();
    await runner.query('SELECT 1 FROM projects WHERE id = $1 FOR UPDATE', [projectId]);
    // Let in while the project was there, and waiting for its row now.
    const late = session.post(`${path}/entitlements`, { lookup_key: 'pro', display_name: 'Pro' });
    await untilBlocked(server, 1);
    await runner.query('UPDATE projects SET deleted_at = $2, purge_due_at = $2 WHERE id = $1', [
      projectId,
      new Date(server.clock.nowMs()),
    ]);
    await runner.commitTransaction();
    await runner.release();
    const { status, body } = await late;
    expect([status, body.type]).toEqual([404, 'resource_missing']);
  });

  it('sends no webhook any more, also of what was waiting', async () => {
    const endpoint = await startReceiver();
    const gone = await signUp(server);
    const kept = await signUp(server);
    for (const { session, projectId } of [gone, kept]) {
      const url = `${endpoint.url}/${projectId}`;
      await session.post(`/v2/projects/${projectId}/integrations/webhooks`, { name: 'Backend', url });
    }
    await recordEvent(server, gone.projectId);
    await gone.session.delete(`/v2/projects/${gone.projectId}`);
    await recordEvent(server, kept.projectId);
    await server.app.get(DeliveryDispatcherService).drain();
    await replica.app.get(DeliveryDispatcherService).drain();
    expect(endpoint.requests.map(({ path }) => path)).toEqual([`/hook/${kept.projectId}`]);
    await endpoint.close();
  });
});

describe('what is left of a deleted project', () => {
  it('disappears from every table, batch by batch, by whichever server is there, and nothing else does', async () => {
    const database = await createTestDatabase();
    const first = await startTestServer({ databaseUrl: database.url, env });
    const gone = await filledProject(first);
    const kept = await filledProject(first);
    // Background writes are complete.
    await first.app.get(LastSeenRecorder).flush();
    await first.app.get(CustomerCountsJob).run();
    const before = await rowsOfProject(first.dataSource, gone.projectId);
    const keptBefore = await rowsOfProject(first.dataSource, kept.projectId);
    expect(Object.keys(before)).toEqual(
      expect.arrayContaining([
        ...['api_keys', 'apps', 'audit_logs', 'credential_routes', 'customer_aliases', 'customer_attributes'],
        ...['customer_snapshots', 'customers', 'entitlements', 'events', 'offerings', 'one_time_purchases'],
        ...['package_products', 'packages', 'product_entitlements', 'products', 'project_members'],
        ...['store_transactions', 'subscriptions', 'webhook_deliveries', 'webhook_integrations'],
        ...['customer_days', 'metric_customer_days'],
      ]),
    );

    // The first server gets as far as the customers, fails there, and is gone.
    await first.dataSource.query(
      `CREATE FUNCTION break() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'disk on fire'; END $$;
       CREATE TRIGGER break BEFORE DELETE ON customers FOR EACH ROW EXECUTE FUNCTION break()`,
    );
    expect((await gone.session.delete(gone.path)).status).toBe(200);
    await first.app.get(ProjectPurgeJob).drain();
    const half = await rowsOfProject(first.dataSource, gone.projectId);
    expect(half.customers).toBe(before.customers);
    expect(half.customer_aliases).toBeUndefined();
    expect(half.api_keys).toBeUndefined();
    await first.close();

    const second = await startTestServer({ databaseUrl: database.url, clock: first.clock, env });
    const third = await startTestServer({ databaseUrl: database.url, clock: first.clock, env });
    await second.dataSource.query('DROP TRIGGER break ON customers');
    second.clock.advanceMs(LEASE_MS - 1);
    await second.app.get(ProjectPurgeJob).drain();
    expect(await rowsOfProject(second.dataSource, gone.projectId)).toEqual(half);
    second.clock.advanceMs(1);
    await second.app.get(ProjectPurgeJob).drain();
    expect(await rowsOfProject(second.dataSource, gone.projectId)).toEqual(half);
    await expireLeases(second, 'projects');
    await Promise.all([second, third].map(({ app }) => app.get(ProjectPurgeJob).drain()));
    await second.app.get(ProjectPurgeJob).drain();
    expect(await rowsOfProject(second.dataSource, gone.projectId)).toEqual({});
    expect(await rowsOfProject(second.dataSource, kept.projectId)).toEqual(keptBefore);

    // A request that was let in before the deletion writes after all; its rows go with the project's own.
    expect(await projectRow(second, gone.projectId)).toHaveLength(1);
    await second.dataSource.query(
      `INSERT INTO customer_aliases (project_id, app_user_id, customer_id, is_anonymous, created_at)
       VALUES ($1, 'straggler', 'cus_0', false, now())`,
      [gone.projectId],
    );
    second.clock.advanceMs(SETTLED_AFTER_MS - LEASE_MS - 1);
    await second.app.get(ProjectPurgeJob).drain();
    expect(await projectRow(second, gone.projectId)).toHaveLength(1);
    second.clock.advanceMs(1);
    await second.app.get(ProjectPurgeJob).drain();
    expect(await rowsOfProject(second.dataSource, gone.projectId)).toEqual({});
    expect(await projectRow(second, gone.projectId)).toEqual([]);
    expect(await rowsOfProject(second.dataSource, kept.projectId)).toEqual(keptBefore);
    const alive = second.http.withKey(kept.publicKey);
    expect((await alive.get('/v1/subscribers/buyer')).body.subscriber.entitlements.pro).toBeDefined();
    await third.close();
    await second.close();
    await database.drop();
  });

  it('uses indexes, however large the tables are', async () => {
    const server = await startTestServer({ env });
    const { projectId } = await signUp(server);
    await server.dataSource.query(
      `INSERT INTO customers (project_id, id, original_app_user_id, first_seen_at, created_at)
       SELECT CASE WHEN n % 3 = 0 THEN $1 ELSE 'projother' END, 'cus_' || n, 'x', now(), now()
       FROM generate_series(1, 6000) n`,
      [projectId],
    );
    await server.dataSource.query('ANALYZE customers');
    const scans = async (): Promise<number> => {
      await server.dataSource.query('SELECT pg_stat_force_next_flush()');
      const sql = `SELECT seq_scan AS scans FROM pg_stat_user_tables WHERE relname = 'customers'`;
      return (await server.dataSource.query<[{ scans: number }]>(sql))[0].scans;
    };
    const before = await scans();
    const repository = server.app.get(ProjectPurgeRepository);
    while ((await repository.deleteRows(projectId, 500)) > 0) continue;
    expect(await scans()).toBe(before);
    await server.close();
  });
});
