import pg from 'pg';
import { createTestStore, testReceipt, type TestStore } from '../support/arrange-store.js';
import { createTestDatabase, type TestDatabase } from '../support/database/index.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

/** State of a connection that still goes to the former leader. */
describe('a database that does not take writes any more', () => {
  let database: TestDatabase;
  let server: TestServer;
  let store: TestStore;
  let admin: pg.Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    // A pooler handles its own connections.
    const env = { DATABASE_URL: database.url, SERVICE_DATABASE_DIRECT_URL: undefined };
    server = await startTestServer({ databaseUrl: database.url, env });
    store = await createTestStore(server);
    const options = '-c default_transaction_read_only=off';
    admin = new pg.Client({ connectionString: database.url, options });
    await admin.connect();
  });

  afterAll(async () => {
    await admin.end();
    await server.close();
    await database.drop();
  });

  const buy = (customer: string) => store.sdk.post('/v1/receipts', testReceipt(customer));

  const name = (): string => new URL(database.url).pathname.slice(1);
  const demote = async (): Promise<void> => {
    await admin.query(`ALTER DATABASE ${name()} SET default_transaction_read_only = on`);
    await admin.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
  };
  // Connections that are open stay as they are.
  const promote = () => admin.query(`ALTER DATABASE ${name()} RESET default_transaction_read_only`);

  it('makes receipts wait, and sells again once connections reach one that does', async () => {
    await demote();
    const customers = Array.from({ length: 12 }, (_, index) => `buyer-${index}`);
    for (const refused of await Promise.all(customers.map(buy))) {
      expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1']);
    }
    await promote();
    for (const taken of await Promise.all(customers.map(buy))) {
      expect([taken.status, Object.keys(taken.body.subscriber.entitlements)]).toEqual([200, ['pro']]);
    }
    const bought = await server.dataSource.query<{ count: number }[]>(
      'SELECT count(*)::int AS count FROM subscriptions',
    );
    expect(bought).toEqual([{ count: 12 }]);
  });

  it('creates customers again, for which one statement is enough, once connections reach one that does', async () => {
    await demote();
    const newcomers = Array.from({ length: 12 }, (_, index) => `/v1/subscribers/newcomer-${index}`);
    const ask = () => Promise.all(newcomers.map(async (path) => (await store.sdk.get(path)).status));
    expect(new Set(await ask())).toEqual(new Set([503]));
    await promote();
    // A connection opened before that answers 503 once more, and is closed then.
    let statuses: number[];
    let asked = 0;
    do statuses = await ask();
    while (statuses.includes(503) && ++asked < newcomers.length);
    expect(new Set(statuses).has(503)).toBe(false);
    const created = await server.dataSource.query<{ count: number }[]>(
      `SELECT count(*)::int AS count FROM customers WHERE original_app_user_id LIKE 'newcomer-%'`,
    );
    expect(created).toEqual([{ count: 12 }]);
  });
});
