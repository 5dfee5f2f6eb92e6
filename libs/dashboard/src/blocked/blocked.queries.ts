import { api, call } from '../api/client.js';
import { pagedQuery } from '../api/paging.js';
import type { Schema } from '../api/types.js';
import { useWrite } from '../api/write.js';

export type BlockedCustomer = Schema<'BlockedCustomerDto'>;

const blockedKey = (projectId: string) => [projectId, 'blocked'];

export const blockedQuery = (projectId: string) =>
  pagedQuery(blockedKey(projectId), (page, signal) =>
    api.GET('/v2/projects/{project_id}/blocked_customers', {
      params: {
        path: { project_id: projectId },
        query: page,
      },
      signal,
    }),
  );

/** Queries of a customer's pages that blocking invalidates. */
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
