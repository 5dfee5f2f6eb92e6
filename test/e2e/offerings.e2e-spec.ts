import { createSecretKey, signUp } from '../support/arrange.js';
import { catalogCalls } from '../support/arrange-catalog.js';
import type { TestStore } from '../support/arrange-store.js';
import type { Answer, Json } from '../support/api-client.js';
import { otherShop, shop } from '../support/world.js';

const idOf = ({ id }: { id: string }): string => id;

/** The reason in an answer of status 400 to 422. */
const problem = ({ status, body }: Answer) => [status, body.type, body.param];

describe('offerings and packages', () => {
  const store = shop();
  let foreign: TestStore;

  beforeAll(async () => {
    foreign = await otherShop(store);
  });

  const { post, get, remove, newProduct, newOffering, newPackage, walk, sdkOfferings } = catalogCalls(store);

  it('makes the first offering current, even if two are created at once', async () => {
    const { session, projectId } = await signUp(store.server);
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

  it('limits their metadata', async () => {
    const make = (metadata: unknown) =>
      post('/offerings', { lookup_key: 'meta', display_name: 'Meta', metadata });
    for (const bad of [[], 'text', { a: 'x'.repeat(4000) }]) {
      expect([(await make(bad)).status, (await make(bad)).body.param]).toEqual([400, 'metadata']);
    }
    expect((await make({ nested: { list: [1, null, 'x'] } })).body.metadata).toEqual({
      nested: { list: [1, null, 'x'] },
    });
  });

  it('expands to packages and products', async () => {
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

  it('holds one product of each app, all or nothing', async () => {
    const { body: item } = await post(`/offerings/${store.offering.id}/packages`, {
      lookup_key: 'custom',
      display_name: 'Custom',
      position: 7,
    });
    const attach = (products: unknown) => post(`/packages/${item.id}/actions/attach_products`, { products });
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
  ])('refuses packages %j naming %s', async (body, param) => {
    const answer = await post(`/offerings/${store.offering.id}/packages`, body);
    expect(problem(answer)).toEqual([400, 'parameter_error', param]);
  });

  it('changes the given fields, with metadata as it was written', async () => {
    const before = await newOffering();
    const change = async (body: object): Promise<Json> => (await post(`/offerings/${before.id}`, body)).body;
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

  it('moves the current offering; none is allowed', async () => {
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

  it('leaves the shop when archived, which the current one cannot be', async () => {
    const { id, lookup_key: lookupKey } = await newOffering();
    const archive = (offeringId: string) => post(`/offerings/${offeringId}/actions/archive`);
    const shown = async (): Promise<string[]> =>
      (await sdkOfferings()).offerings.map(({ identifier }: Json) => identifier);
    expect(problem(await archive(store.offering.id))).toEqual([422, 'unprocessable_entity_error', undefined]);
    expect(await shown()).toContain(lookupKey);
    for (let times = 0; times < 2; times++) expect((await archive(id)).body.state).toBe('inactive');
    expect(await shown()).not.toContain(lookupKey);
    const refused = await post(`/offerings/${id}`, { is_current: true });
    expect(problem(refused)).toEqual([422, 'entity_references_archived_entities', 'is_current']);
    expect(refused.body.referenced_object_ids).toEqual([id]);
    expect((await post(`/offerings/${id}/actions/unarchive`)).body.state).toBe('active');
    expect(await shown()).toContain(lookupKey);
  });

  it('restores their products from the archive only on request', async () => {
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

  it('deletes them with their packages, even the current one; the next first one becomes current', async () => {
    const { session, projectId } = await signUp(store.server);
    const { client } = await createSecretKey(session, projectId);
    const path = `/v2/projects/${projectId}`;
    const make = async (): Promise<Json> =>
      (await client.post(`${path}/offerings`, { lookup_key: 'only', display_name: 'Only' })).body;
    const only = await make();
    const body = { lookup_key: '$rc_monthly', display_name: 'Monthly' };
    const item = (await client.post(`${path}/offerings/${only.id}/packages`, body)).body;
    const gone = await client.delete(`${path}/offerings/${only.id}`);
    const deleted = { object: 'offering', id: only.id, deleted_at: store.clock.nowMs() };
    expect([gone.status, gone.body]).toEqual([200, deleted]);
    expect((await client.get(`${path}/packages/${item.id}`)).status).toBe(404);
    expect((await client.delete(`${path}/offerings/${only.id}`)).status).toBe(404);
    expect((await make()).is_current).toBe(true);
  });

  it('shows packages by position, page by page', async () => {
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

  it('renames and deletes packages, one for a lookup key', async () => {
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
    const deleted = { object: 'package', id: item.id, deleted_at: store.clock.nowMs() };
    expect([gone.status, gone.body]).toEqual([200, deleted]);
    expect((await remove(`/packages/${item.id}`)).status).toBe(404);
    expect((await post(`/offerings/${offering.id}/packages`, again)).status).toBe(201);
  });

  it('lists the products of a package page by page, each with its audience', async () => {
    const { id } = await newPackage((await newOffering()).id);
    const { monthly, yearly } = store.products;
    const attach = (productId: string, criteria?: string) =>
      post(`/packages/${id}/actions/attach_products`, {
        products: [{ product_id: productId, eligibility_criteria: criteria }],
      });
    await attach(monthly.id);
    expect((await attach(yearly.id, 'google_sdk_ge_6')).status).toBe(409);
    expect((await attach(monthly.id, 'google_sdk_lt_6')).status).toBe(200);
    store.clock.advanceMs(1);
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

  it('holds one product of each app even if two come at once', async () => {
    const { id } = await newPackage((await newOffering()).id);
    const answers = await Promise.all(
      [store.products.monthly, store.products.yearly, store.products.coins].map((product) =>
        post(`/packages/${id}/actions/attach_products`, { products: [{ product_id: product.id }] }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect((await get(`/packages/${id}/products`)).body.items).toHaveLength(1);
  });

  it('uses the last of two criteria for one product', async () => {
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
