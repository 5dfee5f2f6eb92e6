import { accountQuery } from '../api/account.queries.js';
import { api, call } from '../api/client.js';
import type { OrganizationChanges, Region } from '../api/enterprise.types.js';
import { organizationKey, organizationList } from '../api/organizations.queries.js';
import { useWrite } from '../api/write.js';

export const pathOf = (orgId: string) => ({ path: { org_id: orgId } });

/** Roles in projects depend on those in the organization, and the account contains the person's own. */
export const withAccount = (orgId: string) => () => [
  organizationKey(orgId),
  organizationList.queryKey,
  accountQuery.queryKey,
];

export const useCreateOrganization = () =>
  useWrite({
    send: (body: { name: string; region?: Region }, headers) =>
      call(api.POST('/v2/organizations', { body, headers })),
    stale: () => [organizationList.queryKey],
  });

export const useUpdateOrganization = (orgId: string) =>
  useWrite({
    send: (body: OrganizationChanges, headers) =>
      call(api.POST('/v2/organizations/{org_id}', { params: pathOf(orgId), body, headers })),
    stale: () => [organizationKey(orgId), organizationList.queryKey],
  });

export const useDeleteOrganization = (orgId: string) =>
  useWrite({
    send: (_: undefined, headers) =>
      call(api.DELETE('/v2/organizations/{org_id}', { params: pathOf(orgId), headers })),
    stale: () => [organizationList.queryKey],
  });
