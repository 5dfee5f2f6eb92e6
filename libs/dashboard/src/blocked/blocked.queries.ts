import { infiniteQueryOptions } from '@tanstack/react-query';
import { api, call } from '../api/client.js';
import { cursorOfNextPage, PAGE_SIZE } from '../api/paging.js';
import type { Schema } from '../api/types.js';
import { useWrite } from '../api/write.js';

export type BlockedCustomer = Schema<'BlockedCustomerDto'>;

const blockedKey = (projectId: string) => [projectId, 'blocked'];

export const blockedQuery = (projectId: string) =>
  infiniteQueryOptions({
    queryKey: blockedKey(projectId),
    queryFn: ({ pageParam, signal }) =>
      call(
        api.GET('/v2/projects/{project_id}/blocked_customers', {
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

/** What a customer's pages show, blocking included. */
const stale = (projectId: string) => [
  blockedKey(projectId),
  [projectId, 'customers'],
  [projectId, 'customer'],
];

export const useBlock = (projectId: string) =>
  useWrite({
    send: (body: Schema<'BlockCustomerDto'>, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/blocked_customers', {
          params: { path: { project_id: projectId } },
          body,
          headers,
        }),
      ),
    stale: () => stale(projectId),
  });

export const useUnblock = (projectId: string) =>
  useWrite({
    send: (appUserId: string, headers) =>
      call(
        api.DELETE('/v2/projects/{project_id}/blocked_customers/{app_user_id}', {
          params: { path: { project_id: projectId, app_user_id: appUserId } },
          headers,
        }),
      ),
    stale: () => stale(projectId),
  });
