import type pg from 'pg';
import { ManualClock } from '../../libs/kernel/index.js';
import { examineSqlAccess } from '../../src/cli/doctor/sql-access.js';
import { SqlSessionsService } from '../../src/exports/sql-users/sql-sessions.service.js';
import { type SignedUp, signUp } from '../support/arrange.js';
import { type CommandResult, runCommand } from '../support/command-line.js';
import { createOwnerRole, type OwnerRole } from '../support/database/owner-role.js';
import { connectSql, createSqlUser, insertSqlRows, type SqlClient } from '../support/sql-access.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

describe.each<[string, 'CREATEROLE' | 'NOCREATEROLE']>([
  ['may create roles', 'CREATEROLE'],
  ['may not create roles', 'NOCREATEROLE'],
])('a server whose role owns the database and %s', (_, privilege) => {
  let role: OwnerRole;
  let server: TestServer;
  let owner: SignedUp;
  let path: string;
  let open: SqlClient[];

  beforeAll(async () => {
    role = await createOwnerRole(privilege);
    server = await startTestServer({
      databaseUrl: role.url,
      clock: new ManualClock(Date.now()),
      // Never through the pooler of the run, which has a role of its own.
      env: { DATABASE_URL: role.url, SERVICE_ALLOW_SIGNUP: 'true', SERVICE_TRUST_PROXY: 'true' },
    });
  });

  afterAll(async () => {
    await server.close();
    await role.drop();
  });

  beforeEach(async () => {
    open = [];
    owner = await signUp(server);
    path = `/v2/projects/${owner.projectId}/sql_users`;
    await insertSqlRows(server.dataSource, owner.projectId, owner.projectId, 3);
  });

  afterEach(async () => {
    for (const sql of open) await sql.close();
  });

  const watch = (): Promise<void> => server.app.get(SqlSessionsService).watch();
  const connect = async (url: string): Promise<SqlClient> => {
    const sql = await connectSql(url);
    open.push(sql);
    return sql;
  };
  const isOpen = async (sql: SqlClient): Promise<boolean> => (await sql.refusal('SELECT 1')) === null;
  const roles = async (): Promise<unknown[]> =>
    (
      await role.admin.query<pg.QueryResultRow>(
        `SELECT r.rolcanlogin AS login FROM pg_roles r
       WHERE r.rolname ~ '^tenure_sql_' AND has_schema_privilege(r.oid, 'tenure_v1', 'USAGE')`,
      )
    ).rows;
  const tenure = (...args: string[]): Promise<CommandResult> =>
    runCommand(['sql-user', ...args], {
      DATABASE_URL: role.url,
      SERVICE_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
      SERVICE_DEMO: 'false',
      SERVICE_SQL_ACCESS: 'primary',
    });

  if (privilege === 'CREATEROLE') {
    it('creates a SQL user, ends its sessions, replaces its password and drops its role', async () => {
      const user = await createSqlUser(owner);
      const first = await connect(user.connection_url);
      expect(await first.rows('SELECT id FROM events')).toHaveLength(3);
      expect(await first.refusal('SELECT * FROM public.events')).toMatch(/permission denied/);
      await first.rows('SELECT pg_advisory_lock(1)');
      await watch();
      expect(await isOpen(first)).toBe(false);
      const second = await connect(user.connection_url);
      const rotated = await owner.session.post(`${path}/${user.id}/actions/rotate`, {});
      expect(rotated.status).toBe(200);
      expect(await isOpen(second)).toBe(false);
      await expect(connect(user.connection_url)).rejects.toThrow(/password authentication failed/);
      const third = await connect(rotated.body.connection_url);
      expect((await owner.session.delete(`${path}/${user.id}`)).status).toBe(200);
      expect(await isOpen(third)).toBe(false);
      expect(await roles()).toEqual([]);
    });

    it('blocks a user whose sessions keep holding locks', async () => {
      const user = await createSqlUser(owner);
      for (let round = 0; round < 3; round++) {
        await (await connect(user.connection_url)).rows('SELECT pg_advisory_lock(1)');
        await watch();
      }
      expect(await roles()).toEqual([{ login: false }]);
      expect((await owner.session.delete(`${path}/${user.id}`)).status).toBe(200);
      expect(await roles()).toEqual([]);
    });

    it('creates and deletes a user on the command line', async () => {
      const made = await tenure('create', '--project', owner.projectId, '--name', 'Metabase', '--json');
      const { id, connection_url: url } = JSON.parse(made.output);
      expect(await (await connect(url)).rows('SELECT id FROM ledger')).toHaveLength(3);
      expect((await tenure('delete', id)).status).toBe(0);
      expect(await roles()).toEqual([]);
    });
    return;
  }

  const refusal = /may not create roles\. Run `tenure sql-user create --print-sql`/;

  /** A user by the statements that an administrator runs. */
  async function createPrinted(): Promise<{ id: string; url: string }> {
    const made = await tenure('create', '--project', owner.projectId, '--name', 'Printed', '--print-sql');
    expect([made.status, made.errors]).toEqual([0, made.errors]);
    await role.admin.query(made.output);
    const [line = '', url = ''] = made.errors.split('\n');
    return { id: line.split(' ')[0] ?? '', url };
  }

  it('answers 422 with the command that helps, and creates nothing', async () => {
    const answer = await owner.session.post(path, { name: 'Metabase' });
    expect([answer.status, answer.body.type]).toEqual([422, 'unprocessable_entity_error']);
    expect(answer.body.message).toMatch(refusal);
    const command = await tenure('create', '--project', owner.projectId, '--name', 'Metabase');
    expect([command.status, command.output]).toEqual([1, '']);
    expect(command.errors).toMatch(refusal);
    expect((await owner.session.get(path)).body.items).toEqual([]);
    expect(await roles()).toEqual([]);
  });

  it('ends sessions of a user that an administrator created, also after it could not block the user', async () => {
    const { id, url } = await createPrinted();
    for (let round = 0; round < 4; round++) {
      const sessions = [await connect(url), await connect(url), await connect(url)];
      for (const sql of sessions) await sql.rows('SELECT pg_advisory_lock_shared(1)');
      await watch();
      for (const sql of sessions) expect([round, await isOpen(sql)]).toEqual([round, false]);
    }
    expect((await owner.session.get(`${path}/${id}`)).body.state).toBe('blocked');
    expect(await roles()).toEqual([{ login: true }]);
    const idle = await connect(url);
    await watch();
    expect(await isOpen(idle)).toBe(false);
    await owner.session.delete(`${path}/${id}`);
    await dropRoles();
  });

  it('answers 422 for a new password, and the old one remains valid', async () => {
    const { id, url } = await createPrinted();
    const answer = await owner.session.post(`${path}/${id}/actions/rotate`, {});
    expect([answer.status, answer.body.type]).toEqual([422, 'unprocessable_entity_error']);
    const command = await tenure('rotate', id);
    expect([command.status, command.output]).toEqual([1, '']);
    expect(await (await connect(url)).rows('SELECT id FROM events')).toHaveLength(3);
    await owner.session.delete(`${path}/${id}`);
    await dropRoles();
  });

  it('deletes a user whose role an administrator drops later', async () => {
    const { id, url } = await createPrinted();
    const sql = await connect(url);
    expect(await sql.rows('SELECT id FROM events')).toHaveLength(3);
    expect((await owner.session.delete(`${path}/${id}`)).status).toBe(200);
    expect(await isOpen(sql)).toBe(false);
    expect(await (await connect(url)).rows('SELECT id FROM events')).toEqual([]);
    await dropRoles();
    expect(await server.dataSource.query('SELECT * FROM sql_role_drops')).toEqual([]);
  });

  /** Does what doctor says as an administrator. */
  async function dropRoles(): Promise<void> {
    const findings = await examineSqlAccess(server.dataSource, server.config);
    const statements = findings.map(({ text }) => /sees no rows: (.*)$/.exec(text)?.[1] ?? '');
    expect(statements.join('')).toContain('DROP ROLE');
    await watch();
    await role.admin.query(statements.join(';'));
    expect(await roles()).toEqual([]);
    await server.dataSource.query('UPDATE sql_role_drops SET due_at = now()');
    await watch();
  }
});
