import { queryOptions } from '@tanstack/react-query';
import { api, call } from '../../api/client.js';
import type { CustomRoleBody } from '../../api/enterprise.types.js';
import { organizationKey } from '../../api/organizations.queries.js';
import { allItems, pagedQuery, type PageQuery } from '../../api/paging.js';
import { useWrite } from '../../api/write.js';
import { pathOf, withAccount } from '../organizations.queries.js';

const rolesKey = (orgId: string) => [...organizationKey(orgId), 'roles'];

const readRoles = (orgId: string, query: PageQuery, signal: AbortSignal) =>
  api.GET('/v2/organizations/{org_id}/roles', { params: { ...pathOf(orgId), query }, signal });

export const roleList = (orgId: string) =>
  pagedQuery([...rolesKey(orgId), 'list'], (query, signal) => readRoles(orgId, query, signal));

/** All custom roles, for selects and names. */
export const rolesQuery = (orgId: string) =>
  queryOptions({
    queryKey: [...rolesKey(orgId), 'all'],
    queryFn: ({ signal }) => allItems((query) => readRoles(orgId, query, signal), signal),
  });

const pathOfRole = (orgId: string, roleId: string) => ({ path: { org_id: orgId, role_id: roleId } });

export const roleQuery = (orgId: string, roleId: string) =>
  queryOptions({
    queryKey: [...rolesKey(orgId), 'one', roleId],
    queryFn: ({ signal }) =>
      call(
        api.GET('/v2/organizations/{org_id}/roles/{role_id}', {
          params: pathOfRole(orgId, roleId),
          signal,
        }),
      ),
  });

/** All permissions that a role can have. */
export const scopesQuery = (orgId: string) =>
  queryOptions({
    queryKey: [...organizationKey(orgId), 'scopes'],
    queryFn: ({ signal }) =>
      call(api.GET('/v2/organizations/{org_id}/scopes', { params: pathOf(orgId), signal })),
    staleTime: Infinity,
  });

export const useCreateRole = (orgId: string) =>
  useWrite({
    send: (body: CustomRoleBody, headers) =>
      call(api.POST('/v2/organizations/{org_id}/roles', { params: pathOf(orgId), body, headers })),
    stale: () => [organizationKey(orgId)],
  });

export const useUpdateRole = (orgId: string, roleId: string) =>
  useWrite({
    send: (body: Partial<CustomRoleBody>, headers) =>
      call(
        api.POST('/v2/organizations/{org_id}/roles/{role_id}', {
          params: pathOfRole(orgId, roleId),
          body,
          headers,
        }),
      ),
    stale: withAccount(orgId),
  });

export const useDeleteRole = (orgId: string, roleId: string) =>
  useWrite({
    send: (_: undefined, headers) =>
      call(
        api.DELETE('/v2/organizations/{org_id}/roles/{role_id}', {
          params: pathOfRole(orgId, roleId),
          headers,
        }),
      ),
  });
