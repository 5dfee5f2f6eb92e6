import { ApiProperty, PickType } from '@nestjs/swagger';
import { listOf } from '../../../platform/http/lists/list.dto.js';
import type { DeliveryStatus } from '../../deliveries/delivery.entity.js';
import { deliveryReasons } from '../../deliveries/delivery-reason.js';
import type { IntegrationType } from '../../deliveries/integrations/integration.entity.js';
import { destinationTypes } from '../integrations/destination.dto.js';

export const deliveryStatuses: readonly DeliveryStatus[] = [
  'pending',
  'waiting',
  'delivered',
  'failed',
  'skipped',
];

const nullableInteger = { type: 'integer', nullable: true } as const;
const nullableText = { type: String, nullable: true } as const;

export class DestinationDeliveryDto {
  @ApiProperty({ enum: ['destination_delivery'] })
  object: 'destination_delivery';

  @ApiProperty({ type: String, example: 'whd_0f6a3c2b9d1e4f58' })
  id: string;

  @ApiProperty({ type: String, example: 'dst_0mjwaidke4bvqijc' })
  destination_id: string;

  @ApiProperty({ type: String })
  event_id: string;

  @ApiProperty({ type: String, example: 'RENEWAL' })
  event_type: string;

  @ApiProperty({ ...nullableText, description: 'In the event; null if it has none or has expired.' })
  app_user_id: string | null;

  @ApiProperty({ ...nullableText, description: 'In the event; null if it has none or has expired.' })
  product_id: string | null;

  @ApiProperty({ type: Number, nullable: true, description: 'In the event, in `currency`.' })
  price_in_purchased_currency: number | null;

  @ApiProperty(nullableText)
  currency: string | null;

  @ApiProperty({
    enum: deliveryStatuses,
    description:
      'Waiting: until the customer has one of `missing_attributes`. Skipped: not sent, for the `reason`.',
  })
  status: DeliveryStatus;

  @ApiProperty({
    type: String,
    enum: [...deliveryReasons, null],
    nullable: true,
    description: 'Why it waits, is late, was skipped, or failed.',
  })
  reason: string | null;

  @ApiProperty({ ...nullableText, description: 'The reason as a sentence.' })
  reason_text: string | null;

  @ApiProperty({
    type: [String],
    description: 'Attributes of the customer, any of which lets the event be sent.',
    example: ['$adjustId'],
  })
  missing_attributes: string[];

  @ApiProperty({ ...nullableInteger, description: 'When the wait ends, epoch milliseconds.' })
  wait_until: number | null;

  @ApiProperty({
    type: Boolean,
    description: 'Whether the tool may have received the event twice: an answer was lost.',
  })
  may_be_repeated: boolean;

  @ApiProperty({ type: 'integer', description: 'Attempts made.' })
  attempts: number;

  @ApiProperty({ ...nullableInteger, description: 'Epoch milliseconds; null while it is being sent.' })
  next_attempt_at: number | null;

  @ApiProperty({ ...nullableInteger, description: 'HTTP status of the last attempt.' })
  response_status: number | null;

  @ApiProperty({ ...nullableInteger, description: 'Duration of the last attempt in milliseconds.' })
  response_ms: number | null;

  @ApiProperty(nullableText)
  last_error: string | null;

  @ApiProperty({ type: Boolean, description: 'Whether a replay sends it, not the event itself.' })
  replay: boolean;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  created_at: number;
}

export class DestinationDeliveryListDto extends listOf(DestinationDeliveryDto) {}

/** A delivery of an event to a webhook or a destination. */
export class EventDeliveryDto extends PickType(DestinationDeliveryDto, [
  'id',
  'status',
  'reason_text',
  'missing_attributes',
  'attempts',
  'next_attempt_at',
  'response_status',
  'response_ms',
  'last_error',
  'replay',
  'created_at',
]) {
  @ApiProperty({ enum: ['event_delivery'] })
  object: 'event_delivery';

  @ApiProperty({ type: String, description: 'Id of the webhook or destination.' })
  integration_id: string;

  @ApiProperty({ enum: ['webhook', ...destinationTypes] })
  integration_type: IntegrationType;

  @ApiProperty({ type: String })
  integration_name: string;
}

export class EventDeliveryListDto extends listOf(EventDeliveryDto) {}

const headers = { type: 'object', additionalProperties: { type: 'string' } } as const;

export class DestinationRequestDto {
  @ApiProperty({ enum: ['POST', 'PUT', 'PATCH'] })
  method: string;

  @ApiProperty({ type: String, description: 'Without secrets.' })
  url: string;

  @ApiProperty({ ...headers, description: 'Without secrets.' })
  headers: Record<string, string>;

  @ApiProperty({ type: String, description: 'Without secrets.' })
  body: string;
}

export class DestinationAttemptDto {
  @ApiProperty({ type: 'integer', description: 'When the attempt began, epoch milliseconds.' })
  at: number;

  @ApiProperty({ type: 'integer', description: 'The request that decided the attempt, from 0.' })
  step: number;

  @ApiProperty({ type: String, description: 'The URL that was called, without secrets.' })
  url: string;

  @ApiProperty({ ...nullableInteger, description: 'HTTP status; null without an answer.' })
  status: number | null;

  @ApiProperty({ ...nullableInteger, description: 'Duration in milliseconds; null if nothing was sent.' })
  ms: number | null;

  @ApiProperty(nullableText)
  error: string | null;

  @ApiProperty({ ...nullableText, description: 'The first 4096 characters.' })
  response_body: string | null;

  @ApiProperty({ ...headers, nullable: true })
  response_headers: Record<string, string> | null;
}

export class DestinationDeliveryDetailDto extends DestinationDeliveryDto {
  @ApiProperty({
    type: [DestinationRequestDto],
    description:
      'The requests of the delivery, built from the event, the customer at the first attempt and the present settings. Empty if it sends nothing.',
  })
  requests: DestinationRequestDto[];

  @ApiProperty({ type: [DestinationAttemptDto], description: 'The 10 newest attempts, newest first.' })
  attempt_log: DestinationAttemptDto[];

  @ApiProperty({
    ...nullableText,
    description: 'Commands that send the requests, with placeholders for secrets; null if there are none.',
  })
  curl: string | null;
}
