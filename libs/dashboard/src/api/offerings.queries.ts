import { queryOptions } from '@tanstack/react-query';
import { api } from './client.js';
import { allItems } from './paging.js';

/** All offerings of a project without their packages, for selects and names. */
export const offeringNamesQuery = (projectId: string) =>
  queryOptions({
    queryKey: [projectId, 'catalog', 'offerings', 'names'],
    queryFn: ({ signal }) =>
      allItems(
        (page) =>
          api.GET('/v2/projects/{project_id}/offerings', {
            params: { path: { project_id: projectId }, query: page },
            signal,
          }),
        signal,
      ),
  });
