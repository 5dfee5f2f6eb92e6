import { renewalModes, type RenewalSettings } from '../../../libs/stores/index.js';
import {
  BooleanField,
  EnumField,
  IntField,
  NumberField,
  ObjectField,
  StringField,
} from '../../platform/http/bodies/fields.js';
import {
  ExternalPurchaseReportsDto,
  ExternalTransactionReportsDto,
} from './external-purchase-reports.dto.js';
import {
  type RefundDataConsent,
  refundDataConsents,
  type RefundRequestHandling,
  refundRequestHandlings,
  type RefundUsageEvidence,
  refundUsageEvidences,
} from './refund-settings.js';
import { type AppUserIdSource, appUserIdSources } from './store-fields.js';
import { AppleIdField, ServiceAccountField } from './store-object.fields.js';

/** Store objects in create and update requests. Null removes a value. */
const removable = { optional: true, nullable: true } as const;

const identifier = { max: 256 } as const;

/** The last day of the year 9999. */
const MAX_TIME_MS = 253_402_300_799_999;

function SmallBusinessField(program: string, percent: number) {
  const description =
    `When the app joined ${program}, in epoch milliseconds: sales from then on count with a commission of ` +
    `${percent} %. Null: it did not.`;
  return IntField({ ...removable, min: 0, max: MAX_TIME_MS, description });
}

/** A share of the gross price. Sales already recorded keep their commission. */
function RateField(description: string) {
  return NumberField({ ...removable, min: 0, max: 1, description, example: 0.15 });
}

class NotificationFieldsDto {
  @StringField({
    ...removable,
    min: 0,
    max: 2000,
    description: 'Store notifications are copied to this URL. Null or empty: no copies.',
  })
  notification_forward_url?: string | null;

  @BooleanField({
    ...removable,
    description: 'Record purchases that are first reported by a store notification.',
  })
  track_new_purchases?: boolean | null;
}

/** Settings of stores that ask before they decide about a refund or a chargeback. */
class RefundFieldsDto extends NotificationFieldsDto {
  @EnumField(refundRequestHandlings, {
    ...removable,
    description:
      'How to answer the store about refund requests (App Store) or chargebacks (Google Play): always the same, or by ' +
      "the project's refund policies. `let_apple_decide`: an answer without a preference. Null: do_not_handle.",
  })
  refund_request_handling?: RefundRequestHandling | null;

  @EnumField(refundDataConsents, {
    ...removable,
    description:
      'Customers who agreed that their use of a purchase is reported to the store. `attribute`: those whose ' +
      '`$refundDataConsent` is `true`, `yes` or `1`. Apple gets no answer about any other. Null: none.',
  })
  refund_data_consent?: RefundDataConsent | null;

  @BooleanField({
    ...removable,
    description: 'Customers can try the content before they buy it. Null: false.',
  })
  sample_content_provided?: boolean | null;

  @BooleanField({
    ...removable,
    description:
      'Attributes about refunds also count if the app set them with its public key, which any user can do. Null: false.',
  })
  refund_attributes_from_sdk?: boolean | null;
}

class AppleFieldsDto extends RefundFieldsDto {
  @StringField({ ...removable, min: 32, max: 32, description: 'App-specific shared secret.' })
  shared_secret?: string | null;

  @StringField({ ...removable, max: 4500, description: 'In-app purchase key (PEM).' })
  subscription_private_key?: string | null;

  @StringField({ ...removable, max: 32, description: 'Id of the in-app purchase key.' })
  subscription_key_id?: string | null;

  @StringField({ ...removable, max: 36, description: 'Issuer id of the in-app purchase key.' })
  subscription_key_issuer?: string | null;

  @StringField({ ...removable, max: 4500, description: 'App Store Connect API key (PEM).' })
  app_store_connect_api_key?: string | null;

  @StringField({ ...removable, max: 36 })
  app_store_connect_api_key_id?: string | null;

  @StringField({ ...removable, max: 36 })
  app_store_connect_api_key_issuer?: string | null;

  @StringField({ ...removable, max: 20 })
  app_store_connect_vendor_number?: string | null;

  @AppleIdField()
  app_apple_id?: number | string | null;

  @ObjectField(() => ExternalPurchaseReportsDto, {
    ...removable,
    description: 'Purchases outside the App Store. Replaces the whole object.',
  })
  external_purchase_reports?: ExternalPurchaseReportsDto | null;

  @BooleanField({ ...removable, description: 'Accept sandbox receipts that Apple has not signed.' })
  allow_unsigned_receipts?: boolean | null;

  @BooleanField({
    ...removable,
    description:
      'Choose retention messages by the rules of the app. Default: true. False: Apple shows its default message.',
  })
  answer_retention_requests?: boolean | null;

  @StringField({
    ...removable,
    max: 10_000,
    description: 'Certificate that StoreKit testing in Xcode signs with (PEM).',
  })
  xcode_certificate?: string | null;

  @SmallBusinessField('the App Store Small Business Program', 15)
  small_business_since?: number | null;
}

export class CreateAppleObjectDto extends AppleFieldsDto {
  @StringField({ ...identifier, example: 'com.example.app' })
  bundle_id: string;
}

export class UpdateAppleObjectDto extends AppleFieldsDto {
  @StringField({ ...identifier, optional: true })
  bundle_id?: string;
}

class PlayStoreFieldsDto extends RefundFieldsDto {
  @EnumField(refundUsageEvidences, {
    ...removable,
    description:
      'Evidence of use in answers about chargebacks: the days on which the customer was seen. Null: none.',
  })
  refund_usage_evidence?: RefundUsageEvidence | null;

  @ServiceAccountField()
  play_service_account_credentials_json?: string | Record<string, unknown> | null;

  @StringField({ ...removable, max: 2048, description: 'Audience of the tokens in Pub/Sub pushes.' })
  pubsub_audience?: string | null;

  @StringField({ ...removable, max: 320, description: 'Service account that signs Pub/Sub pushes.' })
  pubsub_service_account?: string | null;

  @ObjectField(() => ExternalTransactionReportsDto, {
    ...removable,
    description: 'Purchases outside Google Play. Replaces the whole object.',
  })
  external_transaction_reports?: ExternalTransactionReportsDto | null;

  @RateField('Commission on one-time purchases. Null: 0.15.')
  one_time_rate?: number | null;
}

export class CreatePlayStoreObjectDto extends PlayStoreFieldsDto {
  @StringField({ ...identifier, example: 'com.example.app' })
  package_name: string;
}

export class UpdatePlayStoreObjectDto extends PlayStoreFieldsDto {
  @StringField({ ...identifier, optional: true })
  package_name?: string;
}

class AmazonFieldsDto extends NotificationFieldsDto {
  @StringField({ ...removable, max: 256 })
  shared_secret?: string | null;

  @StringField({
    ...removable,
    max: 256,
    description: 'SNS topic of the notifications. Default: the topic of the first notification.',
  })
  sns_topic_arn?: string | null;

  @SmallBusinessField('the Amazon Appstore Small Business Accelerator Program', 20)
  small_business_since?: number | null;
}

export class CreateAmazonObjectDto extends AmazonFieldsDto {
  @StringField({ ...identifier, example: 'com.example.app' })
  package_name: string;
}

export class UpdateAmazonObjectDto extends AmazonFieldsDto {
  @StringField({ ...identifier, optional: true })
  package_name?: string;
}

export class StripeObjectDto extends NotificationFieldsDto {
  @StringField({ ...removable, ...identifier, example: 'acct_1A2B3C' })
  stripe_account_id?: string | null;

  @StringField({ ...removable, max: 256 })
  stripe_secret_key?: string | null;

  @StringField({ ...removable, max: 256 })
  stripe_webhook_secret?: string | null;

  @BooleanField({
    ...removable,
    description:
      'Refuse receipts posted with the public key of the app: only a secret key may post them. Null: false.',
  })
  require_secret_key_for_receipts?: boolean | null;

  @RateField('Commission on all sales. Null: 0.')
  commission_rate?: number | null;
}

class WebBillingFieldsDto {
  @StringField({ ...removable, ...identifier })
  stripe_account_id?: string | null;

  @StringField({ ...removable, max: 320 })
  support_email?: string | null;

  @StringField({ ...removable, min: 3, max: 3, description: 'ISO 4217.', example: 'USD' })
  default_currency?: string | null;

  @RateField('Commission on all sales. Null: 0.')
  commission_rate?: number | null;
}

export class CreateWebBillingObjectDto extends WebBillingFieldsDto {
  @StringField({ ...identifier, description: 'Shown to customers.' })
  app_name: string;
}

export class UpdateWebBillingObjectDto extends WebBillingFieldsDto {
  @StringField({ ...removable, ...identifier, description: "Shown to customers. Null: the app's name." })
  app_name?: string | null;
}

export class RokuObjectDto extends NotificationFieldsDto {
  @StringField({
    ...removable,
    min: 32,
    max: 64,
    pattern: /^[A-Za-z0-9]*$/,
    patternText: 'must be letters and digits',
    description: 'Roku Pay web services key; one serves all channels of a developer account.',
  })
  roku_api_key?: string | null;

  @StringField({
    ...removable,
    max: 10,
    pattern: /^\d*$/,
    patternText: 'must be digits',
    description: 'Only purchases of this channel are accepted. Null: those of all channels are.',
  })
  roku_channel_id?: string | null;

  @StringField({ ...removable, max: 30 })
  roku_channel_name?: string | null;

  @BooleanField({
    ...removable,
    description: 'Accept push notifications that are signed with the keys for tests. Null: false.',
  })
  allow_test_notifications?: boolean | null;

  @RateField('Commission on all sales. Null: 0.2.')
  commission_rate?: number | null;
}

export class PaddleObjectDto extends NotificationFieldsDto {
  @StringField({ ...removable, min: 50, max: 70 })
  paddle_api_key?: string | null;

  @BooleanField({
    ...removable,
    description:
      'Whether an API key without a prefix belongs to the sandbox. Default: as the prefix says, else false.',
  })
  paddle_is_sandbox?: boolean | null;

  @StringField({
    ...removable,
    max: 256,
    description: 'Secret key of the notification destination (pdl_ntfset_…).',
  })
  paddle_webhook_secret?: string | null;

  @EnumField(appUserIdSources, {
    ...removable,
    description:
      'Owner of a purchase that only a webhook reports: the app user id in its `custom_data`, or a new anonymous ' +
      'customer. Null: custom_data.',
  })
  app_user_id_source?: AppUserIdSource | null;

  @StringField({
    ...removable,
    max: 100,
    description: 'Field of `custom_data` with the app user id. Null: app_user_id.',
  })
  app_user_id_custom_data_key?: string | null;

  @BooleanField({
    ...removable,
    description:
      'Refuse receipts posted with the public key of the app: only a secret key may post them. Null: false.',
  })
  require_secret_key_for_receipts?: boolean | null;

  @RateField('Commission on sales for which Paddle does not report its fee. Null: 0.')
  commission_rate?: number | null;
}

export class TestStoreObjectDto {
  @EnumField(renewalModes, {
    ...removable,
    description:
      'Whether subscriptions renew automatically: `real`, at the end of each period; `accelerated`, with five minutes ' +
      'for a month; `none`, they end with their first period. Null: real.',
  })
  renewal_mode?: RenewalSettings['renewalMode'] | null;

  @IntField({
    ...removable,
    min: 1,
    max: 100,
    description: 'Renewals of one subscription; the last one turns renewal off. Null: 5.',
  })
  max_renewals?: number | null;
}
