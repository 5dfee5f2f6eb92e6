import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { resolutions } from '../question/buckets.js';
import { displayCurrencyNames } from '../../../platform/exchange-rates/display-currencies.js';

const units = ['$', '#', '%'];

class ChartMeasureDto {
  @ApiProperty({ type: String, example: 'revenue' })
  id: string;

  @ApiProperty({ type: String, example: 'Revenue' })
  display_name: string;

  @ApiProperty({ type: String, example: 'Payments less refunds.' })
  description: string;

  @ApiProperty({ enum: units })
  unit: string;

  @ApiProperty({ type: 'integer', example: 2 })
  decimal_precision: number;

  @ApiProperty({ type: Boolean })
  chartable: boolean;

  @ApiProperty({ type: Boolean })
  tabulable: boolean;
}

class ChartSegmentDto {
  @ApiProperty({ type: String, example: 'US', description: 'Empty for "no value".' })
  id: string;

  @ApiProperty({ type: String, example: 'US' })
  display_name: string;

  @ApiProperty({ type: Boolean })
  is_total: boolean;

  @ApiProperty({ type: Boolean })
  is_other: boolean;

  @ApiProperty({ type: Boolean })
  chartable: boolean;

  @ApiProperty({ type: Boolean })
  tabulable: boolean;
}

class ChartPeriodDto {
  @ApiProperty({ type: String, example: 'Month 1 rate' })
  display_name: string;

  @ApiProperty({ enum: units })
  unit: string;

  @ApiProperty({ enum: ['absolute', 'relative'] })
  scale: string;
}

class ChartValueDto {
  @ApiProperty({
    oneOf: [{ type: 'integer' }, { type: 'string' }],
    description:
      'First day of the bucket or cohort (Unix seconds), `Total`, or the name of a segment of a cohort table.',
    example: 1767225600,
  })
  cohort: number | string;

  @ApiProperty({ type: 'integer', required: false, description: 'Index into `measures`.' })
  measure?: number;

  @ApiProperty({ type: 'integer', required: false, description: 'Index into `segments`.' })
  segment?: number;

  @ApiProperty({ type: 'integer', required: false, description: 'Index into `periods`.' })
  period?: number;

  @ApiProperty({ type: Number, example: 20, description: '0 if the denominator of a rate is 0.' })
  value: number;

  @ApiProperty({
    type: Boolean,
    description: 'Whether it covers only part of its period, or may still change.',
  })
  incomplete: boolean;
}

class AveragedOverDto {
  @ApiProperty({
    type: 'integer',
    example: 11,
    description: 'Averages of rates cover those with a denominator.',
  })
  buckets: number;

  @ApiProperty({
    type: 'integer',
    example: 1767225600,
    description: 'First day of the first bucket (Unix seconds).',
  })
  first: number;

  @ApiProperty({
    type: 'integer',
    example: 1793491200,
    description: 'First day of the last bucket (Unix seconds).',
  })
  last: number;
}

const number = { type: 'number' as const, nullable: true };
const numbers = { type: 'object' as const, additionalProperties: number };
const summaryPart = { type: 'object' as const, additionalProperties: { oneOf: [number, numbers] } };

@ApiExtraModels(ChartMeasureDto, ChartSegmentDto, ChartPeriodDto, ChartValueDto, AveragedOverDto)
export class ChartDataDto {
  @ApiProperty({ enum: ['chart_data'] })
  object: 'chart_data';

  @ApiProperty({ type: String, example: 'revenue' })
  category: string;

  @ApiProperty({ enum: ['line', 'bar', 'stacked_bar', 'cohort'] })
  display_type: string;

  @ApiProperty({ type: String, example: 'Revenue' })
  display_name: string;

  @ApiProperty({ type: String })
  description: string;

  @ApiProperty({ type: String, nullable: true })
  documentation_link: string | null;

  @ApiProperty({
    type: 'integer',
    description: 'Includes everything recorded until this time (epoch milliseconds).',
    example: 1778414400000,
  })
  last_computed_at: number;

  @ApiProperty({
    type: 'integer',
    description: 'First day (Unix seconds, midnight UTC).',
    example: 1767225600,
  })
  start_date: number;

  @ApiProperty({
    type: 'integer',
    description: 'Last day (Unix seconds, midnight UTC).',
    example: 1780185600,
  })
  end_date: number;

  @ApiProperty({ enum: displayCurrencyNames })
  yaxis_currency: string;

  @ApiProperty({ type: Boolean })
  filtering_allowed: boolean;

  @ApiProperty({ type: Boolean })
  segmenting_allowed: boolean;

  @ApiProperty({ enum: resolutions })
  resolution: string;

  @ApiProperty({ type: [ChartValueDto], description: 'By segment, then bucket, then measure.' })
  values: ChartValueDto[];

  @ApiProperty({
    type: 'object',
    nullable: true,
    properties: { total: summaryPart, average: summaryPart },
    additionalProperties: false,
    description:
      'By the name of a segment, if there are segments, and of a measure. A rate without a denominator is null. Averages leave incomplete buckets out unless all are incomplete. Null for cohort tables.',
    example: { total: { Revenue: 281, Transactions: 17 }, average: { Revenue: 67.75, Transactions: 4 } },
  })
  summary: Record<string, unknown> | null;

  @ApiProperty({
    type: AveragedOverDto,
    nullable: true,
    description: 'Buckets that the averages are over. Null for cohort tables.',
  })
  averaged_over: AveragedOverDto | null;

  @ApiProperty({ enum: units })
  yaxis: string;

  @ApiProperty({ type: 'array', nullable: true, items: { $ref: getSchemaPath(ChartSegmentDto) } })
  segments: ChartSegmentDto[] | null;

  @ApiProperty({ type: 'integer', nullable: true })
  segments_limit: number | null;

  @ApiProperty({ type: [ChartMeasureDto] })
  measures: ChartMeasureDto[];

  @ApiProperty({
    type: 'object',
    nullable: true,
    additionalProperties: { type: 'string' },
    example: { revenue_type: 'revenue' },
  })
  user_selectors: Record<string, string> | null;

  @ApiProperty({ type: 'object', nullable: true, additionalProperties: true, description: 'Always null.' })
  unsupported_params: null;

  @ApiProperty({ type: [ChartPeriodDto], required: false, description: 'Columns of a cohort table.' })
  periods?: ChartPeriodDto[];

  @ApiProperty({ type: 'array', items: { type: 'object' }, required: false, description: 'Always empty.' })
  annotations?: never[];
}

class NamedOptionDto {
  @ApiProperty({ type: String, example: 'US' })
  id: string;

  @ApiProperty({ type: String, example: 'US' })
  display_name: string;
}

class ChartSegmentOptionDto extends NamedOptionDto {
  @ApiProperty({ enum: ['chart_segment_option'] })
  object: 'chart_segment_option';

  @ApiProperty({ type: String, example: 'Geography' })
  group_display_name: string;
}

class ChartFilterOptionDto extends NamedOptionDto {
  @ApiProperty({ enum: ['chart_filter_option'] })
  object: 'chart_filter_option';

  @ApiProperty({ type: String, example: 'Geography' })
  group_display_name: string;

  @ApiProperty({ type: [NamedOptionDto], description: 'Most frequent first, at most 200.' })
  options: NamedOptionDto[];
}

class ChartSelectorDto {
  @ApiProperty({ type: String, example: 'revenue' })
  default: string;

  @ApiProperty({ type: String, example: 'Revenue type' })
  display_name: string;

  @ApiProperty({ type: [NamedOptionDto] })
  options: NamedOptionDto[];
}

@ApiExtraModels(ChartSelectorDto)
export class ChartOptionsDto {
  @ApiProperty({ enum: ['chart_options'] })
  object: 'chart_options';

  @ApiProperty({ type: [NamedOptionDto], example: [{ id: '0', display_name: 'day' }] })
  resolutions: NamedOptionDto[];

  @ApiProperty({ type: [ChartSegmentOptionDto] })
  segments: ChartSegmentOptionDto[];

  @ApiProperty({ type: [ChartFilterOptionDto] })
  filters: ChartFilterOptionDto[];

  @ApiProperty({
    type: 'object',
    nullable: true,
    additionalProperties: { $ref: getSchemaPath(ChartSelectorDto) },
  })
  user_selectors: Record<string, ChartSelectorDto> | null;
}

export class RevenueMetricDto {
  @ApiProperty({ enum: ['revenue_metric'] })
  object: 'revenue_metric';

  @ApiProperty({ type: String, format: 'date', example: '2026-01-01' })
  start_date: string;

  @ApiProperty({ type: String, format: 'date', example: '2026-05-31' })
  end_date: string;

  @ApiProperty({ enum: displayCurrencyNames })
  currency: string;

  @ApiProperty({ enum: ['revenue', 'revenue_net_of_taxes', 'proceeds'] })
  revenue_type: string;

  @ApiProperty({ type: Number, example: 281 })
  value: number;
}
