import { api, call } from '../../api/client.js';
import { organizationKey } from '../../api/organizations.queries.js';
import { pagedQuery } from '../../api/paging.js';
import { useWrite } from '../../api/write.js';
import { pathOf, withAccount } from '../organizations.queries.js';

export const mappingList = (orgId: string) =>
  pagedQuery([...organizationKey(orgId), 'mappings'], (query, signal) =>
    api.GET('/v2/organizations/{org_id}/role_mappings', {
      params: { ...pathOf(orgId), query },
      signal,
    }),
  );

export const useSaveMapping = (orgId: string) =>
  useWrite({
    send: (body: { group: string; project_id: string; role: string }, headers) =>
      call(
        api.POST('/v2/organizations/{org_id}/role_mappings', {
          params: pathOf(orgId),
          body,
          headers,
        }),
      ),
    stale: withAccount(orgId),
  });

export const useDeleteMapping = (orgId: string) =>
  useWrite({
    send: (mappingId: string, headers) =>
      call(
        api.DELETE('/v2/organizations/{org_id}/role_mappings/{mapping_id}', {
          params: { path: { org_id: orgId, mapping_id: mappingId } },
          headers,
        }),
      ),
    stale: withAccount(orgId),
  });
