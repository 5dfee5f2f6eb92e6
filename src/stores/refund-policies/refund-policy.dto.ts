import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsArray, ValidateIf } from 'class-validator';
import {
  conditionOperators,
  MAX_CONDITIONS,
  type RefundCondition,
  type RefundConditionField,
  refundConditionFields,
  type RefundPreference,
  refundPreferences,
  type RefundStore,
  refundStores,
} from '../../../libs/targeting/index.js';
import { BodyExample } from '../../platform/http/bodies/body-example.js';
import { deletedOf } from '../../platform/http/bodies/deleted.dto.js';
import { EnumField, IntField, StringArrayField, StringField } from '../../platform/http/bodies/fields.js';
import { listOf } from '../../platform/http/lists/list.dto.js';

/** The default policy included. */
export const MAX_POLICIES = 50;
const MAX_HOLD_MINUTES = 1440;

const preference = {
  description:
    'What the store is asked for. `neutral`: the answer has no preference. `do_not_answer`: nothing is sent.',
};
const stores = { min: 1, max: refundStores.length, itemMax: 20, values: refundStores };
const hold = {
  min: 0,
  max: MAX_HOLD_MINUTES,
  description:
    'Minutes that the answer waits for a person, at most until 30 minutes before the deadline of the store.',
};

export class RefundConditionDto {
  @ApiProperty({
    enum: refundConditionFields,
    description: 'A field of targeting rules, or one of the refund request.',
  })
  field: RefundConditionField;

  @ApiProperty({
    enum: conditionOperators,
    description: 'Lists: `in`, `not in`. Versions and numbers: the comparisons. `rollout`: `<`.',
  })
  operator: RefundCondition['operator'];

  @ApiProperty({
    oneOf: [
      { type: 'array', items: { oneOf: [{ type: 'string' }, { type: 'integer' }] } },
      { type: 'string' },
      { type: 'number' },
    ],
    description:
      'A list for `in` and `not in`, a version, or a number. Of an unknown value, `not in` holds and everything else does not.',
  })
  value: RefundCondition['value'];

  @ApiProperty({
    type: String,
    nullable: true,
    required: false,
    description:
      '`app_version`: an app id. `sdk_version`: an SDK such as `ios` or `react-native`. `custom_attribute`: a name. Null for the others.',
  })
  context: string | null;
}

/** Conditions as sent; the service validates them against the project. */
function RefundConditionsField(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({
      type: [RefundConditionDto],
      required: false,
      maxItems: MAX_CONDITIONS,
      description: 'All must hold. Empty: every request.',
    }),
    ValidateIf((_, value) => value !== undefined),
    IsArray({ message: `must be an array of at most ${MAX_CONDITIONS} conditions` }),
  );
}

class RefundPolicyFieldsDto {
  @RefundConditionsField()
  conditions?: unknown;

  @IntField({ ...hold, optional: true })
  hold_minutes?: number;

  @StringArrayField({ ...stores, optional: true, description: 'Default: all.' })
  stores?: RefundStore[];
}

@BodyExample({
  display_name: 'Coins that are spent',
  conditions: [{ field: 'consumed_percent', operator: '>=', value: 80 }],
  preference: 'decline',
  hold_minutes: 60,
})
export class CreateRefundPolicyDto extends RefundPolicyFieldsDto {
  @StringField({ max: 255, example: 'Coins that are spent' })
  display_name: string;

  @EnumField(refundPreferences, preference)
  preference: RefundPreference;
}

/** A policy that need not be saved. */
export class RefundPolicyDraftDto extends RefundPolicyFieldsDto {
  @StringField({
    max: 100,
    optional: true,
    pattern: /^rfpl[0-9a-z]+$/,
    description: 'Id of the saved policy. Rollouts depend on it.',
  })
  id?: string;

  @StringField({ max: 255, example: 'Coins that are spent' })
  display_name: string;

  @EnumField(refundPreferences, preference)
  preference: RefundPreference;
}

@BodyExample({ preference: 'neutral' })
export class UpdateRefundPolicyDto extends RefundPolicyFieldsDto {
  @StringField({ max: 255, optional: true })
  display_name?: string;

  @EnumField(refundPreferences, { ...preference, optional: true })
  preference?: RefundPreference;
}

@BodyExample({ policy_ids: ['rfplsx2k8v0a1b'] })
export class RefundPolicyOrderDto {
  @StringArrayField({
    max: MAX_POLICIES,
    itemMax: 100,
    description: 'All policies except the default one, each once, in order of evaluation.',
  })
  policy_ids: string[];
}

export class RefundPolicyDto {
  @ApiProperty({ enum: ['refund_policy'] })
  object: 'refund_policy';

  @ApiProperty({ type: String, example: 'rfplsx2k8v0a1b' })
  id: string;

  @ApiProperty({ type: String })
  project_id: string;

  @ApiProperty({ type: String })
  display_name: string;

  @ApiProperty({ type: [RefundConditionDto] })
  conditions: RefundConditionDto[];

  @ApiProperty({ enum: refundPreferences, ...preference })
  preference: RefundPreference;

  @ApiProperty({ type: 'integer', minimum: hold.min, maximum: hold.max, description: hold.description })
  hold_minutes: number;

  @ApiProperty({ enum: refundStores, isArray: true })
  stores: RefundStore[];

  @ApiProperty({
    type: Boolean,
    description: 'True for the one policy that decides when no other matches.',
  })
  is_default: boolean;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    minimum: 1,
    description: 'Place in the order of evaluation. Null for the default policy, which is last.',
  })
  position: number | null;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  created_at: number;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  updated_at: number;
}

export class RefundPolicyListDto extends listOf(RefundPolicyDto) {}

export class DeletedRefundPolicyDto extends deletedOf('refund_policy') {}
