import { api, call } from '../api/client.js';
import { pagedQuery } from '../api/paging.js';
import type { Page, Schema } from '../api/types.js';
import { useWrite } from '../api/write.js';

export type SqlUser = Schema<'SqlUserDto'>;

const usersKey = (projectId: string) => [projectId, 'sql-users'];

export const sqlUsersQuery = (projectId: string) =>
  pagedQuery(usersKey(projectId), (page, signal) =>
    api.GET('/v2/projects/{project_id}/sql_users', {
      params: { path: { project_id: projectId }, query: page },
      signal,
    }),
  );

/** The servers that users connect to, which each page of the list has. */
export const accessOf = (page: Page<SqlUser> | undefined) =>
  (page as Schema<'SqlUserListDto'> | undefined)?.access;

export const useCreateSqlUser = (projectId: string) =>
  useWrite({
    send: (body: Schema<'CreateSqlUserDto'>, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/sql_users', {
          params: { path: { project_id: projectId } },
          body,
          headers,
        }),
      ),
    stale: () => [usersKey(projectId)],
  });

export const useRotateSqlUser = (projectId: string) =>
  useWrite({
    send: ({ id }: SqlUser, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/sql_users/{sql_user_id}/actions/rotate', {
          params: { path: { project_id: projectId, sql_user_id: id } },
          headers,
        }),
      ),
    stale: () => [usersKey(projectId)],
  });

export const useDeleteSqlUser = (projectId: string) =>
  useWrite({
    send: ({ id }: SqlUser, headers) =>
      call(
        api.DELETE('/v2/projects/{project_id}/sql_users/{sql_user_id}', {
          params: { path: { project_id: projectId, sql_user_id: id } },
          headers,
        }),
      ),
    stale: () => [usersKey(projectId)],
  });
