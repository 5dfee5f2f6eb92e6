import { queryOptions } from '@tanstack/react-query';
import { api, call } from '../api/client.js';
import { pagedQuery, type ReadPage } from '../api/paging.js';
import type { Query, Schema } from '../api/types.js';

export type RecordedEvent = Schema<'EventDto'>;
export type EventFilter = Pick<Query<'listEvents'>, 'type' | 'app_id' | 'customer' | 'environment'>;

const FOLLOW_MS = 3_000;

export const eventsPage =
  (projectId: string, filter: EventFilter): ReadPage<RecordedEvent> =>
  (page, signal) =>
    api.GET('/v2/projects/{project_id}/events', {
      params: { path: { project_id: projectId }, query: { ...filter, ...page } },
      signal,
    });

export const eventsQuery = (projectId: string, filter: EventFilter, isFollowing: boolean) =>
  pagedQuery(
    [projectId, 'events', 'list', filter],
    eventsPage(projectId, filter),
    () => isFollowing && FOLLOW_MS,
  );

export const eventQuery = (projectId: string, eventId: string) =>
  queryOptions({
    queryKey: [projectId, 'events', 'one', eventId],
    queryFn: ({ signal }) =>
      call(
        api.GET('/v2/projects/{project_id}/events/{event_id}', {
          params: { path: { project_id: projectId, event_id: eventId } },
          signal,
        }),
      ),
    staleTime: Infinity,
  });
