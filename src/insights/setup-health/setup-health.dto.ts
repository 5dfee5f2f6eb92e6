import { ApiProperty } from '@nestjs/swagger';
import { appTypes, type AppType } from '../../platform/principal/app-types.js';
import { NotificationStateDto } from './store-settings.dto.js';

class CredentialsErrorDto {
  @ApiProperty({ type: 'integer', description: 'Since when, epoch milliseconds.' })
  since: number;

  @ApiProperty({ type: String, description: 'What is missing or wrong.' })
  message: string;
}

class AppHealthDto extends NotificationStateDto {
  @ApiProperty({ type: String })
  id: string;

  @ApiProperty({ type: String })
  name: string;

  @ApiProperty({ enum: appTypes })
  type: AppType;

  @ApiProperty({ type: Boolean, description: 'Everything is saved that calling the store takes.' })
  credentials_configured: boolean;

  @ApiProperty({
    type: CredentialsErrorDto,
    nullable: true,
    description: 'The store refuses the credentials. Asked again by itself until it takes them.',
  })
  credentials_error: CredentialsErrorDto | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'What anybody but the store could still do with notifications, and what to set against it.',
  })
  notifications_hint: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'What a leaked identifier of a purchase allows, and the setting that prevents it.',
  })
  receipts_hint: string | null;
}

class FailingWebhookDto {
  @ApiProperty({ type: String })
  id: string;

  @ApiProperty({ type: String })
  name: string;

  @ApiProperty({ type: String })
  url: string;

  @ApiProperty({ type: 'integer', nullable: true, description: 'HTTP status of the last answer.' })
  last_status: number | null;

  @ApiProperty({ type: String, nullable: true })
  last_error: string | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Epoch milliseconds.' })
  last_attempt_at: number | null;

  @ApiProperty({ enum: ['pending', 'failed'], description: 'Will be tried again, or was given up.' })
  delivery_status: 'pending' | 'failed';
}

class WebhookHealthDto {
  @ApiProperty({ type: 'integer', description: 'Webhook integrations.' })
  total: number;

  @ApiProperty({ type: 'integer', description: 'Deliveries of the last 24 hours that were tried.' })
  attempted_24h: number;

  @ApiProperty({ type: 'integer' })
  delivered_24h: number;

  @ApiProperty({ type: 'integer', description: 'Given up, or waiting for another try.' })
  failed_24h: number;

  @ApiProperty({ type: 'integer', description: 'Everything that waits.' })
  pending: number;

  @ApiProperty({ type: Number, nullable: true, description: 'Null when nothing was tried.' })
  delivered_percent_24h: number | null;

  @ApiProperty({ type: [FailingWebhookDto], description: 'Integrations whose last delivery did not arrive.' })
  failing: FailingWebhookDto[];
}

class SdkVersionDto {
  @ApiProperty({ type: String, nullable: true, example: 'iOS' })
  platform: string | null;

  @ApiProperty({ type: String, example: 'native' })
  flavor: string;

  @ApiProperty({ type: String, example: '5.50.1' })
  version: string;

  @ApiProperty({ type: 'integer', description: 'Customers who were last seen with it.' })
  customers: number;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  last_seen_at: number;
}

class SetupWarningDto {
  @ApiProperty({ enum: ['unknown_currency'] })
  type: 'unknown_currency';

  @ApiProperty({ type: String })
  message: string;

  @ApiProperty({ type: String, description: 'ISO 4217.' })
  currency: string;

  @ApiProperty({ type: 'integer', description: 'Transactions that count as nothing in USD.' })
  transactions: number;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  last_transaction_at: number;
}

class UnknownProductDto {
  @ApiProperty({ type: String })
  app_id: string;

  @ApiProperty({ type: String })
  app_name: string;

  @ApiProperty({ type: String, description: 'As the store names it; Google: `subscription:plan`.' })
  store_identifier: string;

  @ApiProperty({ type: 'integer', description: 'Purchases and renewals of it, sandbox ones included.' })
  transactions: number;

  @ApiProperty({ type: 'integer', description: 'Day of the first one, epoch milliseconds.' })
  since: number;
}

export class SetupHealthDto {
  @ApiProperty({ enum: ['setup_health'] })
  object: 'setup_health';

  @ApiProperty({ type: String })
  project_id: string;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  checked_at: number;

  @ApiProperty({ type: [AppHealthDto] })
  apps: AppHealthDto[];

  @ApiProperty({ type: WebhookHealthDto })
  webhooks: WebhookHealthDto;

  @ApiProperty({ type: [SdkVersionDto], description: 'Those of most customers first.' })
  sdk_versions: SdkVersionDto[];

  @ApiProperty({ type: [SetupWarningDto] })
  warnings: SetupWarningDto[];

  @ApiProperty({
    type: [UnknownProductDto],
    description:
      'Products that customers bought and that the catalog lacks, at most 100, those bought most first. They unlock nothing, and an unregistered consumable of Google Play cannot be bought again: register them.',
  })
  unknown_products: UnknownProductDto[];
}
