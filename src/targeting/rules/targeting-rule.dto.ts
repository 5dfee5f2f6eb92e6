import { ApiProperty } from '@nestjs/swagger';
import { type RuleState, ruleStates } from '../../../libs/targeting/index.js';
import { BodyExample } from '../../platform/http/bodies/body-example.js';
import { deletedOf } from '../../platform/http/bodies/deleted.dto.js';
import {
  EnumField,
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

export const MAX_RULES = 100;

const date = {
  max: 40,
  pattern: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?Z$/,
  patternText: 'must be a time in UTC such as 2026-12-01T00:00:00Z',
} as const;

export class PlacementOfferingDto {
  @StringField({ max: MAX_PLACEMENT_LENGTH, example: 'onboarding_end' })
  placement_identifier: string;

  @StringField({ max: 255, nullable: true, description: 'Null: the placement shows no offering.' })
  offering_id: string | null;
}

export class RulePlacementsDto {
  @StringField({
    max: 255,
    nullable: true,
    description: 'Offering of all other placements. Null: they show no offering.',
  })
  fallback_offering_id: string | null;

  @ObjectArrayField(() => PlacementOfferingDto, { max: MAX_PLACEMENTS })
  placement_offerings: PlacementOfferingDto[];
}

export class ScheduleDto {
  @StringField({ ...date, example: '2026-12-01T00:00:00Z' })
  start_date: string;

  @StringField({ ...date, optional: true, nullable: true, description: 'Null: open.' })
  end_date?: string | null;
}

class RuleFieldsDto {
  @EnumField(ruleStates, {
    optional: true,
    description: 'A scheduled rule is live while its schedule says so. Default: inactive.',
  })
  state?: RuleState;

  @ConditionsField()
  conditions?: unknown;

  @ObjectField(() => RulePlacementsDto, { optional: true, nullable: true })
  placements?: RulePlacementsDto | null;

  @ObjectField(() => ScheduleDto, { optional: true, nullable: true })
  schedule?: ScheduleDto | null;

  @EnumField(['legacy'], { optional: true })
  rule_type?: 'legacy';

  @EnumField([], {
    optional: true,
    nullable: true,
    description: 'Always null: there are no saved audiences.',
  })
  audience_id?: null;
}

@BodyExample({
  display_name: 'Summer in the US',
  state: 'active',
  offering_id: 'ofrngsx2k8v0a1b',
  conditions: [{ field: 'country', operator: 'in', value: ['US'] }],
})
export class CreateTargetingRuleDto extends RuleFieldsDto {
  @StringField({ max: 100, optional: true, pattern: /^[A-Za-z0-9_-]+$/, description: 'Default: a new id.' })
  id?: string;

  @StringField({ max: 1500, example: 'Summer in the US' })
  display_name: string;

  @StringField({
    max: 255,
    description: 'Shown as the current offering, and by placements of rules without `placements`.',
  })
  offering_id: string;
}

@BodyExample({ state: 'inactive' })
export class UpdateTargetingRuleDto extends RuleFieldsDto {
  @StringField({ max: 1500, optional: true })
  display_name?: string;

  @StringField({ max: 255, optional: true })
  offering_id?: string;
}

@BodyExample({ rule_ids: [] })
export class RulePriorityListDto {
  @StringArrayField({
    max: MAX_RULES,
    itemMax: 100,
    description: 'All live and scheduled rules, each once, in order of evaluation.',
  })
  rule_ids: string[];
}

export class TargetingRuleDto {
  @ApiProperty({ enum: ['targeting_rule'] })
  object: 'targeting_rule';

  @ApiProperty({ type: String, example: 'trle0a1b2c3d4e' })
  id: string;

  @ApiProperty({ type: String })
  project_id: string;

  @ApiProperty({ enum: ['legacy'] })
  rule_type: 'legacy';

  @ApiProperty({ enum: ruleStates, description: 'By the clock, for a rule with a schedule.' })
  state: RuleState;

  @ApiProperty({ type: String })
  display_name: string;

  @ApiProperty({ type: String })
  offering_id: string;

  @ApiProperty({ type: [ConditionDto] })
  conditions: ConditionDto[];

  @ApiProperty({ type: String, nullable: true })
  audience_id: null;

  @ApiProperty({ type: RulePlacementsDto, nullable: true })
  placements: RulePlacementsDto | null;

  @ApiProperty({ type: ScheduleDto, nullable: true })
  schedule: ScheduleDto | null;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'Place among the rules of the same state.' })
  position: number;

  @ApiProperty({ type: 'integer', description: 'Rises with every change that can alter an answer.' })
  revision: number;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  created_at: number;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  updated_at: number;
}

export class TargetingRuleListDto extends listOf(TargetingRuleDto) {}

export class DeletedTargetingRuleDto extends deletedOf('targeting_rule') {}

export class ListTargetingRulesQuery extends PageQuery {
  @ChoiceParameter(ruleStates, { description: 'Only rules that are in this state now.' })
  state: RuleState | null;
}
