import { ApiProperty } from '@nestjs/swagger';
import { displayCurrencyNames } from '../../platform/exchange-rates/display-currencies.js';

const variantNames = ['Control', 'Treatment', 'TreatmentC', 'TreatmentD'];
const statuses = ['ok', 'insufficient_data', 'not_applicable'];
const number = { type: Number, nullable: true } as const;
const status = { enum: statuses } as const;

class ResultMetricDto {
  @ApiProperty({ type: String, example: 'conversion_to_paying' })
  name: string;

  @ApiProperty({ enum: ['#', '%', '$'] })
  unit: string;

  @ApiProperty({ enum: ['positive', 'negative'], description: '`negative`: lower is better.' })
  effect: string;
}

class ResultSegmentDto {
  @ApiProperty({ enum: ['experiment_results_segment'] })
  object: 'experiment_results_segment';

  @ApiProperty({ type: String, example: 'total', description: '`total`, the id of a product, or `other`.' })
  id: string;

  @ApiProperty({ type: String, example: 'Total' })
  display_name: string;

  @ApiProperty({ type: Boolean })
  is_total: boolean;
}

class ResultValueDto {
  @ApiProperty({ enum: ['experiment_results_value'] })
  object: 'experiment_results_value';

  @ApiProperty({ type: 'integer', description: 'Index in `metrics`.' })
  metric: number;

  @ApiProperty({ type: 'integer', description: 'Index in `segments`.' })
  segment: number;

  @ApiProperty({ enum: variantNames })
  variant: string;

  @ApiProperty({ ...number, example: 60, description: 'Rates in percent, money in major units.' })
  value: number | null;

  @ApiProperty({ ...number, example: 50, description: 'Percent above the control.' })
  change: number | null;

  @ApiProperty({ ...number, description: 'Always null; see `statistics`.' })
  credible_interval: null;

  @ApiProperty({ ...number, description: 'Always null; see `statistics`.' })
  lift_credible_interval: null;
}

class ResultSectionDto {
  @ApiProperty({ enum: ['experiment_results_section'] })
  object: 'experiment_results_section';

  @ApiProperty({ type: String, example: 'Paid customers' })
  section: string;

  @ApiProperty({ type: String, nullable: true })
  description: string | null;

  @ApiProperty({ type: [ResultMetricDto] })
  metrics: ResultMetricDto[];

  @ApiProperty({ type: [ResultSegmentDto] })
  segments: ResultSegmentDto[];

  @ApiProperty({ type: [ResultValueDto] })
  values: ResultValueDto[];
}

class ResultVariantStatisticDto {
  @ApiProperty({ enum: ['experiment_results_variant_statistic'] })
  object: 'experiment_results_variant_statistic';

  @ApiProperty({ enum: variantNames })
  name: string;

  @ApiProperty({ ...number, minimum: 0, maximum: 1, description: 'Probability of being above the control.' })
  chance_to_win: number | null;

  @ApiProperty(status)
  chance_to_win_status: string;

  @ApiProperty(number)
  credible_interval_lower: number | null;

  @ApiProperty(number)
  credible_interval_upper: number | null;

  @ApiProperty(status)
  credible_interval_status: string;

  @ApiProperty({ ...number, description: 'Percent.' })
  lift_credible_interval_lower: number | null;

  @ApiProperty({ ...number, description: 'Percent.' })
  lift_credible_interval_upper: number | null;

  @ApiProperty(status)
  lift_credible_interval_status: string;
}

class ResultStatisticDto {
  @ApiProperty({ enum: ['experiment_results_statistic'] })
  object: 'experiment_results_statistic';

  @ApiProperty({ type: String, example: 'conversion_to_paying' })
  metric_name: string;

  @ApiProperty({ type: [ResultVariantStatisticDto] })
  variants: ResultVariantStatisticDto[];
}

class ResultWarningDto {
  @ApiProperty({
    enum: [
      'revenue_per_customer_lower',
      'refunds_higher',
      'sample_ratio_mismatch',
      'offering_without_packages',
    ],
  })
  code: string;

  @ApiProperty({ enum: variantNames, nullable: true })
  variant: string | null;

  @ApiProperty({ type: String })
  message: string;
}

class ResultChecksDto {
  @ApiProperty({ type: Boolean, description: 'The shares of the variants differ from their weights.' })
  sample_ratio_mismatch: boolean;

  @ApiProperty({ type: Number, example: 0.655 })
  p_value: number;

  @ApiProperty({ type: 'integer', description: 'Customers who left the results for another experiment.' })
  contaminated: number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Customers that each variant needs to show a change of the primary metric by a fifth.',
  })
  recommended_min_customers: number | null;

  @ApiProperty({ type: Boolean })
  enough_data: boolean;

  @ApiProperty({ type: [ResultWarningDto] })
  warnings: ResultWarningDto[];
}

export class ExperimentResultsDto {
  @ApiProperty({ enum: ['experiment_results'] })
  object: 'experiment_results';

  @ApiProperty({ enum: displayCurrencyNames })
  currency: string;

  @ApiProperty({ type: [ResultSectionDto] })
  sections: ResultSectionDto[];

  @ApiProperty({ type: [ResultStatisticDto], description: 'For rates and amounts per customer, in total.' })
  statistics: ResultStatisticDto[];

  @ApiProperty({ ...number, description: 'Always null.' })
  predicted_ltv: null;

  @ApiProperty({ type: 'integer', example: 1776211200000, description: 'Epoch ms.' })
  last_updated_at: number;

  @ApiProperty({ type: ResultChecksDto })
  checks: ResultChecksDto;
}
