import { ApiProperty } from '@nestjs/swagger';
import { listOf } from '../../../platform/http/lists/list.dto.js';
import { resolutions } from '../question/buckets.js';
import { displayCurrencyNames } from '../../../platform/exchange-rates/display-currencies.js';

class ChartPreviewValueDto {
  @ApiProperty({ type: String, example: '2026-01-01', description: 'First day of the bucket.' })
  date: string;

  @ApiProperty({ type: Number, nullable: true, description: 'Null for a rate without a denominator.' })
  value: number | null;

  @ApiProperty({ type: Boolean })
  incomplete: boolean;
}

export class ChartPreviewDto {
  @ApiProperty({ enum: ['chart_preview'] })
  object: 'chart_preview';

  @ApiProperty({ type: String, example: 'revenue', description: 'Name of the chart in paths.' })
  id: string;

  @ApiProperty({ type: String, example: 'Revenue' })
  display_name: string;

  @ApiProperty({ type: String, example: 'Money from all purchases, less refunds.' })
  description: string;

  @ApiProperty({ type: String, example: 'revenue' })
  category: string;

  @ApiProperty({ type: String, example: 'bar' })
  display_type: string;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'Revenue',
    description: 'Name of the measure that `value` and `values` show. Null for cohort tables.',
  })
  measure: string | null;

  @ApiProperty({ enum: ['$', '#', '%'], nullable: true })
  unit: string | null;

  @ApiProperty({
    enum: ['total', 'latest', 'average'],
    description:
      'Whether `value` is the sum over the range, the state at its end, or, if neither exists, the average of its complete buckets.',
  })
  value_of: 'total' | 'latest' | 'average';

  @ApiProperty({
    type: Number,
    nullable: true,
    example: 39,
    description: 'Null for a rate without a denominator, and for cohort tables.',
  })
  value: number | null;

  @ApiProperty({ enum: displayCurrencyNames, description: 'Currency of amounts.' })
  currency: string;

  @ApiProperty({ enum: resolutions })
  resolution: string;

  @ApiProperty({ type: String, example: '2026-01-01' })
  start_date: string;

  @ApiProperty({ type: String, example: '2026-05-31' })
  end_date: string;

  @ApiProperty({ type: [ChartPreviewValueDto], description: 'By bucket. Empty for cohort tables.' })
  values: ChartPreviewValueDto[];

  @ApiProperty({ type: 'integer', nullable: true, description: 'Time up to which it is computed (ms).' })
  last_computed_at: number | null;
}

export class ChartPreviewListDto extends listOf(ChartPreviewDto) {}
