import { queryOptions } from '@tanstack/react-query';
import { api, call } from '../../api/client.js';
import { organizationKey } from '../../api/organizations.queries.js';
import { allItems, pagedQuery } from '../../api/paging.js';
import { useWrite } from '../../api/write.js';
import { pathOf } from '../organizations.queries.js';

const scimKey = (orgId: string) => [...organizationKey(orgId), 'scim'];

export const tokenList = (orgId: string) =>
  pagedQuery([...scimKey(orgId), 'tokens'], (query, signal) =>
    api.GET('/v2/organizations/{org_id}/scim/tokens', {
      params: { ...pathOf(orgId), query },
      signal,
    }),
  );

export const groupList = (orgId: string) =>
  pagedQuery([...scimKey(orgId), 'groups'], (query, signal) =>
    api.GET('/v2/organizations/{org_id}/scim/groups', {
      params: { ...pathOf(orgId), query },
      signal,
    }),
  );

/** Group mappings, for the roles of groups. */
export const mappingsQuery = (orgId: string) =>
  queryOptions({
    queryKey: [...scimKey(orgId), 'mappings'],
    queryFn: ({ signal }) =>
      allItems(
        (query) =>
          api.GET('/v2/organizations/{org_id}/role_mappings', {
            params: { ...pathOf(orgId), query },
            signal,
          }),
        signal,
      ),
  });

const SHOWN = 10;

/** The provider's latest changes among the newest entries of the audit log. */
export const recentQuery = (orgId: string) =>
  queryOptions({
    queryKey: [...scimKey(orgId), 'recent'],
    queryFn: async ({ signal }) => {
      const { items } = await call(
        api.GET('/v2/organizations/{org_id}/audit_logs', {
          params: { ...pathOf(orgId), query: { limit: 100 } },
          signal,
        }),
      );
      return items.filter(({ action }) => action.startsWith('scim_')).slice(0, SHOWN);
    },
  });

export const useCreateToken = (orgId: string) =>
  useWrite({
    send: (body: { name: string }, headers) =>
      call(
        api.POST('/v2/organizations/{org_id}/scim/tokens', {
          params: pathOf(orgId),
          body,
          headers,
        }),
      ),
    stale: () => [scimKey(orgId)],
  });

export const useRevokeToken = (orgId: string) =>
  useWrite({
    send: (tokenId: string, headers) =>
      call(
        api.DELETE('/v2/organizations/{org_id}/scim/tokens/{token_id}', {
          params: { path: { org_id: orgId, token_id: tokenId } },
          headers,
        }),
      ),
    stale: () => [scimKey(orgId)],
  });
