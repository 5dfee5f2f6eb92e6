import fc from 'fast-check';
import pg from 'pg';
import { type SignedUp, signUp } from '../support/arrange.js';
import { createTestDatabase, type TestDatabase } from '../support/database/index.js';
import {
  createTell,
  StatementWriter,
  type ViewColumn,
  type ViewColumns,
} from '../support/exports/sql-statements.js';
import { connectSql, createSqlUser, insertSqlRows, type SqlClient, sqlViews } from '../support/sql-access.js';
import { startTestServer } from '../support/test-server.js';

const STATEMENTS = 1_000;
const OWN_ROWS = 25;
const OTHER_ROWS = 60;
/** Class of errors that depend on values. Others would be mistakes of the statements. */
const DATA_EXCEPTION = '22';
/** The seed is in the name of the test. */
const seed = fc.readConfigureGlobal().seed ?? 0;

/** Differences between the rows of a project; `seq`, or the number in the id, is the number of the row. */
const variety = [
  `UPDATE report_transactions SET country = CASE WHEN seq % 5 > 0 THEN country || seq % 3 END,
     product_identifier = product_identifier || seq % 4, is_trial_period = seq % 4 = 0, price_in_usd = seq % 7,
     purchase_price_in_usd = CASE WHEN seq % 6 > 0 THEN seq END, renewal_number = seq % 6 + 1,
     refunded_at = CASE WHEN seq % 3 = 0 THEN start_time + interval '1 day' END WHERE project_id = $1`,
  `UPDATE report_customers SET last_seen_platform = CASE WHEN seq % 4 > 0 THEN last_seen_platform || seq % 3 END
     WHERE project_id = $1`,
  `UPDATE report_subscriptions SET price_micros = seq % 8 * 1000000, gives_access = seq % 3 = 0 WHERE project_id = $1`,
  `UPDATE store_transactions SET usd_micros = split_part(id, '_', 3)::int % 9 * 1000000, country = country || kind_seq,
     kind = CASE WHEN split_part(id, '_', 3)::int % 5 = 0 THEN 'refund' ELSE kind END WHERE project_id = $1`,
  `UPDATE events SET type = type || sequence % 4, subscription_id = CASE WHEN sequence % 3 > 0 THEN subscription_id END
     WHERE project_id = $1`,
];

/** Gives rows of the other project the customers of the own one, and numbers and times that only the other one has. */
const temptations = [
  `UPDATE report_customers SET customer_id = replace(customer_id, 'SECRET', 'own'),
     first_seen_at = first_seen_at + interval '00:33:33' WHERE project_id = $1`,
  `UPDATE report_transactions SET customer_id = replace(customer_id, 'SECRET', 'own'), price_in_usd = price_in_usd + 66,
     renewal_number = renewal_number + 66, start_time = start_time + interval '00:33:33' WHERE project_id = $1`,
  `UPDATE report_subscriptions SET customer_id = replace(customer_id, 'SECRET', 'own'),
     price_micros = price_micros + 66000000, started_at = started_at + interval '00:33:33' WHERE project_id = $1`,
  `UPDATE store_transactions SET customer_id = replace(customer_id, 'SECRET', 'own'), usd_micros = usd_micros + 66000000,
     recorded_at = recorded_at + interval '00:33:33', purchased_at = purchased_at + interval '00:33:33' WHERE project_id = $1`,
  `UPDATE events SET customer_id = replace(customer_id, 'SECRET', 'own'), sequence = sequence + 66,
     created_at = created_at + interval '00:33:33', occurred_at = occurred_at + interval '00:33:33' WHERE project_id = $1`,
];
/** In every text and in the times of the other project. */
const SECRET = /secret|33:33/i;

describe('a statement of a SQL user', () => {
  let database: TestDatabase;
  /** The same without rows of the other project. */
  let ownDatabase: string;
  let admin: pg.Client;
  /** Connections of the same user: to its own rows alone, and to those of both projects, with indexes and without. */
  let alone: SqlClient;
  let together: SqlClient[];
  let views: ViewColumns;

  beforeAll(async () => {
    database = await createTestDatabase();
    const server = await startTestServer({
      databaseUrl: database.url,
      env: { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_ROLE: 'api' },
    });
    const own = await signUp(server);
    const other = await signUp(server);
    const [user, otherUser] = [await createSqlUser(own), await createSqlUser(other)];
    await insertSqlRows(server.dataSource, own.projectId, 'own', OWN_ROWS);
    for (const text of variety) await server.dataSource.query(text, [own.projectId]);
    await server.close();
    const name = new URL(database.url).pathname.slice(1);
    ownDatabase = `${name}_own`;
    admin = new pg.Client({ connectionString: process.env.TEST_ADMIN_DATABASE_URL });
    await admin.connect();
    await admin.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1`, [name]);
    await admin.query(`CREATE DATABASE ${ownDatabase} TEMPLATE ${name} STRATEGY FILE_COPY`);
    await insertOther(other);
    const url = user.connection_url as string;
    alone = await connected(url.replace(name, ownDatabase));
    together = [await connected(url), await connected(url)];
    for (const setting of ['enable_indexscan', 'enable_bitmapscan', 'enable_indexonlyscan'])
      await together[1]!.rows(`SET ${setting} = off`);
    const theirs = await connectSql(otherUser.connection_url);
    views = {};
    for (const view of sqlViews) views[view] = await columnsOf(view, alone, theirs);
    await theirs.close();
  });

  afterAll(async () => {
    for (const sql of [alone, ...together]) await sql.close();
    await admin.query(`DROP DATABASE ${ownDatabase} WITH (FORCE)`);
    await admin.end();
    await database.drop();
  });

  async function insertOther({ projectId }: SignedUp): Promise<void> {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await insertSqlRows(client, projectId, 'SECRET', OTHER_ROWS);
    for (const text of [...variety, ...temptations]) await client.query(text, [projectId]);
    await client.query('ANALYZE');
    await client.end();
  }

  async function connected(url: string): Promise<SqlClient> {
    const sql = await connectSql(url);
    await sql.rows('SET default_transaction_read_only = off');
    await sql.rows(createTell);
    return sql;
  }

  async function columnsOf(view: string, ours: SqlClient, theirs: SqlClient): Promise<ViewColumn[]> {
    const columns = await ours.rows(
      `SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
       WHERE attrelid = 'tenure_v1.${view}'::regclass AND attnum > 0`,
    );
    const written: ViewColumn[] = [];
    for (const { name, type } of columns) {
      const values = `SELECT DISTINCT quote_literal(${name}::text) || '::${type}' AS literal FROM ${view}
        WHERE ${name} IS NOT NULL ORDER BY 1 LIMIT 4`;
      const found = [...(await ours.rows(values)), ...(await theirs.rows(values))];
      const literals = found.map(({ literal }) => literal as string);
      written.push({ name, type, literals: literals.length > 0 ? literals : [`NULL::${type}`] });
    }
    return written;
  }

  /** Rows in any order, or the error without the value that caused it, which depends on the plan. */
  async function answerOf({ client, notices }: SqlClient, text: string): Promise<string[]> {
    notices.splice(0);
    const types = { getTypeParser: () => (value: unknown) => value } as unknown as pg.CustomTypesConfig;
    return client.query<unknown[]>({ text, rowMode: 'array', types }).then(
      ({ rows }) => rows.map((row) => JSON.stringify(row)).sort(),
      ({ code, message, detail }: pg.DatabaseError) => {
        if (code?.slice(0, 2) !== DATA_EXCEPTION) throw new Error(`${code} ${message}: ${text}`);
        notices.push(`${message} ${detail}`);
        return [`ERROR ${code} ${message.replace(/".*"/s, '')}`];
      },
    );
  }

  it(`answers as if no other project existed (seed ${seed})`, async () => {
    const counts = { withRows: 0, failed: 0, reported: 0 };
    await fc.assert(
      fc.asyncProperty(fc.gen(), async (generate) => {
        const text = new StatementWriter(views, (limit) => generate(fc.nat, { max: limit - 1 })).statement();
        const [expected = [], ...found] = await Promise.all(
          [alone, ...together].map((sql) => answerOf(sql, text)),
        );
        expect([text, ...found]).toEqual([text, expected, expected]);
        const notices = together.flatMap((sql) => sql.notices);
        expect([text, [found, notices].join()]).toEqual([text, expect.not.stringMatching(SECRET)]);
        if (expected[0]?.startsWith('ERROR')) counts.failed++;
        else if (expected.length > 0) counts.withRows++;
        if (notices.length > 0) counts.reported++;
      }),
      { numRuns: STATEMENTS },
    );
    // Fewer would mean that the statements find or fail on too little to compare.
    expect(counts.withRows).toBeGreaterThan(STATEMENTS / 2);
    expect(counts.failed).toBeGreaterThan(STATEMENTS / 50);
    expect(counts.reported).toBeGreaterThan(STATEMENTS / 10);
  });
});
