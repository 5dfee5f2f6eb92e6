import { ApiProperty } from '@nestjs/swagger';
import { deletedOf } from '../../../platform/http/bodies/deleted.dto.js';
import {
  BooleanField,
  EnumField,
  StringArrayField,
  StringField,
} from '../../../platform/http/bodies/fields.js';
import { listOf } from '../../../platform/http/lists/list.dto.js';
import { webhookEventTypes } from '../../events/event-types.js';
import { BodyExample } from '../../../platform/http/bodies/body-example.js';

const environments = ['production', 'sandbox'] as const;

const name = { max: 1500, example: 'My backend' };
const url = {
  max: 5000,
  example: 'https://example.com/webhooks',
  description: 'http or https, without user name and password. Redirects are not followed.',
};
const authorizationHeader = {
  min: 0,
  max: 5000,
  optional: true,
  nullable: true,
  pattern: /^[\t\x20-\x7e\x80-\xff]*$/,
  patternText: 'must be a valid header value on one line',
  description: 'Sent as the `Authorization` header, verbatim; never shown. Null or empty: none is sent.',
};
const environment = { optional: true, nullable: true, description: 'Null: both.' };
const eventTypes = {
  max: 100,
  itemMax: 100,
  values: webhookEventTypes,
  optional: true,
  nullable: true,
  description:
    'Null or empty: every type except the opt-in ones (`subscriber_alias`, `funnel_*`, `refund_requested`, `refund_request_decided`).',
};
const ordered = {
  optional: true,
  description:
    "Send a customer's next event only when the one before it was delivered or has failed for good. Applies to " +
    'events recorded from then on. Default false: all at once.',
};
const includeCustomerInfo = {
  optional: true,
  description:
    "Send the customer's state beside each event, as `customer_info`: what the SDK gets, as of the first attempt. " +
    'Default false.',
};
const appId = { max: 255, optional: true, nullable: true, description: 'Null: all apps.' };

@BodyExample({ name: 'My backend', url: 'https://example.com/webhooks' })
export class CreateWebhookIntegrationDto {
  @StringField(name)
  name: string;

  @StringField(url)
  url: string;

  @StringField(authorizationHeader)
  authorization_header?: string | null;

  @EnumField(environments, environment)
  environment?: 'production' | 'sandbox' | null;

  @StringArrayField(eventTypes)
  event_types?: string[] | null;

  @StringField(appId)
  app_id?: string | null;

  @BooleanField(ordered)
  ordered?: boolean;

  @BooleanField(includeCustomerInfo)
  include_customer_info?: boolean;
}

/** Absent fields do not change. */
@BodyExample({ name: 'My backend', environment: 'production' })
export class UpdateWebhookIntegrationDto {
  @StringField({ ...name, optional: true })
  name?: string;

  @StringField({ ...url, optional: true })
  url?: string;

  @StringField(authorizationHeader)
  authorization_header?: string | null;

  @EnumField(environments, environment)
  environment?: 'production' | 'sandbox' | null;

  @StringArrayField(eventTypes)
  event_types?: string[] | null;

  @StringField(appId)
  app_id?: string | null;

  @BooleanField(ordered)
  ordered?: boolean;

  @BooleanField(includeCustomerInfo)
  include_customer_info?: boolean;

  @BooleanField({
    optional: true,
    description: 'False pauses: new events are not queued and waiting deliveries are kept until it is true.',
  })
  enabled?: boolean;
}

export class WebhookIntegrationDto {
  @ApiProperty({ enum: ['webhook_integration'] })
  object: 'webhook_integration';

  @ApiProperty({ type: String, example: 'wh_0mjwaidke4bvqijc' })
  id: string;

  @ApiProperty({ type: String })
  project_id: string;

  @ApiProperty({ type: String })
  name: string;

  @ApiProperty({ type: String })
  url: string;

  @ApiProperty({ type: String, enum: environments, nullable: true })
  environment: string | null;

  @ApiProperty({ type: 'array', items: { type: 'string', enum: [...webhookEventTypes] } })
  event_types: string[];

  @ApiProperty({ type: String, nullable: true })
  app_id: string | null;

  @ApiProperty({ type: Boolean })
  ordered: boolean;

  @ApiProperty({ type: Boolean })
  include_customer_info: boolean;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  created_at: number;
}

export class CreatedWebhookIntegrationDto extends WebhookIntegrationDto {
  @ApiProperty({ type: String, example: 'whsec_…', description: 'Shown only in this answer.' })
  signing_secret: string;
}

export class WebhookIntegrationListDto extends listOf(WebhookIntegrationDto) {}

export class DeletedWebhookIntegrationDto extends deletedOf('webhook_integration') {}

export class WebhookStateDto {
  @ApiProperty({ enum: ['webhook_state'] })
  object: 'webhook_state';

  @ApiProperty({ type: String, description: 'Id of the webhook integration.' })
  id: string;

  @ApiProperty({ type: Boolean, description: 'False: paused.' })
  enabled: boolean;

  @ApiProperty({
    enum: ['closed', 'open'],
    description: 'Open: the endpoint failed many times in a row, deliveries wait until a probe succeeds.',
  })
  circuit: 'closed' | 'open';

  @ApiProperty({
    type: 'integer',
    description: 'Deliveries that arrived, among the newest 10,000 created in the last 24 hours.',
  })
  delivered_24h: number;

  @ApiProperty({
    type: 'integer',
    description: 'Deliveries that ran out of retries or wait for one, among the same.',
  })
  failed_24h: number;

  @ApiProperty({ type: 'integer', description: 'Waiting deliveries of any age, counted up to 10,000.' })
  pending: number;
}

export class WebhookStateListDto extends listOf(WebhookStateDto) {}
