import pg from 'pg';
import { userIdOf, verifyDomain } from '../support/arrange-enterprise.js';
import { signUp } from '../support/arrange.js';
import { createTestDatabase, databaseSettings, type TestDatabase } from '../support/database/index.js';
import { ScimClient } from '../support/scim-client.js';
import { type ServerProcess, startServerProcess } from '../support/server-process.js';
import { untilBlocked } from '../support/until-blocked.js';

/** Same signature as the tests' helpers for rows. */
function dataSourceOf(client: pg.Client) {
  return {
    query: async (sql: string, values?: unknown[]) => (await client.query(sql, values)).rows as never,
  };
}

describe('a server that is killed while it deprovisions a person', () => {
  let database: TestDatabase;
  let client: pg.Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });

  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  function start(): Promise<ServerProcess> {
    const settings = databaseSettings(database.url);
    return startServerProcess(settings.DATABASE_URL ?? '', {
      ...settings,
      SERVICE_EE_DEV: 'true',
      SERVICE_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
      SERVICE_DEMO: 'false',
      SERVICE_ALLOW_SIGNUP: 'true',
      SERVICE_TRUST_PROXY: 'true',
    });
  }

  it('has done nothing of it; the next attempt ends sessions, memberships and access together', async () => {
    const killed = await start();
    const dataSource = dataSourceOf(client) as never;
    const owner = await signUp(killed);
    const { body: organization } = await owner.session.post('/v2/organizations', { name: 'Acme' });
    const server = { dataSource, clock: { nowMs: () => Date.now() } } as never;
    await verifyDomain(server, organization, 'acme.example');
    await client.query(
      `INSERT INTO organization_projects (org_id, project_id, region, added_at) VALUES ($1, $2, 'us', now())`,
      [organization.id, owner.projectId],
    );
    const { body: token } = await owner.session.post(`/v2/organizations/${organization.id}/scim/tokens`, {
      name: 'x',
    });
    const person = await signUp(killed, { email: 'p@acme.example' });
    const scim = new ScimClient(`${killed.baseUrl}/scim/v2`, token.token as string);
    const { body: user } = await scim.post('/Users', { userName: person.email });
    const userId = await userIdOf(server, person.email);
    await client.query(
      `INSERT INTO project_members (project_id, user_id, role, accepted_at) VALUES ($1, $2, 'developer', now())`,
      [owner.projectId, userId],
    );
    const state = async () => {
      const { rows } = await client.query<{
        sessions: number;
        projects: number;
        active: boolean;
        stored: boolean;
      }>(
        `SELECT (SELECT count(*)::int FROM sessions WHERE user_id = $1) AS sessions,
           (SELECT count(*)::int FROM project_members WHERE user_id = $1 AND project_id = $2) AS projects,
           (SELECT active FROM organization_members WHERE user_id = $1) AS active,
           (SELECT active FROM scim_users WHERE user_id = $1) AS stored`,
        [userId, owner.projectId],
      );
      return rows[0];
    };
    const before = { sessions: 1, projects: 1, active: true, stored: true };
    expect(await state()).toEqual(before);

    // The sessions end last: until then all else has been done, but not committed.
    await client.query('BEGIN');
    await client.query('SELECT 1 FROM sessions WHERE user_id = $1 FOR UPDATE', [userId]);
    const off = [{ op: 'Replace', path: 'active', value: 'False' }];
    const answer = scim.patch(`/Users/${user.id}`, off).catch(() => 'no answer');
    await untilBlocked({ dataSource }, 1);
    process.kill(killed.pid, 'SIGKILL');
    expect(await answer).toBe('no answer');
    await client.query('ROLLBACK');
    expect(await state()).toEqual(before);

    const other = await start();
    const there = new ScimClient(`${other.baseUrl}/scim/v2`, token.token as string);
    const path = `/v2/projects/${owner.projectId}/apps`;
    expect((await other.http.withCookie(person.cookie).get(path)).status).toBe(200);
    expect((await there.patch(`/Users/${user.id}`, off)).status).toBe(200);
    expect(await state()).toEqual({ sessions: 0, projects: 0, active: false, stored: false });
    expect((await other.http.withCookie(person.cookie).get(path)).status).toBe(401);
    expect(await other.stop()).toBe(0);
  });
});
