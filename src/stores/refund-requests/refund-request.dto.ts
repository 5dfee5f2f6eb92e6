import { isIP } from 'node:net';
import { ApiProperty } from '@nestjs/swagger';
import { alpha2Country } from '../../../libs/kernel/index.js';
import { type DeliveryStatus, deliveryStatuses, MAX_USAGE_EVENTS } from '../../../libs/stores/index.js';
import {
  answerReasons,
  answerStatuses,
  refundDeciders,
  refundOutcomes,
  refundPreferences,
} from '../../../libs/targeting/index.js';
import {
  IntField,
  ObjectArrayField,
  ObjectField,
  EnumField,
  StringField,
} from '../../platform/http/bodies/fields.js';
import { BodyExample } from '../../platform/http/bodies/body-example.js';
import { listOf } from '../../platform/http/lists/list.dto.js';
import { PageQuery } from '../../platform/http/lists/page-query.js';
import {
  ChoiceParameter,
  EnvironmentParameter,
  TextParameter,
} from '../../platform/http/lists/query-parameters.js';
import { MonetaryAmountDto } from '../../purchases/lookups/money.js';
import type { RefundRequest } from './refund-request.entity.js';

const stores = ['app_store', 'mac_app_store', 'play_store'] as const;
const MAX_NOTE = 1_000;
const id = { type: String, nullable: true } as const;
const time = { type: 'integer', nullable: true } as const;

export class RefundRequestDto {
  @ApiProperty({ enum: ['refund_request'] })
  object: 'refund_request';

  @ApiProperty({ type: String })
  id: string;

  @ApiProperty({ type: String })
  project_id: string;

  @ApiProperty({ type: String })
  app_id: string;

  @ApiProperty({ enum: stores })
  store: RefundRequest['store'];

  @ApiProperty({ enum: ['production', 'sandbox'] })
  environment: RefundRequest['environment'];

  @ApiProperty({
    ...id,
    description: 'Original app user id of the owner; null if unknown, or if the customer was deleted.',
  })
  customer_id: string | null;

  @ApiProperty(id)
  subscription_id: string | null;

  @ApiProperty({ ...id, description: 'The one-time purchase.' })
  purchase_id: string | null;

  @ApiProperty(id)
  product_id: string | null;

  @ApiProperty({ ...id, description: "The App Store's id of the payment." })
  transaction_id: string | null;

  @ApiProperty({ ...id, description: "Google's order." })
  order_id: string | null;

  @ApiProperty({ ...id, example: 'UNINTENDED_PURCHASE', description: 'As the store sent it.' })
  reason: string | null;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  requested_at: number;

  @ApiProperty({ type: 'integer', description: 'The store accepts answers until then, epoch milliseconds.' })
  deadline_at: number;

  @ApiProperty({ ...time, description: 'When it is answered next; null if nothing is left to do.' })
  due_at: number | null;

  @ApiProperty({ ...id, description: 'The policy that decided.' })
  policy_id: string | null;

  @ApiProperty({ ...id, description: 'The name that the policy had.' })
  policy_name: string | null;

  @ApiProperty({ enum: refundDeciders, nullable: true, description: 'Null while the owner is unknown.' })
  decided_by: RefundRequest['decidedBy'];

  @ApiProperty({ enum: refundPreferences, nullable: true, description: 'Null while the owner is unknown.' })
  preference: RefundRequest['preference'];

  @ApiProperty({
    enum: answerStatuses,
    description: '`held`: waits for a person until `due_at`. All but `waiting` and `held` are final.',
  })
  answer_status: RefundRequest['answerStatus'];

  @ApiProperty({ enum: answerReasons, nullable: true, description: 'Why it is not answered.' })
  answer_reason: RefundRequest['answerReason'];

  @ApiProperty(time)
  answered_at: number | null;

  @ApiProperty({
    ...id,
    description: 'Email of the person, or id of the key; null if the server answered alone.',
  })
  answered_by: string | null;

  @ApiProperty({ type: 'integer', description: 'Number of calls to the store.' })
  attempts: number;

  @ApiProperty(id)
  last_error: string | null;

  @ApiProperty({ enum: refundOutcomes, nullable: true, description: 'What the store decided.' })
  outcome: RefundRequest['outcome'];

  @ApiProperty(time)
  outcome_at: number | null;

  @ApiProperty({ type: MonetaryAmountDto, nullable: true, description: 'The payment; null if unknown.' })
  amount: MonetaryAmountDto | null;

  @ApiProperty({
    type: MonetaryAmountDto,
    nullable: true,
    description: 'Null if nothing was refunded, or unknown.',
  })
  refunded_amount: MonetaryAmountDto | null;

  @ApiProperty({ type: String, nullable: true })
  note: string | null;

  @ApiProperty({
    type: Object,
    nullable: true,
    description: 'The values that the decision used. Deleted after 90 days.',
  })
  facts: object | null;

  @ApiProperty({
    type: Object,
    nullable: true,
    description: 'The answer as the store got it, without tokens. Deleted after 90 days.',
  })
  body_sent: object | null;
}

export class RefundRequestListDto extends listOf(RefundRequestDto) {}

export class ListRefundRequestsQuery extends PageQuery {
  @ChoiceParameter(stores, { description: 'Default: all.' })
  store: string | null;

  @TextParameter({ description: 'Id of an app.' })
  app_id: string | null;

  @EnvironmentParameter()
  environment: 'production' | 'sandbox' | null;

  @ChoiceParameter(answerStatuses, { description: 'Default: all.' })
  answer_status: string | null;

  @ChoiceParameter(refundOutcomes, { description: 'Default: all, with and without an outcome.' })
  outcome: string | null;

  @TextParameter({ description: 'Id of the refund policy that decided.' })
  policy_id: string | null;

  @TextParameter({ description: 'Any app user id of a customer.' })
  customer_id: string | null;

  @TextParameter({ max: 100, description: 'As the store sends it.' })
  reason: string | null;
}

const note = {
  optional: true,
  nullable: true,
  max: MAX_NOTE,
  description: 'Stored with the request.',
} as const;

export const answerablePreferences = ['grant_full', 'grant_prorated', 'decline', 'neutral'] as const;

@BodyExample({ preference: 'decline', note: 'Played for 40 hours' })
export class AnswerRefundRequestDto {
  @EnumField(answerablePreferences, { description: 'What to ask the store for.' })
  preference: (typeof answerablePreferences)[number];

  @EnumField(deliveryStatuses, {
    optional: true,
    description: 'App Store only: whether the customer got the purchase. Default: delivered.',
  })
  delivery_status?: DeliveryStatus;

  @IntField({
    optional: true,
    min: 0,
    max: 100_000,
    description:
      'The used part in thousandths of a percent. Default: computed. Not for auto-renewable subscriptions of the App ' +
      'Store, and only 0 for a purchase that was not delivered.',
  })
  consumption_percentage?: number;

  @StringField(note)
  note?: string | null;
}

@BodyExample({ note: 'Under investigation' })
export class LeaveRefundRequestDto {
  @StringField(note)
  note?: string | null;
}

const place = { optional: true, max: 200 } as const;

class EvidenceLocationDto {
  @StringField({
    min: 2,
    max: 2,
    accepts: (text) => alpha2Country(text) === text,
    patternText: 'must be a country such as DE',
    description: 'ISO 3166 alpha-2.',
  })
  regionCode: string;

  @StringField(place)
  administrativeArea?: string;

  @StringField(place)
  locality?: string;

  @StringField(place)
  sublocality?: string;
}

const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;
const account = { optional: true, max: 256 } as const;

/** One use of the purchase, with Google's names. */
class EvidenceEventDto {
  @StringField(account)
  obfuscatedAccountId?: string;

  @StringField(account)
  obfuscatedProfileId?: string;

  @StringField({
    optional: true,
    max: 40,
    pattern: RFC_3339,
    accepts: (text) => !Number.isNaN(Date.parse(text)),
    patternText: 'must be a time such as 2026-11-03T10:00:00Z',
    example: '2026-11-03T10:00:00Z',
  })
  consumptionTime?: string;

  @StringField({ optional: true, max: 5_000 })
  consumptionItemDescription?: string;

  @StringField({
    optional: true,
    max: 45,
    accepts: (text) => isIP(text) !== 0,
    patternText: 'must be an IP address',
  })
  ipAddress?: string;

  @ObjectField(() => EvidenceLocationDto, { optional: true })
  location?: EvidenceLocationDto;
}

@BodyExample({
  events: [{ consumptionTime: '2026-11-03T10:00:00Z', consumptionItemDescription: 'Played level 12' }],
})
export class RefundEvidenceDto {
  @ObjectArrayField(() => EvidenceEventDto, { max: MAX_USAGE_EVENTS })
  events: EvidenceEventDto[];
}
