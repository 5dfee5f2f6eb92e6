import { queryOptions } from '@tanstack/react-query';
import { api } from './client.js';
import { allItems, cursorOfNextPage } from './paging.js';
import type { Schema } from './types.js';

type Entitlement = Schema<'EntitlementDto'>;

/** The embedded list is limited to 100 products; the rest is read separately. */
export async function withAllProducts(entitlement: Entitlement, signal: AbortSignal): Promise<Entitlement> {
  const { products } = entitlement;
  if (!products?.next_page) return entitlement;
  const rest = await allItems(
    (page) =>
      api.GET('/v2/projects/{project_id}/entitlements/{entitlement_id}/products', {
        params: {
          path: { project_id: entitlement.project_id, entitlement_id: entitlement.id },
          query: { ...page, starting_after: page.starting_after ?? cursorOfNextPage(products) },
        },
        signal,
      }),
    signal,
  );
  return { ...entitlement, products: { ...products, items: [...products.items, ...rest], next_page: null } };
}

/** All entitlements, with their products. */
export const allEntitlementsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [projectId, 'catalog', 'entitlements', 'all'],
    queryFn: async ({ signal }) => {
      const all = await allItems(
        (page) =>
          api.GET('/v2/projects/{project_id}/entitlements', {
            params: {
              path: { project_id: projectId },
              query: { ...page, expand: ['items.product'] },
            },
            signal,
          }),
        signal,
      );
      return Promise.all(all.map((entitlement) => withAllProducts(entitlement, signal)));
    },
  });
