import { queryOptions } from '@tanstack/react-query';
import { CallError } from './call-error.js';
import { api, call } from './client.js';
import { pagedQuery } from './paging.js';

/** Features of the licence; null on a server without the enterprise edition. */
export const enterpriseQuery = queryOptions({
  queryKey: ['enterprise'],
  queryFn: ({ signal }) =>
    call(api.GET('/v2/enterprise', { signal })).catch((error: unknown) => {
      if (error instanceof CallError && error.status === 404) return null;
      throw error;
    }),
  staleTime: 5 * 60_000,
});

const organizationsKey = ['organizations'] as const;

/** The person's organizations, oldest first. */
export const organizationList = pagedQuery([...organizationsKey, 'list'], (page, signal) =>
  api.GET('/v2/organizations', { params: { query: page }, signal }),
);

/** Prefix of all query keys of an organization. */
export const organizationKey = (orgId: string) => [...organizationsKey, orgId] as const;

export const organizationQuery = (orgId: string) =>
  queryOptions({
    queryKey: [...organizationKey(orgId), 'one'],
    queryFn: ({ signal }) =>
      call(api.GET('/v2/organizations/{org_id}', { params: { path: { org_id: orgId } }, signal })),
  });
