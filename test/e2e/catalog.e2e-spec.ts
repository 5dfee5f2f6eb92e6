import { createSecretKey, signUp } from '../support/arrange.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import type { Answer, ApiClient, Json } from '../support/api-client.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { walkList } from '../support/walk-list.js';

const idOf = ({ id }: { id: string }): string => id;

/** What an answer of status 400 to 422 says is wrong. */
const problem = ({ status, body }: Answer) => [status, body.type, body.param];

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
  const remove = (path: string) => store.backend.delete(store.path + path);

  /** Creates something and gives its body. */
  const made = async (path: string, body: object): Promise<Json> => {
    const answer = await post(path, body);
    expect(answer.status).toBe(201);
    return answer.body;
  };
  let names = 0;
  const unique = (word: string): string => `${word}_${++names}`;
  const newProduct = (change: object = {}): Promise<Json> =>
    made('/products', {
      store_identifier: unique('product'),
      app_id: store.appId,
      type: 'subscription',
      ...change,
    });
  const newEntitlement = (): Promise<Json> =>
    made('/entitlements', { lookup_key: unique('entitlement'), display_name: 'Made for a test' });
  const newOffering = (): Promise<Json> =>
    made('/offerings', { lookup_key: unique('offering'), display_name: 'Made for a test' });
  const newPackage = (offeringId: string, change: object = {}): Promise<Json> =>
    made(`/offerings/${offeringId}/packages`, {
      lookup_key: unique('package'),
      display_name: 'Made for a test',
      ...change,
    });

  const walk = (path: string, limit: number) => walkList(store.backend, store.path + path, limit);

  let purchases = 0;
  const buy = (appUserId: string, productId: string): Promise<Answer> =>
    store.sdk.post('/v1/receipts', {
      app_user_id: appUserId,
      fetch_token: `test_${server.clock.nowMs()}_catalog-${++purchases}`,
      product_id: productId,
    });
  const subscriber = async (appUserId: string): Promise<Json> =>
    (await store.sdk.get(`/v1/subscribers/${appUserId}`)).body.subscriber;
  const sdkOfferings = async (): Promise<Json> =>
    (await store.sdk.get('/v1/subscribers/shopper/offerings')).body;

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
      [{ display_name: 'half \ud83d' }, 'display_name'],
      [{ subscription: { duration: '1 month' } }, 'subscription.duration'],
      [{ subscription: { duration: 'P0D' } }, 'subscription.duration'],
      [{ subscription: { duration: 5 } }, 'subscription.duration'],
      [{ subscription: 'P1M' }, 'subscription'],
      [{ type: 'consumable', subscription: { duration: 'P1M' } }, 'subscription'],
      [{ test_store_price: { currency: 'USD' } }, 'test_store_price.amount_micros'],
      [{ test_store_price: { amount_micros: -1, currency: 'USD' } }, 'test_store_price.amount_micros'],
      [{ test_store_price: { amount_micros: 1.5, currency: 'USD' } }, 'test_store_price.amount_micros'],
      [{ test_store_price: { amount_micros: 1e13 + 1, currency: 'USD' } }, 'test_store_price.amount_micros'],
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
      const seen = (await walk('/products', 2)).map(idOf);
      const all = (await get('/products?limit=1000')).body.items.map(({ id }: { id: string }) => id);
      expect(seen).toEqual(all);
      expect(new Set(seen).size).toBe(seen.length);
      const cursor = await get(`/products?starting_after=${store.entitlements.pro.id}`);
      expect([cursor.status, cursor.body.param]).toEqual([400, 'starting_after']);
      expect((await get('/products?limit=0')).body.items).toHaveLength(1);
      expect((await get('/products?expand=nothing')).body.param).toBe('expand');
    });

    it.each([
      ['subscription', null],
      ['consumable', { is_consumable: true }],
      ['non_consumable', { is_consumable: false }],
      ['non_renewing_subscription', { is_consumable: false }],
      ['one_time', { is_consumable: null }],
    ])('of type %s say so', async (type, oneTime) => {
      const none = { duration: null, grace_period_duration: null, trial_duration: null };
      const made = await newProduct({ type, title: 'By its other name' });
      expect(made).toMatchObject({ type, one_time: oneTime, display_name: 'By its other name' });
      expect(made.subscription).toEqual(type === 'subscription' ? none : null);
    });

    it('have minutes, trials and grace periods in the Test Store only', async () => {
      const durations = { duration: 'PT5M', trial_duration: 'P3D', grace_period_duration: 'PT1H' };
      expect((await newProduct({ subscription: durations })).subscription).toEqual(durations);
      const app = await made('/apps', { name: 'Roku', type: 'roku' });
      const elsewhere = (change: object) =>
        post('/products', product({ store_identifier: 'elsewhere', app_id: app.id, ...change }));
      const price = { amount_micros: 1, currency: 'USD' };
      for (const [change, param] of [
        [{ subscription: { duration: 'PT5M' } }, 'subscription.duration'],
        [{ subscription: { trial_duration: 'P1W' } }, 'subscription.trial_duration'],
        [{ subscription: { grace_period_duration: 'P1W' } }, 'subscription.grace_period_duration'],
        [{ subscription: { duration: 'P9999Y' } }, 'subscription.duration'],
        [{ test_store_price: price }, 'test_store_price'],
      ] as const) {
        expect(problem(await elsewhere(change))).toEqual([400, 'parameter_error', param]);
      }
      const fine = await elsewhere({ subscription: { duration: 'P2M' }, test_store_price: null });
      expect([fine.status, fine.body.subscription.duration]).toEqual([201, 'P2M']);
      const shown = await get(`/products/${fine.body.id}?expand=indicative_price`);
      expect(shown.body.indicative_price).toBeNull();
    });

    it('change what is given; app and store identifier are for good', async () => {
      const before = await newProduct({
        display_name: 'Before',
        subscription: { duration: 'P1M', trial_duration: 'P1W' },
        test_store_price: { amount_micros: 1_000_000, currency: 'USD' },
      });
      const change = async (body: object): Promise<Json> =>
        (await post(`/products/${before.id}?expand=indicative_price`, body)).body;
      const same = await change({ store_identifier: 'other', app_id: foreign.appId, price_identifier: 'x' });
      expect(same).toEqual({ ...before, indicative_price: expect.objectContaining({ amount_micros: 1e6 }) });
      expect((await change({ title: 'After' })).display_name).toBe('After');
      expect((await change({ display_name: null })).display_name).toBeNull();
      expect((await change({ subscription: { duration: null } })).subscription).toEqual({
        duration: null,
        trial_duration: 'P1W',
        grace_period_duration: null,
      });
      const euro = { test_store_price: { amount_micros: 0, currency: 'EUR' } };
      expect((await change(euro)).indicative_price).toMatchObject({ amount_micros: 0, currency: 'EUR' });
      expect((await change({ test_store_price: null })).indicative_price).toBeNull();
      const consumable = await change({ type: 'consumable' });
      expect([consumable.subscription, consumable.one_time]).toEqual([null, { is_consumable: true }]);
      expect((await change({ type: 'subscription' })).subscription.trial_duration).toBeNull();
      for (const [body, param] of [
        [{ type: 'consumable', subscription: { duration: 'P1M' } }, 'subscription'],
        [{ type: null }, 'type'],
        [{ subscription: { duration: 'monthly' } }, 'subscription.duration'],
        [
          { test_store_price: { amount_micros: 1e15 + 1, currency: 'USD' } },
          'test_store_price.amount_micros',
        ],
      ] as const) {
        expect(problem(await post(`/products/${before.id}`, body))).toEqual([400, 'parameter_error', param]);
      }
    });

    it('leave the shop when archived, and go on unlocking what was bought', async () => {
      const monthly = store.products.monthly.id;
      await buy('loyal', 'pro_monthly');
      const shown = async (): Promise<string[]> =>
        (await sdkOfferings()).offerings[0].packages.map((item: Json) => item.platform_product_identifier);
      expect(await shown()).toEqual(['pro_monthly', 'pro_yearly']);
      for (let times = 0; times < 2; times++) {
        const archived = await post(`/products/${monthly}/actions/archive`);
        expect([archived.status, archived.body.state]).toEqual([200, 'inactive']);
      }
      expect(await shown()).toEqual(['pro_yearly']);
      expect(Object.keys((await subscriber('loyal')).entitlements)).toEqual(['pro']);
      expect(Object.keys((await buy('latecomer', 'pro_monthly')).body.subscriber.entitlements)).toEqual([
        'pro',
      ]);
      const refused = await post(`/entitlements/${store.entitlements.pro.id}/actions/attach_products`, {
        product_ids: [monthly],
      });
      expect(problem(refused)).toEqual([422, 'entity_references_archived_entities', 'product_ids']);
      expect(refused.body.referenced_object_ids).toEqual([monthly]);
      const unarchived = await post(`/products/${monthly}/actions/unarchive`);
      expect([unarchived.status, unarchived.body]).toEqual([200, store.products.monthly]);
      expect(await shown()).toEqual(['pro_monthly', 'pro_yearly']);
    });

    it('are deleted wherever they are attached; purchases stay and unlock nothing more', async () => {
      const doomed = await newProduct({ store_identifier: 'doomed', subscription: { duration: 'P1Y' } });
      const entitlement = await newEntitlement();
      await post(`/entitlements/${entitlement.id}/actions/attach_products`, { product_ids: [doomed.id] });
      await buy('mourner', 'doomed');
      expect(Object.keys((await subscriber('mourner')).entitlements)).toEqual([entitlement.lookup_key]);
      const gone = await remove(`/products/${doomed.id}`);
      const deleted = { object: 'product', id: doomed.id, deleted_at: server.clock.nowMs() };
      expect([gone.status, gone.body]).toEqual([200, deleted]);
      expect((await get(`/products/${doomed.id}`)).status).toBe(404);
      expect((await remove(`/products/${doomed.id}`)).status).toBe(404);
      const after = await subscriber('mourner');
      expect([after.entitlements, Object.keys(after.subscriptions)]).toEqual([{}, ['doomed']]);
      expect((await get(`/entitlements/${entitlement.id}/products`)).body.items).toEqual([]);
      expect((await newProduct({ store_identifier: 'doomed' })).id).not.toBe(doomed.id);
    });
  });

  describe('entitlements', () => {
    it('attach and detach all or nothing, again without harm', async () => {
      const extra = await newEntitlement();
      const ids = [store.products.monthly.id, store.products.coins.id];
      const attach = (productIds: unknown) =>
        post(`/entitlements/${extra.id}/actions/attach_products`, { product_ids: productIds });
      const names = (list: { items: { id: string }[] }): string[] => list.items.map(({ id }) => id).sort();
      expect((await attach([...ids, 'produnknown'])).status).toBe(404);
      expect((await attach([...ids, foreign.products.monthly.id])).status).toBe(404);
      expect((await get(`/entitlements/${extra.id}?expand=product`)).body.products.items).toEqual([]);
      expect(names((await attach(ids)).body.products)).toEqual([...ids].sort());
      expect(names((await attach(ids)).body.products)).toEqual([...ids].sort());
      const detached = await post(`/entitlements/${extra.id}/actions/detach_products`, {
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

    it.each([
      [{ display_name: 'x' }, 'lookup_key'],
      [{ lookup_key: '', display_name: 'x' }, 'lookup_key'],
      [{ lookup_key: 'x'.repeat(201), display_name: 'x' }, 'lookup_key'],
      [{ lookup_key: '\ude00', display_name: 'x' }, 'lookup_key'],
      [{ lookup_key: 'x' }, 'display_name'],
      [{ lookup_key: 'x', display_name: 'x'.repeat(1501) }, 'display_name'],
    ])('refuse %j naming %s', async (body, param) => {
      expect(problem(await post('/entitlements', body))).toEqual([400, 'parameter_error', param]);
    });

    it('of the same lookup key at once: one is made', async () => {
      const body = { lookup_key: 'raced', display_name: 'Raced' };
      const answers = await Promise.all([1, 2, 3].map(() => post('/entitlements', body)));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
      expect((await post('/entitlements', { ...body, lookup_key: 'Raced' })).status).toBe(201);
    });

    it('are renamed; their lookup key is for good', async () => {
      const before = await newEntitlement();
      const renamed = await post(`/entitlements/${before.id}`, { display_name: 'After', lookup_key: 'x' });
      expect([renamed.status, renamed.body]).toEqual([200, { ...before, display_name: 'After' }]);
      expect((await get(`/entitlements/${before.id}`)).body).toEqual(renamed.body);
      expect(problem(await post(`/entitlements/${before.id}`, {}))).toEqual([
        400,
        'parameter_error',
        'display_name',
      ]);
    });

    it('are kept by customers when archived, and take no products until unarchived', async () => {
      const { id, lookup_key: lookupKey } = await newEntitlement();
      const attach = (productId: string) =>
        post(`/entitlements/${id}/actions/attach_products`, { product_ids: [productId] });
      await attach(store.products.lifetime.id);
      await buy('archivist', 'pro_lifetime');
      for (let times = 0; times < 2; times++) {
        const archived = await post(`/entitlements/${id}/actions/archive`);
        expect([archived.status, archived.body.state]).toEqual([200, 'inactive']);
      }
      expect(Object.keys((await subscriber('archivist')).entitlements)).toContain(lookupKey);
      const refused = await attach(store.products.yearly.id);
      expect(problem(refused).slice(0, 2)).toEqual([422, 'entity_references_archived_entities']);
      expect(refused.body.referenced_object_ids).toEqual([id]);
      expect((await post(`/entitlements/${id}/actions/unarchive`)).body.state).toBe('active');
      expect((await attach(store.products.yearly.id)).body.products.items).toHaveLength(2);
    });

    it('are lost by customers when deleted', async () => {
      const { id, lookup_key: lookupKey } = await newEntitlement();
      await post(`/entitlements/${id}/actions/attach_products`, {
        product_ids: [store.products.lifetime.id],
      });
      await buy('loser', 'pro_lifetime');
      expect(Object.keys((await subscriber('loser')).entitlements)).toContain(lookupKey);
      const gone = await remove(`/entitlements/${id}`);
      const deleted = { object: 'entitlement', id, deleted_at: server.clock.nowMs() };
      expect([gone.status, gone.body]).toEqual([200, deleted]);
      expect(Object.keys((await subscriber('loser')).entitlements)).not.toContain(lookupKey);
      expect((await remove(`/entitlements/${id}`)).status).toBe(404);
    });

    it('list what unlocks them page by page, in the order of the products', async () => {
      const { id } = await newEntitlement();
      const { yearly, coins, monthly } = store.products;
      await post(`/entitlements/${id}/actions/attach_products`, { product_ids: [yearly.id, coins.id] });
      await post(`/entitlements/${id}/actions/attach_products`, { product_ids: [monthly.id] });
      const wanted = (await get(`/products?app_id=${store.appId}`)).body.items
        .map(idOf)
        .filter((productId: string) => [yearly.id, coins.id, monthly.id].includes(productId));
      expect((await walk(`/entitlements/${id}/products`, 1)).map(idOf)).toEqual(wanted);
      expect((await get(`/entitlements/${id}?expand=product`)).body.products.items.map(idOf)).toEqual(wanted);
      const alien = `/entitlements/${id}/products?starting_after=${store.products.lifetime.id}`;
      expect(problem(await get(alien))).toEqual([400, 'parameter_error', 'starting_after']);
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

    it.each([
      [{ display_name: 'x' }, 'lookup_key'],
      [{ lookup_key: 'x'.repeat(201), display_name: 'x' }, 'lookup_key'],
      [{ lookup_key: 'x', display_name: '' }, 'display_name'],
      [{ lookup_key: 'x', display_name: 'x', position: -1 }, 'position'],
      [{ lookup_key: 'x', display_name: 'x', position: 1.5 }, 'position'],
    ])('refuse packages %j naming %s', async (body, param) => {
      const answer = await post(`/offerings/${store.offering.id}/packages`, body);
      expect(problem(answer)).toEqual([400, 'parameter_error', param]);
    });

    it('change what is given, metadata as it was written', async () => {
      const before = await newOffering();
      const change = async (body: object): Promise<Json> =>
        (await post(`/offerings/${before.id}`, body)).body;
      expect(await change({})).toEqual(before);
      expect(await change({ display_name: 'After', lookup_key: 'x' })).toEqual({
        ...before,
        display_name: 'After',
      });
      const metadata = { zebra: 1, ape: ['\u0000', '😀'], 'a b': null };
      expect(JSON.stringify((await change({ metadata })).metadata)).toBe(JSON.stringify(metadata));
      expect(JSON.stringify((await get(`/offerings/${before.id}`)).body.metadata)).toBe(
        JSON.stringify(metadata),
      );
      expect((await change({ metadata: { x: 'x'.repeat(4000 - 8) } })).metadata.x).toHaveLength(3992);
      expect((await change({ metadata: null })).metadata).toBeNull();
      for (const [body, param] of [
        [{ display_name: null }, 'display_name'],
        [{ is_current: 'yes' }, 'is_current'],
        [{ metadata: { x: 'x'.repeat(4000 - 7) } }, 'metadata'],
        // Phones could not parse the offerings any more.
        [{ metadata: { a: [{ b: '\ud800' }] } }, 'metadata'],
        [{ metadata: { 'half \udc00': 1 } }, 'metadata'],
      ] as const) {
        expect(problem(await post(`/offerings/${before.id}`, body))).toEqual([400, 'parameter_error', param]);
      }
    });

    it('hand over being current; none may be', async () => {
      const other = await newOffering();
      const setCurrent = (id: string, isCurrent: boolean) =>
        post(`/offerings/${id}`, { is_current: isCurrent });
      const current = async (): Promise<string[]> =>
        (await get('/offerings?limit=100')).body.items.filter((item: Json) => item.is_current).map(idOf);
      expect(await current()).toEqual([store.offering.id]);
      expect((await setCurrent(other.id, true)).body.is_current).toBe(true);
      expect(await current()).toEqual([other.id]);
      expect((await sdkOfferings()).current_offering_id).toBe(other.lookup_key);
      expect((await setCurrent(other.id, false)).body.is_current).toBe(false);
      expect([await current(), (await sdkOfferings()).current_offering_id]).toEqual([[], null]);
      const racers = [await newOffering(), await newOffering(), store.offering];
      const answers = await Promise.all(racers.map(({ id }) => setCurrent(id, true)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(await current()).toHaveLength(1);
      await setCurrent(store.offering.id, true);
    });

    it('leave the shop when archived, which the current one cannot be', async () => {
      const { id, lookup_key: lookupKey } = await newOffering();
      const archive = (offeringId: string) => post(`/offerings/${offeringId}/actions/archive`);
      const shown = async (): Promise<string[]> =>
        (await sdkOfferings()).offerings.map(({ identifier }: Json) => identifier);
      expect(problem(await archive(store.offering.id))).toEqual([
        422,
        'unprocessable_entity_error',
        undefined,
      ]);
      expect(await shown()).toContain(lookupKey);
      for (let times = 0; times < 2; times++) expect((await archive(id)).body.state).toBe('inactive');
      expect(await shown()).not.toContain(lookupKey);
      const refused = await post(`/offerings/${id}`, { is_current: true });
      expect(problem(refused)).toEqual([422, 'entity_references_archived_entities', 'is_current']);
      expect(refused.body.referenced_object_ids).toEqual([id]);
      expect((await post(`/offerings/${id}/actions/unarchive`)).body.state).toBe('active');
      expect(await shown()).toContain(lookupKey);
    });

    it('bring their products out of the archive only when asked to', async () => {
      const offering = await newOffering();
      const inIt = await newProduct();
      const item = await newPackage(offering.id);
      await post(`/packages/${item.id}/actions/attach_products`, { products: [{ product_id: inIt.id }] });
      await post(`/products/${inIt.id}/actions/archive`);
      const state = async (): Promise<string> => (await get(`/products/${inIt.id}`)).body.state;
      const unarchive = (body?: object) => post(`/offerings/${offering.id}/actions/unarchive`, body);
      expect((await unarchive()).status).toBe(200);
      expect((await unarchive({ unarchive_referenced_entities: false })).status).toBe(200);
      expect(await state()).toBe('inactive');
      expect((await unarchive({ unarchive_referenced_entities: 'x' })).body.param).toBe(
        'unarchive_referenced_entities',
      );
      expect((await unarchive({ unarchive_referenced_entities: true })).status).toBe(200);
      expect(await state()).toBe('active');
    });

    it('are deleted with their packages, also the current one; the next first one is current', async () => {
      const { session, projectId } = await signUp(server);
      const { client } = await createSecretKey(session, projectId);
      const path = `/v2/projects/${projectId}`;
      const make = async (): Promise<Json> =>
        (await client.post(`${path}/offerings`, { lookup_key: 'only', display_name: 'Only' })).body;
      const only = await make();
      const body = { lookup_key: '$rc_monthly', display_name: 'Monthly' };
      const item = (await client.post(`${path}/offerings/${only.id}/packages`, body)).body;
      const gone = await client.delete(`${path}/offerings/${only.id}`);
      const deleted = { object: 'offering', id: only.id, deleted_at: server.clock.nowMs() };
      expect([gone.status, gone.body]).toEqual([200, deleted]);
      expect((await client.get(`${path}/packages/${item.id}`)).status).toBe(404);
      expect((await client.delete(`${path}/offerings/${only.id}`)).status).toBe(404);
      expect((await make()).is_current).toBe(true);
    });

    it('show packages by position, page by page', async () => {
      const { id } = await newOffering();
      const last = await newPackage(id, { position: 9 });
      const twins = [await newPackage(id, { position: 4 }), await newPackage(id, { position: 4 })];
      const behind = await newPackage(id);
      expect(behind.position).toBe(10);
      const [first, second] = twins.map(idOf).sort();
      const order = [first, second, last.id, behind.id];
      expect((await walk(`/offerings/${id}/packages`, 1)).map(idOf)).toEqual(order);
      const moved = await post(`/packages/${behind.id}`, { position: 0, lookup_key: 'x' });
      expect([moved.status, moved.body]).toEqual([200, { ...behind, position: 0 }]);
      expect((await walk(`/offerings/${id}/packages`, 3)).map(idOf)).toEqual([
        behind.id,
        first,
        second,
        last.id,
      ]);
      const embedded = (await get(`/offerings/${id}?expand=package`)).body.packages;
      expect(embedded.items.map(idOf)).toEqual([behind.id, first, second, last.id]);
      expect(embedded.url).toBe(`${store.path}/offerings/${id}/packages`);
      const alien = `/offerings/${store.offering.id}/packages?starting_after=${last.id}`;
      expect(problem(await get(alien))).toEqual([400, 'parameter_error', 'starting_after']);
    });

    it('have packages that are renamed, deleted, and one of a lookup key', async () => {
      const offering = await newOffering();
      const item = await newPackage(offering.id);
      const renamed = await post(`/packages/${item.id}`, { display_name: 'After' });
      expect([renamed.status, renamed.body]).toEqual([200, { ...item, display_name: 'After' }]);
      expect((await post(`/packages/${item.id}`, { position: -1 })).body.param).toBe('position');
      const again = { lookup_key: item.lookup_key, display_name: 'Again' };
      expect(problem(await post(`/offerings/${offering.id}/packages`, again))).toEqual([
        409,
        'resource_already_exists',
        'lookup_key',
      ]);
      expect((await post(`/offerings/${store.offering.id}/packages`, again)).status).toBe(201);
      const gone = await remove(`/packages/${item.id}`);
      const deleted = { object: 'package', id: item.id, deleted_at: server.clock.nowMs() };
      expect([gone.status, gone.body]).toEqual([200, deleted]);
      expect((await remove(`/packages/${item.id}`)).status).toBe(404);
      expect((await post(`/offerings/${offering.id}/packages`, again)).status).toBe(201);
    });

    it('list the products of a package page by page, each with whom it is for', async () => {
      const { id } = await newPackage((await newOffering()).id);
      const { monthly, yearly } = store.products;
      const attach = (productId: string, criteria?: string) =>
        post(`/packages/${id}/actions/attach_products`, {
          products: [{ product_id: productId, eligibility_criteria: criteria }],
        });
      await attach(monthly.id);
      expect((await attach(yearly.id, 'google_sdk_ge_6')).status).toBe(409);
      expect((await attach(monthly.id, 'google_sdk_lt_6')).status).toBe(200);
      server.clock.advanceMs(1);
      expect((await attach(yearly.id, 'google_sdk_ge_6')).status).toBe(200);
      expect(await walk(`/packages/${id}/products`, 1)).toEqual([
        { product: monthly, eligibility_criteria: 'google_sdk_lt_6' },
        { product: yearly, eligibility_criteria: 'google_sdk_ge_6' },
      ]);
      const detached = await post(`/packages/${id}/actions/detach_products`, {
        product_ids: [monthly.id, store.products.coins.id],
      });
      expect(detached.body.products.items.map(({ product }: Json) => product.id)).toEqual([yearly.id]);
      expect(
        (await post(`/packages/${id}/actions/detach_products`, { product_ids: ['produnknown'] })).status,
      ).toBe(404);
    });

    it('hold one product of each app also when two come at once', async () => {
      const { id } = await newPackage((await newOffering()).id);
      const answers = await Promise.all(
        [store.products.monthly, store.products.yearly, store.products.coins].map((product) =>
          post(`/packages/${id}/actions/attach_products`, { products: [{ product_id: product.id }] }),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
      expect((await get(`/packages/${id}/products`)).body.items).toHaveLength(1);
    });

    it('take the last of two criteria for one product', async () => {
      const { id } = await newPackage((await newOffering()).id);
      const product = { product_id: store.products.monthly.id };
      const answer = await post(`/packages/${id}/actions/attach_products`, {
        products: [product, { ...product, eligibility_criteria: 'google_sdk_ge_6' }],
      });
      expect(answer.body.products.items).toEqual([
        { product: store.products.monthly, eligibility_criteria: 'google_sdk_ge_6' },
      ]);
    });
  });

  it('takes changes of every kind at once without an error of its own', async () => {
    const offering = await newOffering();
    const item = await newPackage(offering.id);
    const products = await Promise.all(Array.from({ length: 5 }, () => newProduct()));
    const entitlement = await newEntitlement();
    const answers = await Promise.all(
      products.flatMap(({ id }) => [
        post(`/entitlements/${entitlement.id}/actions/attach_products`, { product_ids: [id] }),
        post(`/packages/${item.id}/actions/attach_products`, { products: [{ product_id: id }] }),
        post(`/offerings/${offering.id}`, { display_name: id }),
        post(`/products/${id}/actions/archive`),
        remove(`/products/${id}`),
      ]),
    );
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    expect((await get(`/entitlements/${entitlement.id}/products`)).body.items).toEqual([]);
  });

  it('finds nothing of another project, by path', async () => {
    for (const path of [
      `/apps/${foreign.appId}`,
      `/apps/${foreign.appId}/public_api_keys`,
      `/products/${foreign.products.monthly.id}`,
      `/entitlements/${foreign.entitlements.pro.id}`,
      `/offerings/${foreign.offering.id}`,
      `/offerings/${foreign.offering.id}/packages`,
      `/entitlements/${foreign.entitlements.pro.id}/products`,
    ]) {
      const answer = await get(path);
      expect([path, answer.status, answer.body.type]).toEqual([path, 404, 'resource_missing']);
    }
  });

  it('changes nothing of another project', async () => {
    const foreignPackages = `${foreign.path}/offerings/${foreign.offering.id}/packages?expand=items.product`;
    const before = (await foreign.backend.get(foreignPackages)).body;
    const [item] = before.items;
    const products = [{ product_id: store.products.monthly.id }];
    const productIds = { product_ids: [store.products.monthly.id] };
    const paths = [
      `/apps/${foreign.appId}`,
      `/products/${foreign.products.monthly.id}`,
      `/entitlements/${foreign.entitlements.pro.id}`,
      `/offerings/${foreign.offering.id}`,
      `/packages/${item.id}`,
    ];
    const answers = [
      ...(await Promise.all(paths.map((path) => post(path, { display_name: 'x', name: 'x' })))),
      ...(await Promise.all(paths.map(remove))),
      ...(await Promise.all(
        paths
          .slice(1, 4)
          .flatMap((path) => [post(`${path}/actions/archive`), post(`${path}/actions/unarchive`)]),
      )),
      await post(`${paths[2]}/actions/attach_products`, productIds),
      await post(`${paths[2]}/actions/detach_products`, productIds),
      await post(`${paths[4]}/actions/attach_products`, { products }),
      await post(`${paths[4]}/actions/detach_products`, productIds),
      await post(`${paths[3]}/packages`, { lookup_key: 'x', display_name: 'x' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
    expect((await foreign.backend.get(foreignPackages)).body).toEqual(before);
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
    const offering = `/offerings/${store.offering.id}?expand=package.product`;
    const refused = await get(offering, client);
    expect([refused.status, refused.body.message]).toEqual([
      403,
      expect.stringContaining('`project_configuration:packages:read`'),
    ]);
  });

  it('asks for that permission before it changes anything', async () => {
    const { client } = await createSecretKey(store.session, store.projectId, [
      'project_configuration:products:read_write',
    ]);
    const body = { store_identifier: 'unmade', app_id: store.appId, type: 'consumable' };
    expect((await post('/products?expand=app', body, client)).status).toBe(403);
    expect((await post('/products?expand=indicative_price', body, client)).status).toBe(201);
  });
});
