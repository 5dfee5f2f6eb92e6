import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.js';
import { enterpriseApi } from '../../api/enterprise.js';
import { organizationKey } from '../../api/organizations.queries.js';
import { pathOf } from '../organizations.queries.js';

export const overviewQuery = (orgId: string) =>
  queryOptions({
    queryKey: [...organizationKey(orgId), 'overview'],
    queryFn: ({ signal }) =>
      call(enterpriseApi.GET('/v2/organizations/{org_id}/overview', { params: pathOf(orgId), signal })),
  });
