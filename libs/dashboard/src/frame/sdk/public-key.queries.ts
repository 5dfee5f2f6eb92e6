import { queryOptions } from '@tanstack/react-query';
import { api, call } from '../../api/client.js';

/** The key that an app ships with. It may be public, because it permits only SDK calls. */
export const publicKeyQuery = (projectId: string, appId: string) =>
  queryOptions({
    queryKey: [projectId, 'apps', appId, 'public-key'],
    queryFn: async ({ signal }) => {
      const { items } = await call(
        api.GET('/v2/projects/{project_id}/apps/{app_id}/public_api_keys', {
          params: { path: { project_id: projectId, app_id: appId } },
          signal,
        }),
      );
      return items[0]?.key ?? '';
    },
  });
