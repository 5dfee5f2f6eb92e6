import { ManualClock } from '../../libs/kernel/index.js';
import { SqlSessionsService } from '../../src/exports/sql-users/sql-sessions.service.js';
import { describeAccess } from '../support/access-checks.js';
import { createSecretKey, type SignedUp, signUp } from '../support/arrange.js';
import { connectSql, createSqlUser, insertSqlRows, sqlViews } from '../support/sql-access.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { walkList } from '../support/walk-list.js';

const DAY_MS = 24 * 3_600_000;

describe('SQL users', () => {
  let server: TestServer;
  let owner: SignedUp;
  let path: string;

  beforeAll(async () => {
    server = await startTestServer({
      // PostgreSQL judges by its own clock when a password expires.
      clock: new ManualClock(Date.now()),
      env: { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_TRUST_PROXY: 'true' },
    });
  });

  afterAll(async () => {
    // Their bodies are not those of events that the server sends.
    await server.dataSource.query('DELETE FROM events');
    await server.close();
  });

  beforeEach(async () => {
    owner = await signUp(server);
    path = `/v2/projects/${owner.projectId}/sql_users`;
    server.clock.advanceMs(1);
  });

  const roleOf = async (name: string) => {
    const [role] = await server.dataSource.query(
      `SELECT rolcanlogin AS login, rolinherit AS inherit, rolcreatedb AS createdb, rolcreaterole AS createrole,
         rolbypassrls AS bypassrls, rolsuper AS super, rolconnlimit AS connections, rolconfig AS config,
         rolvaliduntil AS until FROM pg_roles WHERE rolname = $1`,
      [name],
    );
    return role ?? null;
  };

  it('creates a role that can log in, read and little else', async () => {
    const made = await createSqlUser(owner);
    const { email } = (await owner.session.get('/auth/me')).body.user;
    expect(made).toEqual({
      object: 'sql_user',
      id: expect.stringMatching(/^sqlu_.{16}$/),
      name: 'Metabase',
      role_name: expect.stringMatching(/^tenure_sql_[a-z2-7]{16}$/),
      state: 'active',
      created_at: server.clock.nowMs(),
      created_by: email,
      expires_at: null,
      last_seen_at: null,
      password: expect.stringMatching(/^[0-9A-Za-z]{32}$/),
      connection_url: expect.stringContaining(`://${made.role_name}:${made.password}@127.0.0.1`),
      warnings: [expect.stringMatching(/^SQL users may create temporary tables/)],
    });
    expect(await roleOf(made.role_name)).toEqual({
      login: true,
      inherit: false,
      createdb: false,
      createrole: false,
      bypassrls: false,
      super: false,
      connections: 5,
      config: [
        'search_path=tenure_v1',
        'default_transaction_read_only=on',
        'statement_timeout=60s',
        'idle_in_transaction_session_timeout=60s',
        'idle_session_timeout=1h',
        'work_mem=32MB',
        'jit=off',
      ],
      until: expect.anything(),
    });
    const { password, connection_url: connectionUrl, warnings, ...shown } = made;
    expect([password, connectionUrl, warnings]).not.toContain(undefined);
    expect((await owner.session.get(`${path}/${made.id}`)).body).toEqual(shown);
    const list = await owner.session.get(path);
    expect(list.body).toMatchObject({ items: [shown], access: 'primary' });
    expect(list.text).not.toContain(password);
    const log = await owner.session.get(`/v2/projects/${owner.projectId}/audit_logs?limit=1`);
    expect(log.body.items).toMatchObject([{ action_type: 'sql_user_created', target_identifier: made.id }]);
    expect(log.text).not.toContain(password);
  });

  it('shows each user the rows of its own project', async () => {
    const other = await signUp(server);
    await insertSqlRows(server.dataSource, owner.projectId, 'own', 3);
    await insertSqlRows(server.dataSource, other.projectId, 'SECRET', 4);
    const { connection_url: url } = await createSqlUser(owner);
    const sql = await connectSql(url);
    for (const view of sqlViews) {
      const rows = await sql.rows(`SELECT * FROM ${view}`);
      expect([view, rows.length]).toEqual([view, 3]);
      expect(JSON.stringify(rows)).not.toContain('SECRET');
    }
    await sql.close();
  });

  it('replaces the password, ends open sessions and refuses the old password', async () => {
    const made = await createSqlUser(owner);
    const sql = await connectSql(made.connection_url);
    const rotated = await owner.session.post(`${path}/${made.id}/actions/rotate`, {});
    expect(rotated.status).toBe(200);
    expect(rotated.body).toMatchObject({ id: made.id, role_name: made.role_name, state: 'active' });
    expect(await sql.refusal('SELECT 1')).not.toBeNull();
    await expect(connectSql(made.connection_url)).rejects.toThrow(/password authentication failed/);
    const again = await connectSql(rotated.body.connection_url);
    await again.close();
  });

  it('deletes the role with its user, and ends open sessions', async () => {
    const made = await createSqlUser(owner);
    const sql = await connectSql(made.connection_url);
    await sql.rows('SELECT * FROM transactions');
    const deleted = await owner.session.delete(`${path}/${made.id}`);
    expect(deleted.body).toEqual({ object: 'sql_user', id: made.id, deleted_at: server.clock.nowMs() });
    expect(await sql.refusal('SELECT 1')).not.toBeNull();
    expect(await roleOf(made.role_name)).toBeNull();
    expect((await owner.session.get(`${path}/${made.id}`)).status).toBe(404);
    expect((await owner.session.delete(`${path}/${made.id}`)).status).toBe(404);
    expect((await owner.session.post(`${path}/${made.id}/actions/rotate`, {})).status).toBe(404);
  });

  it('lets a user in until it expires', async () => {
    const made = await createSqlUser(owner, { expires_at: server.clock.nowMs() + DAY_MS });
    expect(made).toMatchObject({ state: 'active', expires_at: server.clock.nowMs() + DAY_MS });
    expect((await roleOf(made.role_name)).until.getTime()).toBe(made.expires_at);
    await insertSqlRows(server.dataSource, owner.projectId, 'own', 1);
    const sql = await connectSql(made.connection_url);
    expect(await sql.rows('SELECT id FROM events')).toHaveLength(1);
    await server.dataSource.query(
      `UPDATE sql_users SET expires_at = now() - interval '1 s' WHERE role_name = $1`,
      [made.role_name],
    );
    expect(await sql.rows('SELECT id FROM events')).toEqual([]);
    await sql.close();
    server.clock.advanceMs(DAY_MS);
    expect((await owner.session.get(`${path}/${made.id}`)).body.state).toBe('expired');
  });

  it('lists users oldest first, page by page, and has at most 20', async () => {
    for (let index = 1; index <= 20; index++) {
      server.clock.advanceMs(1);
      await createSqlUser(owner, { name: `user ${index}` });
    }
    const items = await walkList(owner.session, path, 7);
    expect(items.map(({ name }) => name)).toEqual(items.map((_, index) => `user ${index + 1}`));
    expect(items).toHaveLength(20);
    const more = await owner.session.post(path, { name: 'one more' });
    expect([more.status, more.body.type]).toEqual([422, 'unprocessable_entity_error']);
  });

  it.each<[object, string]>([
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(61) }, 'name'],
    [{ name: 'a', expires_at: 'soon' }, 'expires_at'],
    [{ name: 'a', expires_at: 1 }, 'expires_at'],
  ])('rejects %j with 400', async (body, param) => {
    const answer = await owner.session.post(path, body);
    expect([answer.status, answer.body.param]).toEqual([400, param]);
  });

  it('needs permission to read customers and their purchases, besides keys', async () => {
    const permissions = [
      'project_configuration:api_keys:read_write',
      'customer_information:customers:read',
      'customer_information:subscriptions:read',
      'customer_information:purchases:read',
    ];
    for (const missing of permissions) {
      const { client } = await createSecretKey(
        owner.session,
        owner.projectId,
        permissions.filter((permission) => permission !== missing),
      );
      const answer = await client.post(path, { name: 'Metabase' });
      expect(answer.body.message).toContain(missing);
      expect(answer.status).toBe(403);
    }
    const { client } = await createSecretKey(owner.session, owner.projectId, permissions);
    expect((await client.post(path, { name: 'Metabase' })).status).toBe(201);
  });

  it('hides users of other projects', async () => {
    const { id } = await createSqlUser(owner);
    const other = await signUp(server);
    const foreign = `/v2/projects/${other.projectId}/sql_users`;
    expect((await other.session.get(foreign)).body.items).toEqual([]);
    expect((await other.session.get(`${foreign}/${id}`)).status).toBe(404);
    expect((await other.session.delete(`${foreign}/${id}`)).status).toBe(404);
    expect((await other.session.post(`${foreign}/${id}/actions/rotate`, {})).status).toBe(404);
    expect((await other.session.get(path)).status).toBe(404);
  });

  it('closes the views of a deleted project at once', async () => {
    await insertSqlRows(server.dataSource, owner.projectId, 'own', 2);
    const { connection_url: url, role_name: role } = await createSqlUser(owner);
    const sql = await connectSql(url);
    expect(await sql.rows('SELECT id FROM ledger')).toHaveLength(2);
    expect((await owner.session.delete(`/v2/projects/${owner.projectId}`)).status).toBe(200);
    expect(await sql.rows('SELECT id FROM ledger')).toEqual([]);
    await sql.close();
    await server.app.get(SqlSessionsService).watch();
    expect(await roleOf(role)).toBeNull();
  });

  describe.each<[string, NodeJS.ProcessEnv, string]>([
    ['that is off', { SERVICE_SQL_ACCESS: 'off' }, 'Set SERVICE_SQL_ACCESS'],
    ['without a replica', { SERVICE_SQL_ACCESS: 'replica' }, 'SERVICE_DATABASE_REPLICA_URLS'],
    ['of a hosted server', { SERVICE_EDITION: 'cloud' }, 'A hosted server'],
  ])('on a server %s', (_, env, message) => {
    let closed: TestServer;

    beforeAll(async () => {
      closed = await startTestServer({
        databaseUrl: server.databaseUrl,
        env: { SERVICE_ROLE: 'api', ...env },
      });
    });

    afterAll(() => closed.close());

    it('answers 422 with the reason, and lists and deletes users', async () => {
      const { id } = await createSqlUser(owner);
      const { key } = await createSecretKey(owner.session, owner.projectId);
      const here = closed.http.withKey(key);
      for (const [url, body] of [
        [path, { name: 'Metabase' }],
        [`${path}/${id}/actions/rotate`, {}],
      ] as const) {
        const answer = await here.post(url, body);
        expect([answer.status, answer.body.type]).toEqual([422, 'unprocessable_entity_error']);
        expect(answer.body.message).toContain(message);
      }
      expect((await here.get(path)).body.items).toHaveLength(1);
      expect((await here.delete(`${path}/${id}`)).status).toBe(200);
    });
  });

  describeAccess(
    () => server,
    'GET',
    (projectId) => `/v2/projects/${projectId}/sql_users`,
    'project_configuration:api_keys:read',
  );
  describeAccess(
    () => server,
    'POST',
    (projectId) => `/v2/projects/${projectId}/sql_users`,
    'project_configuration:api_keys:read_write',
  );
});
