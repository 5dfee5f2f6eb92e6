import { ApiProperty } from '@nestjs/swagger';
import { listOf } from '../../platform/http/lists/list.dto.js';
import type { LoggedEvent } from './event-log.repository.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { PageQuery } from '../../platform/http/lists/page-query.js';
import {
  EnvironmentParameter,
  QueryParameter,
  type RawQuery,
  singleValue,
  TextParameter,
} from '../../platform/http/lists/query-parameters.js';
import { webhookEventTypes } from './event-types.js';

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
    description: 'Original app user id of the customer; null if the customer was deleted.',
  })
  customer_id: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The app user id in the event; null if it has none.',
  })
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

const knownTypes = new Set<string>(webhookEventTypes.map((type) => type.toUpperCase()));

/** Parses one event type or a comma-separated list, in upper or lower case; null selects all types. */
function readTypes(query: RawQuery, name: string): string[] | null {
  const value = singleValue(query, name);
  if (value === null) return null;
  const types = value.split(',').map((type) => type.trim().toUpperCase());
  const unknown = types.find((type) => !knownTypes.has(type));
  if (unknown === undefined) return types;
  throw ApiError.parameter(name, `${name} ${JSON.stringify(unknown)} is not a known event type.`);
}

export class ListEventsQuery extends PageQuery {
  @QueryParameter(
    { type: String, description: 'One or more event types, separated by commas, in upper or lower case.' },
    readTypes,
  )
  type: string[] | null;

  @TextParameter({ description: 'Any app user id of a customer; transfers are in the logs of both.' })
  customer: string | null;

  @TextParameter({ description: 'Only events of this app.' })
  app_id: string | null;

  @TextParameter({ description: 'Only events of the customers on this test clock.' })
  test_clock_id: string | null;

  @EnvironmentParameter()
  environment: 'production' | 'sandbox' | null;
}
