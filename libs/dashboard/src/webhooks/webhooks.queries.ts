import { queryOptions } from '@tanstack/react-query';
import { api, call } from '../api/client.js';
import { pagedQuery } from '../api/paging.js';
import type { Query, Schema } from '../api/types.js';
import { msOfPeriod, type Period } from '../frame/deliveries/period.js';

export type Integration = Schema<'WebhookIntegrationDto'>;
export type WebhookState = Schema<'WebhookStateDto'>;
export type FailingWebhook = Schema<'FailingWebhookDto'>;
export type Delivery = Schema<'WebhookDeliveryDto'>;
export type DeliveryDetail = Schema<'WebhookDeliveryDetailDto'>;
export type Replay = Schema<'WebhookReplayDto'>;
export type DeliveryStatus = NonNullable<Query<'listWebhookDeliveries'>['status']>;

export interface DeliveryFilter {
  status?: DeliveryStatus;
  type?: string;
  period?: Period;
  event?: string;
  replay?: string;
}

const POLL_MS = 3_000;
const MOST = 100;

/** Prefix of all query keys of webhooks. */
export const webhooksKey = (projectId: string) => [projectId, 'webhooks'];

export const integrationsQuery = (projectId: string) =>
  pagedQuery([...webhooksKey(projectId), 'list'], (page, signal) =>
    api.GET('/v2/projects/{project_id}/integrations/webhooks', {
      params: {
        path: { project_id: projectId },
        query: page,
      },
      signal,
    }),
  );

export const integrationQuery = (projectId: string, webhookId: string) =>
  queryOptions({
    queryKey: [...webhooksKey(projectId), 'one', webhookId],
    queryFn: ({ signal }) =>
      call(
        api.GET('/v2/projects/{project_id}/integrations/webhooks/{webhook_integration_id}', {
          params: { path: { project_id: projectId, webhook_integration_id: webhookId } },
          signal,
        }),
      ),
  });

/** Whether each integration works. One page is enough, because there are few. */
export const statesQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...webhooksKey(projectId), 'states'],
    queryFn: async ({ signal }): Promise<WebhookState[]> => {
      const params = { path: { project_id: projectId }, query: { limit: MOST } };
      return (await call(api.GET('/v2/projects/{project_id}/webhooks', { params, signal }))).items;
    },
    refetchInterval: 15_000,
  });

/** Integrations whose last delivery failed. */
export const failingQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...webhooksKey(projectId), 'failing'],
    queryFn: async ({ signal }): Promise<FailingWebhook[]> => {
      const params = { path: { project_id: projectId } };
      const health = await call(api.GET('/v2/projects/{project_id}/setup_health', { params, signal }));
      return health.webhooks.failing;
    },
    refetchInterval: 15_000,
  });

function deliveriesPage(
  projectId: string,
  webhookId: string,
  query: Query<'listWebhookDeliveries'>,
  signal: AbortSignal,
) {
  const path = { project_id: projectId, webhook_integration_id: webhookId };
  return api.GET('/v2/projects/{project_id}/webhooks/{webhook_integration_id}/deliveries', {
    params: { path, query },
    signal,
  });
}

export const deliveriesQuery = (projectId: string, webhookId: string, filter: DeliveryFilter) =>
  pagedQuery(
    [...webhooksKey(projectId), webhookId, 'deliveries', filter],
    (page, signal) =>
      deliveriesPage(
        projectId,
        webhookId,
        {
          status: filter.status,
          event_type: filter.type,
          from: filter.period && Date.now() - msOfPeriod[filter.period],
          event_id: filter.event,
          replay: filter.replay,
          ...page,
        },
        signal,
      ),
    // Polls while further attempts are due.
    (loaded) => loaded.some(({ status }) => status === 'pending') && POLL_MS,
  );

/** The newest deliveries, which show since when an endpoint fails. */
export const newestDeliveriesQuery = (projectId: string, webhookId: string) =>
  queryOptions({
    queryKey: [...webhooksKey(projectId), webhookId, 'newest'],
    queryFn: async ({ signal }): Promise<Delivery[]> =>
      (await call(deliveriesPage(projectId, webhookId, { limit: MOST }, signal))).items,
  });

export const deliveryQuery = (projectId: string, webhookId: string, deliveryId: string) =>
  queryOptions({
    queryKey: [...webhooksKey(projectId), webhookId, 'delivery', deliveryId],
    queryFn: ({ signal }) =>
      call(
        api.GET('/v2/projects/{project_id}/webhooks/{webhook_integration_id}/deliveries/{delivery_id}', {
          params: {
            path: { project_id: projectId, webhook_integration_id: webhookId, delivery_id: deliveryId },
          },
          signal,
        }),
      ),
    refetchInterval: ({ state: { data } }) => (data?.status === 'pending' ? POLL_MS : false),
  });

export function getReplay(projectId: string, { id, webhook_integration_id }: Replay, signal: AbortSignal) {
  const path = { project_id: projectId, webhook_integration_id, replay_id: id };
  return call(
    api.GET('/v2/projects/{project_id}/webhooks/{webhook_integration_id}/replays/{replay_id}', {
      params: { path },
      signal,
    }),
  );
}

/** The first deliveries of a replay that ran out of retries. */
export const failedOfReplay = async (
  projectId: string,
  { id, webhook_integration_id }: Replay,
  signal: AbortSignal,
): Promise<Delivery[]> =>
  (
    await call(
      deliveriesPage(
        projectId,
        webhook_integration_id,
        { replay: id, status: 'failed', limit: MOST },
        signal,
      ),
    )
  ).items;

/** When an integration was paused, according to the audit log; null if unknown. */
export const pausedAtQuery = (projectId: string, webhookId: string) =>
  queryOptions({
    queryKey: [...webhooksKey(projectId), webhookId, 'paused-at'],
    queryFn: async ({ signal }): Promise<number | null> => {
      const { items } = await call(
        api.GET('/v2/projects/{project_id}/audit_logs', {
          params: {
            path: { project_id: projectId },
            query: { target_identifier: webhookId, limit: MOST },
          },
          signal,
        }),
      );
      const last = items.find(({ action_type: action, additional_data: data }) => {
        const changed = data.changed_fields;
        return action.endsWith('_paused') || (Array.isArray(changed) && changed.includes('enabled'));
      });
      return last?.occurred_at ?? null;
    },
  });

export const replaysQuery = (projectId: string, webhookId: string) =>
  pagedQuery([...webhooksKey(projectId), webhookId, 'replays'], (page, signal) =>
    api.GET('/v2/projects/{project_id}/webhooks/{webhook_integration_id}/replays', {
      params: {
        path: { project_id: projectId, webhook_integration_id: webhookId },
        query: page,
      },
      signal,
    }),
  );
