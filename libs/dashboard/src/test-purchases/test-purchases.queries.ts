import { queryOptions } from '@tanstack/react-query';
import { api, call } from '../api/client.js';
import type { Schema } from '../api/types.js';
import { useWrite } from '../api/write.js';

export type TestPurchase = Schema<'TestPurchaseDto'>;
export type NewTestPurchase = Schema<'CreateTestPurchaseDto'>;
export type Scenario = TestPurchase['scenario'];

/** Products of Test Store apps, which alone can be bought here. */
export const testProductsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [projectId, 'test-purchases', 'products'],
    queryFn: async ({ signal }) => {
      const params = { path: { project_id: projectId } };
      const query = { limit: 100 };
      const [apps, products] = await Promise.all([
        call(api.GET('/v2/projects/{project_id}/apps', { params: { ...params, query }, signal })),
        call(api.GET('/v2/projects/{project_id}/products', { params: { ...params, query }, signal })),
      ]);
      const testStores = new Map(
        apps.items.filter(({ type }) => type === 'test_store').map(({ id, name }) => [id, name]),
      );
      return products.items
        .filter(({ app_id: app, state }) => testStores.has(app) && state === 'active')
        .map((product) => ({ ...product, appName: testStores.get(product.app_id)! }));
    },
  });

/** The customer's subscriptions, for scenarios of a subscription that exists. */
export const subscriptionsQuery = (projectId: string, appUserId: string) =>
  queryOptions({
    queryKey: [projectId, 'test-purchases', 'subscriptions', appUserId],
    queryFn: ({ signal }) =>
      call(
        api.GET('/v2/projects/{project_id}/customers/{customer_id}/subscriptions', {
          params: { path: { project_id: projectId, customer_id: appUserId }, query: { limit: 20 } },
          signal,
        }),
      ).then(({ items }) => items.filter(({ store }) => store === 'test_store')),
    retry: false,
  });

export const useTestPurchase = (projectId: string) =>
  useWrite({
    send: (body: NewTestPurchase, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/test_purchases', {
          params: { path: { project_id: projectId } },
          body,
          headers,
        }),
      ),
    // A purchase changes most of what other pages show.
    stale: () => [[projectId]],
  });
