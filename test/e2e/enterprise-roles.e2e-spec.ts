import fc from 'fast-check';
import { assignableScopes } from '../../src/enterprise/roles/scope-catalogue.js';
import { createSecretKey, joinAs, type SignedUp, signUp } from '../support/arrange.js';
import { letClientIn } from '../support/arrange-oauth.js';
import {
  addOrganizationMember,
  addOrganizationProject,
  createOrganization,
  reapplyRoles,
  startEnterpriseServer,
  startLicensedServer,
  type TestOrganization,
  userIdOf,
} from '../support/arrange-enterprise.js';
import type { TestServer } from '../support/test-server.js';

const READ_CUSTOMERS = 'customer_information:customers:read';
const WRITE_CUSTOMERS = 'customer_information:customers:read_write';
const READ_MEMBERS = 'project_configuration:collaborators:read';

let server: TestServer;

beforeAll(async () => {
  server = await startEnterpriseServer();
});

afterAll(() => server.close());

interface Arranged {
  organization: TestOrganization;
  owner: SignedUp;
  projectId: string;
}

async function arrange(): Promise<Arranged> {
  const organization = await createOrganization(server);
  const { owner } = organization;
  await addOrganizationProject(server, organization, owner.projectId);
  return { organization, owner, projectId: owner.projectId };
}

/** A plain member of the organization with a manually assigned role. */
async function memberWith({ organization, projectId }: Arranged, role: 'admin' | 'developer' | 'viewer') {
  const person = await joinAs(server, role, projectId);
  return addOrganizationMember(server, organization, 'member', { person });
}

async function createRole({ organization, owner }: Arranged, fields: Record<string, unknown> = {}) {
  const body = { name: 'Support', scopes: [READ_CUSTOMERS, READ_MEMBERS], ...fields };
  const { status, body: role, text } = await owner.session.post(`${organization.path}/roles`, body);
  if (status !== 201) throw new Error(`Expected 201, got ${status}: ${text}`);
  return role;
}

const auditActions = async ({ organization, owner }: Arranged): Promise<string[]> => {
  const rows = await server.dataSource.query<{ action: string }[]>(
    'SELECT action FROM organization_audit_logs WHERE org_id = $1 ORDER BY occurred_at, id',
    [organization.id],
  );
  expect(owner.email).toBeDefined();
  return rows.map(({ action }) => action);
};

async function roleOf(projectId: string, userId: string): Promise<string | null> {
  const [row] = await server.dataSource.query<{ role: string; source: string }[]>(
    'SELECT role, source FROM project_members WHERE project_id = $1 AND user_id = $2',
    [projectId, userId],
  );
  return row ? `${row.role} ${row.source}` : null;
}

describe('the scopes of custom roles', () => {
  it('lists those of the server by group, without what only admins can use', async () => {
    const arranged = await arrange();
    const { status, body } = await arranged.owner.session.get(`${arranged.organization.path}/scopes`);
    expect([status, body.object]).toEqual([200, 'scope_catalogue']);
    const scopes = (body.groups as { scopes: { scope: string }[] }[]).flatMap((group) => group.scopes);
    expect(scopes.map(({ scope }) => scope).sort()).toEqual([...assignableScopes].sort());
    expect(scopes.map(({ scope }) => scope)).not.toContain('project_configuration:api_keys:read_write');
  });
});

describe('custom roles', () => {
  it('creates, reads, lists, changes and deletes them, and audits each change', async () => {
    const arranged = await arrange();
    const { organization, owner } = arranged;
    const path = `${organization.path}/roles`;
    server.clock.advanceMs(1_000);
    const role = await createRole(arranged, {
      description: 'Looks after customers.',
      scopes: [WRITE_CUSTOMERS, 'charts_metrics:charts:read', WRITE_CUSTOMERS],
    });
    expect(role).toEqual({
      object: 'custom_role',
      id: expect.stringMatching(/^role_[a-z0-9]{12}$/) as string,
      name: 'Support',
      description: 'Looks after customers.',
      scopes: ['charts_metrics:charts:read', READ_CUSTOMERS, WRITE_CUSTOMERS],
      project_id: null,
      member_count: 0,
      created_at: server.clock.nowMs(),
      updated_at: server.clock.nowMs(),
    });
    expect((await owner.session.get(`${path}/${role.id}`)).body).toEqual(role);
    server.clock.advanceMs(1_000);
    const second = await createRole(arranged, { name: 'Analyst', project_id: arranged.projectId });
    const list = await owner.session.get(`${path}?limit=1`);
    expect(list.body.items).toEqual([role]);
    expect((await owner.session.get(list.body.next_page as string)).body.items).toEqual([second]);
    server.clock.advanceMs(1_000);
    const changed = await owner.session.post(`${path}/${role.id}`, { name: 'Care', description: null });
    expect(changed.body).toMatchObject({ name: 'Care', description: null, scopes: role.scopes });
    expect(changed.body.updated_at).toBe(server.clock.nowMs());
    // Nothing changes, so nothing is recorded.
    expect((await owner.session.post(`${path}/${role.id}`, { name: 'Care' })).body).toEqual(changed.body);
    server.clock.advanceMs(1_000);
    const deleted = await owner.session.delete(`${path}/${role.id}`);
    expect(deleted.body).toEqual({
      object: 'custom_role',
      id: role.id,
      deleted_at: server.clock.nowMs(),
    });
    expect((await owner.session.get(`${path}/${role.id}`)).status).toBe(404);
    expect(await auditActions(arranged)).toEqual([
      'organization_created',
      'role_created',
      'role_created',
      'role_updated',
      'role_deleted',
    ]);
  });

  it.each([
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ description: 'x'.repeat(501) }, 'description'],
    [{ scopes: [] }, 'scopes'],
    [{ scopes: 'customer_information:customers:read' }, 'scopes'],
    [{ scopes: ['customer_information:nothing:read'] }, 'scopes'],
    [{ scopes: ['project_configuration:api_keys:read_write'] }, 'scopes'],
    [{ scopes: ['*'] }, 'scopes'],
    [{ project_id: 7 }, 'project_id'],
  ])('refuses %j, naming the field', async (fields, param) => {
    const { organization, owner } = await arrange();
    const body = { name: 'Support', scopes: [READ_CUSTOMERS], ...fields };
    const refused = await owner.session.post(`${organization.path}/roles`, body);
    expect([refused.status, refused.body.param]).toEqual([400, param]);
  });

  it('requires unique names in the organization, whatever the case, and one of its projects', async () => {
    const arranged = await arrange();
    const { organization, owner } = arranged;
    const role = await createRole(arranged);
    const body = { name: 'SUPPORT', scopes: [READ_CUSTOMERS] };
    const twice = await owner.session.post(`${organization.path}/roles`, body);
    expect([twice.status, twice.body.type, twice.body.param]).toEqual([
      409,
      'resource_already_exists',
      'name',
    ]);
    const other = await createRole(arranged, { name: 'Other' });
    const renamed = await owner.session.post(`${organization.path}/roles/${other.id}`, { name: 'support' });
    expect(renamed.status).toBe(409);
    const foreign = await arrange();
    for (const project_id of [foreign.projectId, 'projnone']) {
      const fields = { name: 'Third', scopes: [READ_CUSTOMERS], project_id };
      const refused = await owner.session.post(`${organization.path}/roles`, fields);
      expect([refused.status, refused.body.param]).toEqual([404, 'project_id']);
    }
    expect((await createRole(foreign)).name).toBe(role.name);
  });

  it('keeps their project while they are in use', async () => {
    const arranged = await arrange();
    const { organization, owner, projectId } = arranged;
    const role = await createRole(arranged);
    const path = `${organization.path}/roles/${role.id}`;
    const person = await memberWith(arranged, 'viewer');
    const memberPath = `${organization.path}/projects/${projectId}/members/${person.userId}`;
    expect((await owner.session.post(memberPath, { role: role.id })).status).toBe(200);
    expect((await owner.session.get(path)).body.member_count).toBe(1);
    const refused = await owner.session.post(path, { project_id: projectId });
    expect([refused.status, refused.body.param]).toEqual([400, 'project_id']);
    await owner.session.post(memberPath, { role: 'viewer' });
    expect((await owner.session.post(path, { project_id: projectId })).body.project_id).toBe(projectId);
  });

  it('finds them in their own organization only', async () => {
    const [mine, others] = [await arrange(), await arrange()];
    const role = await createRole(others);
    const path = `${mine.organization.path}/roles/${role.id}`;
    const { session } = mine.owner;
    expect((await session.get(path)).status).toBe(404);
    expect((await session.post(path, { name: 'Mine' })).status).toBe(404);
    expect((await session.delete(path)).status).toBe(404);
    expect((await session.get(`${others.organization.path}/roles`)).status).toBe(404);
    const mapping = { group: 'Team', project_id: mine.projectId, role: role.id };
    const mapped = await session.post(`${mine.organization.path}/role_mappings`, mapping);
    expect([mapped.status, mapped.body.param]).toEqual([400, 'role']);
  });

  it('lets owners and admins change them, and members see them', async () => {
    const arranged = await arrange();
    const { organization, projectId } = arranged;
    const role = await createRole(arranged);
    const member = await addOrganizationMember(server, organization, 'member');
    const admin = await addOrganizationMember(server, organization, 'admin');
    const writes = [
      ['POST', '/roles', { name: 'New', scopes: [READ_CUSTOMERS] }],
      ['POST', `/roles/${role.id}`, { name: 'Renamed' }],
      ['GET', '/role_mappings', undefined],
      ['POST', '/role_mappings', { group: 'Team', project_id: projectId, role: 'viewer' }],
      ['DELETE', '/role_mappings/map_none', undefined],
      ['DELETE', `/roles/${role.id}`, undefined],
    ] as const;
    for (const [method, path, body] of writes) {
      expect((await server.http.send(method, organization.path + path, body)).status).toBe(401);
      expect((await member.session.send(method, organization.path + path, body)).status).toBe(403);
    }
    expect((await member.session.get(`${organization.path}/roles`)).body.items).toEqual([role]);
    expect((await member.session.get(`${organization.path}/scopes`)).status).toBe(200);
    for (const [method, path, body] of writes) {
      const { status } = await admin.session.send(method, organization.path + path, body);
      expect([path, [200, 201, 404].includes(status)]).toEqual([path, true]);
    }
    const { client } = await createSecretKey(arranged.owner.session, projectId);
    expect((await client.get(`${organization.path}/roles`)).status).toBe(403);
  });

  it('needs the licensed feature', async () => {
    const licensed = await startLicensedServer(['organizations']);
    try {
      const { path, owner } = await createOrganization(licensed);
      for (const route of ['/scopes', '/roles', '/roles/role_x', '/role_mappings']) {
        const refused = await owner.session.get(path + route);
        expect([refused.status, refused.body.message]).toEqual([
          403,
          expect.stringContaining('`custom_roles`') as string,
        ]);
      }
    } finally {
      await licensed.close();
    }
  });
});

describe('a person with a custom role', () => {
  it('allows what its scopes include from the next request on; the refusal names the missing permission', async () => {
    const arranged = await arrange();
    const { organization, owner, projectId } = arranged;
    const project = `/v2/projects/${projectId}`;
    const person = await memberWith(arranged, 'viewer');
    expect((await person.session.get(`${project}/products`)).status).toBe(200);
    const role = await createRole(arranged);
    const memberPath = `${organization.path}/projects/${projectId}/members/${person.userId}`;
    const assigned = await owner.session.post(memberPath, { role: role.id });
    expect(assigned.body).toEqual({
      object: 'project_member',
      user_id: person.userId,
      email: person.email,
      name: null,
      project_id: projectId,
      role: role.id,
      role_name: 'Support',
      source: 'manual',
    });
    expect((await person.session.get(`${project}/customers`)).status).toBe(200);
    const refused = await person.session.get(`${project}/products`);
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'This role (Support) lacks the permission (scope) `project_configuration:products:read`.',
    ]);
    const collaborators = (await person.session.get(`${project}/collaborators`)).body.items as {
      id: string;
      role: string;
    }[];
    expect(collaborators.find(({ id }) => id === person.userId)?.role).toBe(role.id);
    const me = await person.session.get('/auth/me');
    const own = (me.body.projects as { id: string; permissions: string[] }[]).find(
      ({ id }) => id === projectId,
    );
    expect(own?.permissions.sort()).toEqual([READ_CUSTOMERS, READ_MEMBERS]);
    await owner.session.post(`${organization.path}/roles/${role.id}`, {
      scopes: ['project_configuration:products:read'],
    });
    expect((await person.session.get(`${project}/products`)).status).toBe(200);
    expect((await person.session.get(`${project}/customers`)).status).toBe(403);
    await owner.session.delete(`${organization.path}/roles/${role.id}`);
    expect(await roleOf(projectId, person.userId)).toBe('viewer manual');
    expect((await person.session.get(`${project}/customers`)).status).toBe(200);
  });

  it('creates no keys, sends no invites, changes no roles and deletes no project, whatever the scopes', async () => {
    const arranged = await arrange();
    const { organization, owner, projectId } = arranged;
    const person = await memberWith(arranged, 'viewer');
    const role = await createRole(arranged, { scopes: [...assignableScopes] });
    const memberPath = `${organization.path}/projects/${projectId}/members/${person.userId}`;
    await owner.session.post(memberPath, { role: role.id });
    const project = `/v2/projects/${projectId}`;
    const allowed = await person.session.post(project, { name: 'Renamed' });
    expect(allowed.status).toBe(200);
    const refusals = [
      ['POST', `${project}/api_keys`, { name: 'Key' }],
      ['POST', `${project}/invites`, { email: 'new@example.com', role: 'viewer' }],
      ['POST', `${project}/collaborators/${person.userId}`, { role: 'admin' }],
      ['POST', memberPath, { role: 'admin' }],
      ['DELETE', project, undefined],
    ] as const;
    for (const [method, path, body] of refusals) {
      const { status, body: error } = await person.session.send(method, path, body);
      expect([path, status, error.type]).toEqual([path, 403, 'authorization_error']);
    }
  });

  it('lets programs only read, whatever the scopes', async () => {
    const arranged = await arrange();
    const { organization, owner, projectId } = arranged;
    const person = await memberWith(arranged, 'viewer');
    const role = await createRole(arranged, { scopes: [...assignableScopes] });
    const memberPath = `${organization.path}/projects/${projectId}/members/${person.userId}`;
    await owner.session.post(memberPath, { role: role.id });
    const { client } = await letClientIn(server, { session: person.session, projectId });
    expect((await client.get(`/v2/projects/${projectId}/products`)).status).toBe(200);
    const body = { lookup_key: 'pro', display_name: 'Pro' };
    const refused = await client.post(`/v2/projects/${projectId}/entitlements`, body);
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'This role (Support) lacks the permission (scope) `project_configuration:entitlements:read_write`.',
    ]);
    expect((await person.session.post(`/v2/projects/${projectId}/entitlements`, body)).status).toBe(201);
  });

  it('has no access once the role is gone, until another one is assigned', async () => {
    const arranged = await arrange();
    const { organization, owner, projectId } = arranged;
    const person = await memberWith(arranged, 'viewer');
    await server.dataSource.query(
      `UPDATE project_members SET role = 'role_gone00000000' WHERE project_id = $1 AND user_id = $2`,
      [projectId, person.userId],
    );
    expect((await person.session.get(`/v2/projects/${projectId}`)).status).toBe(404);
    const people = `${organization.path}/projects/${projectId}/members`;
    const listed = (await owner.session.get(people)).body.items as { user_id: string; role_name: string }[];
    expect(listed.find(({ user_id }) => user_id === person.userId)?.role_name).toBe(
      'No access (role removed)',
    );
  });
});

describe('giving a role by hand', () => {
  it('requires an owner or admin of the organization, or an admin of the project', async () => {
    const arranged = await arrange();
    const { organization, projectId } = arranged;
    const people = `${organization.path}/projects/${projectId}/members`;
    const person = await memberWith(arranged, 'viewer');
    const projectAdmin = await memberWith(arranged, 'admin');
    const developer = await memberWith(arranged, 'developer');
    const outsider = await addOrganizationMember(server, organization, 'member');
    const stranger = await signUp(server);
    const path = `${people}/${person.userId}`;
    const statusOf = async ({ session }: SignedUp) =>
      (await session.post(path, { role: 'developer' })).status;
    expect(await statusOf(stranger)).toBe(404);
    expect(await statusOf(outsider)).toBe(403);
    expect(await statusOf(developer)).toBe(403);
    server.clock.advanceMs(1_000);
    expect(await statusOf(projectAdmin)).toBe(200);
    expect((await developer.session.get(people)).status).toBe(200);
    expect((await outsider.session.get(people)).status).toBe(403);
    expect((await stranger.session.get(people)).status).toBe(404);
    expect((await server.http.get(people)).status).toBe(401);
    const [row] = await server.dataSource.query<{ action_type: string; actor_identifier: string }[]>(
      `SELECT action_type, actor_identifier FROM audit_logs WHERE project_id = $1 ORDER BY occurred_at DESC, id DESC LIMIT 1`,
      [projectId],
    );
    expect(row).toEqual({ action_type: 'collaborator_updated', actor_identifier: projectAdmin.email });
    expect(await auditActions(arranged)).toContain('project_role_changed');
  });

  it('refuses unknown roles, people who are not on the project, and who must stay an admin', async () => {
    const arranged = await arrange();
    const { organization, owner, projectId } = arranged;
    const people = `${organization.path}/projects/${projectId}/members`;
    const person = await memberWith(arranged, 'viewer');
    const elsewhere = await signUp(server);
    await addOrganizationProject(server, organization, elsewhere.projectId);
    const bound = await createRole(arranged, { name: 'Bound', project_id: elsewhere.projectId });
    for (const role of ['owner', 'role_none', '', null, bound.id]) {
      const { status, body } = await owner.session.post(`${people}/${person.userId}`, { role });
      expect([role, status, body.param]).toEqual([role, 400, 'role']);
    }
    const notOnIt = await addOrganizationMember(server, organization, 'member');
    for (const userId of [notOnIt.userId, 'usr_none']) {
      expect((await owner.session.post(`${people}/${userId}`, { role: 'viewer' })).status).toBe(404);
    }
    const ownerId = await userIdOf(server, owner.email);
    const asOwner = await owner.session.post(`${people}/${ownerId}`, { role: 'viewer' });
    expect([asOwner.status, asOwner.body.type]).toEqual([422, 'unprocessable_entity_error']);
    const others = await arrange();
    const foreign = `${organization.path}/projects/${others.projectId}/members`;
    expect((await owner.session.get(foreign)).status).toBe(404);
    expect((await owner.session.post(`${foreign}/${person.userId}`, { role: 'viewer' })).status).toBe(404);
    // Without the organization's owners the person would be the last admin.
    const last = await memberWith(arranged, 'admin');
    await server.dataSource.query(
      `DELETE FROM project_members WHERE project_id = $1 AND role = 'admin' AND user_id <> $2`,
      [projectId, last.userId],
    );
    const demoted = await owner.session.post(`${people}/${last.userId}`, { role: 'viewer' });
    expect(demoted.status).toBe(422);
  });
});

/** A group of SCIM, and who is in it, as provisioning stores them. */
async function setGroup(orgId: string, name: string, userIds: readonly string[]): Promise<void> {
  const id = `scg_${name.toLowerCase()}`;
  const query = (text: string, values: unknown[]) => server.dataSource.query(text, values);
  const now = new Date(server.clock.nowMs());
  await query(
    `INSERT INTO scim_groups (org_id, id, display_name, resource, version, created_at, updated_at)
     VALUES ($1, $2, $3, '{}', 1, $4, $4) ON CONFLICT (org_id, id) DO UPDATE SET display_name = excluded.display_name`,
    [orgId, id, name, now],
  );
  await query(
    `INSERT INTO scim_users (org_id, id, user_id, user_name, active, resource, version, created_at, updated_at)
     SELECT $1, 'scu_' || u.id, u.id, u.email, true, '{}', 1, $3, $3 FROM users u WHERE u.id = ANY ($2)
     ON CONFLICT DO NOTHING`,
    [orgId, userIds, now],
  );
  await query('DELETE FROM scim_group_members WHERE org_id = $1 AND group_id = $2', [orgId, id]);
  await query(
    `INSERT INTO scim_group_members (org_id, group_id, scim_user_id)
     SELECT $1, $2, 'scu_' || id FROM unnest($3::text[]) AS id`,
    [orgId, id, userIds],
  );
}

async function setSsoGroups(orgId: string, userId: string, groups: readonly string[]): Promise<void> {
  await server.dataSource.query(
    'UPDATE organization_members SET sso_groups = $3 WHERE org_id = $1 AND user_id = $2',
    [orgId, userId, groups],
  );
}

describe('group role mappings', () => {
  it('assigns a role at once to the members of groups, however these are known', async () => {
    const arranged = await arrange();
    const { organization, owner, projectId } = arranged;
    const path = `${organization.path}/role_mappings`;
    const [scim, sso, byHand] = [
      await addOrganizationMember(server, organization, 'member'),
      await addOrganizationMember(server, organization, 'member'),
      await memberWith(arranged, 'viewer'),
    ];
    await setGroup(organization.id, 'Engineers', [scim.userId, byHand.userId]);
    await setSsoGroups(organization.id, sso.userId, ['ENGINEERS']);
    expect((await scim.session.get(`/v2/projects/${projectId}`)).status).toBe(404);
    const body = { group: 'engineers', project_id: projectId, role: 'developer' };
    const made = await owner.session.post(path, body);
    expect([made.status, made.body]).toEqual([
      201,
      {
        object: 'role_mapping',
        id: expect.stringMatching(/^map_[a-z0-9]{12}$/) as string,
        group: 'engineers',
        project_id: projectId,
        project_name: expect.any(String) as string,
        role: 'developer',
        role_name: 'Developer',
        created_at: server.clock.nowMs(),
        memberships_changed: 2,
      },
    ]);
    expect((await scim.session.get(`/v2/projects/${projectId}`)).status).toBe(200);
    const roles = () => Promise.all([scim, sso, byHand].map(({ userId }) => roleOf(projectId, userId)));
    expect(await roles()).toEqual(['developer idp', 'developer idp', 'viewer manual']);
    const role = await createRole(arranged);
    const replaced = await owner.session.post(path, { ...body, group: 'Engineers', role: role.id });
    expect([replaced.status, replaced.body]).toEqual([
      200,
      { ...made.body, group: 'Engineers', role: role.id, role_name: 'Support' },
    ]);
    expect(await roles()).toEqual([`${role.id} idp`, `${role.id} idp`, 'viewer manual']);
    const { body: list } = await owner.session.get(path);
    expect({ ...list.items[0], memberships_changed: 2 }).toEqual(replaced.body);
    // The same again changes nothing.
    const again = await owner.session.post(path, { ...body, group: 'Engineers', role: role.id });
    expect([again.status, again.body.memberships_changed]).toEqual([200, 0]);
    const deleted = await owner.session.delete(`${path}/${made.body.id}`);
    expect(deleted.body).toEqual({
      object: 'role_mapping',
      id: made.body.id,
      deleted_at: server.clock.nowMs(),
    });
    expect(await roles()).toEqual([null, null, 'viewer manual']);
    expect((await owner.session.delete(`${path}/${made.body.id}`)).status).toBe(404);
    const actions = (await auditActions(arranged)).filter((action) => action.startsWith('role_mapping'));
    expect(actions.sort()).toEqual(['role_mapping_deleted', 'role_mapping_saved', 'role_mapping_saved']);
  });

  it('lowers people to what other groups give, even when a role is deleted', async () => {
    const arranged = await arrange();
    const { organization, owner, projectId } = arranged;
    const path = `${organization.path}/role_mappings`;
    const person = await addOrganizationMember(server, organization, 'member');
    await setSsoGroups(organization.id, person.userId, ['A', 'B', 'C']);
    const [small, large] = [
      await createRole(arranged, { name: 'Small', scopes: [READ_CUSTOMERS] }),
      await createRole(arranged, { name: 'Large', scopes: [WRITE_CUSTOMERS] }),
    ];
    const map = (group: string, role: string) =>
      owner.session.post(path, { group, project_id: projectId, role });
    await map('A', 'viewer');
    await map('B', small.id as string);
    expect(await roleOf(projectId, person.userId)).toBe(`${small.id} idp`);
    const { body: top } = await map('C', large.id as string);
    expect(await roleOf(projectId, person.userId)).toBe(`${large.id} idp`);
    // Its rank follows its scopes.
    await owner.session.post(`${organization.path}/roles/${small.id}`, {
      scopes: [WRITE_CUSTOMERS, READ_MEMBERS],
    });
    expect(await roleOf(projectId, person.userId)).toBe(`${small.id} idp`);
    await owner.session.delete(`${organization.path}/roles/${small.id}`);
    expect(await roleOf(projectId, person.userId)).toBe(`${large.id} idp`);
    await owner.session.delete(`${path}/${top.id}`);
    expect(await roleOf(projectId, person.userId)).toBe('viewer idp');
    const groups = ((await owner.session.get(path)).body.items as { group: string }[]).map(
      ({ group }) => group,
    );
    expect(groups).toEqual(['A']);
  });

  it.each([
    [{ group: '' }, 400, 'group'],
    [{ group: 'x'.repeat(256) }, 400, 'group'],
    [{ group: 7 }, 400, 'group'],
    [{ role: 'owner' }, 400, 'role'],
    [{ role: 'role_none' }, 400, 'role'],
    [{ role: undefined }, 400, 'role'],
    [{ project_id: undefined }, 400, 'project_id'],
    [{ project_id: 'projnone' }, 404, 'project_id'],
  ])('refuses %j with %i, naming the field', async (fields, status, param) => {
    const { organization, owner, projectId } = await arrange();
    const body = { group: 'Team', project_id: projectId, role: 'viewer', ...fields };
    const refused = await owner.session.post(`${organization.path}/role_mappings`, body);
    expect([refused.status, refused.body.param]).toEqual([status, param]);
  });

  it('leaves owners admins, and grants nothing to deactivated people', async () => {
    const arranged = await arrange();
    const { organization, owner, projectId } = arranged;
    const person = await addOrganizationMember(server, organization, 'member');
    await setSsoGroups(organization.id, person.userId, ['Team']);
    await setSsoGroups(organization.id, await userIdOf(server, owner.email), ['Team']);
    const body = { group: 'Team', project_id: projectId, role: 'viewer' };
    await server.dataSource.query('UPDATE organization_members SET active = false WHERE user_id = $1', [
      person.userId,
    ]);
    const made = await owner.session.post(`${organization.path}/role_mappings`, body);
    expect(made.body.memberships_changed).toBe(0);
    expect(await roleOf(projectId, person.userId)).toBeNull();
    expect(await roleOf(projectId, await userIdOf(server, owner.email))).toBe('admin org');
  });
});

describe('effective roles after any history', () => {
  const groups = ['G1', 'G2', 'G3'] as const;
  const PEOPLE = 3;
  const built = ['admin', 'developer', 'viewer'] as const;
  const person = fc.nat(PEOPLE - 1);
  const group = fc.constantFrom(...groups);
  /** Index of a role: the built-in ones, then two custom ones. */
  const role = fc.nat(4);
  const step = fc.oneof(
    fc.record({ kind: fc.constant('scim' as const), group, people: fc.uniqueArray(person) }),
    fc.record({ kind: fc.constant('sso' as const), person, groups: fc.uniqueArray(group) }),
    fc.record({ kind: fc.constant('map' as const), group, role }),
    fc.record({ kind: fc.constant('unmap' as const), group }),
    fc.record({ kind: fc.constant('hand' as const), person, role }),
    fc.record({ kind: fc.constant('promote' as const), person, to: fc.constantFrom('admin', 'member') }),
    fc.record({ kind: fc.constant('active' as const), person, isActive: fc.boolean() }),
  );

  it('follows the rules', async () => {
    const arranged = await arrange();
    const { organization, owner, projectId } = arranged;
    const people = [];
    for (let count = 0; count < PEOPLE; count++)
      people.push(await addOrganizationMember(server, organization, 'member'));
    const ids = people.map(({ userId }) => userId);
    const custom = [
      await createRole(arranged, { name: 'Few', scopes: [READ_CUSTOMERS] }),
      await createRole(arranged, { name: 'Many', scopes: [WRITE_CUSTOMERS] }),
    ].map(({ id }) => id as string);
    const names: string[] = [...built, ...custom];
    const order = ['admin', 'developer', custom[1], custom[0], 'viewer'];
    const mappingsPath = `${organization.path}/role_mappings`;

    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        await server.dataSource.query(
          'DELETE FROM project_members WHERE project_id = $1 AND user_id = ANY ($2)',
          [projectId, ids],
        );
        await server.dataSource.query('DELETE FROM role_mappings WHERE org_id = $1', [organization.id]);
        await server.dataSource.query('DELETE FROM scim_groups WHERE org_id = $1', [organization.id]);
        await server.dataSource.query(
          `UPDATE organization_members SET sso_groups = '{}', role = 'member', active = true
           WHERE org_id = $1 AND user_id = ANY ($2)`,
          [organization.id, ids],
        );
        const scim = new Map<string, number[]>();
        const sso = ids.map((): string[] => []);
        const mapped = new Map<string, { role: string; id: string }>();
        const manual = ids.map((): string | null => null);
        const admins = ids.map(() => false);
        const active = ids.map(() => true);

        /** The ten lines that everything else is compared with. */
        const expected = (who: number): string | null => {
          if (!active[who]) return null;
          if (admins[who]) return 'admin org';
          if (manual[who]) return `${manual[who]} manual`;
          const own = [...(sso[who] ?? []), ...groups.filter((name) => scim.get(name)?.includes(who))];
          const given = own.flatMap((name) => mapped.get(name.toUpperCase())?.role ?? []);
          const highest = order.find((name) => name !== undefined && given.includes(name));
          return highest ? `${highest} idp` : null;
        };

        for (const event of steps) {
          if (event.kind === 'scim') {
            scim.set(event.group, event.people);
            await setGroup(
              organization.id,
              event.group,
              event.people.map((who) => ids[who] as string),
            );
            await reapplyRoles(server, organization.id);
          } else if (event.kind === 'sso') {
            sso[event.person] = event.groups.map((name) => name.toLowerCase());
            await setSsoGroups(organization.id, ids[event.person] as string, sso[event.person] ?? []);
            await reapplyRoles(server, organization.id);
          } else if (event.kind === 'map') {
            const name = names[event.role] as string;
            const body = { group: event.group, project_id: projectId, role: name };
            const { body: made } = await owner.session.post(mappingsPath, body);
            mapped.set(event.group, { role: name, id: made.id as string });
          } else if (event.kind === 'unmap') {
            const known = mapped.get(event.group);
            if (known) await owner.session.delete(`${mappingsPath}/${known.id}`);
            mapped.delete(event.group);
          } else if (event.kind === 'hand') {
            const path = `${organization.path}/projects/${projectId}/members/${ids[event.person]}`;
            const name = names[event.role] as string;
            const before = expected(event.person);
            const { status } = await owner.session.post(path, { role: name });
            // 404 if not on the project; 422 for an admin through the organization.
            expect(status).toBe(before === null ? 404 : before === 'admin org' ? 422 : 200);
            if (status === 200) manual[event.person] = name;
          } else if (event.kind === 'promote') {
            admins[event.person] = event.to === 'admin';
            await server.dataSource.query(
              'UPDATE organization_members SET role = $3 WHERE org_id = $1 AND user_id = $2',
              [organization.id, ids[event.person], event.to],
            );
            await reapplyRoles(server, organization.id);
          } else {
            active[event.person] = event.isActive;
            // A deactivation takes roles given by hand away for good.
            if (!event.isActive) manual[event.person] = null;
            await server.dataSource.query(
              'UPDATE organization_members SET active = $3 WHERE org_id = $1 AND user_id = $2',
              [organization.id, ids[event.person], event.isActive],
            );
            await reapplyRoles(server, organization.id);
          }
          expect(await Promise.all(ids.map((id) => roleOf(projectId, id)))).toEqual(
            ids.map((_, who) => expected(who)),
          );
        }
      }),
      { numRuns: 8 },
    );
  });
});
