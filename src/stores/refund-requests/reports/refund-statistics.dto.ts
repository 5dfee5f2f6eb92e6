import { ApiProperty } from '@nestjs/swagger';
import {
  ChoiceParameter,
  DayParameter,
  TextParameter,
} from '../../../platform/http/lists/query-parameters.js';

const stores = ['app_store', 'mac_app_store', 'play_store'];

export class RefundStatisticsQuery {
  @DayParameter({
    description: 'First day (UTC), included. Default: 27 days before the last one.',
    example: '2026-11-01',
  })
  start_date: Date | null;

  @DayParameter({ description: 'Last day (UTC), included. Default: today.', example: '2026-11-28' })
  end_date: Date | null;

  @ChoiceParameter(['production', 'sandbox'], { default: 'production', description: 'Default: production.' })
  environment: string;

  @ChoiceParameter(stores, { description: 'Default: all.' })
  store: string | null;

  @TextParameter({ description: 'Only requests of this app.' })
  app_id: string | null;
}

class RefundFiguresDto {
  @ApiProperty({ type: 'integer', description: 'Requests made in the range.' })
  requests: number;

  @ApiProperty({ type: 'integer', description: 'Answered.' })
  sent: number;

  @ApiProperty({ type: 'integer', description: 'Left without an answer, as decided.' })
  not_wanted: number;

  @ApiProperty({ type: 'integer', description: 'The store refused the answer.' })
  refused: number;

  @ApiProperty({ type: 'integer', description: 'The deadline passed before an answer was sent.' })
  expired: number;

  @ApiProperty({ type: 'integer', description: 'Refunded, those in part included.' })
  refunded: number;

  @ApiProperty({ type: 'integer' })
  partially_refunded: number;

  @ApiProperty({ type: 'integer' })
  declined: number;

  @ApiProperty({ type: 'integer', description: 'Refunded, and taken back by the store later.' })
  reversed: number;

  @ApiProperty({ type: 'integer', description: 'The store has reported no decision.' })
  open: number;

  @ApiProperty({ type: 'number', description: 'USD.' })
  amount_requested: number;

  @ApiProperty({ type: 'number', description: 'USD. Without refunds that were reversed.' })
  amount_refunded: number;

  @ApiProperty({
    type: 'number',
    nullable: true,
    description: 'Per cent of the requests that the store decided. Null if there are none.',
  })
  refunded_share: number | null;
}

export class RefundGroupDto extends RefundFiguresDto {
  @ApiProperty({ type: String, nullable: true })
  id: string | null;
}

export class RefundStatisticsDto extends RefundFiguresDto {
  @ApiProperty({ enum: ['refund_statistics'] })
  object: 'refund_statistics';

  @ApiProperty({ type: String, example: '2026-11-01' })
  start_date: string;

  @ApiProperty({ type: String, example: '2026-11-28' })
  end_date: string;

  @ApiProperty({
    type: [RefundGroupDto],
    description: 'By policy id. Null: decided without a policy.',
  })
  by_policy: RefundGroupDto[];

  @ApiProperty({ type: [RefundGroupDto], description: 'By reason. `NONE`: the store sent none.' })
  by_reason: RefundGroupDto[];

  @ApiProperty({ type: [RefundGroupDto], description: 'By store.' })
  by_store: RefundGroupDto[];
}
