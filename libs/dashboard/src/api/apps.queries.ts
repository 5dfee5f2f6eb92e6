import { queryOptions } from '@tanstack/react-query';
import { api, call } from './client.js';
import { allItems } from './paging.js';
import type { Schema } from './types.js';

/** All apps of a project. */
export function allApps(projectId: string, signal: AbortSignal): Promise<Schema<'AppDto'>[]> {
  return allItems(
    (page) =>
      api.GET('/v2/projects/{project_id}/apps', {
        params: { path: { project_id: projectId }, query: page },
        signal,
      }),
    signal,
  );
}

/** The settings of an app's store. */
export function storeSettingsOf(
  projectId: string,
  appId: string,
  signal: AbortSignal,
): Promise<Schema<'StoreSettingsDto'>> {
  return call(
    api.GET('/v2/projects/{project_id}/apps/{app_id}/store_settings', {
      params: { path: { project_id: projectId, app_id: appId } },
      signal,
    }),
  );
}

/** All apps of a project, for selects and names. */
export const appsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [projectId, 'apps', 'all'],
    queryFn: ({ signal }) => allApps(projectId, signal),
  });
