import { queryOptions } from '@tanstack/react-query';
import { api, call } from '../../api/client.js';
import { organizationKey } from '../../api/organizations.queries.js';
import { pathOf } from '../organizations.queries.js';

export const overviewQuery = (orgId: string) =>
  queryOptions({
    queryKey: [...organizationKey(orgId), 'overview'],
    queryFn: ({ signal }) =>
      call(api.GET('/v2/organizations/{org_id}/overview', { params: pathOf(orgId), signal })),
  });
