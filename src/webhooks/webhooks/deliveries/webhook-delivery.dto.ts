import { ApiProperty } from '@nestjs/swagger';
import { listOf } from '../../../platform/http/lists/list.dto.js';
import type { DeliveryStatus } from '../../deliveries/delivery.entity.js';

/** Webhooks neither wait for attributes nor skip events. */
export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;

const nullableInteger = { type: 'integer', nullable: true } as const;
const nullableText = { type: String, nullable: true } as const;

export class WebhookDeliveryDto {
  @ApiProperty({ enum: ['webhook_delivery'] })
  object: 'webhook_delivery';

  @ApiProperty({ type: String, example: 'whd_0f6a3c2b9d1e4f58' })
  id: string;

  @ApiProperty({ type: String })
  webhook_integration_id: string;

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

  @ApiProperty({ enum: deliveryStatuses })
  status: DeliveryStatus;

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

export class WebhookDeliveryListDto extends listOf(WebhookDeliveryDto) {}

const headers = { type: 'object', additionalProperties: { type: 'string' } } as const;

export class WebhookRequestDto {
  @ApiProperty({ enum: ['POST'] })
  method: 'POST';

  @ApiProperty({ ...headers, description: 'Without secrets and signatures.' })
  headers: Record<string, string>;

  @ApiProperty({ type: String })
  body: string;
}

export class WebhookAttemptDto {
  @ApiProperty({ type: 'integer', description: 'When the attempt began, epoch milliseconds.' })
  at: number;

  @ApiProperty({ type: String, description: 'The URL that was called.' })
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

export class WebhookDeliveryDetailDto extends WebhookDeliveryDto {
  @ApiProperty({ type: String, description: 'URL of the next attempt.' })
  url: string;

  @ApiProperty({ type: WebhookRequestDto })
  request: WebhookRequestDto;

  @ApiProperty({ type: [WebhookAttemptDto], description: 'The 10 newest attempts, newest first.' })
  attempt_log: WebhookAttemptDto[];

  @ApiProperty({
    type: String,
    description: 'A command that sends the request, with placeholders for secrets.',
  })
  curl: string;
}

export class WebhookEventDto {
  @ApiProperty({ enum: ['webhook_event'] })
  object: 'webhook_event';

  @ApiProperty({ type: String })
  id: string;

  @ApiProperty({ type: String, example: 'RENEWAL' })
  type: string;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  created_at: number;

  @ApiProperty({ type: String, description: 'The exact text of the body that webhooks get.' })
  payload: string;
}

export class WebhookEventListDto extends listOf(WebhookEventDto) {}
