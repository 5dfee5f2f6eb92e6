import { signUp, createSecretKey } from '../support/arrange.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import type { ApiClient } from '../support/api-client.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

describe('the catalog', () => {
  let server: TestServer;
  let store: TestStore;
  let foreign: TestStore;

  beforeAll(async () => {
    server = await startTestServer({ env: { SERVICE_ALLOW_SIGNUP: 'true' } });
    store = await createTestStore(server);
    foreign = await createTestStore(server);
  });

  afterAll(() => server.close());

  const post = (path: string, body?: unknown, client: ApiClient = store.backend) =>
    client.post(store.path + path, body);
  const get = (path: string, client: ApiClient = store.backend) => client.get(store.path + path);

  describe('apps', () => {
    it('have a public key with the prefix of their store, for SDKs only', async () => {
      const { body } = await post('/apps', { name: 'Another', type: 'test_store' });
      expect(body).toEqual({
        object: 'app',
        id: expect.stringMatching(/^app[0-9a-z]{10}$/),
        name: 'Another',
        created_at: server.clock.nowMs(),
        type: 'test_store',
        project_id: store.projectId,
        custom_url_scheme: expect.stringMatching(/^rc-[0-9a-f]{10}$/),
      });
      expect((await get(`/apps/${body.id}`)).body).toEqual(body);
      const [key] = (await get(`/apps/${body.id}/public_api_keys`)).body.items;
      expect(key).toEqual({
        object: 'public_api_key',
        id: `pk_${body.id}`,
        key: expect.stringMatching(/^test_[A-Za-z0-9]{32}$/),
        environment: 'sandbox',
        app_id: body.id,
        created_at: server.clock.nowMs(),
      });
      expect((await server.http.withKey(key.key).get('/v1/subscribers/a/offerings')).status).toBe(200);
    });

    it.each([
      [{ type: 'test_store' }, 'name'],
      [{ name: '', type: 'test_store' }, 'name'],
      [{ name: 'x'.repeat(256), type: 'test_store' }, 'name'],
      [{ name: 'x\0', type: 'test_store' }, 'name'],
      [{ name: 5, type: 'test_store' }, 'name'],
      [{ name: 'x' }, 'type'],
      [{ name: 'x', type: 'moon_store' }, 'type'],
    ])('refuse %j naming %s', async (body, param) => {
      const answer = await post('/apps', body);
      expect([answer.status, answer.body.type, answer.body.param]).toEqual([400, 'parameter_error', param]);
    });
  });

  describe('products', () => {
    const product = (change: object = {}) => ({
      store_identifier: 'p',
      app_id: store.appId,
      type: 'subscription',
      ...change,
    });

    it('show what they are, and more when it is asked for', async () => {
      const { body } = await get(`/products/${store.products.monthly.id}?expand=app,indicative_price`);
      expect(body).toMatchObject({
        object: 'product',
        store_identifier: 'pro_monthly',
        type: 'subscription',
        state: 'active',
        display_name: 'Name of pro_monthly',
        subscription: { duration: 'P1M', grace_period_duration: null, trial_duration: null },
        one_time: null,
        app_id: store.appId,
        app: { id: store.appId },
        indicative_price: {
          object: 'indicative_price',
          currency: 'USD',
          country: null,
          amount_micros: 9_990_000,
        },
      });
      const coins = (await get(`/products/${store.products.coins.id}`)).body;
      expect([coins.subscription, coins.one_time]).toEqual([null, { is_consumable: true }]);
      expect('app' in coins || 'indicative_price' in coins).toBe(false);
      const list = (
        await get(`/products?app_id=${store.appId}&expand=items.app&expand=items.indicative_price`)
      ).body;
      expect(
        list.items.every(
          (item: { app: object; indicative_price: object }) => item.app && item.indicative_price,
        ),
      ).toBe(true);
      expect((await get('/products?app_id=appunknown')).body.items).toEqual([]);
    });

    it('are one of an app: of two at once one is made, the other answers 409', async () => {
      const body = product({ store_identifier: 'raced' });
      const answers = await Promise.all([
        post('/products', body),
        post('/products', body),
        post('/products', body),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
      const refused = answers.find(({ status }) => status === 409);
      expect(refused?.body).toMatchObject({ type: 'resource_already_exists', param: 'store_identifier' });
    });

    it.each([
      [{ store_identifier: undefined }, 'store_identifier'],
      [{ store_identifier: 'x'.repeat(201) }, 'store_identifier'],
      [{ type: 'thing' }, 'type'],
      [{ app_id: undefined }, 'app_id'],
      [{ display_name: '' }, 'display_name'],
      [{ subscription: { duration: '1 month' } }, 'subscription.duration'],
      [{ subscription: { duration: 'P0D' } }, 'subscription.duration'],
      [{ subscription: { duration: 5 } }, 'subscription.duration'],
      [{ subscription: 'P1M' }, 'subscription'],
      [{ type: 'consumable', subscription: { duration: 'P1M' } }, 'subscription'],
      [{ test_store_price: { currency: 'USD' } }, 'test_store_price.amount_micros'],
      [{ test_store_price: { amount_micros: -1, currency: 'USD' } }, 'test_store_price.amount_micros'],
      [{ test_store_price: { amount_micros: 1.5, currency: 'USD' } }, 'test_store_price.amount_micros'],
      [{ test_store_price: { amount_micros: 1, currency: 'XXX' } }, 'test_store_price.currency'],
    ])('refuse %j naming %s', async (change, param) => {
      const answer = await post('/products', product({ store_identifier: 'refused', ...change }));
      expect([answer.status, answer.body.type, answer.body.param]).toEqual([400, 'parameter_error', param]);
    });

    it('refuse apps of another project, and bodies that are no JSON object', async () => {
      const answer = await post('/products', product({ app_id: foreign.appId }));
      expect([answer.status, answer.body.type, answer.body.param]).toEqual([
        404,
        'resource_missing',
        'app_id',
      ]);
      for (const [body, type] of [
        ['{', 'application/json'],
        ['[]', 'application/json'],
        ['a=b', 'application/x-www-form-urlencoded'],
      ] as const) {
        const bad = await store.backend.send('POST', `${store.path}/products`, body, {
          'content-type': type,
        });
        expect([bad.status, bad.body.type]).toEqual([400, 'invalid_request']);
      }
    });

    it('page by keyset: every one once, cursors of other lists are refused', async () => {
      const seen: string[] = [];
      let next: string | null = `${store.path}/products?limit=2`;
      while (next) {
        const page: { items: { id: string }[]; next_page: string | null } = (await store.backend.get(next))
          .body;
        seen.push(...page.items.map(({ id }) => id));
        next = page.next_page;
      }
      const all = (await get('/products?limit=1000')).body.items.map(({ id }: { id: string }) => id);
      expect(seen).toEqual(all);
      expect(new Set(seen).size).toBe(seen.length);
      const cursor = await get(`/products?starting_after=${store.entitlements.pro.id}`);
      expect([cursor.status, cursor.body.param]).toEqual([400, 'starting_after']);
      expect((await get('/products?limit=0')).body.items).toHaveLength(1);
      expect((await get('/products?expand=nothing')).body.param).toBe('expand');
    });
  });

  describe('entitlements', () => {
    it('attach and detach all or nothing, again without harm', async () => {
      const { body: made } = await post('/entitlements', { lookup_key: 'extra', display_name: 'Extra' });
      const ids = [store.products.monthly.id, store.products.coins.id];
      const attach = (productIds: unknown) =>
        post(`/entitlements/${made.id}/actions/attach_products`, { product_ids: productIds });
      const names = (list: { items: { id: string }[] }): string[] => list.items.map(({ id }) => id).sort();
      expect((await attach([...ids, 'produnknown'])).status).toBe(404);
      expect((await attach([...ids, foreign.products.monthly.id])).status).toBe(404);
      expect((await get(`/entitlements/${made.id}?expand=product`)).body.products.items).toEqual([]);
      expect(names((await attach(ids)).body.products)).toEqual([...ids].sort());
      expect(names((await attach(ids)).body.products)).toEqual([...ids].sort());
      const detached = await post(`/entitlements/${made.id}/actions/detach_products`, {
        product_ids: [ids[0]],
      });
      expect(names(detached.body.products)).toEqual([ids[1]]);
      for (const bad of [[], 'x', [5], Array.from({ length: 51 }, () => 'x'), undefined]) {
        expect([(await attach(bad)).status, (await attach(bad)).body.param]).toEqual([400, 'product_ids']);
      }
    });

    it('have a lookup key of their own', async () => {
      const again = await post('/entitlements', { lookup_key: 'pro', display_name: 'Pro' });
      expect([again.status, again.body.param]).toEqual([409, 'lookup_key']);
      const list = (await get('/entitlements?expand=items.product')).body.items;
      expect(
        list.find((item: { lookup_key: string }) => item.lookup_key === 'pro').products.items,
      ).toHaveLength(3);
    });
  });

  describe('offerings and packages', () => {
    it('the first offering is current, also when two are made at once', async () => {
      const { session, projectId } = await signUp(server);
      const { client } = await createSecretKey(session, projectId);
      const make = (lookupKey: string) =>
        client.post(`/v2/projects/${projectId}/offerings`, {
          lookup_key: lookupKey,
          display_name: lookupKey,
        });
      const answers = await Promise.all([make('a'), make('b')]);
      expect(answers.map(({ status }) => status)).toEqual([201, 201]);
      expect(answers.filter(({ body }) => body.is_current)).toHaveLength(1);
      expect((await make('a')).body).toMatchObject({ type: 'resource_already_exists', param: 'lookup_key' });
    });

    it('bound their metadata', async () => {
      const make = (metadata: unknown) =>
        post('/offerings', { lookup_key: 'meta', display_name: 'Meta', metadata });
      for (const bad of [[], 'text', { a: 'x'.repeat(4000) }]) {
        expect([(await make(bad)).status, (await make(bad)).body.param]).toEqual([400, 'metadata']);
      }
      expect((await make({ nested: { list: [1, null, 'x'] } })).body.metadata).toEqual({
        nested: { list: [1, null, 'x'] },
      });
    });

    it('expand to packages and products', async () => {
      const { body } = await get(`/offerings/${store.offering.id}?expand=package.product`);
      expect(
        body.packages.items.map((item: any) => [
          item.lookup_key,
          item.position,
          item.products.items[0].product.id,
        ]),
      ).toEqual([
        ['$rc_monthly', 0, store.products.monthly.id],
        ['$rc_annual', 1, store.products.yearly.id],
      ]);
    });

    it('hold one product of each app, all or nothing', async () => {
      const { body: item } = await post(`/offerings/${store.offering.id}/packages`, {
        lookup_key: 'custom',
        display_name: 'Custom',
        position: 7,
      });
      const attach = (products: unknown) =>
        post(`/packages/${item.id}/actions/attach_products`, { products });
      const two = [{ product_id: store.products.monthly.id }, { product_id: store.products.yearly.id }];
      const overlapping = await attach(two);
      expect([overlapping.status, overlapping.body.type]).toEqual([409, 'invalid_request']);
      expect((await get(`/packages/${item.id}?expand=product`)).body.products.items).toEqual([]);
      const apart = await attach([
        { product_id: store.products.monthly.id, eligibility_criteria: 'google_sdk_lt_6' },
        { product_id: store.products.yearly.id, eligibility_criteria: 'google_sdk_ge_6' },
      ]);
      expect(apart.body.products.items).toHaveLength(2);
      expect((await attach([{ product_id: foreign.products.monthly.id }])).status).toBe(404);
      expect(
        (await attach([{ product_id: store.products.monthly.id, eligibility_criteria: 'x' }])).body.param,
      ).toBe('products.0.eligibility_criteria');
      expect((await attach([{}])).body.param).toBe('products.0.product_id');
    });
  });

  it('finds nothing of another project, by path', async () => {
    for (const path of [
      `/apps/${foreign.appId}`,
      `/apps/${foreign.appId}/public_api_keys`,
      `/products/${foreign.products.monthly.id}`,
      `/entitlements/${foreign.entitlements.pro.id}`,
      `/offerings/${foreign.offering.id}`,
      `/offerings/${foreign.offering.id}/packages`,
    ]) {
      const answer = await get(path);
      expect([path, answer.status, answer.body.type]).toEqual([path, 404, 'resource_missing']);
    }
  });

  it('asks for the permission of what is embedded', async () => {
    const { client } = await createSecretKey(store.session, store.projectId, [
      'project_configuration:products:read',
      'project_configuration:offerings:read',
    ]);
    expect((await get('/products', client)).status).toBe(200);
    const apps = await get('/products?expand=items.app', client);
    expect([apps.status, apps.body.message]).toEqual([
      403,
      expect.stringContaining('`project_configuration:apps:read`'),
    ]);
    expect((await get('/offerings?expand=items.package', client)).status).toBe(403);
  });
});
