import { ApiProperty } from '@nestjs/swagger';
import {
  type DisplayCurrency,
  displayCurrencyNames,
} from '../../platform/exchange-rates/display-currencies.js';
import { historyMetrics, MAX_HISTORY_DAYS, MIN_HISTORY_DAYS, overviewMetrics } from './metric-catalogue.js';

export class OverviewMetricDto {
  @ApiProperty({ enum: ['overview_metric'] })
  object: 'overview_metric';

  @ApiProperty({ enum: overviewMetrics.map(({ id }) => id) })
  id: string;

  @ApiProperty({ type: String, example: 'Active Trials' })
  name: string;

  @ApiProperty({ type: String, example: 'In total' })
  description: string;

  @ApiProperty({ enum: ['#', '$'] })
  unit: string;

  @ApiProperty({
    enum: ['P0D', 'P28D'],
    description: 'Period that the metric covers; P0D is the current time.',
  })
  period: string;

  @ApiProperty({ type: Number })
  value: number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Includes everything recorded until this time (epoch milliseconds).',
  })
  last_updated_at: number | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'The same time.' })
  last_updated_at_iso8601: string | null;
}

export class OverviewMetricsDto {
  @ApiProperty({ enum: ['overview_metrics'] })
  object: 'overview_metrics';

  @ApiProperty({ enum: displayCurrencyNames })
  currency: DisplayCurrency;

  @ApiProperty({ type: [OverviewMetricDto] })
  metrics: OverviewMetricDto[];
}

class MetricDayDto {
  @ApiProperty({ type: String, format: 'date', description: 'UTC day.' })
  date: string;

  @ApiProperty({ type: Number })
  value: number;
}

export class MetricHistoryDto {
  @ApiProperty({ enum: ['metric_history'] })
  object: 'metric_history';

  @ApiProperty({ enum: historyMetrics, description: 'The metric.' })
  id: string;

  @ApiProperty({ enum: displayCurrencyNames })
  currency: DisplayCurrency;

  @ApiProperty({ type: 'integer', minimum: MIN_HISTORY_DAYS, maximum: MAX_HISTORY_DAYS })
  days: number;

  @ApiProperty({ enum: ['production', 'sandbox'] })
  environment: string;

  @ApiProperty({ enum: ['day'] })
  resolution: 'day';

  @ApiProperty({
    type: Number,
    description: 'The sum or count over all days, or the newest value of a metric that describes a state.',
  })
  value: number;

  @ApiProperty({ type: Number, description: 'The same for the preceding period of equal length.' })
  previous_value: number;

  @ApiProperty({ type: [MetricDayDto], description: 'Oldest first; the last one is today so far.' })
  values: MetricDayDto[];

  @ApiProperty({
    type: 'integer',
    description: 'Includes everything recorded until this time (epoch milliseconds).',
  })
  last_updated_at: number;
}
