import { ApiProperty } from '@nestjs/swagger';
import {
  externalPurchaseBindings,
  fallbackCurrencies,
} from '../../catalog/apps/external-purchase-reports.js';
import {
  type RefundDataConsent,
  refundDataConsents,
  type RefundRequestHandling,
  refundRequestHandlings,
  type RefundUsageEvidence,
  refundUsageEvidences,
} from '../../catalog/apps/refund-settings.js';
import { appTypes, type AppType } from '../../platform/principal/app-types.js';

export const notificationStatuses = ['waiting', 'received', 'ready', 'failing', 'unsigned'] as const;

const epochMs = { type: 'integer', nullable: true, description: 'Epoch milliseconds.' } as const;

class NotificationErrorDto {
  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  at: number;

  @ApiProperty({ type: String })
  type: string;

  @ApiProperty({ type: String })
  message: string;
}

export class NotificationStateDto {
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Register this with the store; null if this server does not accept its notifications.',
  })
  notification_url: string | null;

  @ApiProperty({ ...epochMs, description: 'When the store sent the last notification, epoch milliseconds.' })
  last_notification_at: number | null;

  @ApiProperty({ ...epochMs, description: 'When the last one arrived, epoch milliseconds.' })
  last_notification_received_at: number | null;

  @ApiProperty({ type: NotificationErrorDto, nullable: true })
  last_notification_error: NotificationErrorDto | null;

  @ApiProperty({
    enum: notificationStatuses,
    description:
      'None received yet; one received; the last was processed; the last failed; the last had no signature, because signing is switched off at the store (Roku).',
  })
  notification_status: (typeof notificationStatuses)[number];
}

class ForwardDto {
  @ApiProperty({ type: 'integer', nullable: true, description: 'HTTP status; null if no answer came.' })
  status: number | null;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  at: number;
}

class CredentialDto {
  @ApiProperty({ type: Boolean })
  configured: boolean;
}

class AppleKeyDto extends CredentialDto {
  @ApiProperty({ type: String, nullable: true })
  key_id: string | null;

  @ApiProperty({ type: String, nullable: true })
  issuer_id: string | null;
}

class ConnectKeyDto extends AppleKeyDto {
  @ApiProperty({ type: String, nullable: true })
  vendor_number: string | null;
}

class ServiceAccountDto extends CredentialDto {
  @ApiProperty({ type: String, nullable: true })
  client_email: string | null;
}

class CredentialsDto {
  @ApiProperty({ type: AppleKeyDto })
  subscription_key: AppleKeyDto;

  @ApiProperty({ type: ConnectKeyDto })
  app_store_connect_api_key: ConnectKeyDto;

  @ApiProperty({ type: CredentialDto })
  shared_secret: CredentialDto;

  @ApiProperty({ type: ServiceAccountDto })
  play_service_account: ServiceAccountDto;

  @ApiProperty({ type: CredentialDto })
  xcode_certificate: CredentialDto;
}

class ExternalPurchaseReportsSettingsDto {
  @ApiProperty({ type: Boolean, description: 'Whether outside purchases are reported to Apple.' })
  enabled: boolean;

  @ApiProperty({
    enum: externalPurchaseBindings,
    description: 'How outside purchases without an id find a token.',
  })
  bind: 'id' | 'newest';

  @ApiProperty({ enum: fallbackCurrencies })
  fallback_currency: 'EUR' | 'USD';
}

class ExternalTransactionReportsSettingsDto {
  @ApiProperty({ type: Boolean, description: 'Whether outside purchases are reported to Google.' })
  enabled: boolean;

  @ApiProperty({
    enum: externalPurchaseBindings,
    description: 'How outside purchases without an id find a token.',
  })
  bind: 'id' | 'newest';

  @ApiProperty({ type: String, nullable: true, description: "Google's type of the link to the offer." })
  link_type: string | null;
}

export class StoreSettingsDto extends NotificationStateDto {
  @ApiProperty({ enum: ['app_store_settings'] })
  object: 'app_store_settings';

  @ApiProperty({ type: String })
  app_id: string;

  @ApiProperty({ enum: appTypes })
  type: AppType;

  @ApiProperty({
    enum: ['supported', 'unsupported'],
    description: 'Whether this server can verify purchases of the store.',
  })
  receipts: 'supported' | 'unsupported';

  @ApiProperty({ type: String, description: 'Address under which SDKs and stores reach this server.' })
  api_origin: string;

  @ApiProperty({ type: String, nullable: true })
  notification_forward_url: string | null;

  @ApiProperty({ type: ForwardDto, nullable: true })
  last_forward: ForwardDto | null;

  @ApiProperty({ type: Boolean })
  track_new_purchases: boolean;

  @ApiProperty({ type: Boolean })
  allow_unsigned_receipts: boolean;

  @ApiProperty({ type: Boolean, description: 'App Store only.' })
  answer_retention_requests: boolean;

  @ApiProperty({
    type: Boolean,
    description: 'Roku only: push notifications signed with the keys for tests are accepted.',
  })
  allow_test_notifications: boolean;

  @ApiProperty({ enum: refundRequestHandlings, description: 'App Store and Google Play only.' })
  refund_request_handling: RefundRequestHandling;

  @ApiProperty({ type: ExternalPurchaseReportsSettingsDto, description: 'App Store only.' })
  external_purchase_reports: ExternalPurchaseReportsSettingsDto;

  @ApiProperty({ type: ExternalTransactionReportsSettingsDto, description: 'Google Play only.' })
  external_transaction_reports: ExternalTransactionReportsSettingsDto;

  @ApiProperty({ enum: refundDataConsents, description: 'App Store and Google Play only.' })
  refund_data_consent: RefundDataConsent;

  @ApiProperty({ type: Boolean, description: 'Customers can try the content before they buy it.' })
  sample_content_provided: boolean;

  @ApiProperty({ enum: refundUsageEvidences, description: 'Google Play only.' })
  refund_usage_evidence: RefundUsageEvidence;

  @ApiProperty({
    type: Boolean,
    description: 'Attributes about refunds also count if the app set them with its public key.',
  })
  refund_attributes_from_sdk: boolean;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'App Store and Amazon: when the app joined the small business program, epoch milliseconds.',
  })
  small_business_since: number | null;

  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'Google Play: the commission on one-time purchases; null if it is the usual one.',
  })
  one_time_rate: number | null;

  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'Stripe, Paddle, Roku and web billing: the commission; null if it is the usual one.',
  })
  commission_rate: number | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Amazon only: the SNS topic of the notifications; null if none has arrived yet.',
  })
  sns_topic_arn: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'Amazon only: the token to enter in the developer console, which confirms the notification address.',
  })
  sns_confirmation_token: string | null;

  @ApiProperty({ type: CredentialsDto, description: 'Which credentials are set; never a secret.' })
  credentials: CredentialsDto;
}
