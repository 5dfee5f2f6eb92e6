import { ImportCountsJob } from '../../src/imports/status/import-counts.job.js';
import type { Answer, Json } from '../support/api-client.js';
import { describeAccess } from '../support/access-checks.js';
import { createSecretKey, joinAs, signUp } from '../support/arrange.js';
import { createTestStore, testReceipt, type TestStore } from '../support/arrange-store.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const problem = ({ status, body }: Answer) => [status, body.type, body.param];

describe('what an import leaves to the stores', () => {
  let server: TestServer;
  let store: TestStore;

  beforeAll(async () => {
    server = await startTestServer({
      env: { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_TRUST_PROXY: 'true' },
    });
    store = await createTestStore(server);
  });

  afterAll(() => server.close());

  describe('the public key of a shipped app', () => {
    const replace = (appId: string, public_key: unknown, client = store.backend, path = store.path) =>
      client.post(`${path}/import/apps/${appId}/public_key`, { public_key });
    const worksWith = async (key: string): Promise<number> =>
      (await server.http.withKey(key).get('/v1/subscribers/a/offerings')).status;
    const created = async (name: string): Promise<Json> =>
      (await store.backend.post(`${store.path}/apps`, { name, type: 'test_store' })).body;

    describeAccess(
      () => server,
      'POST',
      (projectId) => `/v2/projects/${projectId}/import/apps/app1/public_key`,
      'project_configuration:apps:read_write',
    );

    it('replaces the key at once; the former one stops', async () => {
      const app = await created('Shipped');
      const [former] = (await store.backend.get(`${store.path}/apps/${app.id}/public_api_keys`)).body.items;
      expect(await worksWith(former.key)).toBe(200);
      const answer = await replace(app.id, 'test_oldKeyOfTheApp');
      expect([answer.status, answer.body]).toEqual([200, { ...former, key: 'test_oldKeyOfTheApp' }]);
      expect([await worksWith('test_oldKeyOfTheApp'), await worksWith(former.key)]).toEqual([200, 401]);
      const listed = (await store.backend.get(`${store.path}/apps/${app.id}/public_api_keys`)).body.items;
      expect(listed).toEqual([answer.body]);
      const log = `${store.path}/audit_logs?action_type=public_api_key_updated`;
      expect((await store.backend.get(log)).body.items).toMatchObject([{ target_identifier: former.id }]);

      expect((await replace(app.id, 'test_oldKeyOfTheApp')).body).toEqual(answer.body);
      expect(await worksWith('test_oldKeyOfTheApp')).toBe(200);
    });

    it("refuses a key that any app of the server has, also another project's", async () => {
      const taken = await replace(store.appId, 'test_takenBySomeApp').then(({ body }) => body.key);
      const own = await created('Second');
      expect(problem(await replace(own.id, taken))).toEqual([409, 'resource_already_exists', 'public_key']);
      const other = await createTestStore(server);
      const answer = await replace(other.appId, taken, other.backend, other.path);
      expect(problem(answer)).toEqual([409, 'resource_already_exists', 'public_key']);
      expect(await worksWith(other.publicKey)).toBe(200);
    });

    it.each([
      undefined,
      5,
      '',
      'test_1234567',
      'test_',
      `test_${'x'.repeat(129)}`,
      'test_with space12',
      'goog_oldKeyOfTheApp',
      `sk_${'a'.repeat(40)}`,
      'oldKeyOfTheApp',
    ])('refuses %j', async (key) => {
      const answer = await replace(store.appId, key);
      expect(problem(answer)).toEqual([400, 'parameter_error', 'public_key']);
    });

    it('knows no app of another project, and viewers may not change it', async () => {
      const other = await createTestStore(server);
      expect(problem(await replace(other.appId, 'test_oldKeyOfAnother'))).toEqual([
        404,
        'resource_missing',
        undefined,
      ]);
      const viewer = await joinAs(server, 'viewer', store.projectId);
      expect((await replace(store.appId, 'test_keyOfAViewer', viewer.session)).status).toBe(403);
      expect((await replace(other.appId, 'test_keyOfAnSdk', other.sdk, other.path)).status).toBe(403);
    });
  });

  describe('the status', () => {
    const statusOf = async (at: TestStore, client = at.backend): Promise<Json> =>
      (await client.get(`${at.path}/import/status`)).body;

    describeAccess(
      () => server,
      'GET',
      (projectId) => `/v2/projects/${projectId}/import/status`,
      'customer_information:customers:read',
    );

    it('counts the customers and subscriptions of its project only', async () => {
      const fresh = await createTestStore(server);
      const nothing = {
        object: 'import_status',
        customers: 0,
        subscriptions: 0,
        needs_token_refresh: 0,
        needs_token_refresh_by_app: {},
        unconfirmed_original_ids: 0,
        held_open: 0,
        transactions_without_price: 0,
        resolving: 0,
        last_import_at: null,
      };
      expect(await statusOf(fresh)).toEqual(nothing);
      await fresh.sdk.post('/v1/receipts', testReceipt('payer'));
      await fresh.sdk.get('/v1/subscribers/visitor');
      expect(await statusOf(fresh)).toEqual({ ...nothing, customers: 2, subscriptions: 1 });
    });

    it('is readable with a key of one permission, and not by an SDK', async () => {
      const { session, projectId } = await signUp(server);
      const reader = await createSecretKey(session, projectId, ['customer_information:customers:read']);
      expect((await reader.client.get(`/v2/projects/${projectId}/import/status`)).status).toBe(200);
      const { sdk, path } = await createTestStore(server);
      expect((await sdk.get(`${path}/import/status`)).status).toBe(403);
    });

    it('of a large project is counted in the background, and at most a minute old', async () => {
      const large = await createTestStore(server);
      await server.dataSource.query(
        `INSERT INTO customers (project_id, id, original_app_user_id, first_seen_at, created_at)
         SELECT $1, 'cust' || n, 'user' || n, $2, $2 FROM generate_series(1, 100001) n`,
        [large.projectId, new Date(server.clock.nowMs())],
      );
      expect((await statusOf(large)).customers).toBe(100_001);
      await large.sdk.get('/v1/subscribers/visitor');
      expect((await statusOf(large)).customers).toBe(100_001);
      server.clock.advanceMs(50_000);
      await server.app.get(ImportCountsJob).run();
      expect((await statusOf(large)).customers).toBe(100_002);
      await large.sdk.get('/v1/subscribers/another');
      server.clock.advanceMs(60_001);
      expect((await statusOf(large)).customers).toBe(100_003);
      server.clock.advanceMs(3_600_000);
      await server.app.get(ImportCountsJob).run();
      expect(await server.dataSource.query('SELECT 1 FROM import_counts')).toEqual([]);
    });
  });
});
