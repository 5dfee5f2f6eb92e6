import { queryOptions } from '@tanstack/react-query';
import { api, call } from '../../api/client.js';
import type { Schema } from '../../api/types.js';
import { useWrite } from '../../api/write.js';

export type ListExport = Schema<'CustomerListExportDto'>;

const exportsKey = (projectId: string) => [projectId, 'customer-list-exports'] as const;
const POLL_MS = 2_000;

/** The exports of the project, newest first. Polls while one is running. */
export const listExportsQuery = (projectId: string) =>
  queryOptions({
    queryKey: exportsKey(projectId),
    queryFn: async ({ signal }) =>
      (
        await call(
          api.GET('/v2/projects/{project_id}/customer_list_exports', {
            params: { path: { project_id: projectId }, query: { limit: 100 } },
            signal,
          }),
        )
      ).items.toReversed(),
    refetchInterval: ({ state: { data } }) =>
      data?.some(({ state }) => state === 'running') === true && POLL_MS,
  });

export const useCreateListExport = (projectId: string) =>
  useWrite<ListExport['filters'], ListExport>({
    send: (filters, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/customer_list_exports', {
          params: { path: { project_id: projectId } },
          body: { filters },
          headers,
        }),
      ),
    stale: () => [exportsKey(projectId)],
  });

export const useDeleteListExport = (projectId: string) =>
  useWrite<string>({
    send: (id, headers) =>
      call(
        api.DELETE('/v2/projects/{project_id}/customer_list_exports/{customer_list_export_id}', {
          params: { path: { project_id: projectId, customer_list_export_id: id } },
          headers,
        }),
      ),
    stale: () => [exportsKey(projectId)],
  });

/** The file of an export, which the browser may store on disk. */
export const exportFile = (projectId: string, id: string): Promise<Blob> =>
  call(
    api.GET('/v2/projects/{project_id}/customer_list_exports/{customer_list_export_id}/file', {
      params: { path: { project_id: projectId, customer_list_export_id: id } },
      parseAs: 'blob',
    }),
  );
