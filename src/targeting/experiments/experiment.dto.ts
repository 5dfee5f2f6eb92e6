import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsArray, ValidateIf } from 'class-validator';
import {
  type EnrollmentMode,
  enrollmentModes,
  type ExperimentStatus,
  experimentStatuses,
  type VariantId,
  variantIds,
} from '../../../libs/targeting/index.js';
import { BodyExample } from '../../platform/http/bodies/body-example.js';
import { deletedOf } from '../../platform/http/bodies/deleted.dto.js';
import {
  EnumField,
  IntField,
  JsonObjectField,
  ObjectArrayField,
  ObjectField,
  StringArrayField,
  StringField,
} from '../../platform/http/bodies/fields.js';
import { listOf } from '../../platform/http/lists/list.dto.js';
import { PageQuery } from '../../platform/http/lists/page-query.js';
import { ChoiceParameter } from '../../platform/http/lists/query-parameters.js';
import { ConditionDto, ConditionsField } from '../shared/condition.dto.js';
import { MAX_PLACEMENT_LENGTH, MAX_PLACEMENTS } from '../shared/placement-identifiers.js';
import { experimentMetrics, experimentTypes } from './experiment-metrics.js';

export const MAX_RUNNING = 20;
const MAX_LISTED = 1_000;

const offering = { max: 255, optional: true, nullable: true } as const;

function WeightsField(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({
      type: 'array',
      items: { type: 'integer', minimum: 1, maximum: 99 },
      required: false,
      nullable: true,
      description: 'Percent of each variant, in their order; the sum is 100. Null: equal shares.',
    }),
    ValidateIf((_, value) => value !== undefined && value !== null),
    IsArray({ message: 'must be an array of whole numbers' }),
  );
}

export class VariantPlacementsDto {
  @StringField({ max: MAX_PLACEMENT_LENGTH, example: 'onboarding_end' })
  placement_identifier: string;

  @StringField({ ...offering, description: 'Null: no offering. Left out: the fallback.' })
  offering_a_id?: string | null;

  @StringField(offering)
  offering_b_id?: string | null;

  @StringField(offering)
  offering_c_id?: string | null;

  @StringField(offering)
  offering_d_id?: string | null;
}

export class WriteExperimentPlacementsDto {
  @StringField({ ...offering, description: 'Default: the offering of the variant.' })
  fallback_offering_a_id?: string | null;

  @StringField(offering)
  fallback_offering_b_id?: string | null;

  @StringField(offering)
  fallback_offering_c_id?: string | null;

  @StringField(offering)
  fallback_offering_d_id?: string | null;

  @ObjectArrayField(() => VariantPlacementsDto, { max: MAX_PLACEMENTS })
  placement_offerings: VariantPlacementsDto[];
}

export class ExperimentFieldsDto {
  @StringField({ max: 255, optional: true, nullable: true })
  offering_c_id?: string | null;

  @StringField({ max: 255, optional: true, nullable: true })
  offering_d_id?: string | null;

  @EnumField(enrollmentModes, {
    optional: true,
    description: '`only_new` (default): only customers first seen after the start.',
  })
  enrollment_mode?: EnrollmentMode;

  @WeightsField()
  weights?: number[] | null;

  @ConditionsField()
  targeting_conditions?: unknown;

  @ObjectField(() => WriteExperimentPlacementsDto, { optional: true, nullable: true })
  placements?: WriteExperimentPlacementsDto | null;

  @EnumField(experimentTypes, { optional: true, nullable: true })
  experiment_type?: (typeof experimentTypes)[number] | null;

  @EnumField(experimentMetrics, { optional: true, description: 'Default: initial_conversion_rate.' })
  primary_metric?: string;

  @StringArrayField({
    optional: true,
    max: experimentMetrics.length,
    itemMax: 100,
    values: experimentMetrics,
  })
  secondary_metrics?: string[];

  @JsonObjectField({
    optional: true,
    nullable: true,
    description: 'Numbers that the length of the experiment was planned with.',
  })
  experiment_duration_settings?: Record<string, unknown> | null;

  @StringField({ min: 0, max: 20_000, optional: true, nullable: true, description: 'Markdown.' })
  notes?: string | null;

  @EnumField([], {
    optional: true,
    nullable: true,
    description: 'Always null: there are no saved audiences.',
  })
  audience_id?: null;
}

@BodyExample({
  display_name: 'Longer trial',
  offering_a_id: 'ofrngsx2k8v0a1b',
  offering_b_id: 'ofrngsx2k8v0a1c',
  enrollment_percentage: 50,
})
export class CreateExperimentDto extends ExperimentFieldsDto {
  @StringField({ max: 1500, example: 'Longer trial' })
  display_name: string;

  @StringField({ max: 255, description: 'The control.' })
  offering_a_id: string;

  @StringField({ max: 255 })
  offering_b_id: string;

  @IntField({
    min: 1,
    max: 100,
    optional: true,
    description: 'Share of the audience that joins. Default: 100.',
  })
  enrollment_percentage?: number;
}

@BodyExample({ notes: 'Looks good so far.' })
export class UpdateExperimentDto extends ExperimentFieldsDto {
  @StringField({ max: 1500, optional: true })
  display_name?: string;

  @StringField({ max: 255, optional: true })
  offering_a_id?: string;

  @StringField({ max: 255, optional: true })
  offering_b_id?: string;

  @IntField({ min: 1, max: 100, optional: true })
  enrollment_percentage?: number;
}

@BodyExample({ experiment_ids: [] })
export class ExperimentPriorityListDto {
  @StringArrayField({
    max: MAX_LISTED,
    itemMax: 100,
    description: 'In order of evaluation. Experiments that are not listed follow in their order.',
  })
  experiment_ids: string[];
}

export const winnerRollouts = ['none', 'default_offering', 'targeting_rule'] as const;
export type WinnerRollout = (typeof winnerRollouts)[number];

@BodyExample({ variant: 'b', rollout: 'none' })
export class MarkWinnerDto {
  @EnumField(variantIds)
  variant: VariantId;

  @EnumField(winnerRollouts, {
    optional: true,
    description:
      'What happens to the offering: `default_offering` makes it the current one, `targeting_rule` creates an inactive rule with the conditions of the experiment. Default: none.',
  })
  rollout?: WinnerRollout;
}

export class VariantOfferingDto {
  @ApiProperty({ type: String })
  id: string;

  @ApiProperty({ type: String, description: 'Lookup key.' })
  identifier: string;

  @ApiProperty({ type: String })
  display_name: string;

  @ApiProperty({ type: String, nullable: true, description: 'The published paywall of the offering.' })
  paywall_id: string | null;
}

const optionalOffering = { type: VariantOfferingDto, nullable: true, required: false } as const;

class PlacementVariantsDto {
  @ApiProperty({ type: String })
  placement_identifier: string;

  @ApiProperty(optionalOffering)
  offering_a?: VariantOfferingDto | null;

  @ApiProperty(optionalOffering)
  offering_b?: VariantOfferingDto | null;

  @ApiProperty(optionalOffering)
  offering_c?: VariantOfferingDto | null;

  @ApiProperty(optionalOffering)
  offering_d?: VariantOfferingDto | null;
}

export class ExperimentPlacementsDto {
  @ApiProperty(optionalOffering)
  fallback_offering_a?: VariantOfferingDto | null;

  @ApiProperty(optionalOffering)
  fallback_offering_b?: VariantOfferingDto | null;

  @ApiProperty(optionalOffering)
  fallback_offering_c?: VariantOfferingDto | null;

  @ApiProperty(optionalOffering)
  fallback_offering_d?: VariantOfferingDto | null;

  @ApiProperty({ type: [PlacementVariantsDto] })
  placement_offerings: PlacementVariantsDto[];
}

class ExperimentConflictDto {
  @ApiProperty({ type: String })
  id: string;

  @ApiProperty({ type: String })
  display_name: string;
}

const time = { type: 'integer', nullable: true, description: 'Epoch milliseconds.' } as const;

export class ExperimentDto {
  @ApiProperty({ enum: ['experiment'] })
  object: 'experiment';

  @ApiProperty({ type: String, example: 'prexp0a1b2c3d4e' })
  id: string;

  @ApiProperty({ type: String })
  project_id: string;

  @ApiProperty({ type: String })
  display_name: string;

  @ApiProperty({ enum: experimentStatuses })
  status: ExperimentStatus;

  @ApiProperty({ type: VariantOfferingDto })
  offering_a: VariantOfferingDto;

  @ApiProperty({ type: VariantOfferingDto })
  offering_b: VariantOfferingDto;

  @ApiProperty({ type: VariantOfferingDto, nullable: true })
  offering_c: VariantOfferingDto | null;

  @ApiProperty({ type: VariantOfferingDto, nullable: true })
  offering_d: VariantOfferingDto | null;

  @ApiProperty({ type: 'integer', minimum: 1, maximum: 100 })
  enrollment_percentage: number;

  @ApiProperty({ enum: enrollmentModes })
  enrollment_mode: EnrollmentMode;

  @ApiProperty({ type: 'array', items: { type: 'integer' }, nullable: true })
  weights: number[] | null;

  @ApiProperty({ type: [ConditionDto] })
  targeting_conditions: ConditionDto[];

  @ApiProperty({ type: String, nullable: true })
  audience_id: null;

  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  pinned_audience: null;

  @ApiProperty({ type: ExperimentPlacementsDto, nullable: true })
  placements: ExperimentPlacementsDto | null;

  @ApiProperty({ type: String, enum: [...experimentTypes, null], nullable: true })
  experiment_type: string | null;

  @ApiProperty({ enum: experimentMetrics })
  primary_metric: string;

  @ApiProperty({ type: [String], enum: experimentMetrics })
  secondary_metrics: string[];

  @ApiProperty({ type: 'object', additionalProperties: { type: 'number' }, nullable: true })
  experiment_duration_settings: Record<string, number> | null;

  @ApiProperty({ type: String, nullable: true })
  notes: string | null;

  @ApiProperty({ type: 'integer', minimum: 1, description: '1 is evaluated first.' })
  priority: number;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  created_at: number;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  updated_at: number;

  @ApiProperty(time)
  started_at: number | null;

  @ApiProperty(time)
  paused_at: number | null;

  @ApiProperty(time)
  resumed_at: number | null;

  @ApiProperty(time)
  stopped_at: number | null;

  @ApiProperty({ type: 'integer' })
  total_running_time_seconds: number;

  @ApiProperty({
    type: [ExperimentConflictDto],
    description:
      'Running experiments whose audience may overlap. The one with the lower priority number is evaluated first.',
  })
  conflicts: ExperimentConflictDto[];

  @ApiProperty({ type: String, enum: [...variantIds, null], nullable: true })
  winner_variant: VariantId | null;

  @ApiProperty({
    type: [String],
    description: 'Apps of the audience for which the offering of a variant has no package.',
  })
  warnings: string[];
}

export class ExperimentListDto extends listOf(ExperimentDto) {}

export class DeletedExperimentDto extends deletedOf('experiment') {}

export class ListExperimentsQuery extends PageQuery {
  @ChoiceParameter(experimentStatuses, { description: 'Only experiments in this status.' })
  status: ExperimentStatus | null;
}
