import { ApiProperty } from '@nestjs/swagger';
import { listOf } from '../../platform/http/list.dto.js';
import type { LoggedEvent } from './event-log.repository.js';

export class EventDto {
  @ApiProperty({ enum: ['event'] })
  object: 'event';

  @ApiProperty({ type: String })
  id: string;

  @ApiProperty({ type: String, example: 'INITIAL_PURCHASE' })
  type: string;

  @ApiProperty({ enum: ['production', 'sandbox'], type: String, nullable: true })
  environment: LoggedEvent['environment'];

  @ApiProperty({ type: String, nullable: true })
  app_id: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'App user id the customer was first seen under; null when the customer is deleted.',
  })
  customer_id: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'The id in the event, where it has one.' })
  app_user_id: string | null;

  @ApiProperty({ type: 'integer', description: 'When the cause happened, epoch milliseconds.' })
  occurred_at: number;

  @ApiProperty({ type: 'integer', description: 'When it was recorded, epoch milliseconds.' })
  created_at: number;

  @ApiProperty({ type: 'object', additionalProperties: true, description: 'The webhook `event` object.' })
  body: object;
}

export class EventListDto extends listOf(EventDto) {}

export function presentLoggedEvent(event: LoggedEvent): EventDto {
  return {
    object: 'event',
    id: event.id,
    type: event.type,
    environment: event.environment,
    app_id: event.appId,
    customer_id: event.customerAppUserId,
    app_user_id: event.appUserId,
    occurred_at: event.occurredAt.getTime(),
    created_at: event.createdAt.getTime(),
    body: event.body,
  };
}
