import { ApiProperty } from '@nestjs/swagger';
import { listOf } from '../../../platform/http/lists/list.dto.js';
import { webhookEventTypes } from '../../events/event-types.js';
import { destinationTypes } from './destination.dto.js';

const categories = ['analytics', 'attribution', 'messaging', 'chat', 'http'];

export class DestinationEventDto {
  @ApiProperty({ type: String, example: 'renewal' })
  kind: string;

  @ApiProperty({ enum: [...webhookEventTypes], description: 'The type of most events of this kind.' })
  event_type: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: "The tool's name of the event. Of a chat: the sentence. Null: the tool has no names.",
  })
  default_name: string | null;

  @ApiProperty({ type: Boolean, description: 'Whether reports about subscriptions do without this event.' })
  optional: boolean;
}

export class DestinationCapabilitiesDto {
  @ApiProperty({ type: Boolean, description: 'Whether refunds are sent as negative revenue.' })
  negative_revenue: boolean;

  @ApiProperty({ type: Boolean, description: 'Whether sandbox events can be sent.' })
  sandbox: boolean;

  @ApiProperty({ type: Boolean, description: 'Whether the profile of the customer is updated.' })
  profile: boolean;

  @ApiProperty({ type: Boolean, description: 'Whether transfers are sent.' })
  transfer: boolean;

  @ApiProperty({ type: Boolean, description: 'Whether the tool counts an event once that it gets twice.' })
  deduplicates: boolean;
}

export class DestinationTypeDto {
  @ApiProperty({ enum: ['destination_type'] })
  object: 'destination_type';

  @ApiProperty({ enum: destinationTypes })
  id: string;

  @ApiProperty({ type: String })
  name: string;

  @ApiProperty({ enum: categories })
  category: string;

  @ApiProperty({ type: String })
  description: string;

  @ApiProperty({ type: String, description: 'The page about it in the documentation of this server.' })
  documentation_link: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'JSON Schema 2020-12 of the settings. Secrets have `writeOnly`.',
  })
  settings_schema: object;

  @ApiProperty({ type: [DestinationEventDto] })
  events: DestinationEventDto[];

  @ApiProperty({ type: [String], description: 'Attributes of customers that are sent.' })
  reads_attributes: string[];

  @ApiProperty({ type: [String], description: 'Attributes that an event may have to wait for.' })
  requires_attributes: string[];

  @ApiProperty({ type: DestinationCapabilitiesDto })
  capabilities: DestinationCapabilitiesDto;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Age in milliseconds from which on the tool takes an event no more; null: none.',
  })
  max_age_ms: number | null;
}

export class DestinationTypeListDto extends listOf(DestinationTypeDto) {}
