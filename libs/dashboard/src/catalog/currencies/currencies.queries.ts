import { api, call } from '../../api/client.js';
import { pagedQuery } from '../../api/paging.js';
import type { Schema } from '../../api/types.js';
import { useWrite } from '../../api/write.js';
import { catalogKey, staleCatalog } from '../catalog.queries.js';

export const currenciesQuery = (projectId: string) =>
  pagedQuery(catalogKey(projectId, 'currencies', 'list'), (page, signal) =>
    api.GET('/v2/projects/{project_id}/virtual_currencies', {
      params: {
        path: { project_id: projectId },
        query: page,
      },
      signal,
    }),
  );

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
