import { queryOptions } from '@tanstack/react-query';
import { api, call } from '../api/client.js';

/** The last 28 days. */
export const statisticsQuery = (projectId: string, environment: 'production' | 'sandbox' | undefined) =>
  queryOptions({
    queryKey: [projectId, 'refund-requests', 'statistics', environment],
    queryFn: ({ signal }) =>
      call(
        api.GET('/v2/projects/{project_id}/refund_requests/statistics', {
          params: { path: { project_id: projectId }, query: { environment } },
          signal,
        }),
      ),
  });
