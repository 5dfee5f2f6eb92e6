import { api } from '../../api/client.js';
import { organizationKey } from '../../api/organizations.queries.js';
import { pagedQuery, type PageQuery } from '../../api/paging.js';
import { pathOf } from '../organizations.queries.js';

export interface AuditPeriod {
  start_time?: number;
  end_time?: number;
}

export const auditPage = (orgId: string, query: AuditPeriod & PageQuery, signal: AbortSignal) =>
  api.GET('/v2/organizations/{org_id}/audit_logs', {
    params: { ...pathOf(orgId), query },
    signal,
  });

export const auditList = (orgId: string, period: AuditPeriod) =>
  pagedQuery([...organizationKey(orgId), 'audit', period], (query, signal) =>
    auditPage(orgId, { ...period, ...query }, signal),
  );
