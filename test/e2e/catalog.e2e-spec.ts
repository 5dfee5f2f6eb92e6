import { createSecretKey } from '../support/arrange.js';
import { catalogCalls } from '../support/arrange-catalog.js';
import type { TestStore } from '../support/arrange-store.js';
import { otherShop, shop } from '../support/world.js';

describe('the catalog', () => {
  const store = shop();
  let foreign: TestStore;

  beforeAll(async () => {
    foreign = await otherShop(store);
  });

  const { post, get, remove, newProduct, newEntitlement, newOffering, newPackage } = catalogCalls(store);

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
