import { queryOptions } from '@tanstack/react-query';
import { api, call } from '../../api/client.js';
import type { OrganizationRole } from '../../api/enterprise.types.js';
import { organizationKey, organizationList } from '../../api/organizations.queries.js';
import { allItems, pagedQuery, type PageQuery } from '../../api/paging.js';
import { useWrite } from '../../api/write.js';
import { pathOf, withAccount } from '../organizations.queries.js';

const membersKey = (orgId: string) => [...organizationKey(orgId), 'members'];

const readMembers = (orgId: string, query: PageQuery, signal: AbortSignal) =>
  api.GET('/v2/organizations/{org_id}/members', { params: { ...pathOf(orgId), query }, signal });

export const memberList = (orgId: string) =>
  pagedQuery([...membersKey(orgId), 'list'], (query, signal) => readMembers(orgId, query, signal));

/** All members, for counting. */
export const allMembersQuery = (orgId: string) =>
  queryOptions({
    queryKey: [...membersKey(orgId), 'all'],
    queryFn: ({ signal }) => allItems((query) => readMembers(orgId, query, signal), signal),
  });

const pathOfMember = (orgId: string, userId: string) => ({ path: { org_id: orgId, user_id: userId } });

export const useAddMember = (orgId: string) =>
  useWrite({
    send: (body: { email: string; role: OrganizationRole }, headers) =>
      call(api.POST('/v2/organizations/{org_id}/members', { params: pathOf(orgId), body, headers })),
    stale: withAccount(orgId),
  });

export const useChangeRole = (orgId: string) =>
  useWrite({
    send: ({ userId, role }: { userId: string; role: OrganizationRole }, headers) =>
      call(
        api.POST('/v2/organizations/{org_id}/members/{user_id}', {
          params: pathOfMember(orgId, userId),
          body: { role },
          headers,
        }),
      ),
    stale: withAccount(orgId),
  });

export const useRemoveMember = (orgId: string) =>
  useWrite({
    send: (userId: string, headers) =>
      call(
        api.DELETE('/v2/organizations/{org_id}/members/{user_id}', {
          params: pathOfMember(orgId, userId),
          headers,
        }),
      ),
    // A person who has left can no longer read the organization.
    stale: () => [membersKey(orgId), organizationList.queryKey],
  });
