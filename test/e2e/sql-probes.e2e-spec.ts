import pg from 'pg';
import { SqlSessionsService } from '../../src/exports/sql-users/sql-sessions.service.js';
import type { Config } from '../../src/platform/config/config.js';
import type { Json } from '../support/api-client.js';
import { type SignedUp, signUp } from '../support/arrange.js';
import { type ReplicatedDatabase, startReplicatedDatabase } from '../support/database/streaming-replica.js';
import {
  connectSql,
  createSqlUser,
  insertSqlRows,
  type SqlClient,
  sqlUrlAt,
  startSleeping,
  sqlViews,
} from '../support/sql-access.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const OWN_ROWS = 40;
const OTHER_ROWS = 2_000;
const baseTables = [
  'sql_users',
  'report_transactions',
  'report_customers',
  'report_subscriptions',
  'store_transactions',
  'events',
  'apps',
  'users',
];

/** Every answer, error, notice and plan that a user of project A got must be free of what project B has. */
const SECRET = 'SECRET';

describe('isolation of SQL users', () => {
  let database: ReplicatedDatabase;
  let server: TestServer;
  let own: SignedUp;
  let other: SignedUp;
  let user: Json;
  let otherUser: Json;
  let admin: pg.Client;

  beforeAll(async () => {
    database = await startReplicatedDatabase();
    server = await startTestServer({
      databaseUrl: database.primary.url,
      env: {
        SERVICE_ALLOW_SIGNUP: 'true',
        DATABASE_URL: database.primary.url,
        SERVICE_DATABASE_REPLICA_URLS: database.replica.url,
        SERVICE_ROLE: 'api',
      },
    });
    own = await signUp(server);
    other = await signUp(server);
    await insertSqlRows(server.dataSource, own.projectId, 'own', OWN_ROWS);
    await insertSqlRows(server.dataSource, other.projectId, SECRET, OTHER_ROWS);
    user = await createSqlUser(own);
    otherUser = await createSqlUser(other);
    await server.dataSource.query('ANALYZE');
    admin = new pg.Client({ connectionString: database.primary.url });
    await admin.connect();
    await caughtUp();
  });

  afterAll(async () => {
    await admin.end();
    await server.close();
    await database.stop();
  });

  /** Waits until the replica has replayed everything. */
  async function caughtUp(): Promise<void> {
    const { rows } = await admin.query<{ lsn: string }>('SELECT pg_current_wal_insert_lsn()::text AS lsn');
    const replica = new pg.Client({ connectionString: database.replica.url });
    await replica.connect();
    for (;;) {
      const answer = await replica.query<{ done: boolean }>(
        'SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn AS done',
        [rows[0]?.lsn],
      );
      if (answer.rows[0]?.done) break;
    }
    await replica.end();
  }

  const places = ['primary', 'replica'] as const;

  describe.each(places)('on the %s', (place) => {
    let sql: SqlClient;
    /** Everything that the user got to see. */
    let seen: string[];

    beforeEach(async () => {
      sql = await connectSql(sqlUrlAt(user.connection_url, database[place].url));
      seen = [];
    });

    afterEach(async () => {
      await sql.close();
      expect([...seen, ...sql.notices].join('\n')).not.toContain(SECRET);
    });

    const rows = async (text: string): Promise<Json[]> => {
      const found = await sql.rows(text);
      seen.push(JSON.stringify(found));
      return found;
    };
    /** The answer, or the message of the error. */
    const outcome = async (text: string): Promise<string> => {
      const answer = await sql.client.query(text).then(
        (result) => JSON.stringify(Array.isArray(result) ? result.map((one) => one.rows) : result.rows),
        ({ message, detail = '', hint = '' }: pg.DatabaseError) => `ERROR ${message} ${detail} ${hint}`,
      );
      seen.push(answer);
      return answer;
    };
    const refused = async (...texts: string[]): Promise<void> => {
      for (const text of texts)
        expect([text, await outcome(text)]).toEqual([text, expect.stringMatching(/^ERROR/)]);
    };

    it('counts the rows of the own project in every view', async () => {
      for (const view of sqlViews) {
        const [{ count }] = (await rows(`SELECT count(*)::int AS count FROM ${view}`)) as [Json];
        expect([view, count]).toEqual([view, view === 'daily_revenue' ? 30 : OWN_ROWS]);
        await rows(`SELECT * FROM ${view}`);
      }
    });

    it('takes no other identity', async () => {
      for (const setting of ['role', 'session_authorization'])
        await refused(`SET ${setting} = '${otherUser.role_name}'`, `SET ${setting} = 'tenure'`);
      await refused(
        `SELECT set_config('role', '${otherUser.role_name}', false)`,
        `GRANT ${otherUser.role_name} TO ${user.role_name}`,
      );
      await outcome('RESET ALL');
      await outcome(`SELECT set_config('tenure.project', '${other.projectId}', false)`);
      expect(await rows('SELECT id FROM tenure_v1.events')).toHaveLength(OWN_ROWS);
    });

    it('reads no table and no statistics', async () => {
      for (const table of baseTables)
        await refused(
          `SELECT * FROM public.${table}`,
          `COPY public.${table} TO STDOUT`,
          `TABLE public.${table}`,
        );
      await refused(
        'SELECT * FROM pg_statistic',
        'SELECT * FROM pg_authid',
        'SELECT * FROM pg_hba_file_rules',
        'SELECT * FROM pg_user_mapping',
        `SELECT query_to_xml('SELECT * FROM public.events', true, true, '')`,
        `SELECT table_to_xml('public.events', true, true, '')`,
        `SELECT table_to_xml('public.sql_users', true, true, '')`,
      );
      expect(await rows(`SELECT * FROM pg_stats WHERE schemaname = 'public'`)).toEqual([]);
      await outcome(`SELECT schema_to_xml('public', true, true, '')`);
      await outcome(`SELECT database_to_xml(true, true, '')`);
    });

    it('fails on values of the own project only', async () => {
      for (const settings of ['on', 'off']) {
        for (const name of ['enable_indexscan', 'enable_bitmapscan', 'enable_indexonlyscan'])
          await sql.rows(`SET ${name} = ${settings}`);
        for (const text of [
          'SELECT 1 FROM ledger WHERE CAST(id AS int) = 1',
          'SELECT 1 FROM transactions WHERE CAST(store_transaction_id AS int) = 1',
          'SELECT 1 FROM transactions ORDER BY CAST(presented_offering AS date)',
          "SELECT 1 FROM events WHERE (body ->> 'text')::int = 1",
          'SELECT 1 FROM customers WHERE (custom_attributes ->> 0)::int > 0 OR original_app_user_id::int = 1',
          'SELECT 1 FROM ledger a JOIN ledger b ON a.id::int = b.id::int',
          'SELECT count(*) FILTER (WHERE customer_id::jsonb IS NOT NULL) FROM subscriptions',
          'SELECT 1 FROM ledger WHERE 1 / (usd_micros - usd_micros) = 1',
          `SELECT 1 FROM daily_revenue WHERE country::int = 1`,
        ])
          expect(await outcome(text)).toMatch(/^ERROR .*(own_|division by zero)/);
      }
    });

    it('joins, searches and walks through the own rows only', async () => {
      for (const text of [
        'SELECT * FROM transactions t, LATERAL (SELECT * FROM ledger l WHERE l.customer_id <> t.customer_id LIMIT 2) x',
        'SELECT * FROM customers c FULL JOIN events e ON false',
        'SELECT * FROM customers WHERE EXISTS (SELECT 1 FROM ledger)',
        'WITH RECURSIVE all_ids AS (SELECT id FROM ledger UNION SELECT e.id FROM events e, all_ids) TABLE all_ids',
        'SELECT id, lag(id) OVER (ORDER BY random()) FROM events',
        'SELECT * FROM ledger WHERE id || $$x$$ LIKE $$SEC%$$ OR true',
        'SELECT string_agg(id, $$,$$) FROM subscriptions',
      ])
        expect((await rows(text)).length).toBeGreaterThan(0);
      for (const view of sqlViews)
        await refused(
          `SELECT ctid FROM ${view}`,
          `SELECT xmin FROM ${view}`,
          `SELECT tableoid FROM ${view}`,
          `SELECT * FROM ${view} TABLESAMPLE SYSTEM (100)`,
          `SELECT project_id FROM ${view}`,
        );
    });

    it('uses prepared statements and cursors with the present rights', async () => {
      await sql.rows('PREPARE mine AS SELECT id FROM ledger');
      for (let round = 0; round < 7; round++) expect(await rows('EXECUTE mine')).toHaveLength(OWN_ROWS);
      await sql.rows('BEGIN');
      await sql.rows('DECLARE held CURSOR WITH HOLD FOR SELECT id FROM events');
      await sql.rows('COMMIT');
      expect(await rows('FETCH ALL FROM held')).toHaveLength(OWN_ROWS);
      await admin.query('UPDATE sql_users SET expires_at = now() - interval $$1 s$$ WHERE id = $1', [
        user.id,
      ]);
      await caughtUp();
      try {
        expect(await rows('EXECUTE mine')).toEqual([]);
        for (const view of sqlViews) expect(await rows(`SELECT * FROM ${view}`)).toEqual([]);
      } finally {
        await admin.query('UPDATE sql_users SET expires_at = NULL WHERE id = $1', [user.id]);
        await caughtUp();
      }
      expect(await rows('EXECUTE mine')).toHaveLength(OWN_ROWS);
    });

    it('changes nothing', async () => {
      await outcome('SET default_transaction_read_only = off');
      for (const view of sqlViews)
        await refused(
          `DELETE FROM ${view}`,
          `TRUNCATE ${view}`,
          `LOCK TABLE ${view} IN ACCESS EXCLUSIVE MODE`,
          `DROP VIEW ${view}`,
          `ALTER VIEW ${view} RESET (security_barrier)`,
          `CREATE OR REPLACE VIEW tenure_v1.${view} AS SELECT 1`,
        );
      await refused(
        `UPDATE customers SET original_app_user_id = 'x'`,
        'INSERT INTO tenure_v1.customers (customer_id) VALUES (1)',
        'CREATE TABLE public.mine (a int)',
        'CREATE TABLE tenure_v1.mine (a int)',
        'CREATE SCHEMA mine',
        'CREATE ROLE mine',
        'CREATE EXTENSION dblink',
        `COPY (SELECT 1) TO PROGRAM 'true'`,
        `COPY (SELECT 1) TO '/tmp/mine'`,
        `SELECT pg_read_file('postgresql.conf')`,
        `SELECT pg_ls_dir('.')`,
        `SELECT lo_import('/etc/passwd')`,
        `ALTER ROLE ${user.role_name} SUPERUSER`,
        `ALTER ROLE ${user.role_name} CONNECTION LIMIT 100`,
        `ALTER ROLE ${otherUser.role_name} PASSWORD 'x'`,
        `SELECT pg_reload_conf()`,
      );
    });

    it('neither ends nor watches sessions of the server', async () => {
      const sessions = await rows(
        `SELECT pid, query, state FROM pg_stat_activity WHERE usename IS DISTINCT FROM current_user AND pid IS NOT NULL`,
      );
      expect(sessions.length).toBeGreaterThan(0);
      for (const { query } of sessions) expect([null, '<insufficient privilege>']).toContain(query);
      const [first] = await rows(
        `SELECT pid FROM pg_stat_activity WHERE usename = 'tenure' AND backend_type = 'client backend' LIMIT 1`,
      );
      await refused(`SELECT pg_terminate_backend(${first?.pid})`, `SELECT pg_cancel_backend(${first?.pid})`);
    });

    it('shows no values of other projects in plans, and estimates that do not depend on them', async () => {
      const theirs = await connectSql(sqlUrlAt(otherUser.connection_url, database[place].url));
      const bare = ['ledger.recorded_at', 'ledger.purchased_at', 'events.created_at', 'events.occurred_at'];
      const estimateOf = async (view: string, condition: string): Promise<unknown> => {
        const [plan] = await rows(`EXPLAIN (FORMAT JSON) SELECT * FROM ${view} WHERE ${condition}`);
        return plan?.['QUERY PLAN'][0].Plan['Plan Rows'];
      };
      let compared = 0;
      for (const view of sqlViews) {
        const columns = await sql.rows(
          `SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
           WHERE attrelid = 'tenure_v1.${view}'::regclass AND attnum > 0`,
        );
        for (const { name, type } of columns) {
          const [found] = await theirs.rows(
            `SELECT quote_literal(${name}::text) AS theirs FROM ${view} WHERE ${name} IS NOT NULL LIMIT 1`,
          );
          if (!found || type === 'boolean' || bare.includes(`${view}.${name}`)) continue;
          const nobodys: Record<string, string> = {
            text: "'nobody'",
            'text[]': "'{nobody}'",
            jsonb: `'{"nobody": 1}'`,
            date: "'1999-01-01'",
            'timestamp with time zone': "'1999-01-01'",
          };
          const [a, b] = [found.theirs as string, nobodys[type] ?? "'987654321'"];
          for (const operator of type === 'jsonb' ? ['=', '@>'] : ['=', '<', '>='])
            expect([
              view,
              name,
              operator,
              await estimateOf(view, `${name} ${operator} ${a}::${type}`),
            ]).toEqual([view, name, operator, await estimateOf(view, `${name} ${operator} ${b}::${type}`)]);
          if (type === 'text')
            expect([view, name, await estimateOf(view, `${name} LIKE 'SECRET%'`)]).toEqual([
              view,
              name,
              await estimateOf(view, `${name} LIKE 'nobody%'`),
            ]);
          // The literal is the user's own text.
          seen.splice(0);
          compared++;
        }
        await rows(`EXPLAIN (ANALYZE, BUFFERS, VERBOSE) SELECT * FROM ${view}`);
      }
      expect(compared).toBeGreaterThan(80);
      await theirs.close();
    });

    it('reads as many pages for an id of another project as for an unknown one', async () => {
      const pagesOf = async (view: string, column: string, id: string): Promise<unknown> => {
        const text = `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT * FROM ${view} WHERE ${column} = '${id}'`;
        const [plan] = await sql.rows(text);
        const { 'Shared Hit Blocks': hit, 'Shared Read Blocks': read } = plan?.['QUERY PLAN'][0].Plan ?? {};
        return hit + read;
      };
      for (const [view, column, theirs] of [
        ['transactions', 'store_transaction_id', 'SECRET_transaction_7'],
        ['customers', 'customer_id', 'SECRET_customer_7'],
        ['subscriptions', 'id', 'SECRET_subscription_7'],
        ['ledger', 'id', 'SECRET_ledger_7'],
        ['events', 'id', 'SECRET_event_7'],
      ] as const) {
        await pagesOf(view, column, theirs);
        const nobodys = await pagesOf(view, column, theirs.replace('SECRET', 'NOBODY'));
        expect([view, await pagesOf(view, column, theirs)]).toEqual([view, nobodys]);
      }
    });
  });

  it('calls functions of a user with rows of the own project only, also without indexes', async () => {
    const sql = await connectSql(user.connection_url);
    await sql.rows('SET default_transaction_read_only = off');
    for (const name of ['enable_indexscan', 'enable_bitmapscan', 'enable_indexonlyscan'])
      await sql.rows(`SET ${name} = off`);
    await sql.rows(`CREATE FUNCTION pg_temp.leak(text) RETURNS boolean COST 0.0000001 LANGUAGE plpgsql AS
      $$ BEGIN RAISE NOTICE '%', $1; RETURN true; END $$`);
    await sql.rows(`CREATE FUNCTION pg_temp.leak2(text, text) RETURNS boolean COST 0.0000001 LANGUAGE plpgsql AS
      $$ BEGIN RAISE NOTICE '%', $1; RETURN true; END $$`);
    await sql.rows('CREATE OPERATOR pg_temp.<<< (LEFTARG = text, RIGHTARG = text, FUNCTION = pg_temp.leak2)');
    expect(await sql.refusal('ALTER FUNCTION pg_temp.leak(text) LEAKPROOF')).toContain('superuser');
    for (const [view, column] of [
      ['transactions', 'store_transaction_id'],
      ['customers', 'customer_id'],
      ['subscriptions', 'id'],
      ['ledger', 'id'],
      ['events', 'id'],
      ['daily_revenue', 'country'],
    ] as const) {
      await sql.rows(`SELECT * FROM ${view} WHERE pg_temp.leak(${column})`);
      await sql.rows(`SELECT * FROM ${view} WHERE ${column} OPERATOR(pg_temp.<<<) 'x'`);
    }
    expect(sql.notices.length).toBeGreaterThan(5 * OWN_ROWS);
    expect(sql.notices.join()).not.toContain(SECRET);
    // Without the barrier the same condition sees all rows, so the probe would find that it is missing.
    await admin.query(
      `CREATE SCHEMA without_barrier; GRANT USAGE ON SCHEMA without_barrier TO ${user.role_name}`,
    );
    await admin.query(`DO $$ BEGIN EXECUTE 'CREATE VIEW without_barrier.transactions AS '
      || pg_get_viewdef('tenure_v1.transactions'::regclass); END $$`);
    await admin.query(`GRANT SELECT ON without_barrier.transactions TO ${user.role_name}`);
    await sql.rows('SELECT * FROM without_barrier.transactions WHERE pg_temp.leak(store_transaction_id)');
    expect(sql.notices.join()).toContain(SECRET);
    await admin.query('DROP SCHEMA without_barrier CASCADE');
    await sql.close();
  });

  it('writes and locks nothing on a replica', async () => {
    const sql = await connectSql(sqlUrlAt(user.connection_url, database.replica.url));
    for (const text of [
      'SET default_transaction_read_only = off; CREATE TEMP TABLE mine (a int)',
      'CREATE FUNCTION pg_temp.mine() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$',
      'SELECT lo_create(0)',
      `NOTIFY tenure_keys_changed`,
      `LISTEN tenure_keys_changed`,
      `ALTER ROLE ${user.role_name} SET statement_timeout = 0`,
    ])
      expect([text, await sql.refusal(text)]).toEqual([text, expect.any(String)]);
    await sql.close();
  });

  describe('sessions on the replica', () => {
    let guest: Json;
    let open: SqlClient[];

    beforeEach(async () => {
      open = [];
      guest = await createSqlUser(own);
      await caughtUp();
    });

    afterEach(async () => {
      for (const sql of open) await sql.close();
      await own.session.delete(pathOf(guest));
    });

    const pathOf = ({ id }: Json): string => `/v2/projects/${own.projectId}/sql_users/${id}`;
    const connect = async (
      place: (typeof places)[number],
      url = guest.connection_url,
    ): Promise<SqlClient> => {
      const sql = await connectSql(sqlUrlAt(url, database[place].url));
      open.push(sql);
      return sql;
    };
    const isOpen = async (sql: SqlClient): Promise<boolean> => (await sql.refusal('SELECT 1')) === null;
    /** A round of the watch job, with other settings. */
    const watch = async (settings: Partial<Config> = {}): Promise<void> => {
      const { sqlAccess, sqlStatementSeconds } = server.config;
      Object.assign(server.config, settings);
      await server.app.get(SqlSessionsService).watch();
      Object.assign(server.config, { sqlAccess, sqlStatementSeconds });
    };

    it('ends those with a slow statement or a lock, and no others', async () => {
      const [slow, locking, quiet] = [
        await connect('replica'),
        await connect('replica'),
        await connect('replica'),
      ];
      await slow.rows('SET statement_timeout = 0');
      const { ended } = await startSleeping(slow, database.replica.url);
      await watch({ sqlStatementSeconds: 0 });
      expect(await ended).toMatch(/terminat/);
      await locking.rows('SELECT pg_advisory_lock(746210001)');
      await watch();
      expect([await isOpen(locking), await isOpen(quiet)]).toEqual([false, true]);
    });

    it('ends only those on the primary while users must use the replica', async () => {
      const [here, there] = [await connect('replica'), await connect('primary')];
      await watch({ sqlAccess: 'replica' });
      expect([await isOpen(here), await isOpen(there)]).toEqual([true, false]);
      await watch({ sqlAccess: 'off' });
      expect(await isOpen(here)).toBe(false);
    });

    it('ends those of a user whose password is replaced, who expires or is deleted', async () => {
      const first = await connect('replica');
      const rotated = await own.session.post(`${pathOf(guest)}/actions/rotate`, {});
      expect(await isOpen(first)).toBe(false);
      await caughtUp();
      const second = await connect('replica', rotated.body.connection_url);
      await admin.query('UPDATE sql_users SET expires_at = now() WHERE id = $1', [guest.id]);
      await watch();
      expect(await isOpen(second)).toBe(false);
      await admin.query('UPDATE sql_users SET expires_at = NULL WHERE id = $1', [guest.id]);
      const third = await connect('replica', rotated.body.connection_url);
      expect((await own.session.delete(pathOf(guest))).status).toBe(200);
      expect(await isOpen(third)).toBe(false);
      await caughtUp();
      await expect(connect('replica', rotated.body.connection_url)).rejects.toThrow(
        /password authentication failed/,
      );
    });
  });
});
