import { queryOptions } from '@tanstack/react-query';
import { api, call } from '../api/client.js';
import type { Schema } from '../api/types.js';

const POLL_MS = 3_000;
const MOST = 100;

export interface EventDelivery {
  delivery: Schema<'WebhookDeliveryDto'>;
  webhook: Schema<'WebhookIntegrationDto'>;
}

/** Deliveries of an event, by webhook. */
export const eventDeliveriesQuery = (projectId: string, eventId: string) =>
  queryOptions({
    queryKey: [projectId, 'events', 'one', eventId, 'deliveries'],
    queryFn: async ({ signal }): Promise<EventDelivery[]> => {
      const { items } = await call(
        api.GET('/v2/projects/{project_id}/integrations/webhooks', {
          params: { path: { project_id: projectId }, query: { limit: MOST } },
          signal,
        }),
      );
      const found: EventDelivery[] = [];
      // Sequential, because few projects have more than one webhook.
      for (const webhook of items) {
        const page = await call(
          api.GET('/v2/projects/{project_id}/webhooks/{webhook_integration_id}/deliveries', {
            params: {
              path: { project_id: projectId, webhook_integration_id: webhook.id },
              query: { event_id: eventId, limit: MOST },
            },
            signal,
          }),
        );
        found.push(...page.items.map((delivery) => ({ delivery, webhook })));
      }
      return found;
    },
    refetchInterval: ({ state: { data } }) =>
      data?.some(({ delivery }) => delivery.status === 'pending') ? POLL_MS : false,
  });
