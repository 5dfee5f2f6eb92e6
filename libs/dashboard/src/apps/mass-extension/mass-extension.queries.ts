import { queryOptions } from '@tanstack/react-query';
import { api, call } from '../../api/client.js';
import type { Schema } from '../../api/types.js';
import { useWrite } from '../../api/write.js';

export type MassExtension = Schema<'MassExtensionDto'>;

const SOON_MS = 15_000;
const LATER_MS = 60_000;
const SOON_FOR_MS = 10 * 60_000;

/** Delay until the next poll: Apple needs minutes for few subscribers, and hours for many. */
export const lookAgainAfter = (requestedAtMs: number, nowMs: number): number =>
  nowMs - requestedAtMs < SOON_FOR_MS ? SOON_MS : LATER_MS;

export const fetchMassExtension = (
  projectId: string,
  appId: string,
  requestId: string,
  signal: AbortSignal,
): Promise<MassExtension> =>
  call(
    api.GET('/v2/projects/{project_id}/apps/{app_id}/mass_extensions/{request_id}', {
      params: { path: { project_id: projectId, app_id: appId, request_id: requestId } },
      signal,
    }),
  );

export const massExtensionQuery = (projectId: string, appId: string, requestId: string) =>
  queryOptions({
    queryKey: [projectId, 'apps', appId, 'mass-extensions', requestId],
    queryFn: ({ signal }) => fetchMassExtension(projectId, appId, requestId, signal),
    refetchInterval: ({ state: { data } }) =>
      data && !data.complete ? lookAgainAfter(data.requested_at, Date.now()) : false,
  });

export const useMassExtend = (projectId: string, appId: string) =>
  useWrite({
    send: (body: Schema<'MassExtendDto'>, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/apps/{app_id}/actions/mass_extend', {
          params: { path: { project_id: projectId, app_id: appId } },
          body,
          headers,
        }),
      ),
  });
