import { applyDecorators } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import { ApiError } from '../../platform/http/api-error.js';
import { singleQueryValue } from '../../platform/http/lists.js';
import { epochQuery } from '../../platform/http/query-parameters.js';
import type { ApiRequest } from '../../platform/http/request.js';
import type { DeliveryFilter } from './delivery-log.repository.js';
import { webhookEventTypes } from '../events/event-types.js';
import { deliveryStatuses } from './webhook-delivery.dto.js';

/** Documents the filters of the delivery list. */
export function DeliveryFilterQuery(): MethodDecorator {
  return applyDecorators(
    ApiQuery({ name: 'status', enum: deliveryStatuses, required: false, description: 'Default: any.' }),
    ApiQuery({
      name: 'event_type',
      type: String,
      required: false,
      description: 'An event type, in upper or lower case. Default: any.',
    }),
    ApiQuery({
      name: 'from',
      type: 'integer',
      required: false,
      description: 'Deliveries created from then on; epoch milliseconds.',
    }),
    ApiQuery({
      name: 'to',
      type: 'integer',
      required: false,
      description: 'Deliveries created before then; epoch milliseconds.',
    }),
  );
}

/** @throws ApiError 400 naming the parameter */
export function deliveryFilter(request: ApiRequest): DeliveryFilter {
  const asked = singleQueryValue(request.query, 'status');
  const status = deliveryStatuses.find((known) => known === asked) ?? null;
  if (asked !== null && status === null) {
    throw ApiError.parameter('status', `status must be one of ${deliveryStatuses.join(', ')}.`);
  }
  const eventType = singleQueryValue(request.query, 'event_type')?.toLowerCase() ?? null;
  if (eventType !== null && !webhookEventTypes.some((known) => known === eventType)) {
    throw ApiError.parameter('event_type', 'event_type must be a type of webhook event.');
  }
  return {
    status,
    eventType: eventType?.toUpperCase() ?? null,
    from: epochQuery(request, 'from'),
    to: epochQuery(request, 'to'),
  };
}
