import { ApiProperty } from '@nestjs/swagger';
import { deletedOf } from '../../platform/http/bodies/deleted.dto.js';
import {
  EnumField,
  IntField,
  JsonObjectField,
  StringArrayField,
  StringField,
} from '../../platform/http/bodies/fields.js';
import {
  type SdkEventsSetting,
  sdkEventsSettings,
  type TransferBehavior,
  transferBehaviors,
  type WeekStart,
  weekStarts,
} from './project.entity.js';
import { BodyExample } from '../../platform/http/bodies/body-example.js';
import { choosable, MAX_ATTRIBUTE_NAME, MAX_CHART_ATTRIBUTES } from './chart-attributes.policy.js';

const NAME_MAX = 255;
const CHART_ATTRIBUTES = `Customer attributes by which charts are filtered and split, by their latest value: custom ones, and of the reserved ones ${choosable.join(', ')}. A change computes the charts anew in the background.`;

const TAX_RATES =
  'Tax rates in basis points, by country (ISO 3166 alpha-2), for reports about outside purchases whose invoice names no tax. Replaces the whole object.';

const SDK_EVENTS =
  'Events of SDKs that are stored: `essential` (paywall views, started and cancelled purchases, survey answers, ad revenue), `all` (also every touch, workflow step and ad request), or `off`.';

@BodyExample({ name: 'My project' })
export class CreateProjectDto {
  @StringField({ max: NAME_MAX, example: 'My project' })
  name: string;
}

@BodyExample({ name: 'My project', transfer_behavior: 'transfer' })
export class UpdateProjectDto {
  @StringField({ max: NAME_MAX, optional: true })
  name?: string;

  @EnumField(transferBehaviors, {
    optional: true,
    description: 'What happens to a purchase that a customer other than its owner sends.',
  })
  transfer_behavior?: TransferBehavior;

  @EnumField(transferBehaviors, {
    optional: true,
    nullable: true,
    description: 'The same for sandbox purchases; null follows `transfer_behavior`.',
  })
  sandbox_transfer_behavior?: TransferBehavior | null;

  @EnumField(weekStarts, { optional: true, description: 'On which day the weeks of charts begin.' })
  week_starts_on?: WeekStart;

  @StringArrayField({
    max: MAX_CHART_ATTRIBUTES,
    itemMax: MAX_ATTRIBUTE_NAME,
    optional: true,
    description: CHART_ATTRIBUTES,
    example: ['favorite_team'],
  })
  chart_attributes?: string[];

  @IntField({
    min: 0,
    max: 50,
    optional: true,
    description: 'Share of customers who join no experiment. Who has joined one stays in it.',
  })
  experiment_holdout_percentage?: number;

  @JsonObjectField({ optional: true, description: TAX_RATES, example: { ES: 2100 } })
  outside_purchase_tax_rates?: Record<string, unknown>;

  @EnumField(sdkEventsSettings, { optional: true, description: SDK_EVENTS })
  sdk_events?: SdkEventsSetting;
}

export class ProjectDto {
  @ApiProperty({ enum: ['project'] })
  object: 'project';

  @ApiProperty({ type: String, example: 'projsx2k8v0a1b' })
  id: string;

  @ApiProperty({ type: String })
  name: string;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  created_at: number;

  @ApiProperty({ type: String, nullable: true })
  icon_url: string | null;

  @ApiProperty({ type: String, nullable: true })
  icon_url_large: string | null;
}

export class ProjectSettingsDto extends ProjectDto {
  @ApiProperty({ enum: transferBehaviors })
  transfer_behavior: TransferBehavior;

  @ApiProperty({ type: String, enum: transferBehaviors, nullable: true })
  sandbox_transfer_behavior: TransferBehavior | null;

  @ApiProperty({ enum: weekStarts, description: 'On which day the weeks of charts begin.' })
  week_starts_on: WeekStart;

  @ApiProperty({ type: [String], maxItems: MAX_CHART_ATTRIBUTES, description: CHART_ATTRIBUTES })
  chart_attributes: string[];

  @ApiProperty({ type: 'integer', description: 'Share of customers who join no experiment.' })
  experiment_holdout_percentage: number;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: TAX_RATES,
    example: { ES: 2100 },
  })
  outside_purchase_tax_rates: Record<string, number>;

  @ApiProperty({ enum: sdkEventsSettings, description: SDK_EVENTS })
  sdk_events: SdkEventsSetting;
}

export class DeletedProjectDto extends deletedOf('project') {}

export class ProjectListDto {
  @ApiProperty({ enum: ['list'] })
  object: 'list';

  @ApiProperty({ type: [ProjectDto] })
  items: ProjectDto[];

  @ApiProperty({ type: String, nullable: true, description: 'Path of the next page; null on the last.' })
  next_page: string | null;

  @ApiProperty({ type: String })
  url: string;
}
