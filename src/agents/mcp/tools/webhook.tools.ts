import type { ToolDefinition, ToolRun } from '../tool.js';

/** Excludes the authorization header, which is a secret. */
const settings = [
  'name',
  'url',
  'environment',
  'event_types',
  { name: 'app_id', description: 'Only events of this app: `list_apps`. Null: all apps.' },
  'ordered',
  'include_customer_info',
];
const webhook = { name: 'webhook_id', from: 'webhook_integration_id' };

async function createWebhook({ args, call }: ToolRun): Promise<Record<string, unknown>> {
  const created = await call('createWebhookIntegration', args);
  const note =
    'The signing secret is not shown here. Rotate it in the dashboard or by POST /v2/projects/{project_id}/integrations/webhooks/{id}/actions/rotate_secret.';
  return { ...created, note };
}

export const webhookTools: ToolDefinition[] = [
  {
    name: 'list_webhooks',
    title: 'List webhooks',
    description: 'The webhooks of the project, oldest first: where events are sent.',
    operations: ['listWebhookIntegrations'],
    effect: 'read',
    arguments: [],
  },
  {
    name: 'create_webhook',
    title: 'Create a webhook',
    description:
      'Sends the events of the project to a URL from now on. The secret that signs them is not shown.',
    operations: ['createWebhookIntegration'],
    effect: 'write',
    arguments: settings,
    run: createWebhook,
  },
  {
    name: 'update_webhook',
    title: 'Change a webhook',
    description: 'Changes the URL, name or filters of a webhook, pauses it or resumes it.',
    operations: ['updateWebhookIntegration'],
    effect: 'write',
    arguments: [webhook, ...settings, 'enabled'],
  },
  {
    name: 'delete_webhook',
    title: 'Delete a webhook',
    description:
      'Deletes a webhook. Events that have not been sent to it yet are dropped. This cannot be undone.',
    operations: ['deleteWebhookIntegration'],
    effect: 'destructive',
    arguments: [webhook],
  },
  {
    name: 'list_webhook_deliveries',
    title: 'List deliveries of a webhook',
    description: 'What was sent to a webhook and whether it arrived, newest first.',
    operations: ['listWebhookDeliveries'],
    effect: 'read',
    arguments: [webhook, 'status'],
  },
  {
    name: 'retry_webhook_delivery',
    title: 'Send a delivery again',
    description: 'Sends a delivery again at once, whether it arrived before or not.',
    operations: ['retryWebhookDelivery'],
    effect: 'write',
    arguments: [webhook, 'delivery_id'],
  },
  {
    name: 'send_test_webhook',
    title: 'Send a test event',
    description: 'Sends a TEST event to a webhook, whatever its filters are.',
    operations: ['sendWebhookTest'],
    effect: 'write',
    arguments: [webhook],
  },
];
