import { queryOptions } from '@tanstack/react-query';
import { api, call } from '../../../api/client.js';
import type { Schema } from '../../../api/types.js';
import { catalogKey, staleCatalog } from '../../catalog.queries.js';
import { useWrite } from '../../../api/write.js';

/** The largest import of one call. */
export const MAX_IMPORTED = 500;

/** Each call asks the store, so a focused window is no reason to ask again. */
const once = { refetchOnWindowFocus: false, staleTime: 60_000 } as const;

export const storeProductsQuery = (projectId: string, appId: string) =>
  queryOptions({
    ...once,
    queryKey: catalogKey(projectId, 'store-products', appId),
    queryFn: ({ signal }) =>
      call(
        api.GET('/v2/projects/{project_id}/apps/{app_id}/store_products', {
          params: { path: { project_id: projectId, app_id: appId } },
          signal,
        }),
      ),
  });

export const storeComparisonQuery = (projectId: string, appId: string) =>
  queryOptions({
    ...once,
    queryKey: catalogKey(projectId, 'store-comparison', appId),
    queryFn: ({ signal }) =>
      call(
        api.GET('/v2/projects/{project_id}/apps/{app_id}/store_products/comparison', {
          params: { path: { project_id: projectId, app_id: appId } },
          signal,
        }),
      ),
  });

export const useImportStoreProducts = (projectId: string, appId: string) =>
  useWrite({
    send: (body: Schema<'ImportStoreProductsDto'>, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/apps/{app_id}/store_products/actions/import', {
          params: { path: { project_id: projectId, app_id: appId } },
          body,
          headers,
        }),
      ),
    stale: () => staleCatalog(projectId),
  });
