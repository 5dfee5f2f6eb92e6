import { queryOptions } from '@tanstack/react-query';
import { api, call } from '../../api/client.js';
import { allItems } from '../../api/paging.js';
import type { Schema } from '../../api/types.js';
import { useWrite } from '../../api/write.js';

export type SavedList = Schema<'SavedCustomerListDto'>;
type NewList = Pick<SavedList, 'display_name' | 'filters' | 'sort' | 'order'>;

const listsKey = (projectId: string) => [projectId, 'customer-lists'] as const;

export const savedListsQuery = (projectId: string) =>
  queryOptions({
    queryKey: listsKey(projectId),
    queryFn: ({ signal }) =>
      allItems(
        (page) =>
          api.GET('/v2/projects/{project_id}/customer_lists', {
            params: { path: { project_id: projectId }, query: page },
            signal,
          }),
        signal,
      ),
  });

export const useSaveList = (projectId: string) =>
  useWrite<NewList, SavedList>({
    send: (body, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/customer_lists', {
          params: { path: { project_id: projectId } },
          body,
          headers,
        }),
      ),
    stale: () => [listsKey(projectId)],
  });

export const useDeleteList = (projectId: string) =>
  useWrite<string>({
    send: (id, headers) =>
      call(
        api.DELETE('/v2/projects/{project_id}/customer_lists/{customer_list_id}', {
          params: { path: { project_id: projectId, customer_list_id: id } },
          headers,
        }),
      ),
    stale: () => [listsKey(projectId)],
  });
