import { CredentialUsesService } from '../../src/platform/auth/credential-uses/credential-uses.service.js';
import { describeAccess } from '../support/access-checks.js';
import type { ApiClient } from '../support/api-client.js';
import { createSecretKey, joinAs, signUp, type SignedUp } from '../support/arrange.js';
import { startTestServer, TEST_START_MS, type TestServer } from '../support/test-server.js';

const PROJECTS_READ = 'project_configuration:projects:read';
const PROJECTS_WRITE = 'project_configuration:projects:read_write';
const KEYS_READ = 'project_configuration:api_keys:read';
const KEYS_WRITE = 'project_configuration:api_keys:read_write';

let server: TestServer;
let owner: SignedUp;
let stranger: SignedUp;

beforeAll(async () => {
  server = await startTestServer({ env: { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_TRUST_PROXY: 'true' } });
  owner = await signUp(server, { projectName: 'First' });
  stranger = await signUp(server);
});

afterAll(() => server.close());

async function clientOf(permissions?: string[]): Promise<ApiClient> {
  return (await createSecretKey(owner.session, owner.projectId, permissions)).client;
}

describe('GET /v2/projects', () => {
  it('shows a key its own project in the list form and a person all of theirs, in the order they were made', async () => {
    const { session, projectId } = await signUp(server, { projectName: 'One' });
    server.clock.advanceMs(1000);
    const second = (await session.post('/v2/projects', { name: 'Two' })).body;
    const first = {
      object: 'project',
      id: projectId,
      name: 'One',
      created_at: second.created_at - 1000,
      icon_url: null,
      icon_url_large: null,
    };
    const list = await session.get('/v2/projects');
    const envelope = { object: 'list', next_page: null, url: '/v2/projects' };
    expect(list.body).toEqual({ ...envelope, items: [first, second] });
    const { client } = await createSecretKey(session, projectId, [PROJECTS_READ]);
    expect((await client.get('/v2/projects')).body.items).toEqual([first]);
  });

  it('pages by the id of the last item, also through projects of the same moment', async () => {
    const { session, projectId } = await signUp(server);
    const ids = [projectId];
    for (const name of ['b', 'c', 'd', 'e']) {
      ids.push((await session.post('/v2/projects', { name })).body.id);
    }
    const seen: string[] = [];
    let path: string | null = '/v2/projects?limit=2';
    while (path !== null) {
      const { body } = await session.get(path);
      seen.push(...body.items.map(({ id }: { id: string }) => id));
      path = body.next_page;
    }
    expect([...seen].sort()).toEqual([...ids].sort());
    expect(seen).toHaveLength(5);
    expect((await session.get(`/v2/projects?starting_after=${seen[4]}`)).body.items).toEqual([]);
  });

  it('refuses a cursor that is no item of the list and a limit that is no number', async () => {
    const key = await clientOf();
    for (const client of [owner.session, key]) {
      for (const [query, param] of [
        [`starting_after=${stranger.projectId}`, 'starting_after'],
        ['starting_after=nothing', 'starting_after'],
        ['limit=ten', 'limit'],
      ]) {
        const answer = await client.get(`/v2/projects?${query}`);
        expect([answer.status, answer.body.type, answer.body.param]).toEqual([400, 'parameter_error', param]);
      }
    }
    const last = await key.get(`/v2/projects?starting_after=${owner.projectId}`);
    expect([last.status, last.body.items]).toEqual([200, []]);
  });

  it('asks for a credential and, of keys, for the permission', async () => {
    expect((await server.http.get('/v2/projects')).status).toBe(401);
    const answer = await (await clientOf([KEYS_READ])).get('/v2/projects');
    expect([answer.status, answer.body.message]).toEqual([403, expect.stringContaining(PROJECTS_READ)]);
  });
});

describe('POST /v2/projects', () => {
  it('makes the signed-in person the admin of the new project and answers its list form', async () => {
    const { session } = await signUp(server);
    const name = 'n'.repeat(255);
    const answer = await session.post('/v2/projects', { name });
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        object: 'project',
        id: expect.stringMatching(/^proj[0-9a-z]{10}$/),
        name,
        created_at: server.clock.nowMs(),
        icon_url: null,
        icon_url_large: null,
      },
    ]);
    const { projects } = (await session.get('/auth/me')).body;
    expect(projects).toContainEqual(expect.objectContaining({ id: answer.body.id, role: 'admin' }));
  });

  it.each([[{}], [{ name: '' }], [{ name: 'n'.repeat(256) }], [{ name: 5 }], [{ name: null }]])(
    'refuses the body %j',
    async (body) => {
      const answer = await owner.session.post('/v2/projects', body);
      expect([answer.status, answer.body.type, answer.body.param]).toEqual([400, 'parameter_error', 'name']);
    },
  );

  it('requires a person', async () => {
    const answer = await (await clientOf()).post('/v2/projects', { name: 'By a key' });
    expect([answer.status, answer.body.type]).toEqual([403, 'authorization_error']);
    expect((await server.http.post('/v2/projects', { name: 'Without a session' })).status).toBe(401);
  });
});

describe('GET /v2/projects/{project_id}', () => {
  describeAccess(
    () => server,
    'GET',
    (id) => `/v2/projects/${id}`,
    PROJECTS_READ,
  );

  it('shows the settings form to keys and people', async () => {
    for (const client of [owner.session, await clientOf([PROJECTS_READ])]) {
      const answer = await client.get(`/v2/projects/${owner.projectId}`);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        object: 'project',
        id: owner.projectId,
        name: 'First',
        created_at: TEST_START_MS,
        icon_url: null,
        icon_url_large: null,
        transfer_behavior: 'transfer',
        sandbox_transfer_behavior: null,
        sdk_events: 'essential',
        week_starts_on: 'monday',
        chart_attributes: [],
        experiment_holdout_percentage: 0,
        outside_purchase_tax_rates: {},
      });
    }
  });
});

describe('POST /v2/projects/{project_id}', () => {
  describeAccess(
    () => server,
    'POST',
    (id) => `/v2/projects/${id}`,
    PROJECTS_WRITE,
  );

  it('changes what is sent and keeps the rest', async () => {
    const { session, projectId } = await signUp(server);
    const path = `/v2/projects/${projectId}`;
    const { client } = await createSecretKey(session, projectId, [PROJECTS_WRITE]);
    const renamed = await client.post(path, { name: 'Renamed' });
    expect(renamed.status).toBe(200);
    expect(renamed.body).toMatchObject({ name: 'Renamed', transfer_behavior: 'transfer' });
    for (const value of ['share', 'keep', 'transfer_if_no_active', 'transfer']) {
      const body = { transfer_behavior: value, sandbox_transfer_behavior: value };
      expect((await session.post(path, body)).body).toMatchObject({ name: 'Renamed', ...body });
    }
    const cleared = await session.post(path, { sandbox_transfer_behavior: null });
    expect(cleared.body).toMatchObject({ transfer_behavior: 'transfer', sandbox_transfer_behavior: null });
    expect((await session.post(path, {})).body).toEqual(cleared.body);
    expect((await session.get(path)).body).toEqual(cleared.body);
  });

  it('tells caches of the catalog about transfer settings, and only about those', async () => {
    const path = `/v2/projects/${owner.projectId}`;
    const sql = 'SELECT catalog_version AS version FROM projects WHERE id = $1';
    const version = async (): Promise<number> =>
      (await server.dataSource.query<[{ version: number }]>(sql, [owner.projectId]))[0].version;
    const before = await version();
    await owner.session.post(path, { name: 'First' });
    expect(await version()).toBe(before);
    await owner.session.post(path, { transfer_behavior: 'transfer' });
    expect(await version()).toBe(before + 1);
    await owner.session.post(path, { sandbox_transfer_behavior: null });
    expect(await version()).toBe(before + 2);
  });

  it.each([
    [{ name: '' }, 'name'],
    [{ name: null }, 'name'],
    [{ transfer_behavior: 'steal' }, 'transfer_behavior'],
    [{ transfer_behavior: null }, 'transfer_behavior'],
    [{ sandbox_transfer_behavior: 1 }, 'sandbox_transfer_behavior'],
    [{ chart_attributes: ['a', 'b', 'c', 'd', 'e', 'f'] }, 'chart_attributes'],
    [{ chart_attributes: 'team' }, 'chart_attributes'],
    [{ outside_purchase_tax_rates: { ES: 10_001 } }, 'outside_purchase_tax_rates'],
    [{ outside_purchase_tax_rates: { es: 1 } }, 'outside_purchase_tax_rates'],
    [{ outside_purchase_tax_rates: 'ES' }, 'outside_purchase_tax_rates'],
    [{ outside_purchase_tax_rates: null }, 'outside_purchase_tax_rates'],
    [{ chart_attributes: null }, 'chart_attributes'],
    [{ chart_attributes: [1] }, 'chart_attributes'],
    [{ chart_attributes: [''] }, 'chart_attributes'],
    [{ chart_attributes: ['two words'] }, 'chart_attributes'],
    [{ chart_attributes: ['a\u0000b'] }, 'chart_attributes'],
    [{ chart_attributes: ['x'.repeat(41)] }, 'chart_attributes'],
    [{ chart_attributes: ['team', '$campaign'] }, 'chart_attributes'],
    [{ chart_attributes: ['$email'] }, 'chart_attributes'],
    [{ chart_attributes: ['$unknown'] }, 'chart_attributes'],
  ])('refuses %j', async (body, param) => {
    const answer = await owner.session.post(`/v2/projects/${owner.projectId}`, body);
    expect([answer.status, answer.body.type, answer.body.param]).toEqual([400, 'parameter_error', param]);
  });

  it('keeps each attribute of charts once, and writes the change of them to the audit log', async () => {
    const { session, projectId } = await signUp(server);
    const path = `/v2/projects/${projectId}`;
    const chosen = { chart_attributes: ['team', '$attConsentStatus', 'team', 'größe'] };
    const stored = { chart_attributes: ['$attConsentStatus', 'größe', 'team'] };
    expect((await session.post(path, chosen)).body).toMatchObject(stored);
    expect((await session.get(path)).body).toMatchObject(stored);
    const updates = await session.get(`${path}/audit_logs?action_type=project_settings_updated`);
    const change = { old: [], new: stored.chart_attributes };
    expect(updates.body.items).toMatchObject([
      {
        additional_data: { changed_fields: ['chart_attributes'], changes: { chart_attributes: change } },
      },
    ]);
    expect((await session.post(path, { chart_attributes: [] })).body).toMatchObject({ chart_attributes: [] });
  });

  it('allows developers and not viewers, who can read', async () => {
    const path = `/v2/projects/${owner.projectId}`;
    const { session: developer } = await joinAs(server, 'developer', owner.projectId);
    expect((await developer.post(path, { name: 'First' })).status).toBe(200);
    const { session: viewer } = await joinAs(server, 'viewer', owner.projectId);
    expect((await viewer.get(path)).status).toBe(200);
    const refused = await viewer.post(path, { name: 'Second' });
    const message = `This role (viewer) lacks the permission (scope) \`${PROJECTS_WRITE}\`.`;
    expect([refused.status, refused.body.message]).toEqual([403, message]);
  });
});

describe('GET /v2/projects/{project_id}/api_keys', () => {
  describeAccess(
    () => server,
    'GET',
    (id) => `/v2/projects/${id}/api_keys`,
    KEYS_READ,
  );

  it('pages through the keys, oldest first, without their values', async () => {
    const { session, projectId } = await signUp(server);
    const path = `/v2/projects/${projectId}/api_keys`;
    expect((await session.get(path)).body).toEqual({ object: 'list', items: [], next_page: null, url: path });
    const created = [];
    for (const name of ['a', 'b', 'c']) {
      server.clock.advanceMs(1000);
      const { key, ...listed } = (await session.post(path, { name })).body;
      expect(key).toMatch(/^sk_/);
      created.push(listed);
    }
    const first = await session.get(`${path}?limit=2`);
    expect(first.body).toEqual({
      object: 'list',
      items: created.slice(0, 2),
      next_page: expect.stringContaining(`${path}?limit=2&starting_after=${created[1].id}/`),
      url: path,
    });
    const second = await session.get(first.body.next_page);
    expect([second.body.items, second.body.next_page]).toEqual([created.slice(2), null]);
    const { id: foreignId } = await createSecretKey(owner.session, owner.projectId);
    const bad = await session.get(`${path}?starting_after=${foreignId}`);
    expect([bad.status, bad.body.param]).toEqual([400, 'starting_after']);
  });

  it('tells when a key was last used, to the minute', async () => {
    const { session, projectId } = await signUp(server);
    const { client } = await createSecretKey(session, projectId);
    const lastUse = async () =>
      (await session.get(`/v2/projects/${projectId}/api_keys`)).body.items[0].last_used_at;
    expect(await lastUse()).toBeNull();
    const usedAtMs = server.clock.nowMs();
    await client.get('/v2/projects');
    // Written behind the answer.
    while ((await lastUse()) === null) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await lastUse()).toBe(usedAtMs);
  });

  it('writes that time at most once a minute, whichever replicas the key is used on', async () => {
    const { session, projectId } = await signUp(server);
    const { id } = await createSecretKey(session, projectId);
    const replica = await startTestServer({ databaseUrl: server.databaseUrl, clock: server.clock });
    try {
      const repositories = [server, replica].map(({ app }) => app.get(CredentialUsesService));
      const written = async (): Promise<[number, string]> => {
        const sql = `SELECT (extract(epoch FROM last_used_at) * 1000)::float8 AS at, xmin::text AS version
          FROM credential_uses WHERE project_id = $1 AND credential_id = $2`;
        const [row] = await server.dataSource.query<[{ at: number; version: string }]>(sql, [projectId, id]);
        return [row.at, row.version];
      };
      const use = async (): Promise<[number, string]> => {
        const now = new Date(server.clock.nowMs());
        await Promise.all(
          [...repositories, ...repositories].map((each) => each.record(projectId, 'api_key', id, now)),
        );
        return written();
      };
      const firstAtMs = server.clock.nowMs();
      const first = await use();
      expect(first[0]).toBe(firstAtMs);
      server.clock.advanceMs(60_000);
      expect(await use()).toEqual(first);
      server.clock.advanceMs(1);
      expect((await use())[0]).toBe(firstAtMs + 60_001);
    } finally {
      await replica.close();
    }
  });
});

describe('POST /v2/projects/{project_id}/api_keys', () => {
  const path = () => `/v2/projects/${owner.projectId}/api_keys`;

  describeAccess(
    () => server,
    'POST',
    (id) => `/v2/projects/${id}/api_keys`,
    KEYS_WRITE,
  );

  it('creates a key that may do everything and shows its value once', async () => {
    const answer = await owner.session.post(path(), { name: 'Backend' });
    expect([answer.status, answer.body]).toEqual([
      201,
      {
        object: 'api_key',
        id: expect.stringMatching(/^key_[0-9a-z]{10}$/),
        name: 'Backend',
        key: expect.stringMatching(/^sk_[0-9a-f]{48}$/),
        prefix: answer.body.key.slice(0, 7),
        permissions: ['*'],
        created_at: server.clock.nowMs(),
        last_used_at: null,
      },
    ]);
    const client = server.http.withKey(answer.body.key);
    expect((await client.post(path(), { name: 'By a key' })).body.permissions).toEqual(['*']);
  });

  it('stores the permissions as given, once each, wildcards too', async () => {
    const permissions = ['customer_information:*', 'charts_metrics:*:read', PROJECTS_READ];
    const body = { name: 'Some', permissions: [...permissions, PROJECTS_READ] };
    const answer = await owner.session.post(path(), body);
    expect(answer.body.permissions).toEqual(permissions);
  });

  it("gives a key of a restricted creator the creator's own permissions by default, and never more", async () => {
    const creator = await clientOf([KEYS_WRITE, PROJECTS_READ]);
    const own = await creator.post(path(), { name: 'Own' });
    expect(own.status).toBe(201);
    expect([...own.body.permissions].sort()).toEqual([KEYS_READ, KEYS_WRITE, PROJECTS_READ].sort());
    expect((await creator.post(path(), { name: 'Less', permissions: [KEYS_READ] })).status).toBe(201);
    for (const [permission, lacking] of [
      [PROJECTS_WRITE, PROJECTS_WRITE],
      ['charts_metrics:*', 'charts_metrics:overview:read'],
      ['*', 'project_configuration:projects:read_write'],
    ]) {
      const answer = await creator.post(path(), { name: 'More', permissions: [permission] });
      expect([answer.status, answer.body.type]).toEqual([403, 'authorization_error']);
      expect(answer.body.message).toContain(`(scope) \`${lacking}\``);
    }
  });

  it.each([
    [{ permissions: ['*'] }, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 'n'.repeat(256) }, 'name'],
    [{ name: 'x', permissions: '*' }, 'permissions'],
    [{ name: 'x', permissions: null }, 'permissions'],
    [{ name: 'x', permissions: [] }, 'permissions'],
    [{ name: 'x', permissions: [5] }, 'permissions'],
    [{ name: 'x', permissions: ['project_configuration:teapots:read'] }, 'permissions'],
    [{ name: 'x', permissions: ['charts_metrics:overview:read_write'] }, 'permissions'],
    [{ name: 'x', permissions: ['unknown:*'] }, 'permissions'],
    [{ name: 'x', permissions: ['*', 'iam:authorization:issue_token'] }, 'permissions'],
  ])('refuses the body %j', async (body, param) => {
    const answer = await owner.session.post(path(), body);
    expect([answer.status, answer.body.type, answer.body.param]).toEqual([400, 'parameter_error', param]);
  });

  it('requires an admin: developers and viewers only read', async () => {
    for (const role of ['developer', 'viewer'] as const) {
      const { session: member } = await joinAs(server, role, owner.projectId);
      expect((await member.get(path())).status).toBe(200);
      const answer = await member.post(path(), { name: 'x' });
      expect([answer.status, answer.body.message]).toEqual([403, expect.stringContaining(KEYS_WRITE)]);
    }
  });
});

describe('DELETE /v2/projects/{project_id}/api_keys/{key_id}', () => {
  describeAccess(
    () => server,
    'DELETE',
    (id) => `/v2/projects/${id}/api_keys/key_0000000000`,
    KEYS_WRITE,
  );

  const keyPath = (id: string) => `/v2/projects/${owner.projectId}/api_keys/${id}`;

  it('stops the key at once on every replica', async () => {
    const replica = await startTestServer({ databaseUrl: server.databaseUrl, clock: server.clock });
    try {
      const { id, key, client } = await createSecretKey(owner.session, owner.projectId);
      const there = replica.http.withKey(key);
      for (const each of [client, there]) expect((await each.get('/v2/projects')).status).toBe(200);

      const answer = await owner.session.delete(keyPath(id));
      const deleted = { object: 'api_key', id, deleted_at: server.clock.nowMs() };
      expect([answer.status, answer.body]).toEqual([200, deleted]);
      expect((await client.get('/v2/projects')).status).toBe(401);
      // The clock stands still, so only the notification can empty the cache of the replica.
      let status: number;
      do ({ status } = await there.get('/v2/projects'));
      while (status === 200);
      expect(status).toBe(401);

      const routes = 'SELECT 1 FROM credential_routes WHERE project_id = $1 AND owner_id = $2';
      expect(await server.dataSource.query(routes, [owner.projectId, id])).toEqual([]);
      const { items } = (await owner.session.get(`/v2/projects/${owner.projectId}/api_keys?limit=100`)).body;
      expect(items.map((item: { id: string }) => item.id)).not.toContain(id);
      expect((await owner.session.delete(keyPath(id))).status).toBe(404);
    } finally {
      await replica.close();
    }
  });

  it('lets a key delete itself', async () => {
    const { id, client } = await createSecretKey(owner.session, owner.projectId);
    expect((await client.delete(keyPath(id))).status).toBe(200);
    expect((await client.delete(keyPath(id))).status).toBe(401);
  });

  it('keeps a key of another project, and deletes a key once in a race', async () => {
    const { id, client } = await createSecretKey(stranger.session, stranger.projectId);
    expect((await owner.session.delete(keyPath(id))).status).toBe(404);
    expect((await client.get('/v2/projects')).status).toBe(200);
    const mine = await createSecretKey(owner.session, owner.projectId);
    const answers = await Promise.all([1, 2, 3].map(() => owner.session.delete(keyPath(mine.id))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
  });
});
