import type { IntegrationCounts } from '../../deliveries/integrations/delivery-health.repository.js';
import type { WebhookIntegrationDto, WebhookStateDto } from './webhook-integration.dto.js';
import type { WebhookIntegration } from '../../deliveries/integrations/integration.entity.js';

export function presentWebhookIntegration(integration: WebhookIntegration): WebhookIntegrationDto {
  return {
    object: 'webhook_integration',
    id: integration.id,
    project_id: integration.projectId,
    name: integration.name,
    url: integration.url,
    environment: integration.environment,
    event_types: integration.eventTypes,
    app_id: integration.appId,
    ordered: integration.ordered,
    include_customer_info: integration.includeCustomerInfo,
    created_at: integration.createdAt.getTime(),
  };
}

export function presentWebhookState(
  { id, enabled }: WebhookIntegration,
  circuitIsOpen: boolean,
  counts: IntegrationCounts | undefined,
): WebhookStateDto {
  return {
    object: 'webhook_state',
    id,
    enabled,
    circuit: circuitIsOpen ? 'open' : 'closed',
    delivered_24h: counts?.delivered ?? 0,
    failed_24h: counts?.failed ?? 0,
    pending: counts?.pending ?? 0,
  };
}
