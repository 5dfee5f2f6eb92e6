import { queryOptions } from '@tanstack/react-query';
import { api, call } from '../../api/client.js';
import { pagedQuery, type PageQuery } from '../../api/paging.js';
import type { Query, Schema } from '../../api/types.js';

export type AuditEntry = Schema<'AuditLogDto'>;
export type AuditAction = NonNullable<Query<'listAuditLogs'>['action_type']>;
export type AuditFilter = Pick<
  Query<'listAuditLogs'>,
  'start_date' | 'end_date' | 'action_type' | 'actor_identifier' | 'target_identifier' | 'customer_id'
>;

export const auditPage = (projectId: string, query: AuditFilter & PageQuery, signal: AbortSignal) =>
  api.GET('/v2/projects/{project_id}/audit_logs', {
    params: { path: { project_id: projectId }, query },
    signal,
  });

export const auditQuery = (projectId: string, filter: AuditFilter) =>
  pagedQuery([projectId, 'audit', filter], (page, signal) =>
    auditPage(projectId, { ...filter, ...page }, signal),
  );

export const auditEntryQuery = (projectId: string, entryId: string) =>
  queryOptions({
    queryKey: [projectId, 'audit', 'one', entryId],
    queryFn: ({ signal }) =>
      call(
        api.GET('/v2/projects/{project_id}/audit_logs/{audit_log_id}', {
          params: { path: { project_id: projectId, audit_log_id: entryId } },
          signal,
        }),
      ),
    staleTime: Infinity,
  });
