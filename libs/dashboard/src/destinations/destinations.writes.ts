import { api, call } from '../api/client.js';
import type { Schema } from '../api/types.js';
import { useWrite } from '../api/write.js';
import { type Destination, destinationsKey } from './destinations.queries.js';

export type NewDestination = Schema<'CreateDestinationDto'>;
export type DestinationChanges = Schema<'UpdateDestinationDto'>;

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
