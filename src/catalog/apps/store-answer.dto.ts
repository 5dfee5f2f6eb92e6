import { ApiProperty } from '@nestjs/swagger';
import { renewalModes, type RenewalSettings } from '../../../libs/stores/index.js';
import { type AppUserIdSource, appUserIdSources } from './store-fields.js';

/** Store objects in responses. Credentials never leave the server. */

export class AppStoreAnswerDto {
  @ApiProperty({ type: String })
  bundle_id: string;

  @ApiProperty({ type: Boolean, description: 'The key, its id and its issuer are all set.' })
  app_store_connect_api_key_configured: boolean;

  @ApiProperty({ type: Boolean, description: 'The key, its id and its issuer are all set.' })
  subscription_key_configured: boolean;

  @ApiProperty({ type: String, nullable: true })
  app_store_connect_vendor_number: string | null;
}

export class MacAppStoreAnswerDto {
  @ApiProperty({ type: String })
  bundle_id: string;
}

export class PlayStoreAnswerDto {
  @ApiProperty({ type: String })
  package_name: string;

  @ApiProperty({ type: Boolean })
  play_service_account_credentials_configured: boolean;
}

export class AmazonAnswerDto {
  @ApiProperty({ type: String })
  package_name: string;
}

export class StripeAnswerDto {
  @ApiProperty({ type: String, nullable: true })
  stripe_account_id: string | null;

  @ApiProperty({ type: Boolean, description: 'Receipts posted with the public key of the app are refused.' })
  require_secret_key_for_receipts: boolean;
}

export class WebBillingAnswerDto {
  @ApiProperty({ type: String, nullable: true })
  stripe_account_id: string | null;

  @ApiProperty({ type: String, description: 'The same as app_name.' })
  seller_company_name: string;

  @ApiProperty({ type: String })
  app_name: string;

  @ApiProperty({ type: String, nullable: true })
  support_email: string | null;

  @ApiProperty({ type: String })
  default_currency: string;
}

export class RokuAnswerDto {
  @ApiProperty({ type: String, nullable: true })
  roku_channel_id: string | null;

  @ApiProperty({ type: String, nullable: true })
  roku_channel_name: string | null;
}

export class PaddleAnswerDto {
  @ApiProperty({ type: Boolean })
  paddle_is_sandbox: boolean;

  @ApiProperty({ enum: appUserIdSources })
  app_user_id_source: AppUserIdSource;

  @ApiProperty({ type: String })
  app_user_id_custom_data_key: string;

  @ApiProperty({ type: Boolean })
  require_secret_key_for_receipts: boolean;

  @ApiProperty({ type: 'null', description: 'Never shown.' })
  paddle_api_key: null;
}

export class TestStoreAnswerDto {
  @ApiProperty({ enum: renewalModes })
  renewal_mode: RenewalSettings['renewalMode'];

  @ApiProperty({ type: 'integer' })
  max_renewals: number;
}
