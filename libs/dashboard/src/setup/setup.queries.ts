import { queryOptions } from '@tanstack/react-query';
import { api, call } from '../api/client.js';
import type { Schema } from '../api/types.js';
import { useWrite } from '../api/write.js';
import type { Catalog } from './sample-catalog.js';

export type App = Schema<'AppDto'>;
export type Transaction = Schema<'TransactionDto'>;

const FAST_MS = 2_000;
const SLOW_MS = 10_000;
const FAST_FOR_MS = 5 * 60_000;

/** Delay until the next poll: short while the person is likely active, longer if the page is just open. */
export const pollAfter = (openedAt: number) => (Date.now() - openedAt < FAST_FOR_MS ? FAST_MS : SLOW_MS);

const inProject = (projectId: string) => ({ path: { project_id: projectId } });

/** The catalog of an app in a project. */
export const catalogQuery = (projectId: string, appId: string) =>
  queryOptions({
    queryKey: [projectId, 'catalog-of-setup', appId],
    queryFn: async ({ signal }): Promise<Catalog> => {
      const path = { project_id: projectId };
      const [products, entitlements, offerings] = await Promise.all([
        call(
          api.GET('/v2/projects/{project_id}/products', {
            params: { path, query: { app_id: appId, limit: 100 } },
            signal,
          }),
        ),
        call(
          api.GET('/v2/projects/{project_id}/entitlements', {
            params: { path, query: { expand: ['items.product'], limit: 100 } },
            signal,
          }),
        ),
        call(
          api.GET('/v2/projects/{project_id}/offerings', {
            params: { path, query: { expand: ['items.package.product'], limit: 100 } },
            signal,
          }),
        ),
      ]);
      return { products: products.items, entitlements: entitlements.items, offerings: offerings.items };
    },
  });

/** The newest payment or refund in both environments, without grants; null if there is none. */
export const latestTransactionQuery = (projectId: string) =>
  queryOptions({
    queryKey: [projectId, 'transactions', 'latest'],
    queryFn: async ({ signal }): Promise<Transaction | null> => {
      const params = { ...inProject(projectId), query: { limit: 1 } };
      const { items } = await call(api.GET('/v2/projects/{project_id}/transactions', { params, signal }));
      return items[0] ?? null;
    },
  });

export const useCreateTestStore = (projectId: string, onDone: (app: App) => void) =>
  useWrite({
    send: (name: string, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/apps', {
          params: { ...inProject(projectId), header: headers },
          body: { name, type: 'test_store' },
        }),
      ),
    stale: () => [
      [projectId, 'apps'],
      [projectId, 'setup-health'],
    ],
    onDone,
  });

export interface TestPurchase {
  appId: string;
  productId: string;
  appUserId: string;
}

export const testPurchaseBody = ({ appId, productId, appUserId }: TestPurchase) => ({
  app_user_id: appUserId,
  product_id: productId,
  app_id: appId,
});

export const useBuy = (projectId: string) =>
  useWrite({
    send: (purchase: TestPurchase, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/test_purchases', {
          params: { ...inProject(projectId), header: headers },
          body: testPurchaseBody(purchase),
        }),
      ),
    // A purchase affects almost every page.
    stale: () => [[projectId]],
  });
