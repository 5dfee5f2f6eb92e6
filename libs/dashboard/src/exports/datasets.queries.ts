import { queryOptions } from '@tanstack/react-query';
import { api, call } from '../api/client.js';
import type { Schema } from '../api/types.js';
import { exportsKey } from './exports.queries.js';

export type Dataset = Schema<'ExportDatasetDto'>;

export const datasetsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...exportsKey(projectId), 'datasets'],
    queryFn: async ({ signal }): Promise<Dataset[]> =>
      (
        await call(
          api.GET('/v2/projects/{project_id}/integrations/exports/datasets', {
            params: { path: { project_id: projectId } },
            signal,
          }),
        )
      ).items,
    staleTime: Infinity,
  });
