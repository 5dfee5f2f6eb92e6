import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsArray, ValidateIf } from 'class-validator';
import {
  conditionOperators,
  MAX_CONDITIONS,
  type RefundCondition,
  retentionConditionFields,
} from '../../../../libs/targeting/index.js';
import { BodyExample } from '../../../platform/http/bodies/body-example.js';
import { deletedOf } from '../../../platform/http/bodies/deleted.dto.js';
import {
  EnumField,
  ObjectField,
  StringArrayField,
  StringField,
} from '../../../platform/http/bodies/fields.js';
import { listOf } from '../../../platform/http/lists/list.dto.js';
import { environments, type StoreEnvironment } from '../messages/retention-message.dto.js';

export const MAX_RULES = 50;

export class RetentionConditionDto {
  @ApiProperty({
    enum: retentionConditionFields,
    description: 'A field of targeting rules, or one of the subscription.',
  })
  field: (typeof retentionConditionFields)[number];

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
      'A list for `in` and `not in`, a version, or a number. For an unknown value only `not in` holds.',
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
function RetentionConditionsField(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({
      type: [RetentionConditionDto],
      required: false,
      maxItems: MAX_CONDITIONS,
      description: 'All must hold. Empty: every subscription.',
    }),
    ValidateIf((_, value) => value !== undefined),
    IsArray({ message: `must be an array of at most ${MAX_CONDITIONS} conditions` }),
  );
}

export class RetentionOfferDto {
  @StringField({ max: 255, description: 'Id of the product that the offer belongs to.' })
  product_id: string;

  @StringField({ max: 255, description: 'Id of the promotional offer in App Store Connect.' })
  offer_id: string;
}

class RetentionRuleFieldsDto {
  @RetentionConditionsField()
  conditions?: unknown;

  @StringField({
    max: 255,
    optional: true,
    nullable: true,
    description: 'Offers a switch to this product to customers who do not have it.',
  })
  alternate_product_id?: string | null;

  @ObjectField(() => RetentionOfferDto, {
    optional: true,
    nullable: true,
    description: 'Shows a promotional offer. Needs the in-app purchase key.',
  })
  promotional_offer?: RetentionOfferDto | null;
}

const messageId = { max: 36, example: '0a9fa2d7-62b1-4c5e-9d64-0b7f1f0e3d11' } as const;

@BodyExample({
  display_name: 'Long-time subscribers',
  conditions: [{ field: 'paid_periods', operator: '>=', value: 12 }],
  message_id: messageId.example,
})
export class CreateRetentionRuleDto extends RetentionRuleFieldsDto {
  @StringField({ max: 255, example: 'Long-time subscribers' })
  display_name: string;

  @StringField({ ...messageId, description: 'Message to show. Apple shows it once it is approved.' })
  message_id: string;

  @EnumField(environments, { optional: true, description: 'Of the message. Default: production.' })
  environment?: StoreEnvironment;
}

@BodyExample({ display_name: 'Long-time subscribers' })
export class UpdateRetentionRuleDto extends RetentionRuleFieldsDto {
  @StringField({ max: 255, optional: true })
  display_name?: string;

  @StringField({ ...messageId, optional: true })
  message_id?: string;
}

@BodyExample({ rule_ids: [] })
export class RetentionRuleOrderDto {
  @StringArrayField({
    max: MAX_RULES,
    itemMax: 100,
    description: 'All rules of the app, each once, in order of evaluation.',
  })
  rule_ids: string[];
}

export class RetentionRuleDto {
  @ApiProperty({ enum: ['retention_rule'] })
  object: 'retention_rule';

  @ApiProperty({ type: String, example: 'rtrlsx2k8v0a1b' })
  id: string;

  @ApiProperty({ type: String })
  app_id: string;

  @ApiProperty({ enum: environments })
  environment: StoreEnvironment;

  @ApiProperty({ type: String })
  display_name: string;

  @ApiProperty({ type: [RetentionConditionDto] })
  conditions: RetentionConditionDto[];

  @ApiProperty({ type: String, format: 'uuid' })
  message_id: string;

  @ApiProperty({ type: String, nullable: true })
  alternate_product_id: string | null;

  @ApiProperty({ type: RetentionOfferDto, nullable: true })
  promotional_offer: RetentionOfferDto | null;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'Place in the order of evaluation.' })
  position: number;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  created_at: number;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  updated_at: number;
}

export class RetentionRuleListDto extends listOf(RetentionRuleDto) {}

export class DeletedRetentionRuleDto extends deletedOf('retention_rule') {}
