import { ApiProperty } from '@nestjs/swagger';
import { BodyExample } from '../../platform/http/bodies/body-example.js';
import { EMAIL_MAX } from '../../platform/http/bodies/email.js';
import { BooleanField, IntField, StringField } from '../../platform/http/bodies/fields.js';
import { listOf } from '../../platform/http/lists/list.dto.js';
import { MAX_LINK_MINUTES, MIN_LINK_MINUTES } from '../settings/redemption-settings.dto.js';
import { type LinkStatus, linkStatuses } from './redemption-link.policy.js';

const optional = { optional: true, nullable: true } as const;

@BodyExample({ store_purchase_identifier: 'sub_1OqZ5nF2eZvKYlo2C0d6bGkS', email: 'ada@example.com' })
export class CreateRedemptionLinkDto {
  @StringField({ ...optional, max: 255, description: 'The subscription. Send exactly one of the three ids.' })
  subscription_id?: string | null;

  @StringField({ ...optional, max: 255, description: 'The one-time purchase.' })
  purchase_id?: string | null;

  @StringField({ ...optional, max: 255, description: 'An id that the store has for the purchase.' })
  store_purchase_identifier?: string | null;

  @StringField({
    ...optional,
    max: EMAIL_MAX,
    description:
      "Where mails about the link go. Required if the owner has an id that is not anonymous. Default: the owner's `$email`, if a secret key set it or it came with a receipt of a web store.",
  })
  email?: string | null;

  @IntField({
    ...optional,
    min: MIN_LINK_MINUTES,
    max: MAX_LINK_MINUTES,
    description: 'Lifetime of the link. Default: as in the settings.',
  })
  expires_in_minutes?: number | null;

  @BooleanField({ optional: true, description: 'Send the link to the address. Default false.' })
  send_email?: boolean;
}

export class RedemptionLinkDto {
  @ApiProperty({ enum: ['redemption_link'] })
  object: 'redemption_link';

  @ApiProperty({ type: String, example: 'rlnkmbq1x0a7c3d4e5f6' })
  id: string;

  @ApiProperty({ type: String })
  project_id: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The owner of the purchase when the link was created.',
  })
  customer_id: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'The app of the purchase.' })
  app_id: string | null;

  @ApiProperty({ type: String, nullable: true })
  subscription_id: string | null;

  @ApiProperty({ type: String, nullable: true })
  purchase_id: string | null;

  @ApiProperty({ enum: ['production', 'sandbox'] })
  environment: 'production' | 'sandbox';

  @ApiProperty({
    enum: linkStatuses,
    description: 'A link is `replaced` once there is a newer one for the same purchase.',
  })
  status: LinkStatus;

  @ApiProperty({ type: String, nullable: true, example: 'a***@e*****.com' })
  obfuscated_email: string | null;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  created_at: number;

  @ApiProperty({ type: 'integer' })
  expires_at: number;

  @ApiProperty({ type: 'integer', nullable: true })
  redeemed_at: number | null;

  @ApiProperty({ type: String, nullable: true, description: 'The app user id that redeemed it.' })
  redeemed_by: string | null;

  @ApiProperty({
    type: String,
    required: false,
    description: 'The link that opens the app. Only in the answer that creates the link.',
  })
  redeem_url?: string;

  @ApiProperty({
    type: String,
    required: false,
    description: 'The link for mails and pages. Only in the answer that creates the link.',
  })
  redeem_url_redirect?: string;
}

export class RedemptionLinkListDto extends listOf(RedemptionLinkDto) {}
