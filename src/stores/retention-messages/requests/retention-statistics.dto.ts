import { ApiProperty } from '@nestjs/swagger';
import { TimeParameter } from '../../../platform/http/lists/query-parameters.js';
import {
  environments,
  RetentionEnvironmentQuery,
  type StoreEnvironment,
} from '../messages/retention-message.dto.js';

export class RetentionStatisticsQuery extends RetentionEnvironmentQuery {
  @TimeParameter({ description: 'Epoch milliseconds. Default: 30 days before `to`.' })
  from: Date | null;

  @TimeParameter({ description: 'Epoch milliseconds, excluded. Default: now.' })
  to: Date | null;
}

class RetentionCountsDto {
  @ApiProperty({ type: 'integer', description: 'How often Apple asked.' })
  asked: number;

  @ApiProperty({ type: 'integer', description: 'Those whose subscription was checked a day later.' })
  checked_after_24h: number;

  @ApiProperty({ type: 'integer', description: 'Of these, those that were still to renew.' })
  auto_renew_after_24h: number;

  @ApiProperty({ type: 'integer', description: 'Those whose period has ended since.' })
  ended: number;

  @ApiProperty({ type: 'integer', description: 'Of these, those that renewed.' })
  renewed: number;
}

export class RetentionRuleCountsDto extends RetentionCountsDto {
  @ApiProperty({ type: String })
  rule_id: string;

  @ApiProperty({ type: String, nullable: true, description: 'Null for a rule that was deleted.' })
  display_name: string | null;
}

export class RetentionStatisticsDto extends RetentionCountsDto {
  @ApiProperty({ enum: ['retention_statistics'] })
  object: 'retention_statistics';

  @ApiProperty({ type: String })
  app_id: string;

  @ApiProperty({ enum: environments })
  environment: StoreEnvironment;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  from: number;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  to: number;

  @ApiProperty({ type: [RetentionRuleCountsDto], description: 'In order of evaluation; deleted rules last.' })
  rules: RetentionRuleCountsDto[];

  @ApiProperty({ type: RetentionCountsDto, description: "Requests answered by Apple's default message." })
  unanswered: RetentionCountsDto;
}
