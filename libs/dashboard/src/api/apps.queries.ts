import { queryOptions } from '@tanstack/react-query';
import { api } from './client.js';
import { allItems } from './paging.js';

/** All apps of a project, for selects and names. */
export const appsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [projectId, 'apps', 'all'],
    queryFn: ({ signal }) =>
      allItems(
        (page) =>
          api.GET('/v2/projects/{project_id}/apps', {
            params: { path: { project_id: projectId }, query: page },
            signal,
          }),
        signal,
      ),
  });
