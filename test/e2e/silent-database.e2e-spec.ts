import { DatabaseService } from '../../src/platform/database/database.service.js';
import { isConnectionLoss } from '../../src/platform/database/database-errors.js';
import { NotificationListenerService } from '../../src/platform/database/connections/notification-listener.service.js';
import { longStatement, statement } from '../../src/platform/database/statement.js';
import { createTestStore, testReceipt, type TestStore } from '../support/arrange-store.js';
import { createTestDatabase, databaseSettings, type TestDatabase } from '../support/database/index.js';
import { type FreezingProxy, startFreezingProxy } from '../support/freezing-proxy.mjs';
import { startTestServer, type TestServer } from '../support/test-server.js';

/** Far above what a statement takes here, far below what a test may take. */
const LIMIT_MS = 1_000;

/** An address that leads through a proxy. */
async function through(address: string): Promise<{ proxy: FreezingProxy; url: string }> {
  const url = new URL(address);
  const proxy = await startFreezingProxy(Number(url.port), url.hostname);
  url.hostname = '127.0.0.1';
  url.port = String(proxy.port);
  return { proxy, url: url.toString() };
}

const metricsOf = async ({ baseUrl }: TestServer): Promise<string> =>
  (await fetch(`${baseUrl}/metrics`)).text();

describe('a database that falls silent', () => {
  let database: TestDatabase;
  let proxy: FreezingProxy;
  let server: TestServer;
  let store: TestStore;

  beforeEach(async () => {
    database = await createTestDatabase();
    const settings = databaseSettings(database.url);
    const primary = await through(settings.DATABASE_URL ?? '');
    proxy = primary.proxy;
    server = await startTestServer({
      databaseUrl: database.url,
      env: {
        ...settings,
        DATABASE_URL: primary.url,
        SERVICE_DATABASE_TIMEOUT_MS: String(LIMIT_MS),
        SERVICE_ROLE: 'api',
      },
    });
    store = await createTestStore(server);
    // Several connections, which then are idle.
    await Promise.all(['a', 'b', 'c', 'd'].map((id) => store.sdk.get(`/v1/subscribers/${id}`)));
  });

  afterEach(async () => {
    await server.close();
    proxy.close();
    await database.drop();
  });

  const buy = (customer: string) => store.sdk.post('/v1/receipts', testReceipt(customer));

  it('makes receipts wait, and sells on new connections after one of them was given up', async () => {
    proxy.freeze();
    const refused = await buy('grace');
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1']);
    // No other idle connection costs a request as much.
    const taken = await buy('grace');
    expect([taken.status, Object.keys(taken.body.subscriber.entitlements)]).toEqual([200, ['pro']]);
    const bought = await server.dataSource.query('SELECT count(*)::int AS count FROM subscriptions');
    expect(bought).toEqual([{ count: 1 }]);
  });

  it('causes no final refusal of many receipts at once', async () => {
    proxy.freeze();
    const customers = Array.from({ length: 12 }, (_, index) => `buyer-${index}`);
    const first = await Promise.all(customers.map(buy));
    expect(first.filter(({ status }) => status !== 503 && status !== 200)).toEqual([]);
    expect((await Promise.all(customers.map(buy))).map(({ status }) => status)).toEqual(
      customers.map(() => 200),
    );
    const bought = await server.dataSource.query('SELECT count(*)::int AS count FROM subscriptions');
    expect(bought).toEqual([{ count: 12 }]);
  });

  it('shows in /readyz, and /metrics omits what it would read', async () => {
    proxy.silence();
    const [probe, metrics] = await Promise.all([server.http.get('/readyz'), metricsOf(server)]);
    expect([probe.status, probe.headers['retry-after']]).toEqual([503, '1']);
    expect(metrics).toMatch(/^tenure_due_work_oldest_seconds Nan$/m);
    expect(metrics).toMatch(/^tenure_store_queue_oldest_due_seconds\{queue="tasks"\} Nan$/m);
    expect(metrics).toMatch(/^tenure_http_requests_total\{/m);
    expect((await server.http.get('/healthz')).status).toBe(200);
    proxy.speak();
    for (;;) if ((await server.http.get('/readyz')).status === 200) break;
    expect(await metricsOf(server)).toMatch(/^tenure_due_work_oldest_seconds 0$/m);
  });

  it('excludes statements that take long and were given more time', async () => {
    const asked = server.app.get(DatabaseService);
    const sleep = (limits: number): string =>
      `SELECT pg_sleep(${(limits * LIMIT_MS) / 1000}), 'awake' AS state`;
    const failed = await asked
      .query(statement('test.silent', sleep(10)), [])
      .catch((error: unknown) => error);
    expect(isConnectionLoss(failed)).toBe(true);
    expect(await asked.query(longStatement('test.long', sleep(1.5)), [])).toMatchObject([{ state: 'awake' }]);
  });

  it('does not keep what a lost process had locked: the server ends its transactions', async () => {
    // A pooler has settings of its own.
    if (server.config.directDatabaseUrl !== null) return;
    const names = ['idle_in_transaction_session_timeout', 'tcp_keepalives_idle', 'tcp_keepalives_interval'];
    const rows = await server.dataSource.query(
      'SELECT current_setting(name) AS value FROM unnest($1::text[]) WITH ORDINALITY n (name, place) ORDER BY place',
      [names],
    );
    expect(rows).toEqual(['10s', '30', '10'].map((value) => ({ value })));
  });

  it('does not keep a process from stopping', async () => {
    proxy.silence();
    const waiting = buy('late').catch(() => null);
    await server.http.get('/readyz');
    // `server.close` waits for everything.
    await waiting;
  });
});

describe('a notification connection that falls silent', () => {
  it('reconnects, and caches do without it meanwhile', async () => {
    const database = await createTestDatabase();
    const { proxy, url } = await through(database.url);
    const server = await startTestServer({
      databaseUrl: database.url,
      env: {
        ...databaseSettings(database.url),
        SERVICE_DATABASE_DIRECT_URL: url,
        SERVICE_DATABASE_TIMEOUT_MS: String(LIMIT_MS),
        SERVICE_ROLE: 'api',
      },
    });
    try {
      const listener = server.app.get(NotificationListenerService);
      const heard: string[] = [];
      listener.on('silence_test', (payload) => heard.push(payload));
      expect(listener.connected).toBe(true);
      proxy.freeze();
      while (listener.connected) await new Promise((resolve) => setTimeout(resolve, 10));
      while (!listener.connected) await new Promise((resolve) => setTimeout(resolve, 10));
      // Anything may have changed meanwhile.
      expect(heard).toEqual(['']);
      await server.dataSource.query(`SELECT pg_notify('silence_test', 'again')`);
      while (heard.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
      expect(heard).toEqual(['', 'again']);
    } finally {
      await server.close();
      proxy.close();
      await database.drop();
    }
  });
});
