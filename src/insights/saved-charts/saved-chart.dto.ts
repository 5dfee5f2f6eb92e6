import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { BodyExample } from '../../platform/http/bodies/body-example.js';
import { deletedOf } from '../../platform/http/bodies/deleted.dto.js';
import {
  EnumField,
  JsonObjectField,
  StringArrayField,
  StringField,
} from '../../platform/http/bodies/fields.js';
import { listOf } from '../../platform/http/lists/list.dto.js';
import { ChoiceParameter } from '../../platform/http/lists/query-parameters.js';
import { ChartPreviewDto } from '../charts/routes/chart-preview.dto.js';
import { resolutions } from '../charts/question/buckets.js';
import { displayCurrencyNames } from '../../platform/exchange-rates/display-currencies.js';
import { rangeNames } from './named-ranges.policy.js';
import { drawings, type SavedParameters } from './saved-parameters.policy.js';

const MAX_NAME = 255;
const MAX_ORDERED = 250;
const visibilities = ['private', 'project'] as const;
const environments = ['production', 'sandbox'];

const visibility = {
  description: '`private`: only the member who saved it sees it. `project`: everyone who may read charts.',
} as const;
const parameters = {
  description:
    'The question, with the names of `getChart`: `range` or `start_date` and `end_date`, `resolution`, `currency`, `environment`, `filters`, `selectors`, `segment`; and how the dashboard draws it: `compare`, `draw`, `shown`, `scale`.',
  example: { range: '12m', segment: 'country', filters: [{ name: 'store', values: ['app_store'] }] },
} as const;
const chartName = { max: 100, example: 'revenue', description: 'Name of the chart in paths.' } as const;

@BodyExample({
  display_name: 'Revenue by country',
  chart_name: 'revenue',
  parameters: { range: '12m', segment: 'country' },
})
export class CreateSavedChartDto {
  @StringField({ max: MAX_NAME, example: 'Revenue by country' })
  display_name: string;

  @StringField(chartName)
  chart_name: string;

  @JsonObjectField({ ...parameters, optional: true })
  parameters?: Record<string, unknown>;

  @EnumField(visibilities, { ...visibility, optional: true })
  visibility?: 'private' | 'project';
}

@BodyExample({ display_name: 'Revenue by country and month' })
export class UpdateSavedChartDto {
  @StringField({ max: MAX_NAME, optional: true })
  display_name?: string;

  @StringField({ ...chartName, optional: true })
  chart_name?: string;

  @JsonObjectField({ ...parameters, optional: true })
  parameters?: Record<string, unknown>;
}

class SavedChartFilterDto {
  @ApiProperty({ type: String, example: 'store' })
  name: string;

  @ApiProperty({ type: [String], example: ['app_store'] })
  values: string[];
}

class SavedChartParametersDto implements SavedParameters {
  @ApiProperty({
    enum: rangeNames,
    required: false,
    description:
      'Default: 90 days, 12 months for cohort tables. `12m` is this month and the 11 before; `custom` has its own days.',
  })
  range?: SavedParameters['range'];

  @ApiProperty({ type: String, required: false, example: '2026-01-01', description: 'First custom day.' })
  start_date?: string;

  @ApiProperty({ type: String, required: false, example: '2026-05-31', description: 'Last custom day.' })
  end_date?: string;

  @ApiProperty({
    type: String,
    required: false,
    example: 'month',
    description: `One of ${resolutions.join(', ')}.`,
  })
  resolution?: string;

  @ApiProperty({
    enum: displayCurrencyNames,
    required: false,
    description: 'Default: the choice of the reader.',
  })
  currency?: string;

  @ApiProperty({ enum: environments, required: false, description: 'Default: the choice of the reader.' })
  environment?: string;

  @ApiProperty({ type: [SavedChartFilterDto], required: false })
  filters?: SavedChartFilterDto[];

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'string' },
    example: { revenue_type: 'proceeds' },
  })
  selectors?: Record<string, string>;

  @ApiProperty({ type: String, required: false, example: 'country' })
  segment?: string;

  @ApiProperty({ enum: ['before'], required: false, description: 'Compares with the period before.' })
  compare?: string;

  @ApiProperty({ enum: drawings, required: false, description: 'Default: as suits the chart.' })
  draw?: string;

  @ApiProperty({ type: String, required: false, description: 'Id of the measure that is drawn by segment.' })
  shown?: string;

  @ApiProperty({ enum: ['absolute'], required: false, description: 'Numbers instead of shares in cohorts.' })
  scale?: string;
}

export class SavedChartDto {
  @ApiProperty({ enum: ['saved_chart'] })
  object: 'saved_chart';

  @ApiProperty({ type: String, example: 'svchsx2k8v0a1b' })
  id: string;

  @ApiProperty({ type: String, example: 'Revenue by country' })
  display_name: string;

  @ApiProperty({ enum: visibilities, ...visibility })
  visibility: 'private' | 'project';

  @ApiProperty({ type: String, example: 'revenue', description: chartName.description })
  chart_name: string;

  @ApiProperty({ type: SavedChartParametersDto })
  parameters: SavedChartParametersDto;

  @ApiProperty({ type: 'integer', description: 'Charts with smaller positions come first on a board.' })
  position: number;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  created_at: number;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  updated_at: number;
}

export class SavedChartListDto extends listOf(SavedChartDto) {}

export class DeletedSavedChartDto extends deletedOf('saved_chart') {}

export class ChartBoardQuery {
  @ChoiceParameter(displayCurrencyNames, {
    default: 'USD',
    description: 'Currency of charts that were saved without one. Default: USD.',
  })
  currency: string;

  @ChoiceParameter(environments, {
    default: 'production',
    description: 'Environment of charts that were saved without one. Default: production.',
  })
  environment: string;
}

export class BoardChartDto {
  @ApiProperty({ enum: ['board_chart'] })
  object: 'board_chart';

  @ApiProperty({ type: SavedChartDto })
  saved_chart: SavedChartDto;

  @ApiProperty({
    type: ChartPreviewDto,
    nullable: true,
    description: 'One figure and its values, without segments. Null if the question is no longer valid.',
  })
  preview: ChartPreviewDto | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: null,
    description: 'Why there is no preview; null if there is one.',
  })
  problem: string | null;
}

export class BoardChartListDto extends listOf(BoardChartDto) {}

@BodyExample({ saved_chart_ids: ['svchsx2k8v0a1b'] })
export class ChartBoardOrderDto {
  @StringArrayField({
    max: MAX_ORDERED,
    itemMax: 100,
    description: 'Saved charts in their new order. The others follow in their present order.',
  })
  saved_chart_ids: string[];
}
