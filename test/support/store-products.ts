import type { Answer, ApiClient, Json } from './api-client.js';
import { createSecretKey, signUp } from './arrange.js';
import type { TestServer } from './test-server.js';

/** The part of a store's world that suites about its products need. */
export interface ListingWorld {
  server: TestServer;
  projectId: string;
  path: string;
  appId: string;
  backend: ApiClient;
  session: ApiClient;
}

/** The three operations about the products of a store. */
export function listingCalls(world: () => ListingWorld) {
  const place = (): string => `${world().path}/apps/${world().appId}/store_products`;
  return {
    place,
    list: (): Promise<Answer> => world().backend.get(place()),
    compare: (): Promise<Answer> => world().backend.get(`${place()}/comparison`),
    importAll: (identifiers: unknown, more: object = {}): Promise<Answer> =>
      world().backend.post(`${place()}/actions/import`, { store_identifiers: identifiers, ...more }),
    products: async (): Promise<Map<string, Json>> => {
      const { backend, path, appId } = world();
      const { body } = await backend.get(`${path}/products?app_id=${appId}&limit=100`);
      return new Map(body.items.map((item: Json) => [item.store_identifier, item]));
    },
  };
}

/** The refusals that the operations of every store share. */
export function describeListingAccess(world: () => ListingWorld, identifier: string): void {
  const { place, list, compare, importAll } = listingCalls(world);
  const products = 'project_configuration:products';
  const apps = 'project_configuration:apps';
  const limited = async (...scopes: string[]): Promise<ApiClient> =>
    (await createSecretKey(world().session, world().projectId, scopes)).client;
  const imported = { store_identifiers: [identifier] };

  it('requires the permissions for products and apps', async () => {
    for (const [scopes, missing] of [
      [[`${products}:read`], `${apps}:read`],
      [[`${apps}:read`], `${products}:read`],
    ] as const) {
      const client = await limited(...scopes);
      for (const answer of [await client.get(place()), await client.get(`${place()}/comparison`)]) {
        expect([answer.status, answer.body.message]).toEqual([403, expect.stringContaining(missing)]);
      }
    }
    const reader = await limited(`${products}:read`, `${apps}:read`);
    expect((await reader.get(place())).status).toBe(200);
    const refused = await reader.post(`${place()}/actions/import`, imported);
    expect([refused.status, refused.body.message]).toEqual([
      403,
      expect.stringContaining(`${products}:read_write`),
    ]);
  });

  it('hides the apps of other projects', async () => {
    const stranger = await signUp(world().server);
    const own = `/v2/projects/${stranger.projectId}/apps/${world().appId}/store_products`;
    for (const path of [place(), own]) {
      for (const answer of [
        await stranger.session.get(path),
        await stranger.session.get(`${path}/comparison`),
        await stranger.session.post(`${path}/actions/import`, imported),
      ]) {
        expect([answer.status, answer.body.type]).toEqual([404, 'resource_missing']);
      }
    }
  });

  it.each([
    ['none', undefined],
    ['an empty list', []],
    ['a text', 'pro'],
    ['numbers', [1]],
    ['a text that is too long', ['x'.repeat(201)]],
    ['more than 500', Array.from({ length: 501 }, (_, number) => String(number))],
  ])('rejects %s as products to import', async (_, identifiers) => {
    const { status, body } = await importAll(identifiers);
    expect([status, body.param]).toEqual([400, 'store_identifiers']);
  });

  it('rejects an unknown type of one-time products', async () => {
    const { status, body } = await importAll([identifier], { one_time_type: 'subscription' });
    expect([status, body.param]).toEqual([400, 'one_time_type']);
  });

  it('imports nothing if the store does not have one of the products', async () => {
    const before = await listingCalls(world).products();
    const { status, body } = await importAll([identifier, 'unknown-product']);
    expect([status, body.type, body.param]).toEqual([404, 'resource_missing', 'store_identifiers']);
    expect((await listingCalls(world).products()).size).toBe(before.size);
  });

  it('answers 404 for an unknown app', async () => {
    const answer = await world().backend.get(`${world().path}/apps/app0000000000000/store_products`);
    expect([answer.status, answer.body.type]).toEqual([404, 'resource_missing']);
  });

  it('answers each time anew', async () => {
    expect([(await list()).status, (await compare()).status]).toEqual([200, 200]);
  });
}
