import { ApiProperty } from '@nestjs/swagger';
import { BodyExample } from '../../../platform/http/bodies/body-example.js';
import { EnumField, StringField } from '../../../platform/http/bodies/fields.js';
import type { Kind, Verdict } from '../../../../libs/destinations/index.js';
import { kinds } from '../../../../libs/destinations/index.js';
import { DestinationRequestDto } from '../deliveries/destination-delivery.dto.js';

const verdicts: readonly Verdict['class'][] = [
  'delivered',
  'duplicate',
  'retry',
  'limited',
  'refused',
  'rejected',
  'gone',
  'opted_out',
];

export class DestinationTestDto {
  @ApiProperty({ enum: ['destination_test'] })
  object: 'destination_test';

  @ApiProperty({ type: Boolean, description: 'Whether the tool accepted the test event.' })
  delivered: boolean;

  @ApiProperty({
    enum: verdicts,
    description: 'The meaning of the answer. Refused: the key or the address is wrong.',
  })
  class: Verdict['class'];

  @ApiProperty({ type: String, nullable: true, description: 'The answer as a sentence.' })
  reason_text: string | null;

  @ApiProperty({ type: [DestinationRequestDto] })
  requests: DestinationRequestDto[];

  @ApiProperty({ type: 'integer', nullable: true, description: 'HTTP status; null without an answer.' })
  response_status: number | null;

  @ApiProperty({ type: String, nullable: true, description: 'The first 4096 characters.' })
  response_body: string | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Duration in milliseconds.' })
  response_ms: number | null;
}

@BodyExample({ kind: 'renewal' })
export class PreviewDestinationDto {
  @StringField({ max: 255, optional: true, description: 'An event of the project.' })
  event_id?: string;

  @EnumField(kinds, { optional: true, description: 'A sample of this kind, in place of `event_id`.' })
  kind?: Kind;

  @StringField({
    max: 1500,
    optional: true,
    description: 'With `kind`: the customer of the sample, or in a transfer the new owner.',
  })
  app_user_id?: string;
}

export class DestinationPreviewDto {
  @ApiProperty({ enum: ['destination_preview'] })
  object: 'destination_preview';

  @ApiProperty({ enum: ['send', 'wait', 'skip'] })
  outcome: 'send' | 'wait' | 'skip';

  @ApiProperty({ type: String, nullable: true, description: 'Why the event waits or is not sent.' })
  reason: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'The reason as a sentence.' })
  reason_text: string | null;

  @ApiProperty({ type: [String], description: 'Attributes, any of which lets the event be sent.' })
  missing_attributes: string[];

  @ApiProperty({ type: [DestinationRequestDto], description: 'Without secrets.' })
  requests: DestinationRequestDto[];
}
