import { infiniteQueryOptions } from '@tanstack/react-query';
import { api, call } from '../api/client.js';
import { cursorOfNextPage, PAGE_SIZE } from '../api/paging.js';
import type { Schema } from '../api/types.js';
import { useWrite } from '../api/write.js';
import { catalogKey, staleCatalog } from './catalog.queries.js';

export const currenciesQuery = (projectId: string) =>
  infiniteQueryOptions({
    queryKey: catalogKey(projectId, 'currencies', 'list'),
    queryFn: ({ pageParam, signal }) =>
      call(
        api.GET('/v2/projects/{project_id}/virtual_currencies', {
          params: {
            path: { project_id: projectId },
            query: { limit: PAGE_SIZE, starting_after: pageParam },
          },
          signal,
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: cursorOfNextPage,
  });

export const useCreateCurrency = (projectId: string) =>
  useWrite({
    send: (body: Schema<'CreateVirtualCurrencyDto'>, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/virtual_currencies', {
          params: { path: { project_id: projectId } },
          body,
          headers,
        }),
      ),
    stale: () => staleCatalog(projectId),
  });

export const useUpdateCurrency = (projectId: string, code: string) =>
  useWrite({
    send: (body: Schema<'UpdateVirtualCurrencyDto'>, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/virtual_currencies/{virtual_currency_code}', {
          params: { path: { project_id: projectId, virtual_currency_code: code } },
          body,
          headers,
        }),
      ),
    stale: () => staleCatalog(projectId),
  });
