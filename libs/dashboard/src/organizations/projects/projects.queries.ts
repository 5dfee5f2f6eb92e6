import { queryOptions } from '@tanstack/react-query';
import { api, call } from '../../api/client.js';
import type { Region } from '../../api/enterprise.types.js';
import { organizationKey } from '../../api/organizations.queries.js';
import { allItems, pagedQuery } from '../../api/paging.js';
import { useWrite } from '../../api/write.js';
import { pathOf, withAccount } from '../organizations.queries.js';

const readProjects = (
  orgId: string,
  query: { limit: number; starting_after?: string },
  signal: AbortSignal,
) =>
  api.GET('/v2/organizations/{org_id}/projects', {
    params: { ...pathOf(orgId), query },
    signal,
  });

const projectsKey = (orgId: string) => [...organizationKey(orgId), 'projects'];

export const projectList = (orgId: string) =>
  pagedQuery([...projectsKey(orgId), 'list'], (query, signal) => readProjects(orgId, query, signal));

/** All projects of an organization, for selects and names. */
export const projectsQuery = (orgId: string) =>
  queryOptions({
    queryKey: [...projectsKey(orgId), 'all'],
    queryFn: ({ signal }) => allItems((query) => readProjects(orgId, query, signal), signal),
  });

const pathOfProject = (orgId: string, projectId: string) => ({
  path: { org_id: orgId, project_id: projectId },
});

export const projectMemberList = (orgId: string, projectId: string) =>
  pagedQuery([...projectsKey(orgId), projectId, 'members'], (query, signal) =>
    api.GET('/v2/organizations/{org_id}/projects/{project_id}/members', {
      params: { ...pathOfProject(orgId, projectId), query },
      signal,
    }),
  );

export const useMoveIn = (orgId: string) =>
  useWrite({
    send: (body: { project_id: string }, headers) =>
      call(api.POST('/v2/organizations/{org_id}/projects', { params: pathOf(orgId), body, headers })),
    stale: withAccount(orgId),
  });

export const useMoveOut = (orgId: string) =>
  useWrite({
    send: (projectId: string, headers) =>
      call(
        api.DELETE('/v2/organizations/{org_id}/projects/{project_id}', {
          params: pathOfProject(orgId, projectId),
          headers,
        }),
      ),
    stale: withAccount(orgId),
  });

export const useChangeRegion = (orgId: string, projectId: string) =>
  useWrite({
    send: (body: { region: Region }, headers) =>
      call(
        api.POST('/v2/organizations/{org_id}/projects/{project_id}/region', {
          params: pathOfProject(orgId, projectId),
          body,
          headers,
        }),
      ),
    stale: () => [projectsKey(orgId)],
  });

export const useAssignRole = (orgId: string, projectId: string) =>
  useWrite({
    send: ({ userId, role }: { userId: string; role: string }, headers) =>
      call(
        api.POST('/v2/organizations/{org_id}/projects/{project_id}/members/{user_id}', {
          params: { path: { org_id: orgId, project_id: projectId, user_id: userId } },
          body: { role },
          headers,
        }),
      ),
    stale: withAccount(orgId),
  });
