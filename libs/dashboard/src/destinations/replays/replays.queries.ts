import { api, call } from '../../api/client.js';
import { pagedQuery } from '../../api/paging.js';
import { destinationsKey } from '../destinations.queries.js';
import type { Replay } from '../destinations.writes.js';

export const replaysQuery = (projectId: string, destinationId: string) =>
  pagedQuery([...destinationsKey(projectId), destinationId, 'replays'], (page, signal) =>
    api.GET('/v2/projects/{project_id}/integrations/destinations/{destination_id}/replays', {
      params: { path: { project_id: projectId, destination_id: destinationId }, query: page },
      signal,
    }),
  );

export const getReplay = (
  projectId: string,
  { id, destination_id }: Replay,
  signal: AbortSignal,
): Promise<Replay> =>
  call(
    api.GET(
      '/v2/projects/{project_id}/integrations/destinations/{destination_id}/replays/{destination_replay_id}',
      {
        params: { path: { project_id: projectId, destination_id, destination_replay_id: id } },
        signal,
      },
    ),
  );
