import pg from 'pg';
import { DataSource } from 'typeorm';
import { createIndexConcurrently } from '../../src/platform/database/schema/concurrent-index.js';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import { DatabaseService } from '../../src/platform/database/database.service.js';
import { isGivenUp, isRetryable } from '../../src/platform/database/database-errors.js';
import { migrations } from '../../src/platform/database/migrations/index.js';
import { MIGRATION_LOCK, runMigrations } from '../../src/platform/database/schema/migrate.js';
import { longStatement, statement } from '../../src/platform/database/statement.js';
import { createTestStore, testReceipt, type TestStore } from '../support/arrange-store.js';
import { createTestDatabase, type TestDatabase } from '../support/database/index.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const TIMEOUT_MS = 300;

async function clientOf({ url }: TestDatabase): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    options: '-c statement_timeout=0 -c lock_timeout=0 -c idle_in_transaction_session_timeout=0',
  });
  await client.connect();
  return client;
}

/** Timeouts of the server for all connections but those that are open. */
async function setTimeouts(admin: pg.Client, database: TestDatabase, names: string[]): Promise<void> {
  const name = new URL(database.url).pathname.slice(1);
  for (const setting of names) await admin.query(`ALTER DATABASE ${name} SET ${setting} = '${TIMEOUT_MS}ms'`);
}

/**
 * Until something has waited for a lock for longer than the timeout of the server, or has given up. `watcher` has no
 * transaction open, which would see the same activity all the time.
 */
async function untilOverdue(watcher: pg.Client, isOver: () => boolean): Promise<void> {
  for (;;) {
    const { rows } = await watcher.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
         AND clock_timestamp() - query_start > interval '${2 * TIMEOUT_MS} ms'`,
    );
    if (rows.length > 0 || isOver()) return;
  }
}

describe.each(['statement_timeout', 'lock_timeout'])('a server of the database with a %s', (setting) => {
  let database: TestDatabase;
  let server: TestServer;
  let store: TestStore;
  let admin: pg.Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    server = await startTestServer({ databaseUrl: database.url, env: { SERVICE_ROLE: 'api' } });
    store = await createTestStore(server);
    admin = await clientOf(database);
    await setTimeouts(admin, database, [setting]);
    await admin.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    for (;;) if ((await server.http.get('/readyz')).status === 200) break;
  });

  afterAll(async () => {
    await admin.end();
    await server.close();
    await database.drop();
  });

  it('makes receipts and REST wait with 503 when it gives statements up, and takes them later', async () => {
    await admin.query('BEGIN; LOCK TABLE customers, customer_aliases, products IN ACCESS EXCLUSIVE MODE');
    const together = [0, 1, 2, 3].map((index) =>
      store.sdk.post('/v1/receipts', testReceipt(`buyer-${index}`)),
    );
    const product = { store_identifier: 'another', app_id: store.appId, type: 'subscription' };
    const [read, v2, write, ...receipts] = await Promise.all([
      store.sdk.get('/v1/subscribers/buyer-0'),
      store.backend.get(`${store.path}/products`),
      store.backend.post(`${store.path}/products`, product),
      ...together,
    ]);
    await admin.query('ROLLBACK');
    for (const refused of [read, ...receipts])
      expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([503, 7110, '1']);
    for (const refused of [v2, write]) {
      expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1']);
      expect(refused.body).toMatchObject({ type: 'server_error', retryable: true, backoff_ms: 1000 });
    }
    const taken = await store.sdk.post('/v1/receipts', testReceipt('buyer-0'));
    expect([taken.status, Object.keys(taken.body.subscriber.entitlements)]).toEqual([200, ['pro']]);
    expect((await store.backend.post(`${store.path}/products`, product)).status).toBe(201);
  });

  it('gives long statements the time that they have', async () => {
    const asked = server.app.get(DatabaseService);
    const wait = `SELECT pg_sleep(${(2 * TIMEOUT_MS) / 1000}), 'done' AS state, '${setting}' AS setting`;
    const long = longStatement(`test.long.${setting}`, wait);
    expect(await asked.query(long, [])).toMatchObject([{ state: 'done' }]);
    expect(await asked.transaction((tx) => tx.query(long, []))).toMatchObject([{ state: 'done' }]);
    if (setting !== 'statement_timeout') return;
    const failed = await asked.query(statement('test.short', wait), []).catch((error: unknown) => error);
    expect([isGivenUp(failed), isRetryable(failed)]).toEqual([true, false]);
  });
});

describe('migrations of a database with timeouts', () => {
  let database: TestDatabase;
  let admin: pg.Client;
  let watcher: pg.Client;

  beforeEach(async () => {
    database = await createTestDatabase();
    admin = await clientOf(database);
    watcher = await clientOf(database);
    const names = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];
    await setTimeouts(admin, database, names);
  });

  afterEach(async () => {
    await watcher.end();
    await admin.end();
    await database.drop();
  });

  it('disables all of them', async () => {
    const empty = await createTestDatabase({ migrated: false });
    const [holder, watching] = [await clientOf(empty), await clientOf(empty)];
    await setTimeouts(holder, empty, [
      'statement_timeout',
      'lock_timeout',
      'idle_in_transaction_session_timeout',
    ]);
    // The first migration waits for the end of this transaction.
    await holder.query('BEGIN; CREATE TABLE sessions ()');
    let isOver = false;
    const done = runMigrations(empty.url).finally(() => (isOver = true));
    done.catch(() => undefined);
    await untilOverdue(watching, () => isOver);
    await holder.query('ROLLBACK');
    expect(await done).toEqual(migrations.map(({ name }) => name));
    await Promise.all([holder.end(), watching.end()]);
    await empty.drop();
  });

  it('waits for each other without blocking concurrent index creation', async () => {
    await admin.query(`BEGIN; SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`);
    const waiting = runMigrations(database.url);
    for (;;) {
      const { rows } = await watcher.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'tenure'
           AND query = 'ROLLBACK'`,
      );
      if (rows.length > 0) break;
    }
    await watcher.query('CREATE INDEX CONCURRENTLY test_index ON customers (project_id)');
    await admin.query('ROLLBACK');
    expect(await waiting).toEqual([]);
  });

  describe('that make an index concurrently', () => {
    let dataSource: DataSource;

    beforeEach(async () => {
      dataSource = new DataSource(dataSourceOptions({ url: database.url, poolSize: 1 }));
      await dataSource.initialize();
    });

    afterEach(() => dataSource.destroy());

    const make = async (definition: string, options?: { unique: boolean }) => {
      const runner = dataSource.createQueryRunner();
      try {
        await runner.query(`SET lock_timeout = '100ms'`);
        await createIndexConcurrently(runner, 'test_index', definition, options);
        return await runner.query('SHOW lock_timeout');
      } finally {
        await runner.release();
      }
    };
    const found = async () =>
      (
        await admin.query(
          `SELECT indisvalid AS valid, indisunique AS unique FROM pg_index WHERE indexrelid = to_regclass('test_index')`,
        )
      ).rows;

    it('creates it again after a failure left an invalid one', async () => {
      const rows = `INSERT INTO users (id, email, created_at) VALUES ('u1', 'a@example.com', now()), ('u2', 'b@example.com', now())`;
      await admin.query(rows);
      const definition = 'ON users ((email IS NULL))';
      await expect(make(definition, { unique: true })).rejects.toThrow(/could not create unique index/);
      expect(await found()).toEqual([{ valid: false, unique: true }]);
      await make(definition);
      expect(await found()).toEqual([{ valid: true, unique: false }]);
      await make(definition);
      expect(await found()).toEqual([{ valid: true, unique: false }]);
    });

    it('waits for older transactions without a limit', async () => {
      await admin.query('BEGIN; LOCK TABLE users IN ROW EXCLUSIVE MODE');
      let isOver = false;
      const made = make('ON users (created_at)').finally(() => (isOver = true));
      made.catch(() => undefined);
      await untilOverdue(watcher, () => isOver);
      await admin.query('ROLLBACK');
      expect(await made).toEqual([{ lock_timeout: '100ms' }]);
      expect(await found()).toEqual([{ valid: true, unique: false }]);
    });
  });
});
