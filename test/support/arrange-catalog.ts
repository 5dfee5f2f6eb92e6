import type { Answer, ApiClient, Json } from './api-client.js';
import type { TestStore } from './arrange-store.js';
import type { TestServer } from './test-server.js';
import { walkList } from './walk-list.js';

/** What tests of the catalog call, on the project of `context().store`. */
export function catalogCalls(context: () => { server: TestServer; store: TestStore }) {
  const post = (path: string, body?: unknown, client: ApiClient = context().store.backend) =>
    client.post(context().store.path + path, body);
  const get = (path: string, client: ApiClient = context().store.backend) =>
    client.get(context().store.path + path);
  const remove = (path: string) => context().store.backend.delete(context().store.path + path);

  const made = async (path: string, body: object): Promise<Json> => {
    const answer = await post(path, body);
    expect(answer.status).toBe(201);
    return answer.body;
  };
  let names = 0;
  const unique = (prefix: string): string => `${prefix}_${++names}`;
  let purchases = 0;

  return {
    post,
    get,
    remove,
    made,
    newProduct: (change: object = {}): Promise<Json> =>
      made('/products', {
        store_identifier: unique('product'),
        app_id: context().store.appId,
        type: 'subscription',
        ...change,
      }),
    newEntitlement: (): Promise<Json> =>
      made('/entitlements', { lookup_key: unique('entitlement'), display_name: 'Made for a test' }),
    newOffering: (): Promise<Json> =>
      made('/offerings', { lookup_key: unique('offering'), display_name: 'Made for a test' }),
    newPackage: (offeringId: string, change: object = {}): Promise<Json> =>
      made(`/offerings/${offeringId}/packages`, {
        lookup_key: unique('package'),
        display_name: 'Made for a test',
        ...change,
      }),
    walk: (path: string, limit: number) =>
      walkList(context().store.backend, context().store.path + path, limit),
    buy: (appUserId: string, productId: string): Promise<Answer> =>
      context().store.sdk.post('/v1/receipts', {
        app_user_id: appUserId,
        fetch_token: `test_${context().server.clock.nowMs()}_catalog-${++purchases}`,
        product_id: productId,
      }),
    subscriber: async (appUserId: string): Promise<Json> =>
      (await context().store.sdk.get(`/v1/subscribers/${appUserId}`)).body.subscriber,
    sdkOfferings: async (): Promise<Json> =>
      (await context().store.sdk.get('/v1/subscribers/shopper/offerings')).body,
  };
}
