import { queryOptions } from '@tanstack/react-query';
import { api, call } from '../../api/client.js';
import { pagedQuery, type ReadPage } from '../../api/paging.js';
import type { Schema } from '../../api/types.js';
import { useWrite } from '../../api/write.js';
import { catalogKey, staleCatalog } from '../catalog.queries.js';
import type { Product } from '../catalog.types.js';

export const productsPage =
  (projectId: string, appId: string | undefined): ReadPage<Product> =>
  (page, signal) =>
    api.GET('/v2/projects/{project_id}/products', {
      params: {
        path: { project_id: projectId },
        query: {
          ...page,
          app_id: appId,
          expand: ['items.indicative_price'],
        },
      },
      signal,
    });

export const productsQuery = (projectId: string, appId: string | undefined) =>
  pagedQuery(catalogKey(projectId, 'products', 'list', appId ?? null), productsPage(projectId, appId));

/** The subscription count is an overview figure, which not everyone may see. */
export const productQuery = (projectId: string, productId: string, withSubscriptions: boolean) =>
  queryOptions({
    queryKey: catalogKey(projectId, 'products', productId, withSubscriptions),
    queryFn: ({ signal }) =>
      call(
        api.GET('/v2/projects/{project_id}/products/{product_id}', {
          params: {
            path: { project_id: projectId, product_id: productId },
            query: {
              expand: withSubscriptions ? ['indicative_price', 'active_subscriptions'] : ['indicative_price'],
            },
          },
          signal,
        }),
      ),
  });

/** Prices of a Test Store product in all currencies. */
export const productPricesQuery = (projectId: string, productId: string) =>
  queryOptions({
    queryKey: catalogKey(projectId, 'products', productId, 'prices'),
    queryFn: async ({ signal }) => {
      const path = { project_id: projectId, product_id: productId };
      const { prices } = await call(
        api.GET('/v2/projects/{project_id}/products/{product_id}/test_store_prices', {
          params: { path },
          signal,
        }),
      );
      return prices;
    },
  });

export const useCreateProduct = (projectId: string) =>
  useWrite({
    send: (body: Schema<'CreateProductDto'>, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/products', {
          params: { path: { project_id: projectId } },
          body,
          headers,
        }),
      ),
    stale: () => staleCatalog(projectId),
  });

export const useUpdateProduct = (projectId: string, productId: string) =>
  useWrite({
    send: (body: Schema<'UpdateProductDto'>, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/products/{product_id}', {
          params: { path: { project_id: projectId, product_id: productId } },
          body,
          headers,
        }),
      ),
    stale: () => staleCatalog(projectId),
  });
