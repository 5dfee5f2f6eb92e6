import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsArray, ValidateIf } from 'class-validator';
import {
  checkedConditions,
  type Condition,
  type ConditionField,
  conditionFields,
  conditionOperators,
  ConditionProblem,
  MAX_CONDITIONS,
} from '../../../libs/targeting/index.js';
import { ApiError } from '../../platform/http/errors/api-error.js';

export class ConditionDto {
  @ApiProperty({
    enum: conditionFields,
    description: '`rollout` selects a share of the app user ids and is for targeting rules only.',
  })
  field: ConditionField;

  @ApiProperty({
    enum: conditionOperators,
    description: 'Lists: `in`, `not in`. Versions: the comparisons. `rollout`: `<`.',
  })
  operator: Condition['operator'];

  @ApiProperty({
    oneOf: [
      { type: 'array', items: { oneOf: [{ type: 'string' }, { type: 'integer' }] } },
      { type: 'string' },
      { type: 'integer' },
    ],
    description: 'A list for `in` and `not in`, a version, or a percentage from 1 to 99 for `rollout`.',
  })
  value: Condition['value'];

  @ApiProperty({
    type: String,
    nullable: true,
    required: false,
    description:
      '`app_version`: an app id. `sdk_version`: an SDK such as `ios` or `react-native`. `custom_attribute`: a name. Null for the others.',
  })
  context: string | null;
}

/** Conditions as sent; `readConditions` validates them against the project. */
export function ConditionsField(): PropertyDecorator {
  const message = `must be an array of at most ${MAX_CONDITIONS} conditions`;
  return applyDecorators(
    ApiProperty({
      type: [ConditionDto],
      required: false,
      maxItems: MAX_CONDITIONS,
      description: 'All must hold. Empty: everyone.',
    }),
    ValidateIf((_, value) => value !== undefined),
    IsArray({ message }),
  );
}

/** @throws ApiError 400 naming the invalid condition */
export function readConditions(
  given: unknown,
  param: string,
  appIds: ReadonlySet<string>,
  without: readonly ConditionField[] = [],
): Condition[] {
  try {
    return checkedConditions(given, { param, appIds, without });
  } catch (error) {
    if (error instanceof ConditionProblem) throw ApiError.parameter(error.param, error.message);
    throw error;
  }
}
