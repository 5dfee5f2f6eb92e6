import { catalogCalls } from '../support/arrange-catalog.js';
import type { TestStore } from '../support/arrange-store.js';
import type { Answer } from '../support/api-client.js';
import { otherShop, shop } from '../support/world.js';

const idOf = ({ id }: { id: string }): string => id;

/** The reason in an answer of status 400 to 422. */
const problem = ({ status, body }: Answer) => [status, body.type, body.param];

describe('entitlements', () => {
  const store = shop();
  let foreign: TestStore;

  beforeAll(async () => {
    foreign = await otherShop(store);
  });

  const { post, get, remove, newEntitlement, walk, buy, subscriber } = catalogCalls(store);

  it('attaches and detaches all or nothing, again without harm', async () => {
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

  it('requires a unique lookup key', async () => {
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
  ])('refuses %j naming %s', async (body, param) => {
    expect(problem(await post('/entitlements', body))).toEqual([400, 'parameter_error', param]);
  });

  it('creates one of two with the same lookup key at once', async () => {
    const body = { lookup_key: 'raced', display_name: 'Raced' };
    const answers = await Promise.all([1, 2, 3].map(() => post('/entitlements', body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect((await post('/entitlements', { ...body, lookup_key: 'Raced' })).status).toBe(201);
  });

  it('renames them; their lookup key is permanent', async () => {
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

  it('keeps archived ones with customers, without new products until unarchived', async () => {
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

  it('takes deleted ones from customers', async () => {
    const { id, lookup_key: lookupKey } = await newEntitlement();
    await post(`/entitlements/${id}/actions/attach_products`, {
      product_ids: [store.products.lifetime.id],
    });
    await buy('loser', 'pro_lifetime');
    expect(Object.keys((await subscriber('loser')).entitlements)).toContain(lookupKey);
    const gone = await remove(`/entitlements/${id}`);
    const deleted = { object: 'entitlement', id, deleted_at: store.clock.nowMs() };
    expect([gone.status, gone.body]).toEqual([200, deleted]);
    expect(Object.keys((await subscriber('loser')).entitlements)).not.toContain(lookupKey);
    expect((await remove(`/entitlements/${id}`)).status).toBe(404);
  });

  it('lists what unlocks them page by page, in the order of the products', async () => {
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
