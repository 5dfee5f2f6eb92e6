import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { Registry } from 'prom-client';
import { ManualClock } from '../../libs/kernel/index.js';
import { examineSqlAccess } from '../../src/cli/doctor/sql-access.js';
import { SqlSessionsService } from '../../src/exports/sql-users/sql-sessions.service.js';
import type { Config } from '../../src/platform/config/config.js';
import { NotificationListenerService } from '../../src/platform/database/connections/notification-listener.service.js';
import type { Json } from '../support/api-client.js';
import { type SignedUp, signUp } from '../support/arrange.js';
import { connectSql, createSqlUser, type SqlClient, startSleeping } from '../support/sql-access.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

describe('sessions of SQL users', () => {
  let server: TestServer;
  let owner: SignedUp;
  let user: Json;
  let open: SqlClient[];
  const ownRoles: string[] = [];

  beforeAll(async () => {
    server = await startTestServer({
      clock: new ManualClock(Date.now()),
      env: { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_TRUST_PROXY: 'true' },
    });
  });

  afterAll(async () => {
    for (const role of ownRoles) await server.dataSource.query(`DROP ROLE IF EXISTS ${role}`);
    await server.close();
  });

  beforeEach(async () => {
    open = [];
    owner = await signUp(server);
    user = await createSqlUser(owner);
  });

  afterEach(async () => {
    for (const sql of open) await sql.close();
  });

  const watch = (): Promise<void> => server.app.get(SqlSessionsService).watch();
  const connect = async (url = user.connection_url): Promise<SqlClient> => {
    const sql = await connectSql(url);
    open.push(sql);
    return sql;
  };
  const isOpen = async (sql: SqlClient): Promise<boolean> => (await sql.refusal('SELECT 1')) === null;
  /** Runs `work` with other settings. */
  const withConfig = async (settings: Partial<Config>, work: () => Promise<void>): Promise<void> => {
    const { config } = server;
    const before = Object.fromEntries(
      Object.keys(settings).map((name) => [name, Reflect.get(config, name) as unknown]),
    );
    Object.assign(config, settings);
    try {
      await work();
    } finally {
      Object.assign(config, before);
    }
  };
  const endedFor = async (reason: string): Promise<number> => {
    const text = await server.app.get(Registry).metrics();
    return Number(
      new RegExp(`^tenure_sql_sessions_ended_total\\{reason="${reason}"\\} (\\d+)`, 'm').exec(text)?.[1],
    );
  };
  const userNow = async (): Promise<Json> =>
    (await owner.session.get(`/v2/projects/${owner.projectId}/sql_users/${user.id}`)).body;

  it('leaves quick statements alone and notes that the user was seen', async () => {
    const sql = await connect();
    await sql.rows('SELECT count(*) FROM transactions');
    await watch();
    expect(await isOpen(sql)).toBe(true);
    expect((await userNow()).last_seen_at).toBe(Math.floor(server.clock.nowMs() / 60_000) * 60_000);
    expect(await server.app.get(Registry).metrics()).toMatch(/^tenure_sql_sessions 1$/m);
  });

  it('ends a statement that takes too long, whatever timeout the user sets', async () => {
    const before = await endedFor('statement');
    const sql = await connect();
    await sql.rows('SET statement_timeout = 0');
    const { ended } = await startSleeping(sql, server.databaseUrl);
    await withConfig({ sqlStatementSeconds: 0 }, watch);
    expect(await ended).toMatch(/terminat/);
    expect(await endedFor('statement')).toBe(before + 1);
  });

  it('ends a transaction that stays open too long', async () => {
    const sql = await connect();
    await sql.rows('BEGIN');
    await sql.rows('SELECT 1');
    await withConfig({ sqlStatementSeconds: 0 }, watch);
    expect(await isOpen(sql)).toBe(false);
  });

  it('ends a session that holds an advisory lock, and blocks the user after three within an hour', async () => {
    for (const state of ['active', 'active', 'blocked']) {
      const sql = await connect();
      await sql.rows('SELECT pg_advisory_lock(746210001)');
      await watch();
      expect(await isOpen(sql)).toBe(false);
      expect((await userNow()).state).toBe(state);
    }
    await expect(connect()).rejects.toThrow(/not permitted to log in/);
    const [alert] = await server.dataSource.query(
      `SELECT cause, details ->> 'name' AS name, resolved_at FROM project_alerts WHERE subject_id = $1`,
      [user.id],
    );
    expect(alert).toEqual({ cause: 'sql_user_blocked', name: 'Metabase', resolved_at: null });
    const rotated = await owner.session.post(
      `/v2/projects/${owner.projectId}/sql_users/${user.id}/actions/rotate`,
      {},
    );
    expect(rotated.body.state).toBe('active');
    expect(await isOpen(await connect(rotated.body.connection_url))).toBe(true);
  });

  it('counts locks of the last hour only', async () => {
    for (let round = 0; round < 4; round++) {
      const sql = await connect();
      await sql.rows('SELECT pg_advisory_lock(1)');
      await watch();
      server.clock.advanceMs(31 * 60_000);
    }
    expect((await userNow()).state).toBe('active');
  });

  it('does nothing for notifications that a user forges', async () => {
    const listener = server.app.get(NotificationListenerService);
    let isHeard = false;
    listener.on('tenure_test_end', (payload) => {
      isHeard ||= payload === 'end';
    });
    const { handlers } = listener as unknown as { handlers: Map<string, unknown> };
    const channels = [...handlers.keys(), 'tenure_credentials_changed'];
    const { projectId } = owner;
    const forged = ['', 'x', '[', '{}', '[1]', '["proj"]', projectId, `${projectId} app`, 'y'.repeat(7_999)];
    const sql = await connect();
    for (const channel of channels)
      for (const payload of forged) await sql.rows('SELECT pg_notify($1, $2)', [channel, payload]);
    for (const channel of channels)
      await sql.rows(`SELECT pg_notify($1, $2 || n) FROM generate_series(1, 1000) n`, [channel, projectId]);
    while (!isHeard) await sql.rows(`SELECT pg_notify('tenure_test_end', 'end')`);
    expect((await userNow()).state).toBe('active');
    expect(await server.dataSource.query('SELECT kind FROM store_tasks')).toEqual([]);
  });

  it('ends sessions of an expired user', async () => {
    const sql = await connect();
    await server.dataSource.query(`UPDATE sql_users SET expires_at = now() WHERE id = $1`, [user.id]);
    await watch();
    expect(await isOpen(sql)).toBe(false);
  });

  it('ends sessions on the primary while users must use a replica, and all while access is off', async () => {
    for (const sqlAccess of ['replica', 'off'] as const) {
      const sql = await connect();
      await withConfig({ sqlAccess }, watch);
      expect([sqlAccess, await isOpen(sql)]).toEqual([sqlAccess, false]);
    }
    const sql = await connect();
    await withConfig({ edition: 'cloud' }, watch);
    expect(await isOpen(sql)).toBe(false);
  });

  it('ends sessions of a role without a user, which sees no rows and is listed by doctor', async () => {
    const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';
    const role = `tenure_sql_${[...randomBytes(16)].map((byte) => alphabet[byte % 32]).join('')}`;
    ownRoles.push(role);
    for (const text of [
      `CREATE ROLE ${role} LOGIN PASSWORD 'password'`,
      `GRANT USAGE ON SCHEMA tenure_v1 TO ${role}`,
      `GRANT SELECT ON ALL TABLES IN SCHEMA tenure_v1 TO ${role}`,
    ])
      await server.dataSource.query(text);
    const url = new URL(user.connection_url as string);
    url.username = role;
    url.password = 'password';
    const sql = await connect(url.toString());
    expect(await sql.rows('SELECT * FROM tenure_v1.customers')).toEqual([]);
    const texts = (await examineSqlAccess(server.dataSource, server.config)).map(({ text }) => text);
    expect(texts).toContain(
      `The role ${role} belongs to no SQL user and sees no rows: DROP OWNED BY ${role}; DROP ROLE ${role}`,
    );
    await watch();
    expect(await isOpen(sql)).toBe(false);
    await server.dataSource.query(`DROP OWNED BY ${role}`);
  });

  it('tries again to drop a role that something still needs, which cannot log in until then', async () => {
    // A privilege in another database of the PostgreSQL server.
    const elsewhere = new URL(server.databaseUrl);
    elsewhere.pathname = '/postgres';
    const admin = new pg.Client({ connectionString: elsewhere.toString() });
    await admin.connect();
    await admin.query(`GRANT USAGE ON SCHEMA public TO ${user.role_name}`);
    const path = `/v2/projects/${owner.projectId}/sql_users/${user.id}`;
    expect((await owner.session.delete(path)).status).toBe(200);
    await expect(connect()).rejects.toThrow(/not permitted to log in/);
    await admin.query(`REVOKE USAGE ON SCHEMA public FROM ${user.role_name}`);
    await admin.end();
    await watch();
    await expect(connect()).rejects.toThrow(/not permitted to log in/);
    await server.dataSource.query('UPDATE sql_role_drops SET due_at = now()');
    await watch();
    await expect(connect()).rejects.toThrow(/password authentication failed/);
    expect(await server.dataSource.query('SELECT * FROM sql_role_drops')).toEqual([]);
  });
});
