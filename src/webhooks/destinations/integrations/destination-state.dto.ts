import { ApiProperty } from '@nestjs/swagger';
import { listOf } from '../../../platform/http/lists/list.dto.js';

export class DestinationStateDto {
  @ApiProperty({ enum: ['destination_state'] })
  object: 'destination_state';

  @ApiProperty({ type: String, description: 'Id of the destination.' })
  id: string;

  @ApiProperty({ type: Boolean, description: 'False: paused.' })
  enabled: boolean;

  @ApiProperty({
    enum: ['closed', 'open'],
    description: 'Open: the tool failed or refused the key, deliveries wait until a probe succeeds.',
  })
  circuit: 'closed' | 'open';

  @ApiProperty({
    enum: ['ok', 'refused'],
    description: 'Refused: the tool refuses the key. Deliveries are sent once it is corrected.',
  })
  credentials: 'ok' | 'refused';

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'The tool asked for a pause until this time, epoch milliseconds.',
  })
  quiet_until: number | null;

  @ApiProperty({
    type: 'integer',
    description: 'Deliveries that arrived, among the newest 10,000 created in the last 24 hours.',
  })
  delivered_24h: number;

  @ApiProperty({
    type: 'integer',
    description: 'Deliveries that failed or wait for a retry, among the same.',
  })
  failed_24h: number;

  @ApiProperty({ type: 'integer', description: 'Deliveries that are not sent, among the same.' })
  skipped_24h: number;

  @ApiProperty({ type: 'integer', description: 'Pending deliveries of any age, counted up to 10,000.' })
  pending: number;

  @ApiProperty({
    type: 'integer',
    description: 'Deliveries of any age that wait for an attribute of their customer, counted up to 10,000.',
  })
  waiting: number;
}

export class DestinationStateListDto extends listOf(DestinationStateDto) {}
