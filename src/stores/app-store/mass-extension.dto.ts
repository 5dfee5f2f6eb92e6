import { ApiProperty } from '@nestjs/swagger';
import { EnumField, IntField, StringArrayField, StringField } from '../../platform/http/bodies/fields.js';
import { BodyExample } from '../../platform/http/bodies/body-example.js';

/** Ordered by Apple's numeric codes. */
export const extendReasonCodes = [
  'undeclared',
  'customer_satisfaction',
  'other',
  'service_issue_or_outage',
] as const;

export type ExtendReason = (typeof extendReasonCodes)[number];

@BodyExample({
  product_id: 'pro_monthly',
  extend_by_days: 7,
  extend_reason_code: 'service_issue_or_outage',
  environment: 'sandbox',
})
export class MassExtendDto {
  @StringField({ max: 255, description: 'Id of the product, here or in the App Store.' })
  product_id: string;

  @IntField({ min: 1, max: 90 })
  extend_by_days: number;

  @EnumField(extendReasonCodes)
  extend_reason_code: ExtendReason;

  @StringArrayField({
    optional: true,
    max: 250,
    itemMax: 3,
    description: 'ISO 3166 alpha-3. Empty: all countries.',
  })
  storefront_country_codes?: string[];

  @EnumField(['production', 'sandbox'], { optional: true, description: 'Default production.' })
  environment?: 'production' | 'sandbox';
}

export class MassExtensionDto {
  @ApiProperty({ enum: ['subscription_mass_extension'] })
  object: 'subscription_mass_extension';

  @ApiProperty({ type: String, format: 'uuid' })
  id: string;

  @ApiProperty({ type: String })
  app_id: string;

  @ApiProperty({ type: String })
  product_id: string;

  @ApiProperty({ enum: ['production', 'sandbox'] })
  environment: 'production' | 'sandbox';

  @ApiProperty({ type: 'integer' })
  extend_by_days: number;

  @ApiProperty({ enum: extendReasonCodes })
  extend_reason_code: ExtendReason;

  @ApiProperty({ type: [String] })
  storefront_country_codes: string[];

  @ApiProperty({ type: Boolean })
  complete: boolean;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Epoch milliseconds.' })
  completed_at: number | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Null until it is complete.' })
  succeeded_count: number | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Null until it is complete.' })
  failed_count: number | null;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  requested_at: number;
}
