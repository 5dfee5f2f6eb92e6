import { CleanupsJob } from '../../src/platform/jobs/cleanups.job.js';
import type { Answer, ApiClient } from '../support/api-client.js';
import { createSecretKey } from '../support/arrange.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import { countQueries } from '../support/query-count.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const MINUTE_MS = 60_000;
const USAGE = 'revenuecat-rate-limit-current-usage';
const LIMIT = 'revenuecat-rate-limit-current-limit';

const ENV = {
  SERVICE_ALLOW_SIGNUP: 'true',
  SERVICE_RATE_LIMIT_CUSTOMER_INFORMATION: '3',
  SERVICE_RATE_LIMIT_PROJECT_CONFIGURATION: '1000',
  SERVICE_RATE_LIMIT_CHARTS_METRICS: '1',
};

describe('rate limits of REST v2', () => {
  let server: TestServer;
  let replica: TestServer;
  let store: TestStore;
  let backend: ApiClient;
  let onReplica: ApiClient;

  beforeAll(async () => {
    server = await startTestServer({ env: ENV });
    replica = await startTestServer({ databaseUrl: server.databaseUrl, clock: server.clock, env: ENV });
    store = await createTestStore(server);
    await store.sdk.get('/v1/subscribers/ada');
  });

  afterAll(async () => {
    await replica.close();
    await server.close();
  });

  beforeEach(async () => {
    const { key, client } = await createSecretKey(store.session, store.projectId);
    backend = client;
    onReplica = replica.http.withKey(key);
    server.clock.advanceMs(MINUTE_MS - (server.clock.nowMs() % MINUTE_MS) + 20_000);
  });

  const customer = (client: ApiClient): Promise<Answer> => client.get(`${store.path}/customers/ada`);

  it('counts by key over all replicas, reports the usage, and ends with the minute', async () => {
    for (const [index, client] of [backend, onReplica, backend].entries()) {
      const { status, headers } = await customer(client);
      expect([status, headers[USAGE], headers[LIMIT]]).toEqual([200, String(index + 1), '3']);
    }
    for (const client of [backend, onReplica]) {
      const { status, headers, body } = await customer(client);
      expect([status, body.type, body.retryable, body.backoff_ms]).toEqual([
        429,
        'rate_limit_error',
        true,
        40_000,
      ]);
      expect([headers['retry-after'], headers[USAGE], headers[LIMIT]]).toEqual(['40', '3', '3']);
    }
    server.clock.advanceMs(40_000 - 1);
    expect((await customer(backend)).headers['retry-after']).toBe('1');
    server.clock.advanceMs(1);
    const next = await customer(backend);
    expect([next.status, next.headers[USAGE]]).toEqual([200, '1']);
  });

  it('never let more through than they say, however many come at once', async () => {
    const clients = Array.from({ length: 16 }, (_, index) => (index % 2 ? backend : onReplica));
    const answers = await Promise.all(clients.map(customer));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(13);
  });

  it('counts each key and each domain on its own', async () => {
    for (let call = 0; call < 3; call++) await customer(backend);
    const other = await createSecretKey(store.session, store.projectId);
    expect((await customer(other.client)).headers[USAGE]).toBe('1');
    const { status, headers } = await backend.get(`${store.path}/products`);
    expect([status, headers[USAGE], headers[LIMIT]]).toEqual([200, '1', '1000']);
    expect((await customer(store.session)).headers[USAGE]).toBe('1');
  });

  it('counts only callers with permission', async () => {
    const { client } = await createSecretKey(store.session, store.projectId, ['charts_metrics:*']);
    for (let call = 0; call < 5; call++) expect((await customer(client)).status).toBe(403);
  });

  it('applies before the idempotency key, whose answer it does not become', async () => {
    const strict = await startTestServer({
      databaseUrl: server.databaseUrl,
      clock: server.clock,
      env: { ...ENV, SERVICE_RATE_LIMIT_PROJECT_CONFIGURATION: '1' },
    });
    const client = strict.http.withKey((await newKey()).key);
    const make = () =>
      client.post(
        `${store.path}/entitlements`,
        { lookup_key: 'limited', display_name: 'x' },
        { 'idempotency-key': 'limited' },
      );
    await client.get(`${store.path}/products`);
    expect((await make()).status).toBe(429);
    server.clock.advanceMs(MINUTE_MS);
    expect((await make()).status).toBe(201);
    await strict.close();
  });

  it('exempts every SDK route, at no statement', async () => {
    const statementsOf = countQueries(server);
    for (let call = 0; call < 5; call++) {
      const { headers, status } = await store.sdk.get('/v1/subscribers/ada');
      expect([status, headers[USAGE]]).toEqual([200, undefined]);
    }
    const statements = await statementsOf(() => store.sdk.get('/v1/subscribers/ada'));
    expect(statements.filter((name) => name.startsWith('rate_limits'))).toEqual([]);
    const receipt = { app_user_id: 'ada', product_id: 'coins_100', currency: 'USD' };
    for (let call = 0; call < 5; call++) {
      const token = `test_${server.clock.nowMs()}_${call}`;
      expect((await store.sdk.post('/v1/receipts', { ...receipt, fetch_token: token })).status).toBe(200);
    }
  });

  it('costs one statement a request', async () => {
    const statements = await countQueries(server)(() => backend.get(`${store.path}/products`));
    expect(statements.filter((name) => name.startsWith('rate_limits'))).toEqual(['rate_limits.count']);
  });

  it('forgets them once their minute is over', async () => {
    await customer(backend);
    server.clock.advanceMs(MINUTE_MS);
    await server.app.get(CleanupsJob).run();
    const left = await server.dataSource.query(`SELECT * FROM rate_limits WHERE tenant_id = $1`, [
      store.projectId,
    ]);
    expect(left).toEqual([]);
  });

  it('applies none if nothing is configured', async () => {
    const free = await startTestServer({ databaseUrl: server.databaseUrl, clock: server.clock });
    const client = free.http.withKey((await newKey()).key);
    const statementsOf = countQueries(free);
    const { headers } = await customer(client);
    expect([headers[USAGE], headers[LIMIT]]).toEqual([undefined, undefined]);
    const statements = await statementsOf(() => customer(client));
    expect(statements.filter((name) => name.startsWith('rate_limits'))).toEqual([]);
    await free.close();
  });

  const newKey = () => createSecretKey(store.session, store.projectId);
});
