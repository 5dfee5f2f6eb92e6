import { queryOptions } from '@tanstack/react-query';
import { api } from './client.js';
import { allItems } from './paging.js';

/** All products of a project, for selects, names and the matrix. */
export const allProductsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [projectId, 'catalog', 'products', 'all'],
    queryFn: ({ signal }) =>
      allItems(
        (page) =>
          api.GET('/v2/projects/{project_id}/products', {
            params: { path: { project_id: projectId }, query: page },
            signal,
          }),
        signal,
      ),
  });
