import type { ApiClient, Json } from '../support/api-client.js';
import { joinAs, type SignedUp, signUp } from '../support/arrange.js';
import {
  addOrganizationMember,
  addOrganizationProject,
  asSsoSession,
  createOrganization,
  enforceSso,
  startEnterpriseServer,
  startLicensedServer,
  type TestOrganization,
  userIdOf,
  verifyDomain,
} from '../support/arrange-enterprise.js';
import { MailsService } from '../../src/platform/mail/mails.service.js';
import type { TestServer } from '../support/test-server.js';

describe('organizations', () => {
  let server: TestServer;
  /** Without a mail server, mails are in the log. */
  const mails: string[] = [];
  let acme: TestOrganization;
  let owner: SignedUp;
  let admin: SignedUp & { userId: string };
  let member: SignedUp & { userId: string };
  let stranger: SignedUp;
  /** Another organization. */
  let other: TestOrganization;

  beforeAll(async () => {
    server = await startEnterpriseServer({ logTo: (line) => void mails.push(line) });
    acme = await createOrganization(server);
    ({ owner } = acme);
    admin = await addOrganizationMember(server, acme, 'admin');
    member = await addOrganizationMember(server, acme, 'member');
    other = await createOrganization(server, { name: 'Other' });
    stranger = other.owner;
  });

  afterAll(() => server.close());

  beforeEach(() => server.clock.advanceMs(1));

  /** The clock stands still, so entries of one time have no order: each reading and each test begins a new one. */
  const log = async (client: ApiClient = owner.session, path = acme.path): Promise<Json[]> => {
    const { status, body } = await client.get(`${path}/audit_logs?limit=100`);
    expect(status).toBe(200);
    server.clock.advanceMs(1);
    return body.items as Json[];
  };
  const statusOf = async (answer: Promise<{ status: number }>): Promise<number> => (await answer).status;

  /** Every route of an organization, with the lowest role that it needs. */
  const routes = (): [method: string, path: string, role: 'member' | 'admin' | 'owner', body?: object][] => [
    ['GET', acme.path, 'member'],
    ['POST', acme.path, 'admin', { name: 'Acme' }],
    ['POST', acme.path, 'owner', { seats: 5 }],
    ['GET', `${acme.path}/overview`, 'member'],
    ['GET', `${acme.path}/members`, 'member'],
    ['POST', `${acme.path}/members`, 'admin', { email: 'nobody@example.com' }],
    ['POST', `${acme.path}/members/usr_none`, 'admin', { role: 'member' }],
    ['GET', `${acme.path}/projects`, 'member'],
    ['POST', `${acme.path}/projects`, 'admin', { project_id: 'projnone' }],
    ['DELETE', `${acme.path}/projects/projnone`, 'admin'],
    ['POST', `${acme.path}/projects/projnone/region`, 'admin', { region: 'eu' }],
    ['GET', `${acme.path}/audit_logs`, 'admin'],
  ];

  it('allows active members only: 401 without a session, 404 to others, 403 to lower roles', async () => {
    for (const [method, path, role, body] of routes()) {
      expect([path, await statusOf(server.http.send(method, path, body))]).toEqual([path, 401]);
      expect([path, await statusOf(stranger.session.send(method, path, body))]).toEqual([path, 404]);
      const asMember = await statusOf(member.session.send(method, path, body));
      expect([method, path, asMember === 403]).toEqual([method, path, role !== 'member']);
      const asAdmin = await statusOf(admin.session.send(method, path, body));
      expect([method, path, asAdmin === 403]).toEqual([method, path, role === 'owner']);
      expect([path, (await statusOf(owner.session.send(method, path, body))) === 403]).toEqual([path, false]);
    }
    for (const id of ['members', 'projects']) {
      const { body } = await stranger.session.get(`${other.path}/${id}`);
      expect(JSON.stringify(body)).not.toContain(acme.id);
    }
  });

  it('refuses secret keys, and requests from other web sites', async () => {
    const { body: key } = await owner.session.post(`/v2/projects/${owner.projectId}/api_keys`, { name: 'k' });
    const withKey = server.http.withKey(key.key as string);
    expect(await statusOf(withKey.get(acme.path))).toBe(403);
    const foreign = { 'sec-fetch-site': 'cross-site' };
    expect(await statusOf(owner.session.post(acme.path, { name: 'X' }, foreign))).toBe(403);
  });

  it.each([
    ['name', { name: '' }],
    ['name', { name: null }],
    ['name', { name: 'x'.repeat(101) }],
    ['region', { region: 'mars' }],
    ['audit_retention_days', { audit_retention_days: 29 }],
    ['audit_retention_days', { audit_retention_days: 3651 }],
    ['sso_enforced', { sso_enforced: 'yes' }],
    ['seats', { seats: 0 }],
    ['billing_email', { billing_email: 'nowhere' }],
  ])('refuses a change with a bad %s (%j), naming it', async (param, body) => {
    const { status, body: error } = await owner.session.post(acme.path, body);
    expect([status, error.param]).toEqual([400, param]);
  });

  it.each([
    ['name', {}],
    ['region', { name: 'New', region: 'asia' }],
  ])('refuses a new one with a bad %s (%j)', async (param, body) => {
    const { status, body: error } = await owner.session.post('/v2/organizations', body);
    expect([status, error.param]).toEqual([400, param]);
  });

  it('changes the fields that are sent, and records old and new values', async () => {
    const body = {
      name: 'Acme AG',
      region: 'eu',
      audit_retention_days: 365,
      seats: 50,
      billing_email: 'pay@acme.com',
    };
    const { status, body: changed } = await owner.session.post(acme.path, body);
    expect(status).toBe(200);
    expect(changed).toMatchObject({
      name: 'Acme AG',
      region: 'eu',
      region_name: 'European Union',
      selectable_regions: ['us', 'eu'],
      region_enforced: false,
      audit_retention_days: 365,
      seats: { purchased: 50, used: 3 },
      billing_email: 'pay@acme.com',
    });
    const [entry] = await log();
    expect(entry).toMatchObject({
      action: 'organization_updated',
      actor: { type: 'user', id: await userIdOf(server, owner.email), email: owner.email },
      target: { type: 'organization', id: acme.id },
      data: {
        changes: {
          name: ['Acme', 'Acme AG'],
          region: ['us', 'eu'],
          audit_retention_days: [null, 365],
          seats: [5, 50],
          billing_email: [null, 'pay@acme.com'],
        },
      },
    });
    const rows = (await log()).length;
    expect(await statusOf(owner.session.post(acme.path, body))).toBe(200);
    expect(await log()).toHaveLength(rows);
    const refused = await admin.session.post(acme.path, { name: 'Mine', seats: 1 });
    expect(refused.status).toBe(403);
    expect((await owner.session.get(acme.path)).body).toEqual(changed);
  });

  it('requires single sign-on only with an enabled connection and a verified domain: 422', async () => {
    const { status, body } = await owner.session.post(acme.path, { sso_enforced: true });
    expect([status, body.type]).toEqual([422, 'unprocessable_entity_error']);
  });

  it('counts what it has in the overview', async () => {
    const { body } = await member.session.get(`${acme.path}/overview`);
    expect(body).toMatchObject({
      id: acme.id,
      your_role: 'member',
      member_count: 3,
      sso: { connections: 0, enabled_connections: 0, domains: 0, verified_domains: 0 },
      scim: { tokens: 0, users: 0, active_users: 0, groups: 0 },
      custom_roles: 0,
      role_mappings: 0,
    });
  });

  it('carries out a repeated request once', async () => {
    const headers = { 'idempotency-key': 'make one' };
    const first = await owner.session.post('/v2/organizations', { name: 'Twice' }, headers);
    const second = await owner.session.post('/v2/organizations', { name: 'Twice' }, headers);
    expect([first.status, second.status, second.body.id]).toEqual([201, 201, first.body.id]);
    const { body } = await owner.session.get('/v2/organizations?limit=1');
    expect(body.items).toHaveLength(1);
    const { body: rest } = await owner.session.get(body.next_page as string);
    expect(rest.items.map(({ id }: Json) => id as string)).toEqual([first.body.id]);
    expect(await statusOf(owner.session.delete(`/v2/organizations/${first.body.id}`))).toBe(200);
  });

  describe('members', () => {
    it('adds them by their address, once; only owners add owners', async () => {
      const path = `${acme.path}/members`;
      const person = await signUp(server);
      const refused = await admin.session.post(path, { email: person.email, role: 'owner' });
      expect(refused.status).toBe(403);
      expect(await statusOf(admin.session.post(path, { email: 'nobody@example.com' }))).toBe(404);
      const { status, body } = await admin.session.post(path, { email: person.email.toUpperCase() });
      expect(status).toBe(201);
      expect(body).toMatchObject({
        object: 'organization_member',
        email: person.email,
        role: 'member',
        source: 'manual',
        active: true,
        sso_groups: [],
        last_sso_at: null,
        password_sign_in: true,
      });
      expect(await statusOf(admin.session.post(path, { email: person.email }))).toBe(409);
      expect((await log())[0]).toMatchObject({
        action: 'member_added',
        target: { type: 'member', id: body.user_id },
        data: { email: person.email, role: 'member' },
      });
      const gone = await person.session.delete(`${path}/${body.user_id}`);
      expect(gone.body).toMatchObject({ object: 'organization_member', id: body.user_id });
      expect((await log())[0]).toMatchObject({ action: 'member_removed', actor: { email: person.email } });
    });

    it('mails them who added them, and lets them leave without the identity provider that it requires', async () => {
      const { id, path, owner: boss } = await createOrganization(server);
      await verifyDomain(server, { id }, 'left.example.com');
      const person = await signUp(server, { email: 'ada@left.example.com' });
      const { body } = await boss.session.post(`${path}/members`, { email: person.email });
      await server.app.get(MailsService).waitForPending();
      const mail = mails.find((line) => line.includes(person.email) && line.includes('You were added to'));
      expect(mail).toContain(`${boss.email} added you to the organization`);
      expect(mail).toContain('/account?tab=organizations');
      await enforceSso(server, { id });
      expect(await statusOf(person.session.get(`${path}/members`))).toBe(403);
      expect(await statusOf(person.session.delete(`${path}/members/usr_none`))).toBe(403);
      expect(await statusOf(person.session.delete(`${path}/members/${body.user_id}`))).toBe(200);
      const removals = (await log(boss.session, path)).filter(({ action }) => action === 'member_removed');
      expect(removals).toMatchObject([{ target: { id: body.user_id }, actor: { email: person.email } }]);
      expect(await statusOf(person.session.get(path))).toBe(404);
    });

    it('limits one person to 30 additions an hour, whether the accounts exist or not', async () => {
      const { path, owner: curious } = await createOrganization(server);
      const ask = (): Promise<number> =>
        statusOf(curious.session.post(`${path}/members`, { email: 'nobody@example.com' }));
      for (let calls = 0; calls < 30; calls++) expect(await ask()).toBe(404);
      expect(await ask()).toBe(429);
      server.clock.advanceMs(3_600_000);
      expect(await ask()).toBe(404);
    });

    it.each([
      ['email', {}],
      ['email', { email: 5 }],
      ['role', { email: 'a@example.com', role: 'king' }],
    ])('refuses them with a bad %s (%j)', async (param, body) => {
      const { status, body: error } = await owner.session.post(`${acme.path}/members`, body);
      expect([status, error.param]).toEqual([400, param]);
    });

    it('lets only owners add and remove owners, and keeps the last owner', async () => {
      const ownerId = await userIdOf(server, owner.email);
      const path = (id: string) => `${acme.path}/members/${id}`;
      expect(await statusOf(admin.session.post(path(member.userId), { role: 'owner' }))).toBe(403);
      expect(await statusOf(admin.session.post(path(ownerId), { role: 'member' }))).toBe(403);
      expect(await statusOf(admin.session.delete(path(ownerId)))).toBe(403);
      const demoted = await owner.session.post(path(ownerId), { role: 'admin' });
      expect([demoted.status, demoted.body.param]).toEqual([400, 'role']);
      expect(await statusOf(owner.session.delete(path(ownerId)))).toBe(422);
      expect(await statusOf(member.session.delete(path(admin.userId)))).toBe(403);
      const rows = (await log()).length;
      expect(await statusOf(owner.session.post(path(member.userId), { role: 'member' }))).toBe(200);
      expect(await log()).toHaveLength(rows);
      expect(await statusOf(owner.session.post(path('usr_none'), { role: 'member' }))).toBe(404);
    });

    it('keeps one of two owners who demote each other at once', async () => {
      const { id, path, owner: first } = await createOrganization(server);
      const second = await addOrganizationMember(server, { id }, 'owner');
      const firstId = await userIdOf(server, first.email);
      const answers = await Promise.all([
        first.session.post(`${path}/members/${second.userId}`, { role: 'member' }),
        second.session.post(`${path}/members/${firstId}`, { role: 'member' }),
      ]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.every(({ status }) => [200, 400, 403].includes(status))).toBe(true);
      const leaving = await Promise.all([
        first.session.delete(`${path}/members/${firstId}`),
        second.session.delete(`${path}/members/${second.userId}`),
      ]);
      expect(leaving.map(({ status }) => status).sort()).toEqual([200, 422]);
    });

    it('lists members deactivated by the identity provider, who see nothing and cannot be changed', async () => {
      const person = await addOrganizationMember(server, acme, 'member');
      await server.dataSource.query(
        `UPDATE organization_members SET active = false WHERE org_id = $1 AND user_id = $2`,
        [acme.id, person.userId],
      );
      const path = `${acme.path}/members`;
      const { body } = await owner.session.get(`${path}?limit=100`);
      expect(body.items.find(({ user_id: id }: Json) => id === person.userId)).toMatchObject({
        active: false,
      });
      expect(await statusOf(person.session.get(acme.path))).toBe(404);
      expect((await person.session.get('/v2/organizations')).body.items).toEqual([]);
      expect(await statusOf(owner.session.post(path, { email: person.email }))).toBe(409);
      expect(await statusOf(owner.session.post(`${path}/${person.userId}`, { role: 'admin' }))).toBe(422);
      expect(await statusOf(owner.session.delete(`${path}/${person.userId}`))).toBe(200);
    });
  });

  describe('when a person deletes the account', () => {
    const remove = ({ session, email }: SignedUp) =>
      session.post('/auth/account/delete', { email, password: 'correct horse battery' });
    const isThere = async ({ id }: { id: string }): Promise<boolean> =>
      (await server.dataSource.query<unknown[]>('SELECT FROM organizations WHERE id = $1', [id])).length > 0;

    it('deletes the organizations of which they are the only member, with their projects', async () => {
      const organization = await createOrganization(server);
      const { path, owner: only } = organization;
      const body = { project_id: only.projectId };
      expect(await statusOf(only.session.post(`${path}/projects`, body))).toBe(201);
      expect(await statusOf(only.session.post(`${path}/sso/domains`, { domain: 'lonely.example' }))).toBe(
        201,
      );
      expect((await remove(only)).body).toEqual({ ok: true });
      expect(await isThere(organization)).toBe(false);
      const [project] = await server.dataSource.query<{ gone: boolean }[]>(
        'SELECT deleted_at IS NOT NULL AS gone FROM projects WHERE id = $1',
        [only.projectId],
      );
      expect(project).toEqual({ gone: true });
    });

    it('releases projects that have another admin, and people keep their roles', async () => {
      const organization = await createOrganization(server);
      const { id, path, owner: only } = organization;
      const body = { project_id: only.projectId };
      expect(await statusOf(only.session.post(`${path}/projects`, body))).toBe(201);
      const reader = { name: 'Reader', scopes: ['customer_information:customers:read'] };
      const { id: custom } = (await only.session.post(`${path}/roles`, reader)).body;
      // They came after the move, so they are on the project only.
      const successor = await joinAs(server, 'admin', only.projectId);
      const reading = await joinAs(server, 'viewer', only.projectId);
      const readingId = await userIdOf(server, reading.email);
      const role = await only.session.post(`${path}/projects/${only.projectId}/members/${readingId}`, {
        role: custom,
      });
      expect(role.status).toBe(200);

      expect((await remove(only)).body).toEqual({ ok: true });
      expect(await isThere({ id })).toBe(false);
      const project = `/v2/projects/${only.projectId}`;
      const { items } = (await successor.session.get(`${project}/collaborators`)).body;
      const roles = (items as Json[]).map(({ email, role: held }) => [email, held]);
      expect(Object.fromEntries(roles as [string, string][])).toEqual({
        [successor.email]: 'admin',
        [reading.email]: 'read_only',
      });
    });

    it('refuses, and changes nothing, if a project would lose its last admin', async () => {
      const organization = await createOrganization(server);
      const { path, owner: only } = organization;
      const body = { project_id: only.projectId };
      expect(await statusOf(only.session.post(`${path}/projects`, body))).toBe(201);
      await joinAs(server, 'developer', only.projectId);
      const refused = await remove(only);
      expect([refused.status, refused.body.reason]).toEqual([422, 'last_admin']);
      const listed = (await only.session.get(`${path}/projects`)).body.items as Json[];
      expect(listed.map(({ id, your_role: role }) => [id, role])).toEqual([[only.projectId, 'admin']]);
    });

    it.each(['admin', 'member', 'deactivated member'])(
      'refuses to the only owner of an organization with another %s',
      async (kind) => {
        const organization = await createOrganization(server, { name: 'Shared' });
        const { id, owner: only } = organization;
        const role = kind === 'admin' ? 'admin' : 'member';
        const { userId } = await addOrganizationMember(server, organization, role);
        const values = [id, userId, kind !== 'deactivated member'];
        await server.dataSource.query(
          'UPDATE organization_members SET active = $3 WHERE org_id = $1 AND user_id = $2',
          values,
        );
        const alone = await createOrganization(server, { owner: only });
        const refused = await remove(only);
        expect([refused.status, refused.body]).toEqual([
          422,
          {
            type: 'unprocessable_entity_error',
            reason: 'last_owner',
            message: expect.stringContaining('"Shared"'),
          },
        ]);
        expect([await isThere(organization), await isThere(alone)]).toEqual([true, true]);
        expect(await statusOf(only.session.get('/auth/me'))).toBe(200);
      },
    );

    it('leaves an organization to its other owner, and deletes it with the last of two who leave at once', async () => {
      const kept = await createOrganization(server);
      const otherOwner = await addOrganizationMember(server, kept, 'owner');
      expect((await remove(kept.owner)).status).toBe(200);
      expect((await otherOwner.session.get(kept.path)).body.member_count).toBe(1);

      const left = await createOrganization(server);
      const second = await addOrganizationMember(server, left, 'owner');
      const answers = await Promise.all([remove(left.owner), remove(second)]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      expect(await isThere(left)).toBe(false);
    });
  });

  describe('projects', () => {
    const rolesOn = async (projectId: string): Promise<Record<string, string>> => {
      const rows = await server.dataSource.query<{ email: string; role: string; source: string }[]>(
        `SELECT u.email, m.role, m.source FROM project_members m JOIN users u ON u.id = m.user_id WHERE m.project_id = $1`,
        [projectId],
      );
      return Object.fromEntries(rows.map(({ email, role, source }) => [email, `${role} (${source})`]));
    };

    it('needs an admin of both to move one in; people follow, and roles come and go', async () => {
      const { id, path, owner: boss } = await createOrganization(server);
      const lead = await addOrganizationMember(server, { id }, 'admin');
      const projectId = boss.projectId;
      const developer = await joinAs(server, 'developer', projectId);
      const projects = `${path}/projects`;
      expect(await statusOf(lead.session.post(projects, { project_id: projectId }))).toBe(404);
      await joinAs(server, 'viewer', lead.projectId);
      await server.dataSource.query(
        `INSERT INTO project_members (project_id, user_id, role, accepted_at) VALUES ($1, $2, 'developer', now())`,
        [projectId, lead.userId],
      );
      const refused = await lead.session.post(projects, { project_id: projectId });
      expect([refused.status, refused.body.type]).toEqual([403, 'authorization_error']);
      const { status, body } = await boss.session.post(projects, { project_id: projectId });
      expect(status).toBe(201);
      expect(body).toMatchObject({
        object: 'organization_project',
        id: projectId,
        region: 'us',
        region_name: 'United States',
        member_count: 3,
        your_role: 'admin',
      });
      expect(await rolesOn(projectId)).toEqual({
        [boss.email]: 'admin (org)',
        [lead.email]: 'admin (org)',
        [developer.email]: 'developer (manual)',
      });
      expect(await statusOf(boss.session.post(projects, { project_id: projectId }))).toBe(409);
      const { body: members } = await developer.session.get(`${path}/members`);
      const joined = members.items.find(({ email }: Json) => email === developer.email);
      expect(joined).toMatchObject({ role: 'member', source: 'project' });
      const me = (await developer.session.get('/auth/me')).body.projects as Json[];
      expect(me.find((project) => project.id === projectId)).toMatchObject({ organization_id: id });

      // The organization's role ends with it; a manually assigned role stays.
      expect(await statusOf(boss.session.post(`${path}/members/${lead.userId}`, { role: 'member' }))).toBe(
        200,
      );
      expect((await rolesOn(projectId))[lead.email]).toBe('developer (manual)');
      const developerId = await userIdOf(server, developer.email);
      expect(await statusOf(boss.session.post(`${path}/members/${developerId}`, { role: 'admin' }))).toBe(
        200,
      );
      expect((await rolesOn(projectId))[developer.email]).toBe('admin (org)');
      const byHand = await boss.session.post(`/v2/projects/${projectId}/collaborators/${developerId}`, {
        role: 'viewer',
      });
      expect(byHand.status).toBe(422);

      const away = await boss.session.delete(`${projects}/${projectId}`);
      expect(away.body).toMatchObject({ object: 'organization_project', id: projectId });
      expect(await rolesOn(projectId)).toEqual({
        [boss.email]: 'admin (manual)',
        [lead.email]: 'developer (manual)',
        [developer.email]: 'admin (manual)',
      });
      const actions = (await log(boss.session, path)).map(({ action }) => action as string);
      expect(actions.sort()).toEqual([
        'member_role_changed',
        'member_role_changed',
        'organization_created',
        'project_added',
        'project_removed',
      ]);
    });

    it('revokes access to its projects from people who leave', async () => {
      const { id, path, owner: boss } = await createOrganization(server);
      await addOrganizationProject(server, { id }, boss.projectId);
      const developer = await joinAs(server, 'developer', boss.projectId);
      const { userId } = await addOrganizationMember(server, { id }, 'member', { person: developer });
      const project = `/v2/projects/${boss.projectId}`;
      expect(await statusOf(developer.session.get(project))).toBe(200);
      expect(await statusOf(developer.session.delete(`${path}/members/${userId}`))).toBe(200);
      expect(await statusOf(developer.session.get(project))).toBe(404);
      expect(await rolesOn(boss.projectId)).toEqual({ [boss.email]: 'admin (org)' });
      expect(await statusOf(boss.session.delete(path))).toBe(422);
    });

    it('belongs to one organization, even if two take them at once', async () => {
      const first = await createOrganization(server);
      const second = await createOrganization(server, { owner: first.owner });
      const body = { project_id: first.owner.projectId };
      const answers = await Promise.all(
        [first, second].map(({ path }) => first.owner.session.post(`${path}/projects`, body)),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    });

    it('records a region', async () => {
      const { path, owner: boss } = await createOrganization(server);
      await boss.session.post(`${path}/projects`, { project_id: boss.projectId });
      const region = `${path}/projects/${boss.projectId}/region`;
      const bad = await boss.session.post(region, { region: 'moon' });
      expect([bad.status, bad.body.param]).toEqual([400, 'region']);
      const { status, body } = await boss.session.post(region, { region: 'eu' });
      expect([status, body.region, body.region_name]).toEqual([200, 'eu', 'European Union']);
      const entries = await log(boss.session, path);
      expect(entries.find(({ action }) => action === 'project_region_changed')).toMatchObject({
        data: { changes: { region: ['us', 'eu'] } },
      });
      const { body: list } = await boss.session.get(`${path}/projects`);
      expect(list.items).toEqual([body]);
      expect(
        await statusOf(
          stranger.session.post(`${other.path}/projects/${boss.projectId}/region`, { region: 'us' }),
        ),
      ).toBe(404);
      expect(await statusOf(stranger.session.delete(`${other.path}/projects/${boss.projectId}`))).toBe(404);
    });

    it('grants no access to deactivated members, and custom roles their scopes', async () => {
      const { id, owner: boss } = await createOrganization(server);
      await addOrganizationProject(server, { id }, boss.projectId);
      const person = await joinAs(server, 'viewer', boss.projectId);
      await addOrganizationMember(server, { id }, 'member', { person });
      const project = `/v2/projects/${boss.projectId}`;
      await server.dataSource.query(
        `INSERT INTO custom_roles (org_id, id, name, scopes, created_at, updated_at)
         VALUES ($1, 'role_products1', 'Shopkeeper', '{project_configuration:products:read_write}', now(), now())`,
        [id],
      );
      await server.dataSource.query(
        `UPDATE project_members SET role = 'role_products1' WHERE project_id = $1 AND role = 'viewer'`,
        [boss.projectId],
      );
      expect(await statusOf(person.session.get(`${project}/products`))).toBe(200);
      const refused = await person.session.get(`${project}/apps`);
      expect([refused.status, refused.body.message]).toEqual([
        403,
        'This role (Shopkeeper) lacks the permission (scope) `project_configuration:apps:read`.',
      ]);
      const me = (await person.session.get('/auth/me')).body.projects as Json[];
      expect(me.find((one) => one.id === boss.projectId)).toMatchObject({
        role: 'role_products1',
        permissions: [
          'project_configuration:products:read',
          'project_configuration:products:read_write',
        ].sort(),
      });
      await server.dataSource.query(
        `UPDATE organization_members SET active = false WHERE org_id = $1 AND role = 'member'`,
        [id],
      );
      expect(await statusOf(person.session.get(`${project}/products`))).toBe(404);
      const ids = (await person.session.get('/v2/projects')).body.items.map((one: Json) => one.id as string);
      expect(ids).not.toContain(boss.projectId);
      expect(ids).toContain(person.projectId);
    });
  });

  describe('that require single sign-on', () => {
    it('accepts sessions of their own connections only; owners and other domains are not affected', async () => {
      const { id, path, owner: boss } = await createOrganization(server);
      await addOrganizationProject(server, { id }, boss.projectId);
      const domain = 'enforced.example.com';
      await verifyDomain(server, { id }, domain);
      const inside = await addOrganizationMember(server, { id }, 'admin', { email: `ada@${domain}` });
      const outside = await addOrganizationMember(server, { id }, 'member');
      const project = `/v2/projects/${boss.projectId}`;
      const credentials = { email: inside.email, password: 'correct horse battery' };
      expect(await statusOf(inside.session.get(project))).toBe(200);
      await enforceSso(server, { id });

      for (const url of [path, `${path}/members`, project]) {
        const { status, body } = await inside.session.get(url);
        const { type, reason } = body;
        expect([url, status, type, reason]).toEqual([url, 403, 'authorization_error', 'sso_required']);
        expect(body.message).toContain('SSO');
      }
      expect(await statusOf(outside.session.get(path))).toBe(200);
      expect(await statusOf(boss.session.get(path))).toBe(200);
      expect((await inside.session.get('/v2/organizations')).body.items).toHaveLength(1);
      for (const [url, body] of [
        ['/auth/login', credentials],
        ['/auth/signup', { ...credentials, email: `new@${domain}` }],
      ] as const) {
        const { status, body: error } = await server.http.post(url, body);
        expect([url, status, error.type]).toEqual([url, 403, 'sso_required']);
        expect(error.sso_url).toBe(`/sso/start?email=${encodeURIComponent(body.email)}`);
      }
      expect((await server.http.get('/auth/config')).body.sso).toBe(true);

      await asSsoSession(server, { id }, inside.email);
      expect(await statusOf(inside.session.get(path))).toBe(200);
      expect(await statusOf(inside.session.get(project))).toBe(200);
      await asSsoSession(server, other, inside.email);
      expect(await statusOf(inside.session.get(project))).toBe(403);
    });
  });

  it('lists their audit log by time, newest first, with a cursor', async () => {
    const path = `${acme.path}/audit_logs`;
    const { body: page } = await owner.session.get(`${path}?limit=2`);
    expect(page.items).toHaveLength(2);
    const { body: next } = await owner.session.get(page.next_page as string);
    expect(next.items[0].id).not.toBe(page.items[1].id);
    const all = await log();
    const at = all[0]?.occurred_at as number;
    const since = (await owner.session.get(`${path}?start_time=${at}&limit=100`)).body.items as Json[];
    const before = (await owner.session.get(`${path}?end_time=${at}&limit=100`)).body.items as Json[];
    expect(since.every(({ occurred_at: time }) => time === at)).toBe(true);
    expect([...since, ...before]).toEqual(all);
    for (const [query, param] of [
      ['start_time=soon', 'start_time'],
      [`start_time=${at}&end_time=${at}`, 'end_time'],
      ['starting_after=log_unknown', 'starting_after'],
    ]) {
      const { status, body } = await owner.session.get(`${path}?${query}`);
      expect([query, status, body.param]).toEqual([query, 400, param]);
    }
  });

  it('forgets deleted projects', async () => {
    const { path, owner: boss } = await createOrganization(server);
    await boss.session.post(`${path}/projects`, { project_id: boss.projectId });
    expect(await statusOf(boss.session.delete(path))).toBe(422);
    expect(await statusOf(boss.session.delete(`/v2/projects/${boss.projectId}`))).toBe(200);
    expect((await boss.session.get(`${path}/projects`)).body.items).toEqual([]);
    expect((await boss.session.get(path)).body.project_count).toBe(0);
    expect(await statusOf(boss.session.delete(path))).toBe(200);
  });

  it('lets owners delete them with what they have; accounts stay', async () => {
    const { id, path, owner: boss } = await createOrganization(server);
    await verifyDomain(server, { id }, 'gone.example.com');
    const { status, body } = await boss.session.delete(path);
    expect(status).toBe(200);
    expect(body).toEqual({ object: 'organization', id, deleted_at: server.clock.nowMs() });
    expect(await statusOf(boss.session.get(path))).toBe(404);
    expect(await statusOf(boss.session.get('/auth/me'))).toBe(200);
    const left = await server.dataSource.query(
      `SELECT 1 FROM organization_audit_logs WHERE org_id = $1 UNION SELECT 1 FROM sso_domains WHERE org_id = $1`,
      [id],
    );
    expect(left).toEqual([]);
  });
});

describe('organizations with a licence', () => {
  it('needs the feature of each field, before anything else is checked', async () => {
    const server = await startLicensedServer(['organizations', 'sso']);
    try {
      const { path, owner } = await createOrganization(server);
      for (const [feature, url, body] of [
        ['data_location', path, { region: 'eu' }],
        ['audit_retention', path, { audit_retention_days: 30 }],
        ['data_location', `${path}/projects/projx/region`, { region: 'eu' }],
        ['data_location', '/v2/organizations/org_none', { region: 'eu' }],
      ] as const) {
        const { status, body: error } = await owner.session.post(url, body);
        expect([url, status, error.type]).toEqual([url, 403, 'authorization_error']);
        expect(error.message).toContain(`\`${feature}\``);
      }
      expect((await owner.session.post(path, { name: 'Still' })).status).toBe(200);
      expect((await owner.session.post(path, { sso_enforced: true })).status).toBe(422);
      expect((await owner.session.get(path)).body.features).toEqual(['organizations', 'sso']);
    } finally {
      await server.close();
    }
  });
});
