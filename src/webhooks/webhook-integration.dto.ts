import { ApiProperty } from '@nestjs/swagger';
import { EnumField, StringArrayField, StringField } from '../http/fields.js';
import { listOf } from '../http/list.dto.js';
import { webhookEventTypes } from './event-types.js';

const environments = ['production', 'sandbox'] as const;

export class CreateWebhookIntegrationDto {
  @StringField({ max: 1500, example: 'My backend' })
  name: string;

  @StringField({ max: 5000, example: 'https://example.com/webhooks' })
  url: string;

  @StringField({
    min: 0,
    max: 5000,
    optional: true,
    nullable: true,
    pattern: /^[\t\x20-\x7e\x80-\xff]*$/,
    patternText: 'must be a valid header value on one line',
    description: 'Sent as the `Authorization` header, verbatim.',
  })
  authorization_header?: string | null;

  @EnumField(environments, { optional: true, nullable: true, description: 'Null or absent: both.' })
  environment?: 'production' | 'sandbox' | null;

  @StringArrayField({
    max: 100,
    itemMax: 100,
    values: webhookEventTypes,
    optional: true,
    description: 'Empty or absent: every type except the opt-in ones (`subscriber_alias`, `funnel_*`).',
  })
  event_types?: string[];

  @StringField({ max: 255, optional: true, nullable: true, description: 'Null or absent: all apps.' })
  app_id?: string | null;
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

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  created_at: number;
}

export class CreatedWebhookIntegrationDto extends WebhookIntegrationDto {
  @ApiProperty({ type: String, example: 'whsec_…', description: 'Only in this answer.' })
  signing_secret: string;
}

export class WebhookIntegrationListDto extends listOf(WebhookIntegrationDto) {}
