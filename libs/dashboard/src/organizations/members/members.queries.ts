import { call } from '../../api/client.js';
import { enterpriseApi } from '../../api/enterprise.js';
import type { OrganizationRole } from '../../api/enterprise.types.js';
import { organizationKey, organizationList } from '../../api/organizations.queries.js';
import { pagedQuery } from '../../api/paging.js';
import { useWrite } from '../../api/write.js';
import { pathOf, withAccount } from '../organizations.queries.js';

export const memberList = (orgId: string) =>
  pagedQuery([...organizationKey(orgId), 'members'], (query, signal) =>
    enterpriseApi.GET('/v2/organizations/{org_id}/members', {
      params: { ...pathOf(orgId), query },
      signal,
    }),
  );

const pathOfMember = (orgId: string, userId: string) => ({ path: { org_id: orgId, user_id: userId } });

export const useAddMember = (orgId: string) =>
  useWrite({
    send: (body: { email: string; role: OrganizationRole }, headers) =>
      call(
        enterpriseApi.POST('/v2/organizations/{org_id}/members', { params: pathOf(orgId), body, headers }),
      ),
    stale: withAccount(orgId),
  });

export const useChangeRole = (orgId: string) =>
  useWrite({
    send: ({ userId, role }: { userId: string; role: OrganizationRole }, headers) =>
      call(
        enterpriseApi.POST('/v2/organizations/{org_id}/members/{user_id}', {
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
        enterpriseApi.DELETE('/v2/organizations/{org_id}/members/{user_id}', {
          params: pathOfMember(orgId, userId),
          headers,
        }),
      ),
    // Who leaves cannot read the organization any more.
    stale: () => [memberList(orgId).queryKey, organizationList.queryKey],
  });
