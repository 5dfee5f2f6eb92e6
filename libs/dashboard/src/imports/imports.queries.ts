import { queryOptions } from '@tanstack/react-query';
import { api, call } from '../api/client.js';
import type { Schema } from '../api/types.js';

export type ImportStatus = Schema<'ImportStatusDto'>;

const MOVING_POLL_MS = 5_000;
/** Short enough to notice that an import has started. */
const IDLE_POLL_MS = 15_000;
/** The importer sends a page of customers at least this often, however slowly it may read. */
const RECENT_MS = 2 * 60_000;

/** Whether an import wrote something recently. */
export const isImporting = ({ last_import_at: at }: ImportStatus, nowMs: number): boolean =>
  at !== null && nowMs - at < RECENT_MS;

/** Progress of an import. Polls faster while its numbers change. */
export const importStatusQuery = (projectId: string) =>
  queryOptions({
    queryKey: [projectId, 'import-status'],
    queryFn: ({ signal }) =>
      call(
        api.GET('/v2/projects/{project_id}/import/status', {
          params: { path: { project_id: projectId } },
          signal,
        }),
      ),
    refetchInterval: ({ state: { data } }) =>
      data && (data.resolving > 0 || isImporting(data, Date.now())) ? MOVING_POLL_MS : IDLE_POLL_MS,
  });
