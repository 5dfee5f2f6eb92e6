import { definitionOf, reasonText } from '../../../../libs/destinations/index.js';
import type { DestinationIntegration } from '../../deliveries/integrations/integration.entity.js';
import { curlOf } from '../../deliveries/log/curl.js';
import type {
  DeliveryState,
  EventDelivery,
  LoggedAttempt,
  LoggedDelivery,
} from '../../deliveries/log/delivery-log.repository.js';
import type {
  DestinationAttemptDto,
  DestinationDeliveryDetailDto,
  DestinationDeliveryDto,
  EventDeliveryDto,
} from './destination-delivery.dto.js';
import type { DestinationDeliveryDetail } from './destination-log.service.js';

/** A wait that has ended counts as skipped, even before a job records it. */
function statusOf({ status, waitUntil }: DeliveryState, nowMs: number): DeliveryState['status'] {
  return status === 'waiting' && waitUntil !== null && waitUntil.getTime() <= nowMs ? 'skipped' : status;
}

function reasonTextOf(
  delivery: DeliveryState,
  type: DestinationIntegration['type'],
  status: DeliveryState['status'],
): string | null {
  const { reason, waitsFor, waitUntil, nextAttemptAt, lastError, attempts, responseStatus } = delivery;
  if (reason === null || status === 'delivered') return null;
  return reasonText(reason, {
    status,
    tool: definitionOf(type),
    missing: waitsFor ?? [],
    untilMs: (waitUntil ?? nextAttemptAt)?.getTime(),
    detail: lastError ?? undefined,
    attempts,
    responseStatus,
  });
}

export function presentDestinationDelivery(
  delivery: LoggedDelivery,
  type: DestinationIntegration['type'],
  nowMs: number,
): DestinationDeliveryDto {
  const status = statusOf(delivery, nowMs);
  return {
    object: 'destination_delivery',
    id: delivery.id,
    destination_id: delivery.webhookIntegrationId,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    app_user_id: delivery.appUserId,
    product_id: delivery.productId,
    price_in_purchased_currency: delivery.price,
    currency: delivery.currency,
    status,
    reason: delivery.reason,
    reason_text: reasonTextOf(delivery, type, status),
    missing_attributes: delivery.waitsFor ?? [],
    wait_until: delivery.waitUntil?.getTime() ?? null,
    may_be_repeated: delivery.mayBeRepeated,
    attempts: delivery.attempts,
    next_attempt_at: delivery.nextAttemptAt?.getTime() ?? null,
    response_status: delivery.responseStatus,
    response_ms: delivery.responseMs,
    last_error: delivery.lastError,
    replay: delivery.replay,
    created_at: delivery.createdAt.getTime(),
  };
}

export function presentEventDelivery(delivery: EventDelivery, nowMs: number): EventDeliveryDto {
  const { integrationType: type } = delivery;
  const status = statusOf(delivery, nowMs);
  return {
    object: 'event_delivery',
    id: delivery.id,
    integration_id: delivery.webhookIntegrationId,
    integration_type: type,
    integration_name: delivery.integrationName,
    status,
    reason_text: type === 'webhook' ? null : reasonTextOf(delivery, type, status),
    missing_attributes: delivery.waitsFor ?? [],
    attempts: delivery.attempts,
    next_attempt_at: delivery.nextAttemptAt?.getTime() ?? null,
    response_status: delivery.responseStatus,
    response_ms: delivery.responseMs,
    last_error: delivery.lastError,
    replay: delivery.replay,
    created_at: delivery.createdAt.getTime(),
  };
}

function presentAttempt(attempt: LoggedAttempt): DestinationAttemptDto {
  return {
    at: attempt.attemptedAt.getTime(),
    step: attempt.step,
    url: attempt.url,
    status: attempt.responseStatus,
    ms: attempt.responseMs,
    error: attempt.error,
    response_body: attempt.responseBody,
    response_headers: attempt.responseHeaders,
  };
}

export function presentDestinationDeliveryDetail(
  { delivery, integration, attempts, requests }: DestinationDeliveryDetail,
  nowMs: number,
): DestinationDeliveryDetailDto {
  return {
    ...presentDestinationDelivery(delivery, integration.type, nowMs),
    requests,
    attempt_log: attempts.map(presentAttempt),
    curl: requests.length === 0 ? null : requests.map(curlOf).join('\n'),
  };
}
