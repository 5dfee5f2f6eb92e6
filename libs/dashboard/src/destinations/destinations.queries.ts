import { queryOptions } from '@tanstack/react-query';
import { api, call } from '../api/client.js';
import { pagedQuery } from '../api/paging.js';
import type { Schema } from '../api/types.js';

export type Destination = Schema<'DestinationDto'>;
export type DestinationState = Schema<'DestinationStateDto'>;
export type DestinationType = Schema<'DestinationTypeDto'>;

const MOST = 100;

/** Prefix of all query keys of destinations. */
export const destinationsKey = (projectId: string) => [projectId, 'destinations'];

/** The types, which only change with the server. */
export const typesQuery = (projectId: string) =>
  queryOptions({
    queryKey: [projectId, 'destination-types'],
    queryFn: async ({ signal }): Promise<DestinationType[]> => {
      const params = { path: { project_id: projectId } };
      return (
        await call(api.GET('/v2/projects/{project_id}/integrations/destination_types', { params, signal }))
      ).items;
    },
    staleTime: Infinity,
  });

export const destinationsQuery = (projectId: string) =>
  pagedQuery([...destinationsKey(projectId), 'list'], (page, signal) =>
    api.GET('/v2/projects/{project_id}/integrations/destinations', {
      params: { path: { project_id: projectId }, query: page },
      signal,
    }),
  );

export const destinationQuery = (projectId: string, destinationId: string) =>
  queryOptions({
    queryKey: [...destinationsKey(projectId), 'one', destinationId],
    queryFn: ({ signal }) =>
      call(
        api.GET('/v2/projects/{project_id}/integrations/destinations/{destination_id}', {
          params: { path: { project_id: projectId, destination_id: destinationId } },
          signal,
        }),
      ),
  });

/** The state of each destination. One page is enough, because a project has at most 50. */
export const statesQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...destinationsKey(projectId), 'states'],
    queryFn: async ({ signal }): Promise<DestinationState[]> => {
      const params = { path: { project_id: projectId }, query: { limit: MOST } };
      return (
        await call(api.GET('/v2/projects/{project_id}/integrations/destination_states', { params, signal }))
      ).items;
    },
    refetchInterval: 15_000,
  });
