import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import type { QueryRunner } from 'typeorm';
import { ManualClock } from '../../libs/kernel/index.js';
import { runMigrations } from '../../src/platform/database/schema/migrate.js';
import { EmailDomains1768000000000 } from '../../src/platform/database/migrations/1768000000000-email-domains.js';
import { FirstSeen1769800000000 } from '../../src/platform/database/migrations/1769800000000-first-seen.js';
import { migrations } from '../../src/platform/database/migrations/index.js';
import { DeliveryDispatcherService } from '../../src/webhooks/deliveries/delivery-dispatcher.service.js';
import { createTestDatabase, type TestDatabase } from '../support/database/index.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { startReceiver } from '../support/webhook-receiver.js';

const folder = new URL('../upgrade/', import.meta.url);

/** A database of a released version, and what that version answered, as test/upgrade/freeze.mjs wrote them. */
const frozen = (version: string) => ({
  facts: JSON.parse(readFileSync(new URL(`${version}.json`, folder), 'utf8')),
  dump: gunzipSync(readFileSync(new URL(`${version}.sql.gz`, folder))).toString('utf8'),
});

async function connect({ url }: TestDatabase): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

async function restore(dump: string): Promise<TestDatabase> {
  const database = await createTestDatabase({ migrated: false });
  const client = await connect(database);
  await client.query(dump);
  await client.end();
  return database;
}

/** Columns, indexes and constraints of every table, partitions left out: their names tell the month. */
async function schemaOf(database: TestDatabase): Promise<string[]> {
  const client = await connect(database);
  const tables = `SELECT oid, relname FROM pg_class WHERE relnamespace = 'public'::regnamespace
    AND relkind IN ('r', 'p') AND NOT relispartition`;
  const { rows } = await client.query<{ line: string }>(
    `WITH tables AS (${tables})
     SELECT t.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || ' ' || a.attnotnull
       || ' ' || coalesce(pg_get_expr(d.adbin, d.adrelid), '') AS line
     FROM tables t JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
     LEFT JOIN pg_attrdef d ON d.adrelid = t.oid AND d.adnum = a.attnum
     UNION ALL SELECT pg_get_indexdef(i.indexrelid) FROM pg_index i JOIN tables t ON t.oid = i.indrelid
     UNION ALL SELECT t.relname || ' ' || pg_get_constraintdef(c.oid) FROM pg_constraint c
       JOIN tables t ON t.oid = c.conrelid WHERE c.contype <> 'n'
     ORDER BY 1`,
  );
  await client.end();
  return rows.map(({ line }) => line);
}

describe.each(['0.1.0', '0.4.0', '0.16.0'])('a database of version %s', (version) => {
  const { facts, dump } = frozen(version);
  let database: TestDatabase;
  let server: TestServer;

  beforeAll(async () => {
    database = await restore(dump);
    await runMigrations(database.url);
    server = await startTestServer({
      databaseUrl: database.url,
      clock: new ManualClock(facts.madeAtMs),
      env: { SERVICE_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') },
    });
  });

  afterAll(async () => {
    await server.close();
    await database.drop();
  });

  const sdk = () => server.http.with(facts.sdkHeaders);
  const backend = () => server.http.with(facts.backendHeaders);

  it('gets the schema of an empty one', async () => {
    const empty = await createTestDatabase();
    expect(await schemaOf(database)).toEqual(await schemaOf(empty));
    await empty.drop();
  });

  it('gives every customer what they had', async () => {
    for (const [customer, subscriber] of Object.entries(facts.subscribers)) {
      const answer = await sdk().get(`/v1/subscribers/${customer}`);
      expect([customer, answer.body.subscriber]).toEqual([customer, subscriber]);
    }
    const gold = await sdk().get('/v1/subscribers/collector/virtual_currencies');
    expect(gold.body).toEqual(facts.virtualCurrencies);
  });

  it('continues to sell to them', async () => {
    const answer = await sdk().post('/v1/receipts', {
      app_user_id: 'collector',
      fetch_token: `test_${facts.madeAtMs}_upgraded`,
      product_id: 'pro_annual',
      currency: 'USD',
    });
    expect(answer.body.subscriber.entitlements.pro.product_identifier).toBe('pro_annual');
  });

  it('stores the price of each product beside prices in further currencies', async () => {
    const columns = (table: string, id: string, micros: string, currency: string): Promise<object[]> =>
      server.dataSource.query(
        `SELECT ${id} AS id, ${micros} AS micros, ${currency}::text AS currency FROM ${table}
         WHERE ${micros} IS NOT NULL ORDER BY id`,
      );
    const stored = await columns('product_prices', 'product_id', 'micros', 'currency');
    expect(stored).toEqual(
      await columns('products', 'id', 'test_store_price_micros', 'test_store_price_currency'),
    );
    expect(stored.length).toBeGreaterThan(0);
  });

  it('sends what waited, with the secrets of before', async () => {
    const receiver = await startReceiver();
    const path = `${facts.path}/integrations/webhooks`;
    expect((await backend().get(path)).body.items).toMatchObject(
      facts.webhooks.map(({ id, name }: { id: string; name: string }) => ({ id, name })),
    );
    const waiting = await server.dataSource.query<{ event_id: string }[]>(
      `SELECT event_id FROM webhook_deliveries WHERE status = 'pending'`,
    );
    expect(waiting.length).toBeGreaterThan(1);
    for (const { id } of facts.webhooks) {
      expect((await backend().post(`${path}/${id}`, { url: receiver.url })).status).toBe(200);
    }
    await server.dataSource.query('DELETE FROM webhook_circuits');
    server.clock.advanceMs(3_600_000);
    await server.app.get(DeliveryDispatcherService).drain();
    const sent = receiver.requests.map(({ body }) => JSON.parse(body).event.id);
    expect(sent).toEqual(expect.arrayContaining(waiting.map(({ event_id }) => event_id)));
    await receiver.close();
  });
});

it('addresses of before get domains as DNS has them, once', async () => {
  const database = await createTestDatabase();
  const client = await connect(database);
  const emails = ['ada@bücher.example', 'kim@bücher.example', 'kim@xn--bcher-kva.example', 'jürgen@b.co'];
  await client.query(
    `INSERT INTO users (id, email, created_at, email_verified, alert_emails)
     SELECT 'user_' || position, email, now(), true, true FROM unnest($1::text[]) WITH ORDINALITY AS u (email, position)`,
    [emails],
  );
  const query = async (sql: string, values?: unknown[]) => (await client.query(sql, values)).rows as unknown;
  await new EmailDomains1768000000000().up({ query } as QueryRunner);
  const { rows } = await client.query<{ email: string }>('SELECT email FROM users ORDER BY id');
  expect(rows.map(({ email }) => email)).toEqual(['ada@xn--bcher-kva.example', ...emails.slice(1)]);
  await client.end();
  await database.drop();
});

it('fills first-seen fields from a last contact within a day of the first, and counts the day of the last contact', async () => {
  const database = await createTestDatabase();
  const client = await connect(database);
  await client.query(`INSERT INTO projects (id, name, created_at) VALUES ('proj1', 'App', now())`);
  await client.query(
    `INSERT INTO customers (project_id, id, original_app_user_id, created_at, first_seen_at, last_seen_at,
       first_seen_country, last_seen_country, last_seen_platform, last_seen_app_version)
     VALUES ('proj1', 'a', 'a', now(), '2026-05-01Z', '2026-05-01T23:59Z', NULL, 'DE', 'iOS', '1.0'),
       ('proj1', 'b', 'b', now(), '2026-05-01Z', '2026-05-01T23:59Z', 'US', 'DE', 'iOS', NULL),
       ('proj1', 'c', 'c', now(), '2026-05-01Z', '2026-05-02Z', NULL, 'DE', 'iOS', '1.0'),
       ('proj1', 'd', 'd', now(), '2026-05-01Z', NULL, NULL, NULL, NULL, NULL)`,
  );
  const query = async (sql: string, values?: unknown[]) => (await client.query(sql, values)).rows as unknown;
  for (let run = 1; run <= 2; run++) await new FirstSeen1769800000000().up({ query } as QueryRunner);
  const { rows } = await client.query<object>(
    'SELECT first_seen_country, first_seen_platform, first_seen_app_version FROM customers ORDER BY id',
  );
  expect(rows.map((row) => Object.values(row))).toEqual([
    ['DE', 'iOS', '1.0'],
    ['US', 'iOS', null],
    [null, null, null],
    [null, null, null],
  ]);
  const days = await client.query<{ customer_id: string; day: string }>(
    'SELECT customer_id, day::text FROM customer_days ORDER BY customer_id',
  );
  expect(days.rows.map((row) => Object.values(row))).toEqual([
    ['a', '2026-05-01'],
    ['b', '2026-05-01'],
    ['c', '2026-05-02'],
  ]);
  await client.end();
  await database.drop();
});

describe('an empty database', () => {
  it('migrates by one of several processes that start together', async () => {
    const database = await createTestDatabase({ migrated: false });
    const ran = await Promise.all([1, 2, 3].map(() => runMigrations(database.url)));
    expect(ran.filter((names) => names.length > 0)).toHaveLength(1);
    expect(ran.flat().at(-1)).toBe(migrations.at(-1)?.name);
    await database.drop();
  });
});
