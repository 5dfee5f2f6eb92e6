import { queryOptions } from '@tanstack/react-query';
import { appsQuery } from '../../api/apps.queries.js';
import { api, call } from '../../api/client.js';
import { allItems } from '../../api/paging.js';
import type { Schema } from '../../api/types.js';
import { useWrite } from '../../api/write.js';

export type TestPurchase = Schema<'TestPurchaseDto'>;
export type NewTestPurchase = Schema<'CreateTestPurchaseDto'>;
export type Scenario = TestPurchase['scenario'];

/** Products of Test Store apps, the only ones that can be bought here. */
export const testProductsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [projectId, 'test-purchases', 'products'],
    queryFn: async ({ signal, client }) => {
      const [apps, products] = await Promise.all([
        client.ensureQueryData(appsQuery(projectId)),
        allItems(
          (page) =>
            api.GET('/v2/projects/{project_id}/products', {
              params: { path: { project_id: projectId }, query: page },
              signal,
            }),
          signal,
        ),
      ]);
      const testStores = new Map(
        apps.filter(({ type }) => type === 'test_store').map(({ id, name }) => [id, name]),
      );
      return products
        .filter(({ app_id: app, state }) => testStores.has(app) && state === 'active')
        .map((product) => ({ ...product, appName: testStores.get(product.app_id)! }));
    },
  });

/** The customer's subscriptions, for scenarios that need an existing one. */
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
    // A purchase affects most of the data on other pages.
    stale: () => [[projectId]],
  });
