import type { Json } from '../support/api-client.js';
import { createSecretKey } from '../support/arrange.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import { startTestServer, TEST_START_MS, type TestServer } from '../support/test-server.js';
import { walkList } from '../support/walk-list.js';

describe('saved customer lists', () => {
  let server: TestServer;
  let store: TestStore;
  let path: string;

  beforeAll(async () => {
    server = await startTestServer({ env: { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_TRUST_PROXY: 'true' } });
  });

  afterAll(() => server.close());

  beforeEach(async () => {
    server.clock.setMs(TEST_START_MS);
    store = await createTestStore(server);
    path = `${store.path}/customer_lists`;
  });

  const create = async (body: object = {}): Promise<Json> => {
    const answer = await store.backend.post(path, { display_name: 'Trials', filters: {}, ...body });
    expect([answer.status, answer.text]).toEqual([201, answer.text]);
    return answer.body;
  };

  it('creates, reads, changes and deletes a list', async () => {
    const filters = { status: 'trial', country: 'DE', spent_at_least: 5 };
    const made = await create({ filters, sort: 'spent', order: 'asc' });
    expect(made).toEqual({
      object: 'customer_list',
      id: expect.stringMatching(/^clst/),
      display_name: 'Trials',
      filters: { status: 'trial', country: 'DE', spent_at_least: '5' },
      sort: 'spent',
      order: 'asc',
      created_at: TEST_START_MS,
      updated_at: TEST_START_MS,
    });
    expect((await store.backend.get(`${path}/${made.id}`)).body).toEqual(made);
    server.clock.setMs(TEST_START_MS + 1);
    const changed = await store.backend.post(`${path}/${made.id}`, { filters: { status: 'expired' } });
    const now = { ...made, filters: { status: 'expired' }, updated_at: TEST_START_MS + 1 };
    expect([changed.status, changed.body]).toEqual([200, now]);
    const deleted = await store.backend.delete(`${path}/${made.id}`);
    expect([deleted.status, deleted.body]).toEqual([
      200,
      { object: 'customer_list', id: made.id, deleted_at: TEST_START_MS + 1 },
    ]);
    expect((await store.backend.get(`${path}/${made.id}`)).status).toBe(404);
  });

  it('lists them oldest first, page by page', async () => {
    for (const [index, name] of ['a', 'b', 'c'].entries()) {
      server.clock.setMs(TEST_START_MS + index);
      await create({ display_name: name });
    }
    expect((await walkList(store.backend, path, 2)).map((list) => list.display_name)).toEqual([
      'a',
      'b',
      'c',
    ]);
  });

  it('can be read with the filters it returns', async () => {
    await store.sdk.get('/v1/subscribers/ada', { 'x-platform': 'iOS' });
    const { filters, sort, order } = await create({ filters: { platform: 'ios', status: 'never_bought' } });
    const query = new URLSearchParams({ ...filters, sort, order }).toString();
    const { body } = await store.backend.get(`${store.path}/filtered_customers?${query}`);
    expect(body.items.map(({ id }: Json) => id)).toEqual(['ada']);
  });

  it.each<[object, string]>([
    [{ filters: { status: 'asleep' } }, 'filters.status'],
    [{ filters: { mood: 'good' } }, 'filters.mood'],
    [{ filters: { sort: 'spent' } }, 'filters.sort'],
    [{ filters: { attribute_name: 'plan' } }, 'filters.attribute_value'],
    [{ filters: { country: ['DE'] } }, 'filters.country'],
    [{ filters: 'all' }, 'filters'],
    [{ display_name: '' }, 'display_name'],
    [{ sort: 'name' }, 'sort'],
    [{ order: 'up' }, 'order'],
  ])('rejects %j and names the field', async (body, param) => {
    const answer = await store.backend.post(path, { display_name: 'Trials', filters: {}, ...body });
    expect([answer.status, answer.body.type, answer.body.param]).toEqual([400, 'parameter_error', param]);
  });

  it('answers 404 for an unknown product', async () => {
    const body = { display_name: 'x', filters: { product_id: 'other' } };
    const answer = await store.backend.post(path, body);
    expect([answer.status, answer.body.param]).toEqual([404, 'filters.product_id']);
  });

  it('writes each change to the audit log, without the values of filters', async () => {
    const { id } = await create({ filters: { search: 'ada@example.com' } });
    server.clock.setMs(TEST_START_MS + 1);
    await store.backend.post(`${path}/${id}`, { display_name: 'New', filters: {} });
    server.clock.setMs(TEST_START_MS + 2);
    await store.backend.delete(`${path}/${id}`);
    const { body, text } = await store.backend.get(`${store.path}/audit_logs`);
    const rows = body.items.filter((row: Json) => row.target_identifier === id);
    expect(rows.map((row: Json) => row.action_type)).toEqual([
      'customer_list_deleted',
      'customer_list_updated',
      'customer_list_created',
    ]);
    expect(text).not.toContain('ada@example.com');
  });

  it('lets readers of customers read, and only editors of the project write', async () => {
    const { id } = await create();
    const key = async (...permissions: string[]) =>
      (await createSecretKey(store.session, store.projectId, permissions)).client;
    const reader = await key('customer_information:customers:read');
    expect((await reader.get(path)).status).toBe(200);
    expect((await reader.post(path, { display_name: 'x', filters: {} })).status).toBe(403);
    expect((await reader.delete(`${path}/${id}`)).status).toBe(403);
    const charts = await key('charts_metrics:charts:read');
    expect((await charts.get(path)).status).toBe(403);
  });

  it('belongs to one project', async () => {
    const { id } = await create();
    const other = await createTestStore(server);
    expect((await other.backend.get(`${other.path}/customer_lists/${id}`)).status).toBe(404);
    expect((await other.backend.get(`${other.path}/customer_lists`)).body.items).toEqual([]);
  });
});
