import { webhookEventTypes } from '../../src/webhooks/events/event-types.js';
import { describeAccess } from '../support/access-checks.js';
import type { ApiClient, Json } from '../support/api-client.js';
import { createSecretKey, type SignedUp, signUp } from '../support/arrange.js';
import { startTestServer, TEST_START_MS, type TestServer } from '../support/test-server.js';

const URL = 'https://93.184.216.34/hook';

describe('webhook integrations', () => {
  let server: TestServer;
  let owner: SignedUp;
  let backend: ApiClient;
  let list: string;
  let appId: string;

  beforeAll(async () => {
    const env = {
      SERVICE_ALLOW_SIGNUP: 'true',
      SERVICE_TRUST_PROXY: 'true',
      SERVICE_ALLOW_PRIVATE_NETWORKS: 'false',
      SERVICE_PUBLIC_URL: 'https://tenure.example.com',
    };
    server = await startTestServer({ env });
    owner = await signUp(server);
    backend = (await createSecretKey(owner.session, owner.projectId)).client;
    list = `/v2/projects/${owner.projectId}/integrations/webhooks`;
    const app = await backend.post(`/v2/projects/${owner.projectId}/apps`, {
      name: 'App',
      type: 'test_store',
    });
    appId = app.body.id;
  });

  afterAll(() => server.close());

  const create = async (more: object = {}): Promise<Json> => {
    const answer = await backend.post(list, { name: 'Backend', url: URL, ...more });
    expect(answer.status).toBe(201);
    return answer.body;
  };

  it('creates them with defaults, and returns their signing secret once', async () => {
    const { signing_secret: secret, ...integration } = await create();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(integration).toEqual({
      object: 'webhook_integration',
      id: expect.stringMatching(/^wh_[0-9a-z]{16}$/),
      project_id: owner.projectId,
      name: 'Backend',
      url: URL,
      environment: null,
      event_types: [],
      app_id: null,
      ordered: false,
      include_customer_info: false,
      created_at: TEST_START_MS,
    });
    const read = await backend.get(`${list}/${integration.id}`);
    expect([read.status, read.body]).toEqual([200, integration]);
  });

  it('creates them with every field, and never shows the authorization header', async () => {
    const body = {
      name: 'N'.repeat(1500),
      url: `http://93.184.216.34:8080/${'p'.repeat(4900)}?a=b`,
      authorization_header: 'Bearer very-secret',
      environment: 'sandbox',
      event_types: ['renewal', 'test', 'renewal'],
      app_id: appId,
    };
    const { authorization_header: hidden, ...shown } = body;
    const integration = await create(body);
    expect(integration).toMatchObject({ ...shown, event_types: ['renewal', 'test'] });
    expect(JSON.stringify(integration)).not.toContain(hidden);
    const [row] = await server.dataSource.query<Record<string, string>[]>(
      'SELECT * FROM webhook_integrations WHERE id = $1',
      [integration.id],
    );
    expect(JSON.stringify(row)).not.toContain('very-secret');
    expect(JSON.stringify(row)).not.toContain(integration.signing_secret.slice('whsec_'.length));
  });

  it('accepts each of the 26 event types', async () => {
    expect(webhookEventTypes).toHaveLength(26);
    const integration = await create({ event_types: webhookEventTypes });
    expect(integration.event_types).toEqual(webhookEventTypes);
  });

  it('accepts null for every optional field, as absent', async () => {
    const nulls = { authorization_header: null, environment: null, event_types: null, app_id: null };
    expect(await create(nulls)).toMatchObject({ environment: null, event_types: [], app_id: null });
  });

  describe('bad fields', () => {
    let id: string;

    beforeAll(async () => {
      id = (await create({ name: 'Kept' })).id;
    });

    it.each([
      ['name', ''],
      ['name', 'N'.repeat(1501)],
      ['name', null],
      ['name', 7],
      ['url', ''],
      ['url', null],
      ['url', 'not a url'],
      ['url', 'ftp://93.184.216.34'],
      ['url', 'https://user:secret@93.184.216.34'],
      ['url', 'http://127.0.0.1/hook'],
      ['url', 'http://localhost:8080/hook'],
      ['url', 'http://169.254.169.254/latest/meta-data'],
      ['url', 'http://[::1]/hook'],
      ['url', 'http://2130706433/hook'],
      ['url', 'http://0177.0.0.1/hook'],
      ['url', 'http://0x7f.1/hook'],
      ['url', 'http://[::ffff:127.0.0.1]/hook'],
      ['url', 'http://[64:ff9b::169.254.169.254]/hook'],
      ['url', 'http://[fe80::1]/hook'],
      ['url', 'http://10.0.0.1/hook'],
      ['url', 'https://tenure.example.com/v1/receipts'],
      ['url', `https://93.184.216.34/${'p'.repeat(5000)}`],
      ['authorization_header', 'Bearer a\r\nX-Other: b'],
      ['authorization_header', 'Bearer a\n'],
      ['authorization_header', 'Bearer €'],
      ['authorization_header', 'a'.repeat(5001)],
      ['authorization_header', 7],
      ['environment', 'both'],
      ['environment', ''],
      ['event_types', 'renewal'],
      ['event_types', ['RENEWAL']],
      ['event_types', ['unknown']],
      ['event_types', [null]],
      ['app_id', ''],
      ['app_id', 7],
      ['ordered', 'yes'],
      ['ordered', null],
      ['include_customer_info', 1],
    ])('%s %j is a 400 that names the field, and changes nothing', async (param, value) => {
      const valid = { name: 'Backend', url: URL };
      const before = (await backend.get(`${list}/${id}`)).body;
      for (const answer of [
        await backend.post(list, { ...valid, [param]: value }),
        await backend.post(`${list}/${id}`, { name: 'Changed', [param]: value }),
      ]) {
        expect([answer.status, answer.body.type, answer.body.param]).toEqual([400, 'parameter_error', param]);
      }
      expect((await backend.get(`${list}/${id}`)).body).toEqual(before);
    });

    it('needs a name and a URL to create, and a boolean to pause', async () => {
      expect((await backend.post(list, { url: URL })).body.param).toBe('name');
      expect((await backend.post(list, { name: 'Backend' })).body.param).toBe('url');
      for (const enabled of ['false', null, 0]) {
        const answer = await backend.post(`${list}/${id}`, { enabled });
        expect([answer.status, answer.body.param]).toEqual([400, 'enabled']);
      }
    });

    it("refuses another project's app, and an unknown one", async () => {
      const other = await signUp(server);
      const app = await other.session.post(`/v2/projects/${other.projectId}/apps`, {
        name: 'Theirs',
        type: 'test_store',
      });
      for (const foreign of [app.body.id, 'app0unknown0']) {
        for (const answer of [
          await backend.post(list, { name: 'Backend', url: URL, app_id: foreign }),
          await backend.post(`${list}/${id}`, { app_id: foreign }),
        ]) {
          expect([answer.status, answer.body.type, answer.body.param]).toEqual([
            404,
            'resource_missing',
            'app_id',
          ]);
        }
      }
    });
  });

  it('changes what an update names and keeps the rest', async () => {
    const { id } = await create({
      environment: 'production',
      event_types: ['renewal'],
    });
    const before = (await backend.get(`${list}/${id}`)).body;
    const path = `${list}/${before.id}`;
    const changes = [
      { name: 'Other name' },
      { url: 'https://93.184.216.34/other' },
      { environment: 'sandbox' },
      { environment: null },
      { event_types: ['test', 'test'] },
      { event_types: null },
      { app_id: appId },
      { app_id: null },
      { authorization_header: 'Bearer a' },
      { authorization_header: null },
      { enabled: false },
      { enabled: true },
      { ordered: true },
      { ordered: false, include_customer_info: true },
      { unknown: 'field' },
      {},
    ];
    let expected = before;
    for (const change of changes) {
      const { event_types: types, ...others } = change as Json;
      const shown = Object.fromEntries(Object.entries(others).filter(([name]) => name in before));
      expected = { ...expected, ...shown };
      if ('event_types' in change) expected.event_types = [...new Set(types ?? [])];
      const answer = await backend.post(path, change);
      expect([answer.status, answer.body]).toEqual([200, expected]);
    }
    expect((await backend.get(path)).body).toEqual(expected);
  });

  it('loses no field in two concurrent updates', async () => {
    const { id } = await create();
    const path = `${list}/${id}`;
    await Promise.all([
      backend.post(path, { name: 'New' }),
      backend.post(path, { event_types: ['transfer'] }),
    ]);
    expect((await backend.get(path)).body).toMatchObject({ name: 'New', event_types: ['transfer'] });
  });

  it('answers 404 once deleted', async () => {
    const { id } = await create();
    const deleted = await backend.delete(`${list}/${id}`);
    expect([deleted.status, deleted.body]).toEqual([
      200,
      { object: 'webhook_integration', id, deleted_at: TEST_START_MS },
    ]);
    const answers = [
      await backend.get(`${list}/${id}`),
      await backend.post(`${list}/${id}`, { name: 'Again' }),
      await backend.delete(`${list}/${id}`),
    ];
    expect(answers.map(({ status, body }) => [status, body.type])).toEqual(
      answers.map(() => [404, 'resource_missing']),
    );
  });

  it('lists them oldest first, page by page', async () => {
    const other = await signUp(server);
    const path = `/v2/projects/${other.projectId}/integrations/webhooks`;
    const ids: string[] = [];
    for (let index = 0; index < 5; index++) {
      ids.push((await other.session.post(path, { name: `Backend ${index}`, url: URL })).body.id);
      if (index !== 2) server.clock.advanceMs(1);
    }
    const all = (await other.session.get(path)).body;
    expect(all).toMatchObject({ object: 'list', url: path, next_page: null });
    expect(all.items.map(({ id }: Json) => id).toSorted()).toEqual(ids.toSorted());
    const order: string[] = all.items.map(({ id }: Json) => id);
    expect([order[0], order[1], order[4]]).toEqual([ids[0], ids[1], ids[4]]);
    const paged: string[] = [];
    let next: string | null = `${path}?limit=2`;
    while (next) {
      const page: Json = (await other.session.get(next)).body;
      paged.push(...page.items.map(({ id }: Json) => id));
      next = page.next_page;
    }
    expect(paged).toEqual(order);
    expect(all.items[0]).not.toHaveProperty('signing_secret');
    expect((await other.session.get(`${path}?limit=x`)).body.param).toBe('limit');
    const foreign = (await create()).id;
    const answer = await other.session.get(`${path}?starting_after=${foreign}`);
    expect([answer.status, answer.body.param]).toEqual([400, 'starting_after']);
  });

  it("hides them from another project's path", async () => {
    const { id } = await create();
    const other = await signUp(server);
    const path = `/v2/projects/${other.projectId}/integrations/webhooks/${id}`;
    for (const answer of [
      await other.session.get(path),
      await other.session.post(path, { name: 'Mine' }),
      await other.session.delete(path),
    ]) {
      expect([answer.status, answer.body.type]).toEqual([404, 'resource_missing']);
    }
    expect((await backend.get(`${list}/${id}`)).body.name).toBe('Backend');
  });

  it('refuses a public key', async () => {
    const keys = await backend.get(`/v2/projects/${owner.projectId}/apps/${appId}/public_api_keys`);
    const answer = await server.http.withKey(keys.body.items[0].key).get(list);
    expect([answer.status, answer.body.type]).toEqual([403, 'authorization_error']);
  });

  const path = (projectId: string): string => `/v2/projects/${projectId}/integrations/webhooks`;
  const one = (projectId: string): string => `${path(projectId)}/wh_unknown`;
  const read = 'project_configuration:integrations:read';
  const write = 'project_configuration:integrations:read_write';
  for (const [method, route, permission] of [
    ['GET', path, read],
    ['POST', path, write],
    ['GET', one, read],
    ['POST', one, write],
    ['DELETE', one, write],
  ] as const) {
    describe(`${method} ${route(':project_id')}`, () => {
      describeAccess(() => server, method, route, permission);
    });
  }

  it('reads, but does not change them, with the read permission alone', async () => {
    const { id } = await create();
    const { client } = await createSecretKey(owner.session, owner.projectId, [read]);
    expect((await client.get(`${list}/${id}`)).status).toBe(200);
    for (const answer of [
      await client.post(list, { name: 'Backend', url: URL }),
      await client.post(`${list}/${id}`, { name: 'Changed' }),
      await client.delete(`${list}/${id}`),
    ]) {
      expect([answer.status, answer.body.message]).toEqual([403, expect.stringContaining(write)]);
    }
  });
});
