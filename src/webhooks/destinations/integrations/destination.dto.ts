import { ApiProperty } from '@nestjs/swagger';
import { definitions } from '../../../../libs/destinations/index.js';
import { BodyExample } from '../../../platform/http/bodies/body-example.js';
import { deletedOf } from '../../../platform/http/bodies/deleted.dto.js';
import {
  BooleanField,
  EnumField,
  IntField,
  JsonObjectField,
  StringArrayField,
  StringField,
} from '../../../platform/http/bodies/fields.js';
import { listOf } from '../../../platform/http/lists/list.dto.js';
import type { DestinationIntegration } from '../../deliveries/integrations/integration.entity.js';
import { webhookEventTypes } from '../../events/event-types.js';

type Type = DestinationIntegration['type'];
type Revenue = NonNullable<DestinationIntegration['revenue']>;
type Attributes = NonNullable<DestinationIntegration['attributes']>;

export const destinationTypes: readonly Type[] = definitions.map(({ id }) => id);
const revenues: readonly Revenue[] = ['gross', 'after_commission', 'after_commission_and_taxes'];
const attributes: readonly Attributes[] = ['all', 'none'];

const name = { min: 1, max: 1500, optional: true };
const enabled = {
  optional: true,
  description: 'False pauses: new events are not queued, and open deliveries are kept until it is true.',
};
const sendFrom = {
  min: 0,
  max: 8_640_000_000_000_000,
  optional: true,
  description:
    'Events that happened before this time, epoch milliseconds, are not sent, except by a replay. Default: the time ' +
    'of creation.',
};
const appId = { max: 255, optional: true, nullable: true, description: 'Null: all apps, and grants.' };
const eventNames = {
  optional: true,
  description:
    "The tool's names of kinds of events. A kind that is absent has the default name of the type; null switches it " +
    'off. Chats take true instead of a name. Adjust and HTTP take none.',
};
const eventTypes = {
  max: 100,
  itemMax: 100,
  values: webhookEventTypes,
  optional: true,
  description:
    'Only for `http`, in place of `event_names`. Empty: every type except the opt-in ones (`subscriber_alias`, ' +
    '`funnel_*`, `refund_requested`, `refund_request_decided`).',
};
const revenue = {
  optional: true,
  description: 'Whether revenue is reported before or after the commission of the store and taxes.',
};
const sentAttributes = {
  optional: true,
  description:
    'Whether attributes of customers are sent, where the type sends them. `none` also leaves out emails, phone numbers ' +
    'and IP addresses.',
};

@BodyExample({ type: 'segment', settings: { write_key: 'aBcDeFgHiJkLmNoP' } })
export class CreateDestinationDto {
  @EnumField(destinationTypes, { description: 'Cannot be changed later.' })
  type: Type;

  @StringField({ ...name, description: "Default: the type's name." })
  name?: string;

  @JsonObjectField({ description: "By the type's `settings_schema`, secrets included." })
  settings: Record<string, unknown>;

  @BooleanField(enabled)
  enabled?: boolean;

  @IntField(sendFrom)
  send_from?: number;

  @StringField(appId)
  app_id?: string | null;

  @JsonObjectField(eventNames)
  event_names?: Record<string, unknown>;

  @StringArrayField(eventTypes)
  event_types?: string[];

  @EnumField(revenues, revenue)
  revenue?: Revenue;

  @EnumField(attributes, sentAttributes)
  attributes?: Attributes;
}

/** Absent fields do not change. */
@BodyExample({ name: 'Warehouse', send_from: 1767225600000 })
export class UpdateDestinationDto {
  @StringField(name)
  name?: string;

  @JsonObjectField({
    optional: true,
    description:
      'Settings that are absent do not change; null removes one. Headers are changed by name. A change of the address ' +
      '(`host`, `region`, `instance`, `dataset_id`, or the origin of `url`) needs every secret again.',
  })
  settings?: Record<string, unknown>;

  @BooleanField(enabled)
  enabled?: boolean;

  @IntField(sendFrom)
  send_from?: number;

  @StringField(appId)
  app_id?: string | null;

  @JsonObjectField(eventNames)
  event_names?: Record<string, unknown>;

  @StringArrayField(eventTypes)
  event_types?: string[];

  @EnumField(revenues, revenue)
  revenue?: Revenue;

  @EnumField(attributes, sentAttributes)
  attributes?: Attributes;
}

export class DestinationDto {
  @ApiProperty({ enum: ['destination'] })
  object: 'destination';

  @ApiProperty({ type: String, example: 'dst_0mjwaidke4bvqijc' })
  id: string;

  @ApiProperty({ enum: destinationTypes })
  type: Type;

  @ApiProperty({ type: String })
  name: string;

  @ApiProperty({ type: Boolean, description: 'False: paused.' })
  enabled: boolean;

  @ApiProperty({
    type: 'integer',
    description: 'Events that happened before this time, epoch milliseconds, are not sent.',
  })
  send_from: number;

  @ApiProperty({ type: String, nullable: true, description: appId.description })
  app_id: string | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: ['string', 'boolean', 'null'] },
    description:
      'The name of every kind of event that the type offers; null: off. Chats have true instead of names.',
    example: { renewal: 'rc_renewal_event', expiration: null },
  })
  event_names: Record<string, string | true | null>;

  @ApiProperty({
    type: 'array',
    items: { type: 'string', enum: [...webhookEventTypes] },
    description: 'Types of the events that are sent. Empty, only for `http`: every type but the opt-in ones.',
  })
  event_types: string[];

  @ApiProperty({ enum: revenues })
  revenue: Revenue;

  @ApiProperty({ enum: attributes })
  attributes: Attributes;

  @ApiProperty({ type: 'object', additionalProperties: true, description: 'Without secrets.' })
  settings: Record<string, unknown>;

  @ApiProperty({
    type: [String],
    description: 'Names of the secrets that have a value. Values are never shown.',
    example: ['write_key'],
  })
  secrets_set: string[];

  @ApiProperty({ enum: ['production', 'both'], description: 'The environments whose events are sent.' })
  environments: 'production' | 'both';

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  created_at: number;
}

export class DestinationListDto extends listOf(DestinationDto) {}

export class DeletedDestinationDto extends deletedOf('destination') {}
