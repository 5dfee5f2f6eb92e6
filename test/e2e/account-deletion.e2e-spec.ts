import { DatabaseService } from '../../src/platform/database/database.service.js';
import { MailsService } from '../../src/platform/mail/mails.service.js';
import type { Answer, Json } from '../support/api-client.js';
import { joinAs, PASSWORD, sessionCookie, type SignedUp, signUp } from '../support/arrange.js';
import { contentChanges, databaseContents } from '../support/database-contents.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { enableTwoFactor, startSignIn } from '../support/two-factor.js';

const content = { subject: 'Hello', paragraphs: [], reason: 'You get this mail because of a test.' };

describe('the deletion of an account', () => {
  let server: TestServer;
  let ada: SignedUp;

  beforeAll(async () => {
    server = await startTestServer({ env: { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_TRUST_PROXY: 'true' } });
  });

  beforeEach(async () => {
    ada = await signUp(server);
  });

  afterAll(() => server.close());

  const remove = ({ session, email }: SignedUp, more: Json = {}): Promise<Answer> =>
    session.post('/auth/account/delete', { email, password: PASSWORD, ...more });
  const idOf = async ({ session }: SignedUp): Promise<string> =>
    (await session.get('/auth/me')).body.user.id as string;
  const rolesIn = async (projectId: string): Promise<string[]> => {
    const rows = await server.dataSource.query<{ role: string }[]>(
      'SELECT role FROM project_members WHERE project_id = $1 ORDER BY role',
      [projectId],
    );
    return rows.map(({ role }) => role);
  };

  it('leaves nothing of the person but the audit log, and deletes no project of others', async () => {
    const host = await signUp(server);
    const before = await databaseContents(server.dataSource);
    const bob = await joinAs(server, 'developer', host.projectId);
    const userId = await idOf(bob);
    await enableTwoFactor(server, bob);
    await startSignIn(server, bob);
    const second = (await bob.session.post('/v2/projects', { name: 'Second' })).body.id as string;
    const gone = (await bob.session.post('/v2/projects', { name: 'Gone' })).body.id as string;
    await bob.session.delete(`/v2/projects/${gone}`);
    await server.dataSource.query(`UPDATE sessions SET method = 'sso' WHERE user_id = $1`, [userId]);

    const mail = { tenantId: userId, kind: 'test', to: bob.email, content };
    await server.app.get(DatabaseService).transaction((tx) => server.app.get(MailsService).queue(tx, mail));

    const deleted = await remove(bob);
    expect([deleted.status, deleted.body]).toEqual([200, { ok: true }]);
    expect(sessionCookie(deleted)).toBe('rd_session=');
    expect((await bob.session.get('/auth/me')).status).toBe(401);
    expect((await server.http.post('/auth/login', { email: bob.email, password: PASSWORD })).status).toBe(
      401,
    );
    const { added } = contentChanges(before, await databaseContents(server.dataSource));
    const leftIn = Object.entries(added)
      .filter(([, rows]) => rows.some((row) => row.includes(userId)))
      .map(([table]) => table);
    // These rows expire by themselves.
    const expiring = ['idempotency_keys', 'rate_limits'];
    expect(leftIn.filter((table) => !expiring.includes(table))).toEqual(['audit_logs']);

    const projects = await server.dataSource.query<{ deleted: boolean }[]>(
      'SELECT deleted_at IS NOT NULL AS deleted FROM projects WHERE id = ANY ($1)',
      [[bob.projectId, second, gone]],
    );
    expect(projects.every((project) => project.deleted)).toBe(true);
    expect(await rolesIn(host.projectId)).toEqual(['admin']);
    const { items } = (await host.session.get(`/v2/projects/${host.projectId}/audit_logs`)).body;
    expect(items[0]).toMatchObject({
      action_type: 'collaborator_removed',
      target_identifier: userId,
      actor_type: 'user',
      actor_identifier: bob.email,
    });
    // The address is free again.
    expect((await signUp(server, { email: bob.email })).email).toBe(bob.email);
  });

  it('refuses the last admin of a project that has other members, and changes nothing', async () => {
    await joinAs(server, 'developer', ada.projectId);
    const own = (await ada.session.post('/v2/projects', { name: 'Own' })).body.id as string;
    const hers = [await idOf(ada), ada.projectId, own];
    const before = await databaseContents(server.dataSource);
    const refused = await remove(ada);
    expect([refused.status, refused.body]).toEqual([
      422,
      {
        type: 'unprocessable_entity_error',
        reason: 'last_admin',
        message: expect.stringContaining('other members: "My project". Make another member an admin'),
      },
    ]);
    const { lost, added } = contentChanges(before, await databaseContents(server.dataSource));
    const changed = [...Object.values(lost), ...Object.values(added)].flat();
    expect(changed.filter((row) => hers.some((id) => row.includes(id)))).toEqual([]);
  });

  it('succeeds for one of two last admins at once', async () => {
    const bob = await joinAs(server, 'admin', ada.projectId);
    await joinAs(server, 'viewer', ada.projectId);
    const answers = await Promise.all([remove(ada), remove(bob)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect(await rolesIn(ada.projectId)).toEqual(['admin', 'viewer']);
  });

  it('succeeds for the only two members at once, and deletes the project', async () => {
    const bob = await joinAs(server, 'admin', ada.projectId);
    const answers = await Promise.all([remove(ada), remove(bob)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await rolesIn(ada.projectId)).toEqual([]);
  });

  it('needs a code if two-factor is on, and a refused one does not use it up', async () => {
    const app = await enableTwoFactor(server, ada);
    const missing = await remove(ada);
    expect([missing.status, missing.body.type]).toEqual([401, 'two_factor_required']);
    const wrong = await remove(ada, { code: '0a1b2c3d-4e5f6071-8293a4b5-c6d7e8f9' });
    expect([wrong.status, wrong.body.type]).toEqual([401, 'two_factor_invalid']);

    const bob = await joinAs(server, 'viewer', ada.projectId);
    const code = app.freshCode();
    expect((await remove(ada, { code })).status).toBe(422);
    await remove(bob);
    expect((await remove(ada, { code })).status).toBe(200);
  });

  it.each<[Json, string]>([
    [{ email: 'other@example.com' }, 'email'],
    [{ email: null }, 'email'],
    [{ password: 'not the password' }, 'password'],
    [{ password: null }, 'password'],
    [{ password: 1 }, 'password'],
    [{ code: 1 }, 'code'],
  ])('refuses %j', async (more, param) => {
    const refused = await remove(ada, more);
    expect([refused.status, refused.body.type, refused.body.param]).toEqual([400, 'parameter_error', param]);
    expect((await ada.session.get('/auth/me')).status).toBe(200);
  });

  it('needs no password from who never had one', async () => {
    await server.dataSource.query('UPDATE users SET password_hash = NULL WHERE email = $1', [ada.email]);
    expect((await remove(ada, { password: undefined })).status).toBe(200);
  });

  it('refuses another site, and requests without a session', async () => {
    const body = { email: ada.email, password: PASSWORD };
    const elsewhere = ada.session.with({ 'sec-fetch-site': 'same-site' });
    expect((await elsewhere.post('/auth/account/delete', body)).body.type).toBe('csrf_failed');
    expect((await server.http.post('/auth/account/delete', body)).status).toBe(401);
  });
});
