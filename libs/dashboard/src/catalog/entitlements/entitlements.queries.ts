import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { api, call } from '../../api/client.js';
import { withAllProducts } from '../../api/entitlements.queries.js';
import type { Schema } from '../../api/types.js';
import { useWrite } from '../../api/write.js';
import { catalogKey, staleCatalog } from '../catalog.queries.js';
import type { Entitlement, Product } from '../catalog.types.js';

const allKey = (projectId: string) => catalogKey(projectId, 'entitlements', 'all');

export const entitlementQuery = (projectId: string, entitlementId: string) =>
  queryOptions({
    queryKey: catalogKey(projectId, 'entitlements', entitlementId),
    queryFn: async ({ signal }) => {
      const entitlement = await call(
        api.GET('/v2/projects/{project_id}/entitlements/{entitlement_id}', {
          params: {
            path: { project_id: projectId, entitlement_id: entitlementId },
            query: { expand: ['product'] },
          },
          signal,
        }),
      );
      return withAllProducts(entitlement, signal);
    },
  });

export const useCreateEntitlement = (projectId: string) =>
  useWrite({
    send: (body: Schema<'CreateEntitlementDto'>, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/entitlements', {
          params: { path: { project_id: projectId } },
          body,
          headers,
        }),
      ),
    stale: () => staleCatalog(projectId),
  });

export const useRenameEntitlement = (projectId: string, entitlementId: string) =>
  useWrite({
    send: (body: Schema<'RenameEntitlementDto'>, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/entitlements/{entitlement_id}', {
          params: { path: { project_id: projectId, entitlement_id: entitlementId } },
          body,
          headers,
        }),
      ),
    stale: () => staleCatalog(projectId),
  });

/** Whether a product unlocks an entitlement. */
export const unlocks = ({ products }: Entitlement, { id }: Pick<Product, 'id'>): boolean =>
  products?.items.some((product) => product.id === id) ?? false;

const withProduct = (entitlement: Entitlement, product: Product): Entitlement => {
  const list = entitlement.products ?? { object: 'list', items: [], next_page: null, url: '' };
  return { ...entitlement, products: { ...list, items: [...list.items, product] } };
};

/** Updates optimistically, because detaching can revert it. Reverted if the server rejects it. */
export function useAttachToEntitlement(projectId: string, entitlement: Entitlement) {
  const queries = useQueryClient();
  const key = allKey(projectId);
  return useWrite({
    send: async (product: Product, headers) => {
      await queries.cancelQueries({ queryKey: key });
      const before = queries.getQueryData<Entitlement[]>(key);
      queries.setQueryData<Entitlement[]>(key, (all) =>
        all?.map((each) => (each.id === entitlement.id ? withProduct(each, product) : each)),
      );
      try {
        return await call(
          api.POST('/v2/projects/{project_id}/entitlements/{entitlement_id}/actions/attach_products', {
            params: { path: { project_id: projectId, entitlement_id: entitlement.id } },
            body: { product_ids: [product.id] },
            headers,
          }),
        );
      } catch (error) {
        queries.setQueryData(key, before);
        void queries.invalidateQueries({ queryKey: key });
        throw error;
      }
    },
    stale: () => staleCatalog(projectId),
  });
}

/** Waits for the server, because customers lose access. */
export const useDetachFromEntitlement = (projectId: string) =>
  useWrite({
    send: ({ entitlement, product }: { entitlement: Entitlement; product: Product }, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/entitlements/{entitlement_id}/actions/detach_products', {
          params: { path: { project_id: projectId, entitlement_id: entitlement.id } },
          body: { product_ids: [product.id] },
          headers,
        }),
      ),
    stale: () => staleCatalog(projectId),
  });
