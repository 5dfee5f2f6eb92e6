import { api, call } from '../api/client.js';
import type { Schema } from '../api/types.js';
import { useWrite } from '../api/write.js';
import { type Destination, destinationsKey } from './destinations.queries.js';

export type NewDestination = Schema<'CreateDestinationDto'>;
export type DestinationChanges = Schema<'UpdateDestinationDto'>;
export type DestinationTest = Schema<'DestinationTestDto'>;
export type Replay = Schema<'DestinationReplayDto'>;
export type ReplayRequest = Schema<'ReplayDestinationDto'>;

const pathOf = (projectId: string, destinationId: string) => ({
  project_id: projectId,
  destination_id: destinationId,
});

type Saved = { id: null; creation: NewDestination } | { id: string; changes: DestinationChanges };

function update(
  projectId: string,
  id: string,
  body: DestinationChanges,
  header: { 'Idempotency-Key': string },
) {
  return call(
    api.POST('/v2/projects/{project_id}/integrations/destinations/{destination_id}', {
      params: { path: pathOf(projectId, id), header },
      body,
    }),
  );
}

/** Creates a destination, or changes the one that was created before. */
export const useSaveDestination = (projectId: string) =>
  useWrite({
    send: (saved: Saved, header): Promise<Destination> =>
      saved.id === null
        ? call(
            api.POST('/v2/projects/{project_id}/integrations/destinations', {
              params: { path: { project_id: projectId }, header },
              body: saved.creation,
            }),
          )
        : update(projectId, saved.id, saved.changes, header),
    stale: () => [destinationsKey(projectId)],
  });

export const useUpdateDestination = (projectId: string, destinationId: string, onDone?: () => void) =>
  useWrite({
    send: (body: DestinationChanges, header): Promise<Destination> =>
      update(projectId, destinationId, body, header),
    stale: () => [destinationsKey(projectId)],
    onDone,
  });

export const useDeleteDestination = (projectId: string, destinationId: string) =>
  useWrite({
    send: (_: void, headers) =>
      call(
        api.DELETE('/v2/projects/{project_id}/integrations/destinations/{destination_id}', {
          params: { path: pathOf(projectId, destinationId) },
          headers,
        }),
      ),
    stale: () => [
      [...destinationsKey(projectId), 'list'],
      [...destinationsKey(projectId), 'states'],
    ],
  });

export const useTestDestination = (projectId: string) =>
  useWrite({
    send: (destinationId: string, header): Promise<DestinationTest> =>
      call(
        api.POST('/v2/projects/{project_id}/integrations/destinations/{destination_id}/test', {
          params: { path: pathOf(projectId, destinationId), header },
        }),
      ),
    stale: () => [destinationsKey(projectId)],
  });

export const useRetry = (projectId: string, destinationId: string, deliveryId: string) =>
  useWrite({
    send: (_: void, header) =>
      call(
        api.POST(
          '/v2/projects/{project_id}/integrations/destinations/{destination_id}/deliveries/{destination_delivery_id}/retry',
          {
            params: {
              path: { ...pathOf(projectId, destinationId), destination_delivery_id: deliveryId },
              header,
            },
          },
        ),
      ),
    stale: () => [destinationsKey(projectId)],
  });

export const useReplay = (projectId: string, destinationId: string, onDone: (replay: Replay) => void) =>
  useWrite({
    send: (body: ReplayRequest, header): Promise<Replay> =>
      call(
        api.POST('/v2/projects/{project_id}/integrations/destinations/{destination_id}/actions/replay', {
          params: { path: pathOf(projectId, destinationId), header },
          body,
        }),
      ),
    stale: () => [destinationsKey(projectId)],
    onDone,
  });
