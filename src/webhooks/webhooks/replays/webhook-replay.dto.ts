import { ApiProperty } from '@nestjs/swagger';
import { BodyExample } from '../../../platform/http/bodies/body-example.js';
import { EnumField, IntField, StringArrayField } from '../../../platform/http/bodies/fields.js';
import { listOf } from '../../../platform/http/lists/list.dto.js';
import { webhookEventTypes } from '../../events/event-types.js';

const time = { min: 0, max: 8_640_000_000_000_000 };

@BodyExample({ from: 1767225600000, to: 1767312000000, status: 'failed' })
export class ReplayWebhookDto {
  @IntField({ ...time, description: 'Events recorded at or after this time, epoch milliseconds.' })
  from: number;

  @IntField({ ...time, description: 'Events recorded before this time, epoch milliseconds.' })
  to: number;

  @StringArrayField({
    max: 100,
    itemMax: 100,
    values: webhookEventTypes,
    optional: true,
    nullable: true,
    description: 'Null or empty: every type that the integration accepts.',
  })
  event_types?: string[] | null;

  @EnumField(['failed', 'all'], {
    optional: true,
    description:
      'failed: sends failed deliveries again. all: sends every event that passes the filters of the integration, ' +
      'sent before or not. Default failed.',
  })
  status?: 'failed' | 'all';
}

export class WebhookReplayDto {
  @ApiProperty({ enum: ['webhook_replay'] })
  object: 'webhook_replay';

  @ApiProperty({ type: String, example: 'whr_0mjwaidke4bvqijc' })
  id: string;

  @ApiProperty({ type: String })
  webhook_integration_id: string;

  @ApiProperty({
    enum: ['running', 'complete'],
    description: 'Complete: nothing is pending. Retrying one of its deliveries makes it running again.',
  })
  status: 'running' | 'complete';

  @ApiProperty({
    enum: ['failed', 'all'],
    description: 'The requested scope: failed deliveries, or all events.',
  })
  deliveries: 'failed' | 'all';

  @ApiProperty({
    type: 'array',
    items: { type: 'string', enum: [...webhookEventTypes] },
    description: 'Empty: every type that the integration accepts.',
  })
  event_types: string[];

  @ApiProperty({ type: 'integer', description: 'Events that were queued.' })
  queued: number;

  @ApiProperty({ type: 'integer', description: 'Queued events that wait for an attempt.' })
  pending: number;

  @ApiProperty({ type: 'integer', description: 'Queued events that arrived.' })
  delivered: number;

  @ApiProperty({ type: 'integer', description: 'Queued events that ran out of retries.' })
  failed: number;

  @ApiProperty({ type: 'integer', description: 'Events recorded at or after this time, epoch milliseconds.' })
  from: number;

  @ApiProperty({ type: 'integer', description: 'Events recorded before this time, epoch milliseconds.' })
  to: number;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  requested_at: number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'When the last attempt ended, epoch milliseconds; null while it is running.',
  })
  completed_at: number | null;
}

export class WebhookReplayListDto extends listOf(WebhookReplayDto) {}
