import { ApiProperty } from '@nestjs/swagger';
import { type RuleState, ruleStates, type VariantId, variantIds } from '../../../libs/targeting/index.js';
import { BodyExample } from '../../platform/http/bodies/body-example.js';
import { IntField, StringField } from '../../platform/http/bodies/fields.js';
import { listOf } from '../../platform/http/lists/list.dto.js';

const text = { max: 100, optional: true, nullable: true } as const;

@BodyExample({ app_id: 'appsx2k8v0a1b', country: 'US', platform: 'ios', app_version: '1.2.0' })
export class EvaluateTargetingDto {
  @StringField({ max: 255 })
  app_id: string;

  @StringField({ ...text, description: 'Default: a customer who has never been seen.' })
  app_user_id?: string | null;

  @StringField({ ...text, description: 'ISO 3166.', example: 'US' })
  country?: string | null;

  @StringField({ ...text, example: 'ios' })
  platform?: string | null;

  @StringField({ ...text, example: '1.2.0' })
  app_version?: string | null;

  @StringField({ ...text, example: 'react-native' })
  sdk_flavor?: string | null;

  @StringField({ ...text, example: '5.33.0' })
  sdk_version?: string | null;

  @IntField({
    min: 0,
    max: 8_640_000_000_000_000,
    optional: true,
    description: 'Epoch milliseconds. Default: now.',
  })
  at?: number;
}

class EvaluatedRuleDto {
  @ApiProperty({ type: String })
  id: string;

  @ApiProperty({ type: String })
  display_name: string;

  @ApiProperty({ enum: ruleStates })
  state: RuleState;

  @ApiProperty({
    enum: ['taken', 'not_live', 'conditions', 'not_reached'],
    description: '`not_reached`: it matches, but something before it decided.',
  })
  outcome: 'taken' | 'not_live' | 'conditions' | 'not_reached';

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Index of the first condition that is not met.',
  })
  failed_condition: number | null;
}

class EvaluatedExperimentDto {
  @ApiProperty({ type: String })
  id: string;

  @ApiProperty({ type: String })
  display_name: string;

  @ApiProperty({
    enum: [
      'enrolled',
      'joins',
      'paused',
      'conditions',
      'percentage',
      'blocked',
      'override',
      'holdout',
      'other_experiment',
      'not_new',
      'was_in_it',
    ],
    description: '`joins`: the customer would join with the next request of a device.',
  })
  outcome: string;
}

class EvaluatedPlacementsDto {
  @ApiProperty({ type: String, nullable: true })
  fallback_offering_id: string | null;

  @ApiProperty({ type: 'object', additionalProperties: { type: 'string', nullable: true } })
  offering_ids_by_placement: Record<string, string | null>;
}

export class TargetingEvaluationDto {
  @ApiProperty({ enum: ['targeting_evaluation'] })
  object: 'targeting_evaluation';

  @ApiProperty({ enum: ['override', 'experiment', 'rule', 'default'] })
  source: 'override' | 'experiment' | 'rule' | 'default';

  @ApiProperty({ type: String, nullable: true, description: 'Id of the offering that is current.' })
  offering_id: string | null;

  @ApiProperty({ type: EvaluatedPlacementsDto, description: 'Ids of offerings.' })
  placements: EvaluatedPlacementsDto;

  @ApiProperty({ type: String, nullable: true })
  rule_id: string | null;

  @ApiProperty({ type: String, nullable: true })
  experiment_id: string | null;

  @ApiProperty({ type: String, enum: [...variantIds, null], nullable: true })
  experiment_variant: VariantId | null;

  @ApiProperty({ type: [EvaluatedRuleDto], description: 'All rules in order.' })
  rules: EvaluatedRuleDto[];

  @ApiProperty({ type: [EvaluatedExperimentDto], description: 'Running and paused experiments by priority.' })
  experiments: EvaluatedExperimentDto[];
}

class PlacementUserDto {
  @ApiProperty({ enum: ['targeting_rule', 'experiment'] })
  object: 'targeting_rule' | 'experiment';

  @ApiProperty({ type: String })
  id: string;

  @ApiProperty({ type: String })
  display_name: string;
}

export class PlacementDto {
  @ApiProperty({ enum: ['placement'] })
  object: 'placement';

  @ApiProperty({ type: String, example: 'onboarding_end' })
  identifier: string;

  @ApiProperty({ type: [PlacementUserDto], description: 'Rules, and experiments that have not stopped.' })
  used_by: PlacementUserDto[];
}

export class PlacementListDto extends listOf(PlacementDto) {}
