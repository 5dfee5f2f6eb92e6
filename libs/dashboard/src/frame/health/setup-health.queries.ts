import { queryOptions } from '@tanstack/react-query';
import { api, call } from '../../api/client.js';
import type { Schema } from '../../api/types.js';

export type SetupHealth = Schema<'SetupHealthDto'>;

/** Whether a project's stores, webhooks, SDKs and currencies work. */
export const setupHealthQuery = (projectId: string) =>
  queryOptions({
    queryKey: [projectId, 'setup-health'],
    queryFn: ({ signal }) =>
      call(
        api.GET('/v2/projects/{project_id}/setup_health', {
          params: { path: { project_id: projectId } },
          signal,
        }),
      ),
  });
