import { api, call } from '../api/client.js';
import type { Schema } from '../api/types.js';
import { useWrite } from '../api/write.js';
import { type Delivery, type Replay, webhooksKey } from './webhooks.queries.js';

export type NewIntegration = Schema<'CreateWebhookIntegrationDto'>;
export type IntegrationChanges = Schema<'UpdateWebhookIntegrationDto'>;
/** Includes the secret, which is shown once and not stored. */
export type CreatedIntegration = Schema<'CreatedWebhookIntegrationDto'>;
export type ReplayRequest = Schema<'ReplayWebhookDto'>;

const pathOf = (projectId: string, webhookId: string) => ({
  project_id: projectId,
  webhook_integration_id: webhookId,
});

export const useCreateIntegration = (projectId: string, onDone: (created: CreatedIntegration) => void) =>
  useWrite({
    send: (body: NewIntegration, header) =>
      call(
        api.POST('/v2/projects/{project_id}/integrations/webhooks', {
          params: { path: { project_id: projectId }, header },
          body,
        }),
      ),
    stale: () => [webhooksKey(projectId)],
    onDone,
  });

export const useUpdateIntegration = (projectId: string, webhookId: string, onDone?: () => void) =>
  useWrite({
    send: (body: IntegrationChanges, header) =>
      call(
        api.POST('/v2/projects/{project_id}/integrations/webhooks/{webhook_integration_id}', {
          params: { path: pathOf(projectId, webhookId), header },
          body,
        }),
      ),
    stale: () => [webhooksKey(projectId)],
    onDone,
  });

export const useDeleteIntegration = (projectId: string, webhookId: string) =>
  useWrite({
    send: (_: void, headers) =>
      call(
        api.DELETE('/v2/projects/{project_id}/integrations/webhooks/{webhook_integration_id}', {
          params: { path: pathOf(projectId, webhookId) },
          headers,
        }),
      ),
    stale: () => [
      [...webhooksKey(projectId), 'list'],
      [...webhooksKey(projectId), 'states'],
    ],
  });

export const useSendTest = (projectId: string, webhookId: string, onDone?: (sent: Delivery) => void) =>
  useWrite({
    send: (_: void, header) =>
      call(
        api.POST('/v2/projects/{project_id}/integrations/webhooks/{webhook_integration_id}/test', {
          params: { path: pathOf(projectId, webhookId), header },
        }),
      ),
    stale: () => [webhooksKey(projectId)],
    onDone,
  });

export const useRotateSecret = (
  projectId: string,
  webhookId: string,
  onDone: (rotated: CreatedIntegration) => void,
) =>
  useWrite({
    send: (_: void, header) =>
      call(
        api.POST(
          '/v2/projects/{project_id}/integrations/webhooks/{webhook_integration_id}/actions/rotate_secret',
          { params: { path: pathOf(projectId, webhookId), header } },
        ),
      ),
    onDone,
  });

export const useRetry = (projectId: string, webhookId: string, deliveryId: string) =>
  useWrite({
    send: (_: void, header) =>
      call(
        api.POST(
          '/v2/projects/{project_id}/webhooks/{webhook_integration_id}/deliveries/{delivery_id}/retry',
          {
            params: { path: { ...pathOf(projectId, webhookId), delivery_id: deliveryId }, header },
          },
        ),
      ),
    stale: () => [webhooksKey(projectId)],
  });

export const useReplay = (projectId: string, webhookId: string, onDone: (replay: Replay) => void) =>
  useWrite({
    send: (body: ReplayRequest, header) =>
      call(
        api.POST('/v2/projects/{project_id}/webhooks/{webhook_integration_id}/actions/replay', {
          params: { path: pathOf(projectId, webhookId), header },
          body,
        }),
      ),
    stale: () => [webhooksKey(projectId)],
    onDone,
  });
