import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { appTypes, type AppType } from '../../platform/principal/app-types.js';
import { NotificationStateDto } from './store-settings.dto.js';

class CredentialsErrorDto {
  @ApiProperty({ type: 'integer', description: 'Start of this state, epoch milliseconds.' })
  since: number;

  @ApiProperty({ type: String, description: 'What is missing or wrong.' })
  message: string;
}

class RefusedAnswerDto {
  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  at: number;

  @ApiProperty({ type: String, description: "The store's reason." })
  message: string;
}

class AppHealthDto extends NotificationStateDto {
  @ApiProperty({ type: String })
  id: string;

  @ApiProperty({ type: String })
  name: string;

  @ApiProperty({ enum: appTypes })
  type: AppType;

  @ApiProperty({ type: Boolean, description: 'Everything needed to call the store is saved.' })
  credentials_configured: boolean;

  @ApiProperty({
    type: CredentialsErrorDto,
    nullable: true,
    description:
      'Set while the store refuses the credentials. The server retries until the store accepts them.',
  })
  credentials_error: CredentialsErrorDto | null;

  @ApiProperty({
    type: RefusedAnswerDto,
    nullable: true,
    description: 'The last answer to a refund request that the store refused, of the last 30 days.',
  })
  refused_refund_answer: RefusedAnswerDto | null;

  @ApiProperty({
    type: RefusedAnswerDto,
    nullable: true,
    description:
      'The latest report about an outside purchase that the store refused, until it is sent again.',
  })
  refused_external_report: RefusedAnswerDto | null;

  @ApiProperty({
    type: [String],
    description: 'What keeps reports about outside purchases from being sent.',
  })
  external_report_hints: string[];

  @ApiProperty({
    type: [String],
    description: 'What answers to refund requests wait for, and settings that make them unsafe.',
  })
  refund_hints: string[];

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'What a sender other than the store could do with notifications, and the setting that prevents it.',
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

  @ApiProperty({
    enum: ['pending', 'failed'],
    description: 'Whether it will be retried or ran out of retries.',
  })
  delivery_status: 'pending' | 'failed';
}

class WebhookHealthDto {
  @ApiProperty({ type: 'integer', description: 'Webhook integrations.' })
  total: number;

  @ApiProperty({ type: 'integer', description: 'Deliveries attempted in the last 24 hours.' })
  attempted_24h: number;

  @ApiProperty({ type: 'integer' })
  delivered_24h: number;

  @ApiProperty({ type: 'integer', description: 'Ran out of retries, or waiting for one.' })
  failed_24h: number;

  @ApiProperty({ type: 'integer', description: 'All waiting deliveries.' })
  pending: number;

  @ApiProperty({ type: Number, nullable: true, description: 'Null if nothing was attempted.' })
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

  @ApiProperty({ type: 'integer', description: 'Customers last seen with this version.' })
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

  @ApiProperty({ type: 'integer', description: 'Transactions that count as zero in USD.' })
  transactions: number;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  last_transaction_at: number;
}

class UnknownStoreValueWarningDto {
  @ApiProperty({ enum: ['unknown_store_value'] })
  type: 'unknown_store_value';

  @ApiProperty({ type: String })
  message: string;

  @ApiProperty({ type: 'integer', description: 'Entries of `unknown_store_values`.' })
  values: number;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  last_seen_at: number;
}

class UnreachableAddressWarningDto {
  @ApiProperty({ enum: ['unreachable_address'] })
  type: 'unreachable_address';

  @ApiProperty({ type: String })
  message: string;

  @ApiProperty({ type: String, description: 'From which phones would load published paywalls.' })
  address: string;
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

class EndlessRentalDto {
  @ApiProperty({ type: String })
  app_id: string;

  @ApiProperty({ type: String })
  app_name: string;

  @ApiProperty({ type: String })
  store_identifier: string;

  @ApiProperty({ type: 'integer', description: 'Rentals of it, sandbox ones included.' })
  purchases: number;
}

class UnknownStoreValueDto {
  @ApiProperty({ type: String })
  app_id: string;

  @ApiProperty({ type: String })
  app_name: string;

  @ApiProperty({ type: String, description: "The store's name of the field.", example: 'subscriptionState' })
  field: string;

  @ApiProperty({
    type: String,
    description:
      'At most 64 printable ASCII characters; other characters are `?`. `(other)` counts all values beyond the first 50 of a field. Empty if the field names a contradiction instead.',
  })
  value: string;

  @ApiProperty({ type: 'integer', description: 'How often the store sent it.' })
  count: number;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  first_seen_at: number;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  last_seen_at: number;
}

@ApiExtraModels(SetupWarningDto, UnknownStoreValueWarningDto, UnreachableAddressWarningDto)
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

  @ApiProperty({ type: [SdkVersionDto], description: 'The versions with the most customers first.' })
  sdk_versions: SdkVersionDto[];

  @ApiProperty({
    type: 'array',
    items: {
      oneOf: [
        { $ref: getSchemaPath(SetupWarningDto) },
        { $ref: getSchemaPath(UnknownStoreValueWarningDto) },
        { $ref: getSchemaPath(UnreachableAddressWarningDto) },
      ],
    },
  })
  warnings: (SetupWarningDto | UnknownStoreValueWarningDto | UnreachableAddressWarningDto)[];

  @ApiProperty({
    type: [UnknownProductDto],
    description:
      'Products that customers bought but that are missing from the catalog: at most 100, the most bought first. They unlock nothing, and an unregistered consumable of Google Play cannot be bought again: register them.',
  })
  unknown_products: UnknownProductDto[];

  @ApiProperty({
    type: [EndlessRentalDto],
    description:
      'Products of Google Play that customers rented and that have no duration. Google does not report how long a rental lasts, so these rentals unlock nothing: set `subscription.duration` of the product.',
  })
  rentals_without_duration: EndlessRentalDto[];

  @ApiProperty({
    type: [UnknownStoreValueDto],
    description:
      'Values that stores sent in the last 30 days and that this server does not know: at most 100, the most recent first. They had no effect on access or money; a newer version of the server may know them.',
  })
  unknown_store_values: UnknownStoreValueDto[];
}
