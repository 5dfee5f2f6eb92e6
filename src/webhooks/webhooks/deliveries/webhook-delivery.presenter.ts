import { curlOf } from '../../deliveries/log/curl.js';
import { deliveryBody, maskedHeaders } from './delivery-request.js';
import type {
  LoggedAttempt,
  LoggedDelivery,
  RecentEvent,
} from '../../deliveries/log/delivery-log.repository.js';
import { withoutEvent } from '../../deliveries/log/without-event.js';
import type { DeliveryWithAttempts } from '../../deliveries/log/delivery-log.service.js';
import type {
  WebhookAttemptDto,
  WebhookDeliveryDetailDto,
  WebhookDeliveryDto,
  WebhookEventDto,
} from './webhook-delivery.dto.js';
import type { WebhookIntegration } from '../../deliveries/integrations/integration.entity.js';

export interface DeliveryDetail extends DeliveryWithAttempts {
  integration: WebhookIntegration;
}

export function presentDelivery(delivery: LoggedDelivery): WebhookDeliveryDto {
  return {
    object: 'webhook_delivery',
    id: delivery.id,
    webhook_integration_id: delivery.webhookIntegrationId,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    app_user_id: delivery.appUserId,
    product_id: delivery.productId,
    price_in_purchased_currency: delivery.price,
    currency: delivery.currency,
    status: delivery.status,
    attempts: delivery.attempts,
    next_attempt_at: delivery.nextAttemptAt?.getTime() ?? null,
    response_status: delivery.responseStatus,
    response_ms: delivery.responseMs,
    last_error: delivery.lastError,
    replay: delivery.replay,
    created_at: delivery.createdAt.getTime(),
  };
}

/** For callers who may not read customers. */
export const presentDeliveryWithoutEvent = (delivery: LoggedDelivery): WebhookDeliveryDto =>
  presentDelivery(withoutEvent(delivery));

function presentAttempt(attempt: LoggedAttempt): WebhookAttemptDto {
  return {
    at: attempt.attemptedAt.getTime(),
    url: attempt.url,
    status: attempt.responseStatus,
    ms: attempt.responseMs,
    error: attempt.error,
    response_body: attempt.responseBody,
    response_headers: attempt.responseHeaders,
  };
}

export function presentDeliveryDetail(detail: DeliveryDetail): WebhookDeliveryDetailDto {
  const { delivery, integration, content, attempts } = detail;
  const hasAuthorization = integration.sealedAuthorizationHeader !== null;
  const lastAtMs = attempts[0]?.attemptedAt.getTime();
  const headers = maskedHeaders(
    { eventId: delivery.eventId, replay: delivery.replay, hasAuthorization },
    lastAtMs === undefined ? null : Math.floor(lastAtMs / 1000),
  );
  const body = deliveryBody(content.event, content.customerInfo);
  return {
    ...presentDelivery(delivery),
    url: integration.url,
    request: { method: 'POST', headers, body },
    attempt_log: attempts.map(presentAttempt),
    curl: curlOf({ method: 'POST', url: integration.url, headers, body }),
  };
}

export function presentWebhookEvent({ id, type, createdAt, event }: RecentEvent): WebhookEventDto {
  return {
    object: 'webhook_event',
    id,
    type,
    created_at: createdAt.getTime(),
    payload: deliveryBody(event, null),
  };
}
