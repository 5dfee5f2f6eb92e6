import { ApiProperty } from '@nestjs/swagger';
import { type AppType, appTypes } from '../../platform/principal/app-types.js';
import { ServiceAccountField } from '../../catalog/apps/store-object.fields.js';
import { StringField } from '../../platform/http/bodies/fields.js';
import { BodyExample } from '../../platform/http/bodies/body-example.js';

const given = { optional: true, nullable: true } as const;

/** Fields of the app's store. Missing ones come from the saved settings. */
@BodyExample({})
export class VerifyCredentialsDto {
  @StringField({ ...given, max: 256 })
  bundle_id?: string | null;

  @StringField({ ...given, max: 4500, description: 'In-app purchase key (PEM).' })
  subscription_private_key?: string | null;

  @StringField({ ...given, max: 32 })
  subscription_key_id?: string | null;

  @StringField({ ...given, max: 36 })
  subscription_key_issuer?: string | null;

  @StringField({ ...given, max: 256 })
  package_name?: string | null;

  @ServiceAccountField()
  play_service_account_credentials_json?: string | Record<string, unknown> | null;

  @StringField({ ...given, max: 256 })
  shared_secret?: string | null;

  @StringField({ ...given, max: 64 })
  roku_api_key?: string | null;

  @StringField({ ...given, max: 256 })
  paddle_api_key?: string | null;

  @StringField({ ...given, max: 256 })
  stripe_secret_key?: string | null;
}

export class CredentialsCheckDto {
  @ApiProperty({ enum: ['credentials_check'] })
  object: 'credentials_check';

  @ApiProperty({ type: String })
  app_id: string;

  @ApiProperty({ enum: appTypes })
  store: AppType;

  @ApiProperty({ enum: ['valid', 'invalid', 'unreachable'] })
  status: 'valid' | 'invalid' | 'unreachable';

  @ApiProperty({ type: Boolean })
  valid: boolean;

  @ApiProperty({ type: String, description: 'What is missing or wrong.' })
  message: string;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  checked_at: number;

  @ApiProperty({ type: String, required: false })
  key_id?: string;

  @ApiProperty({ type: String, required: false })
  client_email?: string;
}
