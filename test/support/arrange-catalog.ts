import type { Answer, ApiClient, Json } from './api-client.js';
import { walkList } from './walk-list.js';
import type { Shop } from './world.js';

/** The calls that tests of the catalog make most. */
export function catalogCalls(shop: Omit<Shop, 'server' | 'replica'>) {
  const post = (path: string, body?: unknown, client: ApiClient = shop.backend) =>
    client.post(shop.path + path, body);
  const get = (path: string, client: ApiClient = shop.backend) => client.get(shop.path + path);
  const remove = (path: string) => shop.backend.delete(shop.path + path);

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
        app_id: shop.appId,
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
    walk: (path: string, limit: number) => walkList(shop.backend, shop.path + path, limit),
    buy: (appUserId: string, productId: string): Promise<Answer> =>
      shop.sdk.post('/v1/receipts', {
        app_user_id: appUserId,
        fetch_token: `test_${shop.clock.nowMs()}_catalog-${++purchases}`,
        product_id: productId,
      }),
    subscriber: async (appUserId: string): Promise<Json> =>
      (await shop.sdk.get(`/v1/subscribers/${appUserId}`)).body.subscriber,
    sdkOfferings: async (): Promise<Json> => (await shop.sdk.get('/v1/subscribers/shopper/offerings')).body,
  };
}
