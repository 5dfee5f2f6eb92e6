import { jest } from '@jest/globals';
import { CleanupsJob } from '../../src/platform/jobs/cleanups.job.js';
import { CustomerListService } from '../../src/support/customer-list/customer-list.service.js';
import { CustomerListExportsJob } from '../../src/support/customer-list/exports/customer-list-exports.job.js';
import type { Answer, Json } from '../support/api-client.js';
import { createSecretKey } from '../support/arrange.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import { startTestServer, TEST_START_MS, type TestServer } from '../support/test-server.js';

const DAY_MS = 86_400_000;

describe('exports of customers', () => {
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
    path = `${store.path}/customer_list_exports`;
  });

  afterEach(() => jest.restoreAllMocks());

  const job = (): CustomerListExportsJob => server.app.get(CustomerListExportsJob);
  const see = (...customers: string[]) =>
    Promise.all(customers.map((id) => store.sdk.get(`/v1/subscribers/${encodeURIComponent(id)}`)));
  /** Leaves the export to the next `drain`. */
  const createOnly = async (filters: object = {}): Promise<Json> => {
    const waking = jest.spyOn(job(), 'wake').mockImplementation(() => undefined);
    const answer = await store.backend.post(path, { filters });
    waking.mockRestore();
    expect([answer.status, answer.text]).toEqual([201, answer.text]);
    return answer.body;
  };
  const get = async (id: string): Promise<Json> => (await store.backend.get(`${path}/${id}`)).body;
  const create = async (filters: object = {}): Promise<Json> => {
    const { id } = await createOnly(filters);
    await job().drain();
    return get(id);
  };
  const file = (id: string): Promise<Answer> => store.backend.get(`${path}/${id}/file`);
  const customersIn = ({ text }: Answer): string[] =>
    text
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split(',')[0] ?? '')
      .sort();
  const piecesOf = async (): Promise<number> => {
    const rows = await server.dataSource.query<{ count: string }[]>(
      'SELECT count(*) FROM customer_list_export_pieces WHERE project_id = $1',
      [store.projectId],
    );
    return Number(rows[0]?.count);
  };
  /** Runs `meanwhile` once, between the reading of customers and their writing. */
  const interrupt = (meanwhile: () => Promise<unknown>): void => {
    const lists = server.app.get(CustomerListService);
    const read = lists.window.bind(lists);
    jest.spyOn(lists, 'window').mockImplementationOnce(async (...values) => {
      const found = await read(...values);
      await meanwhile();
      return found;
    });
  };

  it('writes every customer of the list once, as the download does', async () => {
    await see('a', 'b', '=c');
    await store.backend.post(`${store.path}/customers/b/attributes`, {
      attributes: [
        { name: '$email', value: 'b@example.com' },
        { name: '$displayName', value: 'Bea, the "first"\nof all' },
      ],
    });
    const made = await createOnly();
    expect(made).toEqual({
      object: 'customer_list_export',
      id: expect.stringMatching(/^clex/),
      filters: {},
      state: 'running',
      failure: null,
      written_rows: 0,
      total_rows: null,
      created_at: TEST_START_MS,
      finished_at: null,
      expires_at: TEST_START_MS + DAY_MS,
    });
    server.clock.setMs(TEST_START_MS + 5);
    await job().drain();
    expect(await get(made.id)).toEqual({
      ...made,
      state: 'ready',
      written_rows: 3,
      total_rows: 3,
      finished_at: TEST_START_MS + 5,
      expires_at: TEST_START_MS + 5 + DAY_MS,
    });
    const exported = await file(made.id);
    expect([exported.status, exported.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
    const direct = await store.backend.get(`${store.path}/filtered_customers/csv`);
    const lines = (text: string): string[] => text.split('\r\n').sort();
    expect(lines(exported.text)).toEqual(lines(direct.text));
    expect(exported.text.split('\r\n')[0]).toBe(direct.text.split('\r\n')[0]);
  });

  it('applies the filters', async () => {
    await see('a');
    await store.sdk.get('/v1/subscribers/b', { 'x-platform': 'android' });
    const made = await create({ platform: 'Android' });
    expect(made).toMatchObject({ filters: { platform: 'Android' }, written_rows: 1, total_rows: 1 });
    expect(customersIn(await file(made.id))).toEqual(['b']);
  });

  it('writes a file with a header alone if no customer meets the filters', async () => {
    const made = await create({ status: 'trial' });
    expect(made).toMatchObject({ state: 'ready', written_rows: 0, total_rows: 0 });
    expect(customersIn(await file(made.id))).toEqual([]);
    expect(await piecesOf()).toBe(0);
  });

  it('writes the export and each download to the audit log', async () => {
    await see('a');
    const { id } = await create({ search: 'a' });
    await file(id);
    server.clock.setMs(TEST_START_MS + 1);
    await store.backend.delete(`${path}/${id}`);
    const { body } = await store.backend.get(`${store.path}/audit_logs`);
    const rows = body.items.filter((row: Json) => row.target_identifier === id);
    expect(rows.map((row: Json) => row.action_type).sort()).toEqual([
      'customer_list_export_created',
      'customer_list_export_deleted',
      'customer_list_export_downloaded',
    ]);
    expect(JSON.stringify(rows)).not.toContain('search');
  });

  it('has no file before it is ready', async () => {
    const { id } = await createOnly();
    const answer = await file(id);
    expect([answer.status, answer.body.message]).toEqual([422, 'The export is still running.']);
  });

  it.each<[object, string]>([
    [{ filters: { status: 'asleep' } }, 'filters.status'],
    [{ filters: { mood: 'good' } }, 'filters.mood'],
    [{ filters: 'all' }, 'filters'],
    [{}, 'filters'],
  ])('rejects %j and names the field', async (body, param) => {
    const answer = await store.backend.post(path, body);
    expect([answer.status, answer.body.type, answer.body.param]).toEqual([400, 'parameter_error', param]);
  });

  it('answers 404 for an unknown product', async () => {
    const answer = await store.backend.post(path, { filters: { product_id: 'other' } });
    expect([answer.status, answer.body.param]).toEqual([404, 'filters.product_id']);
  });

  it('limits exports that run, also if they are created at once', async () => {
    jest.spyOn(job(), 'wake').mockImplementation(() => undefined);
    const answers = await Promise.all([1, 2, 3, 4].map(() => store.backend.post(path, { filters: {} })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 422, 422]);
    await job().drain();
    expect((await store.backend.post(path, { filters: {} })).status).toBe(201);
  });

  it('limits stored exports', async () => {
    for (let made = 0; made < 10; made++) await create();
    const answer = await store.backend.post(path, { filters: {} });
    expect([answer.status, answer.body.message]).toEqual([
      422,
      'A project has at most 10 exports. Delete one.',
    ]);
    expect((await store.backend.get(path)).body.items).toHaveLength(10);
  });

  it('waits until customers from before an upgrade are listed', async () => {
    await server.dataSource.query(
      `INSERT INTO listed_customer_fills (project_id, after_customer_id) VALUES ($1, '')`,
      [store.projectId],
    );
    const answer = await store.backend.post(path, { filters: {} });
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '60']);
  });

  it('needs permission to read customers', async () => {
    const { id } = await create();
    const key = async (...permissions: string[]) =>
      (await createSecretKey(store.session, store.projectId, permissions)).client;
    const others = await key('charts_metrics:charts:read', 'project_configuration:projects:read_write');
    for (const place of ['', `/${id}`, `/${id}/file`])
      expect((await others.get(`${path}${place}`)).status).toBe(403);
    expect((await others.post(path, { filters: {} })).status).toBe(403);
    expect((await others.delete(`${path}/${id}`)).status).toBe(403);
    const reader = await key('customer_information:customers:read');
    expect((await reader.get(`${path}/${id}/file`)).status).toBe(200);
    expect((await reader.post(path, { filters: {} })).status).toBe(201);
    await job().drain();
    expect((await reader.delete(`${path}/${id}`)).status).toBe(200);
  });

  it('belongs to one project', async () => {
    await see('a');
    const { id } = await create();
    const other = await createTestStore(server);
    const otherPath = `${other.path}/customer_list_exports`;
    expect((await other.backend.get(`${otherPath}/${id}`)).status).toBe(404);
    expect((await other.backend.get(`${otherPath}/${id}/file`)).status).toBe(404);
    expect((await other.backend.delete(`${otherPath}/${id}`)).status).toBe(404);
    expect((await other.backend.get(otherPath)).body.items).toEqual([]);
    expect(customersIn(await file(id))).toEqual(['a']);
  });

  it('cancels an export that is deleted, without a trace', async () => {
    await see('a');
    const { id } = await createOnly();
    interrupt(() => store.backend.delete(`${path}/${id}`));
    await job().drain();
    expect((await store.backend.get(`${path}/${id}`)).status).toBe(404);
    expect(await piecesOf()).toBe(0);
  });

  it('deletes its file with it', async () => {
    await see('a');
    const { id } = await create();
    expect(await piecesOf()).toBe(1);
    await store.backend.delete(`${path}/${id}`);
    expect((await file(id)).status).toBe(404);
    expect(await piecesOf()).toBe(0);
  });

  it('expires a day after it was finished', async () => {
    await see('a');
    const { id } = await create();
    server.clock.setMs(TEST_START_MS + DAY_MS - 1);
    await server.app.get(CleanupsJob).run();
    expect((await file(id)).status).toBe(200);
    server.clock.setMs(TEST_START_MS + DAY_MS);
    expect((await file(id)).status).toBe(404);
    await server.app.get(CleanupsJob).run();
    expect(await piecesOf()).toBe(0);
    const left = await server.dataSource.query('SELECT 1 FROM customer_list_exports WHERE project_id = $1', [
      store.projectId,
    ]);
    expect(left).toEqual([]);
  });

  it('loses its file if a customer is erased', async () => {
    await see('a', 'b');
    const { id } = await create();
    expect((await store.backend.delete(`${store.path}/customers/a`)).status).toBe(200);
    expect(await get(id)).toMatchObject({ state: 'failed', failure: 'customer_erased', written_rows: 0 });
    expect((await file(id)).status).toBe(422);
    expect(await piecesOf()).toBe(0);
  });

  it('starts again if a customer is erased between reading and writing', async () => {
    await see('a', 'b');
    const { id } = await createOnly();
    interrupt(() => store.backend.delete(`${store.path}/customers/a`));
    await job().drain();
    expect(await get(id)).toMatchObject({ state: 'ready', written_rows: 1, total_rows: 1 });
    expect(customersIn(await file(id))).toEqual(['b']);
  });

  it('keeps the files of other projects in an erasure', async () => {
    await see('a');
    const { id } = await create();
    const other = await createTestStore(server);
    await other.sdk.get('/v1/subscribers/a');
    await other.backend.delete(`${other.path}/customers/a`);
    expect(customersIn(await file(id))).toEqual(['a']);
  });

  it('fails if more customers meet the filters than a file may have', async () => {
    jest.spyOn(server.app.get(CustomerListService), 'countAll').mockResolvedValue(1_000_001);
    const made = await create();
    expect(made).toMatchObject({ state: 'failed', failure: 'too_large', finished_at: TEST_START_MS });
  });

  it('fails if a product of its filters has been deleted', async () => {
    const product = await store.backend.post(`${store.path}/products`, {
      app_id: store.appId,
      store_identifier: 'gone',
      type: 'consumable',
      display_name: 'Gone',
      test_store_price: { amount_micros: 1_000_000, currency: 'USD' },
    });
    const { id } = await createOnly({ product_id: product.body.id });
    await store.backend.delete(`${store.path}/products/${product.body.id}`);
    await job().drain();
    expect(await get(id)).toMatchObject({ state: 'failed', failure: 'filters_outdated' });
  });
});
