import { infiniteQueryOptions } from '@tanstack/react-query';
import { api, call } from '../api/client.js';
import { cursorOfNextPage, PAGE_SIZE } from '../api/paging.js';
import type { Query, Schema } from '../api/types.js';

export type AuditEntry = Schema<'AuditLogDto'>;
export type AuditAction = NonNullable<Query<'listAuditLogs'>['action_type']>;
export type AuditFilter = Pick<
  Query<'listAuditLogs'>,
  'start_date' | 'end_date' | 'action_type' | 'actor_identifier' | 'target_identifier' | 'customer_id'
>;

export const auditPage = (
  projectId: string,
  query: AuditFilter & { limit: number; starting_after: string | undefined },
  signal: AbortSignal,
) =>
  api.GET('/v2/projects/{project_id}/audit_logs', {
    params: { path: { project_id: projectId }, query },
    signal,
  });

export const auditQuery = (projectId: string, filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: [projectId, 'audit', filter],
    queryFn: ({ pageParam, signal }) =>
      call(auditPage(projectId, { ...filter, limit: PAGE_SIZE, starting_after: pageParam }, signal)),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: cursorOfNextPage,
  });
