import { ApiProperty } from '@nestjs/swagger';
import { BodyExample } from '../../../platform/http/bodies/body-example.js';
import { BooleanField, EnumField, IntField, StringArrayField } from '../../../platform/http/bodies/fields.js';
import { listOf } from '../../../platform/http/lists/list.dto.js';
import { webhookEventTypes } from '../../events/event-types.js';

const time = { min: 0, max: 8_640_000_000_000_000 };

@BodyExample({ from: 1767225600000, to: 1767312000000, status: 'failed' })
export class ReplayDestinationDto {
  @IntField({ ...time, description: 'Events recorded at or after this time, epoch milliseconds.' })
  from: number;

  @IntField({ ...time, description: 'Events recorded before this time, epoch milliseconds.' })
  to: number;

  @EnumField(['failed', 'all'], {
    optional: true,
    description:
      'failed: sends failed deliveries again, and judges skipped ones again. all: sends every event that passes the ' +
      'filters of the destination and was not delivered. Default failed, or all with `resend_delivered`.',
  })
  status?: 'failed' | 'all';

  @StringArrayField({
    max: 100,
    itemMax: 100,
    values: webhookEventTypes,
    optional: true,
    nullable: true,
    description: 'Null or empty: every type that the destination receives.',
  })
  event_types?: string[] | null;

  @BooleanField({
    optional: true,
    description:
      'True, with the status all: also sends events that were delivered. Tools that do not recognize repeated events ' +
      'count them twice. Default false.',
  })
  resend_delivered?: boolean;
}

export class DestinationReplayDto {
  @ApiProperty({ enum: ['destination_replay'] })
  object: 'destination_replay';

  @ApiProperty({ type: String, example: 'whr_0mjwaidke4bvqijc' })
  id: string;

  @ApiProperty({ type: String })
  destination_id: string;

  @ApiProperty({
    enum: ['running', 'complete'],
    description: 'Complete: nothing is pending. Retrying one of its deliveries makes it running again.',
  })
  status: 'running' | 'complete';

  @ApiProperty({ enum: ['failed', 'all'], description: 'The requested scope.' })
  deliveries: 'failed' | 'all';

  @ApiProperty({
    type: 'array',
    items: { type: 'string', enum: [...webhookEventTypes] },
    description: 'Empty: every type that the destination receives.',
  })
  event_types: string[];

  @ApiProperty({ type: 'integer', description: 'Events that were queued.' })
  queued: number;

  @ApiProperty({ type: 'integer', description: 'Queued events that wait for an attempt.' })
  pending: number;

  @ApiProperty({
    type: 'integer',
    description: 'Queued events that wait for an attribute of their customer.',
  })
  waiting: number;

  @ApiProperty({ type: 'integer', description: 'Queued events that arrived.' })
  delivered: number;

  @ApiProperty({ type: 'integer', description: 'Queued events that failed.' })
  failed: number;

  @ApiProperty({ type: 'integer', description: 'Queued events that are not sent.' })
  skipped: number;

  @ApiProperty({ type: 'integer', description: 'Events that were left out because they had been delivered.' })
  already_delivered: number;

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

export class DestinationReplayListDto extends listOf(DestinationReplayDto) {}
