import { ApiProperty } from '@nestjs/swagger';
import { BodyExample } from '../../platform/http/bodies/body-example.js';
import { EMAIL_MAX } from '../../platform/http/bodies/email.js';
import { BooleanField, EnumField, IntField, StringField } from '../../platform/http/bodies/fields.js';
import { type RedemptionMode, redemptionModes } from './redemption-settings.entity.js';

export const MIN_LINK_MINUTES = 5;
export const MAX_LINK_MINUTES = 10_080;

const clearable = { optional: true, nullable: true } as const;

@BodyExample({ enabled: 'sandbox', app_name: 'Pro' })
export class UpdateRedemptionSettingsDto {
  @EnumField(redemptionModes, { optional: true, description: 'Environments whose links work.' })
  enabled?: RedemptionMode;

  @StringField({
    ...clearable,
    min: 2,
    max: 63,
    pattern: /^[a-z][a-z0-9+.-]{1,62}$/,
    patternText: 'must begin with a letter, and hold only a-z, 0-9, +, . and -',
    description: 'A URL scheme that every app of the project registers. Null: that of the oldest mobile app.',
  })
  url_scheme?: string | null;

  @IntField({
    min: MIN_LINK_MINUTES,
    max: MAX_LINK_MINUTES,
    optional: true,
    description: 'Lifetime of new links.',
  })
  link_minutes?: number;

  @BooleanField({
    optional: true,
    description: 'Mails a link when a purchase is made on the web by a customer with an `$email`.',
  })
  mail_on_purchase?: boolean;

  @BooleanField({ ...clearable, description: 'Mails a new link when an expired one is opened.' })
  mail_on_expired?: boolean | null;

  @StringField({
    ...clearable,
    max: 60,
    description: 'On the page and in mails. Null: the name of the project.',
  })
  app_name?: string | null;

  @StringField({ ...clearable, max: 500, description: 'Where to get the app; https.' })
  app_store_url?: string | null;

  @StringField({ ...clearable, max: 500, description: 'Where to get the app; https.' })
  play_store_url?: string | null;

  @StringField({
    ...clearable,
    max: EMAIL_MAX,
    description: 'Support address on the page, in mails and in the customer center of the SDKs.',
  })
  support_email?: string | null;
}

export class RedemptionSettingsDto {
  @ApiProperty({ enum: ['redemption_settings'] })
  object: 'redemption_settings';

  @ApiProperty({
    enum: redemptionModes,
    description: 'Environments whose links work: `production` includes the sandbox.',
  })
  enabled: RedemptionMode;

  @ApiProperty({ type: String, nullable: true })
  url_scheme: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The scheme that links use: `url_scheme`, or that of the oldest mobile app. Null: no app.',
  })
  effective_url_scheme: string | null;

  @ApiProperty({ type: 'integer' })
  link_minutes: number;

  @ApiProperty({ type: Boolean })
  mail_on_purchase: boolean;

  @ApiProperty({ type: Boolean, description: 'Default: whether the server can send mails.' })
  mail_on_expired: boolean;

  @ApiProperty({ type: String, nullable: true })
  app_name: string | null;

  @ApiProperty({ type: String, nullable: true })
  app_store_url: string | null;

  @ApiProperty({ type: String, nullable: true })
  play_store_url: string | null;

  @ApiProperty({ type: String, nullable: true })
  support_email: string | null;

  @ApiProperty({ type: Boolean, description: 'Whether this server can send mails.' })
  can_send_mail: boolean;
}
