import { DAY_MS } from '../../libs/engine/testing/subscription-history.js';
import { ManualClock } from '../../libs/kernel/index.js';
import { DueWorkJob } from '../../src/purchases/due-work/due-work.job.js';
import type { Answer, ApiClient } from '../support/api-client.js';
import { createTestStore, testReceipt, type TestStore } from '../support/arrange-store.js';
import { createTestDatabase } from '../support/database/index.js';
import { heardChanges } from '../support/heard-changes.js';
import { countQueries } from '../support/query-count.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

/** No table is analyzed by the database itself. */
const withoutAutovacuum = `DO $$ DECLARE leaf regclass; BEGIN
  FOR leaf IN SELECT oid FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace LOOP
    EXECUTE format('ALTER TABLE %s SET (autovacuum_enabled = false)', leaf);
  END LOOP;
END $$`;

/** Statements that each request may send, BEGIN and COMMIT included; the key is cached. */
describe('the number of SQL statements of a request', () => {
  let server: TestServer;
  let store: TestStore;
  let statementsOf: (call: () => Promise<Answer>) => Promise<string[]>;

  beforeAll(async () => {
    server = await startTestServer();
    store = await createTestStore(server);
    await store.sdk.post('/v1/receipts', {
      app_user_id: 'ada',
      fetch_token: 'test_1767323045678_a',
      product_id: 'pro_monthly',
      currency: 'USD',
    });
    // The key is known and its use noted from here on, and reports have a connection.
    await store.backend.get(`${store.path}/audit_logs`);
    statementsOf = countQueries(server);
  });
  // Changes of the test before may still be on their way to the caches.
  beforeEach(() => heardChanges(server, { repeated: true }));

  afterAll(() => server.close());

  /** Excludes the transaction in which PostgreSQL cancels slow reports. */
  const get = async (path: string): Promise<number> => {
    const statements = await statementsOf(() => store.backend.get(`${store.path}${path}`));
    return statements.filter((name) => !name.startsWith('BEGIN') && name !== 'COMMIT').length;
  };
  const post = (path: string, body?: object, headers = {}): Promise<string[]> =>
    statementsOf(() => store.backend.post(`${store.path}${path}`, body, headers));

  it('equals one for an object or a page, one more for the cursor and for what is embedded', async () => {
    const { monthly } = store.products;
    const counts = {
      project: await get(''),
      product: await get(`/products/${monthly.id}`),
      productWithApp: await get(`/products/${monthly.id}?expand=app`),
      products: await get('/products'),
      nextPage: await get(`/products?starting_after=${monthly.id}`),
      productsWithApps: await get('/products?expand=items.app'),
      app: await get(`/apps/${store.appId}`),
      apps: await get('/apps'),
      webhooks: await get('/integrations/webhooks'),
      keys: await get('/api_keys'),
      auditLogs: await get('/audit_logs'),
    };
    expect(counts).toEqual({
      project: 1,
      product: 1,
      productWithApp: 2,
      products: 1,
      nextPage: 2,
      productsWithApps: 2,
      app: 1,
      apps: 1,
      webhooks: 1,
      keys: 2,
      auditLogs: 1,
    });
  });

  it('does not grow with the items of a list, also where they embed others', async () => {
    for (const lookupKey of ['one', 'two', 'three']) {
      const offering = { lookup_key: lookupKey, display_name: lookupKey };
      const { body } = await store.backend.post(`${store.path}/offerings`, offering);
      await store.backend.post(`${store.path}/paywalls`, { offering_id: body.id });
    }
    const counts = {
      entitlements: await get('/entitlements?expand=items.product'),
      entitlementProducts: await get(`/entitlements/${store.entitlements.pro.id}/products`),
      offerings: await get('/offerings?expand=items.package.product'),
      packages: await get(`/offerings/${store.offering.id}/packages`),
      paywalls: await get('/paywalls'),
      paywallsWithProblems: await get('/paywalls?expand=items.problems'),
    };
    expect(counts).toEqual({
      entitlements: 3,
      entitlementProducts: 3,
      offerings: 5,
      packages: 2,
      paywalls: 1,
      paywallsWithProblems: 6,
    });
  });

  it('equals one for the customer and one for what is asked of them; the catalog is read once', async () => {
    await get('/customers/ada');
    const counts = {
      customer: await get('/customers/ada'),
      activeEntitlements: await get('/customers/ada/active_entitlements'),
      subscriptions: await get('/customers/ada/subscriptions'),
      purchases: await get('/customers/ada/purchases'),
      events: await get('/customers/ada/events'),
    };
    expect(counts).toEqual({ customer: 1, activeEntitlements: 1, subscriptions: 3, purchases: 3, events: 2 });
  });

  it('adds two for a session: the person, and their role', async () => {
    const path = `${store.path}/products/${store.products.monthly.id}`;
    expect(await statementsOf(() => store.session.get(path))).toHaveLength(3);
  });

  it('includes the transaction, the check, the write, its audit row and its news for a write', async () => {
    const { lifetime } = store.products;
    const create = (name: string, headers?: object) =>
      post('/products', { store_identifier: name, app_id: store.appId, type: 'consumable' }, headers);
    // Two mark what charts and exports derive from the product.
    expect(await create('a')).toHaveLength(9);
    expect(await post(`/products/${lifetime.id}`, { display_name: 'New' })).toHaveLength(9);
    expect(await post(`/products/${lifetime.id}/actions/archive`)).toHaveLength(7);
    const remove = () => store.backend.delete(`${store.path}/products/${lifetime.id}`);
    // The overview leaves no change for the charts to catch up with.
    await store.backend.get(`${store.path}/metrics/overview`);
    // Eight of them count the subscriptions that lose their access, for the audit log.
    expect(await statementsOf(remove)).toHaveLength(17);
  });

  it('adds three for a write under an Idempotency-Key, and two for its repetition', async () => {
    const create = () =>
      post(
        '/products',
        { store_identifier: 'b', app_id: store.appId, type: 'consumable' },
        { 'idempotency-key': 'b' },
      );
    expect((await create()).filter((name) => name.startsWith('idempotency_keys'))).toEqual([
      'idempotency_keys.claim',
      'idempotency_keys.carry_out',
      'idempotency_keys.answer',
    ]);
    expect(await create()).toEqual(['idempotency_keys.claim', 'idempotency_keys.find']);
  });

  describe('on the SDK wire', () => {
    let tokens = 0;
    const receipt = (appUserId: string): Promise<Answer> =>
      store.sdk.post('/v1/receipts', {
        app_user_id: appUserId,
        fetch_token: `test_${server.clock.nowMs()}_count-${++tokens}`,
        product_id: 'pro_monthly',
      });
    const read = (path: string, headers = {}): Promise<string[]> =>
      statementsOf(() => store.sdk.get(path, headers));

    it('equals one for customer info, prepared or 304, and none for offerings while no customer has their own', async () => {
      await store.sdk.get('/v1/subscribers/ada');
      const { headers } = await store.sdk.get('/v1/subscribers/ada');
      const etag = headers['x-revenuecat-etag'] ?? '';
      expect(await read('/v1/subscribers/ada')).toEqual(['snapshots.read_many']);
      expect(await read('/v1/subscribers/ada', { 'x-revenuecat-etag': etag })).toEqual([
        'snapshots.read_many',
      ]);
      await store.sdk.get('/v1/subscribers/ada/offerings');
      expect(await read('/v1/subscribers/ada/offerings')).toEqual([]);
    });

    it('equals at most one for offerings when customers have their own', async () => {
      await post('/customers/ada/actions/assign_offering', { offering_id: store.offering.id });
      await heardChanges(server, { repeated: true });
      await store.sdk.get('/v1/subscribers/ada/offerings');
      for (const name of ['ada', 'nobody-else']) {
        expect(await read(`/v1/subscribers/${name}/offerings`)).toEqual(['offering_overrides.read_many']);
      }
      await post('/customers/ada/actions/assign_offering', { offering_id: null });
    });

    it('equals at most 12 for a receipt, even of a customer with 50 subscriptions', async () => {
      await receipt('collector');
      // Background work that it starts comes after its own.
      const ownOf = (statements: string[]) => statements.slice(0, statements.indexOf('COMMIT') + 1);
      const few = ownOf(await statementsOf(() => receipt('collector')));
      expect(few.at(-1)).toBe('COMMIT');
      for (let n = 2; n < 50; n++) await receipt('collector');
      const many = ownOf(await statementsOf(() => receipt('collector')));
      expect(many).toEqual(few);
      expect(many.length).toBeLessThanOrEqual(12);
    });

    it('comes with plans that are kept, for receipts, reads and ends', async () => {
      const POOL_SIZE = 3;
      const PERIOD_DAYS = 30;
      // Enough that what a plan costs hardly changes with what comes later.
      const BUYERS_A_DAY = 20;
      // Ends each day, on ten days for each connection: however they fall on them, one has more than five.
      const DAYS = 10 * POOL_SIZE;
      const clock = new ManualClock(server.clock.nowMs());
      const database = await createTestDatabase();
      // Never through a pooler: behind one there are no named statements.
      const env = {
        DATABASE_URL: database.url,
        SERVICE_DATABASE_NAMED_STATEMENTS: 'true',
        SERVICE_DATABASE_POOL_SIZE: String(POOL_SIZE + 1),
        SERVICE_DATABASE_REPORT_CONNECTIONS: '1',
      };
      const onServer = async (work: (own: TestServer) => Promise<void>): Promise<void> => {
        const own = await startTestServer({ databaseUrl: database.url, clock, env });
        await work(own).finally(() => own.close());
      };
      const buy = async (sdk: ApiClient, buyer: number): Promise<void> => {
        const customer = `kept-${clock.nowMs()}-${buyer}`;
        expect((await sdk.post('/v1/receipts', testReceipt(customer, clock.nowMs()))).status).toBe(200);
        expect((await sdk.get(`/v1/subscribers/${customer}`)).status).toBe(200);
      };
      const liveThrough = async (own: TestServer, sdk: ApiClient, days: number, buyersADay: number) => {
        for (let n = 0; n < days; n++) {
          await Promise.all(Array.from({ length: buyersADay }, (_, buyer) => buy(sdk, buyer)));
          clock.advanceMs(DAY_MS);
          await own.app.get(DueWorkJob).run();
        }
      };
      let publicKey = '';
      const planned: { name: string; made: number; kept: number }[] = [];
      try {
        // Plan costs come from statistics; collecting them in between would make the first plans look cheap.
        await onServer(async (own) => {
          await own.dataSource.query(withoutAutovacuum);
          const created = await createTestStore(own);
          publicKey = created.publicKey;
          await liveThrough(own, created.sdk, PERIOD_DAYS, BUYERS_A_DAY);
          await own.dataSource.query('ANALYZE');
        });
        await onServer(async (own) => {
          await liveThrough(own, own.http.withKey(publicKey), DAYS, 1);
          const connections = Array.from({ length: POOL_SIZE }, () => own.dataSource.createQueryRunner());
          await Promise.all(connections.map((connection) => connection.connect()));
          for (const connection of connections) {
            const rows: typeof planned = await connection.query(
              'SELECT name, custom_plans::int AS made, generic_plans::int AS kept FROM pg_prepared_statements',
            );
            planned.push(...rows);
            await connection.release();
          }
        });
      } finally {
        await database.drop();
      }
      // PostgreSQL tries what planning is worth with the first five of a connection.
      expect(planned.filter(({ made }) => made > 5)).toEqual([]);
      const often = planned.filter(({ kept }) => kept > 0).map(({ name }) => name);
      expect(often).toEqual(
        expect.arrayContaining([
          'customers.lock_and_load',
          'customers.load_by_ids',
          'due_work.claim',
          'due_work.first_due',
          'purchases.save_ledger',
          'snapshots.read_many',
        ]),
      );
    });
  });
});
