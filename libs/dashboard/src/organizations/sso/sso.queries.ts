import { queryOptions } from '@tanstack/react-query';
import { api, call } from '../../api/client.js';
import type { NewSsoConnection, SsoConnectionBody } from '../../api/enterprise.types.js';
import { organizationKey } from '../../api/organizations.queries.js';
import { allItems, pagedQuery } from '../../api/paging.js';
import { useWrite } from '../../api/write.js';
import { pathOf } from '../organizations.queries.js';

const ssoKey = (orgId: string) => [...organizationKey(orgId), 'sso'];

export const connectionList = (orgId: string) =>
  pagedQuery([...ssoKey(orgId), 'connections'], (query, signal) =>
    api.GET('/v2/organizations/{org_id}/sso/connections', {
      params: { ...pathOf(orgId), query },
      signal,
    }),
  );

const pathOfConnection = (orgId: string, connectionId: string) => ({
  path: { org_id: orgId, connection_id: connectionId },
});

export const connectionQuery = (orgId: string, connectionId: string) =>
  queryOptions({
    queryKey: [...ssoKey(orgId), 'connection', connectionId],
    queryFn: ({ signal }) =>
      call(
        api.GET('/v2/organizations/{org_id}/sso/connections/{connection_id}', {
          params: pathOfConnection(orgId, connectionId),
          signal,
        }),
      ),
  });

export const useCreateConnection = (orgId: string) =>
  useWrite({
    send: (body: NewSsoConnection, headers) =>
      call(
        api.POST('/v2/organizations/{org_id}/sso/connections', {
          params: pathOf(orgId),
          body,
          headers,
        }),
      ),
    stale: () => [organizationKey(orgId)],
  });

export const useUpdateConnection = (orgId: string, connectionId: string) =>
  useWrite({
    send: (body: SsoConnectionBody, headers) =>
      call(
        api.POST('/v2/organizations/{org_id}/sso/connections/{connection_id}', {
          params: pathOfConnection(orgId, connectionId),
          body,
          headers,
        }),
      ),
    stale: () => [organizationKey(orgId)],
  });

export const useDeleteConnection = (orgId: string, connectionId: string) =>
  useWrite({
    send: (_: undefined, headers) =>
      call(
        api.DELETE('/v2/organizations/{org_id}/sso/connections/{connection_id}', {
          params: pathOfConnection(orgId, connectionId),
          headers,
        }),
      ),
    stale: () => [connectionList(orgId).queryKey],
  });

export const domainsQuery = (orgId: string) =>
  queryOptions({
    queryKey: [...ssoKey(orgId), 'domains'],
    queryFn: ({ signal }) =>
      allItems(
        (query) =>
          api.GET('/v2/organizations/{org_id}/sso/domains', {
            params: { ...pathOf(orgId), query },
            signal,
          }),
        signal,
      ),
  });

export const useAddDomain = (orgId: string) =>
  useWrite({
    send: (body: { domain: string }, headers) =>
      call(
        api.POST('/v2/organizations/{org_id}/sso/domains', {
          params: pathOf(orgId),
          body,
          headers,
        }),
      ),
    stale: () => [organizationKey(orgId)],
  });

const pathOfDomain = (orgId: string, domain: string) => ({ path: { org_id: orgId, domain } });

export const useVerifyDomain = (orgId: string) =>
  useWrite({
    send: (domain: string, headers) =>
      call(
        api.POST('/v2/organizations/{org_id}/sso/domains/{domain}/actions/verify', {
          params: pathOfDomain(orgId, domain),
          headers,
        }),
      ),
    stale: (_, { verified }) => [verified ? organizationKey(orgId) : domainsQuery(orgId).queryKey],
  });

export const useRemoveDomain = (orgId: string) =>
  useWrite({
    send: (domain: string, headers) =>
      call(
        api.DELETE('/v2/organizations/{org_id}/sso/domains/{domain}', {
          params: pathOfDomain(orgId, domain),
          headers,
        }),
      ),
    stale: () => [organizationKey(orgId)],
  });

const SIGN_INS = ['sso_sign_in', 'sso_sign_in_failed'];
const EVERY_3_S = 3_000;

/** Polls for the newest sign-in since `sinceMs` other than the entry `seenId`. */
export const newestSignIn = (orgId: string, sinceMs: number, seenId: string | undefined) =>
  queryOptions({
    queryKey: [...ssoKey(orgId), 'sign-in', sinceMs],
    queryFn: async ({ signal }) => {
      const { items } = await call(
        api.GET('/v2/organizations/{org_id}/audit_logs', {
          params: { ...pathOf(orgId), query: { start_time: sinceMs, limit: 50 } },
          signal,
        }),
      );
      return items.find(({ id, action }) => SIGN_INS.includes(action) && id !== seenId) ?? null;
    },
    refetchInterval: ({ state: { data } }) => (data ? false : EVERY_3_S),
    // The sign-in happens in another window.
    refetchIntervalInBackground: true,
    gcTime: 0,
  });
