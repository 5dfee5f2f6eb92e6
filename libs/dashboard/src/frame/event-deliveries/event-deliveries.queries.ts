import { queryOptions } from '@tanstack/react-query';
import { api, call } from '../../api/client.js';
import type { Schema } from '../../api/types.js';

const POLL_MS = 3_000;
const MOST = 100;

export type EventDelivery = Schema<'EventDeliveryDto'>;

/** The newest deliveries of an event to webhooks and destinations. */
export const eventDeliveriesQuery = (projectId: string, eventId: string) =>
  queryOptions({
    queryKey: [projectId, 'events', 'one', eventId, 'deliveries'],
    queryFn: async ({ signal }): Promise<EventDelivery[]> => {
      const { items } = await call(
        api.GET('/v2/projects/{project_id}/events/{event_id}/deliveries', {
          params: { path: { project_id: projectId, event_id: eventId }, query: { limit: MOST } },
          signal,
        }),
      );
      return items;
    },
    refetchInterval: ({ state: { data } }) =>
      data?.some(({ status }) => status === 'pending') ? POLL_MS : false,
  });
