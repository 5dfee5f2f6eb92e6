import { ApiProperty, type ApiPropertyOptions, getSchemaPath } from '@nestjs/swagger';

const isoDate = { type: String, format: 'date-time', example: '2026-01-02T03:04:05Z' } as const;

export class SdkPriceAmountDto {
  @ApiProperty({ type: Number, example: 9.99 })
  amount: number;

  @ApiProperty({ type: String, example: 'USD' })
  currency: string;
}

export class SdkEntitlementDto {
  @ApiProperty({ ...isoDate, nullable: true })
  expires_date: string | null;

  @ApiProperty({ ...isoDate, nullable: true })
  grace_period_expires_date: string | null;

  @ApiProperty({ type: String })
  product_identifier: string;

  @ApiProperty({ type: String, required: false, description: 'Base plan; only of Google Play.' })
  product_plan_identifier?: string;

  @ApiProperty(isoDate)
  purchase_date: string;
}

export class SdkSubscriptionDto {
  @ApiProperty({ ...isoDate, nullable: true })
  auto_resume_date: string | null;

  @ApiProperty({ ...isoDate, nullable: true })
  billing_issues_detected_at: string | null;

  @ApiProperty({ type: String, nullable: true })
  display_name: string | null;

  @ApiProperty({ ...isoDate, nullable: true })
  expires_date: string | null;

  @ApiProperty({ ...isoDate, nullable: true })
  grace_period_expires_date: string | null;

  @ApiProperty({ type: Boolean })
  is_sandbox: boolean;

  @ApiProperty({ type: String, nullable: true })
  management_url: string | null;

  @ApiProperty(isoDate)
  original_purchase_date: string;

  @ApiProperty({ enum: ['PURCHASED', 'FAMILY_SHARED'] })
  ownership_type: string;

  @ApiProperty({ enum: ['normal', 'intro', 'trial', 'prepaid'] })
  period_type: string;

  @ApiProperty({ type: SdkPriceAmountDto, nullable: true })
  price: SdkPriceAmountDto | null;

  @ApiProperty({ type: String, required: false, description: 'Base plan; only of Google Play.' })
  product_plan_identifier?: string;

  @ApiProperty(isoDate)
  purchase_date: string;

  @ApiProperty({ ...isoDate, nullable: true })
  refunded_at: string | null;

  @ApiProperty({ type: String, example: 'test_store' })
  store: string;

  @ApiProperty({ type: String })
  store_transaction_id: string;

  @ApiProperty({ ...isoDate, nullable: true })
  unsubscribe_detected_at: string | null;
}

export class SdkOneTimePurchaseDto {
  @ApiProperty({ type: String, required: false })
  display_name?: string;

  @ApiProperty({ type: String })
  id: string;

  @ApiProperty({ type: Boolean })
  is_sandbox: boolean;

  @ApiProperty(isoDate)
  original_purchase_date: string;

  @ApiProperty({ type: SdkPriceAmountDto, nullable: true })
  price: SdkPriceAmountDto | null;

  @ApiProperty(isoDate)
  purchase_date: string;

  @ApiProperty({ type: String })
  store: string;

  @ApiProperty({ type: String })
  store_transaction_id: string;
}

export class SdkAttributeDto {
  @ApiProperty({ type: String })
  value: string;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  updated_at_ms: number;
}

const attributesByName = {
  type: 'object' as const,
  additionalProperties: { $ref: getSchemaPath(SdkAttributeDto) },
  selfRequired: false,
  description: 'Attributes by name; only with a secret key.',
} satisfies ApiPropertyOptions;

export class SubscriberDto {
  @ApiProperty({ type: 'object', additionalProperties: { $ref: getSchemaPath(SdkEntitlementDto) } })
  entitlements: Record<string, SdkEntitlementDto>;

  @ApiProperty(isoDate)
  first_seen: string;

  @ApiProperty(isoDate)
  last_seen: string;

  @ApiProperty({ type: String, nullable: true })
  management_url: string | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'array', items: { $ref: getSchemaPath(SdkOneTimePurchaseDto) } },
  })
  non_subscriptions: Record<string, SdkOneTimePurchaseDto[]>;

  @ApiProperty({ type: String })
  original_app_user_id: string;

  @ApiProperty({ type: String, nullable: true })
  original_application_version: string | null;

  @ApiProperty({ ...isoDate, nullable: true })
  original_purchase_date: string | null;

  @ApiProperty({ type: 'object', additionalProperties: false })
  other_purchases: object;

  @ApiProperty(attributesByName)
  subscriber_attributes?: Record<string, SdkAttributeDto>;

  @ApiProperty({ type: 'object', additionalProperties: { $ref: getSchemaPath(SdkSubscriptionDto) } })
  subscriptions: Record<string, SdkSubscriptionDto>;
}

export class CustomerInfoDto {
  @ApiProperty(isoDate)
  request_date: string;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  request_date_ms: number;

  @ApiProperty({ type: SubscriberDto })
  subscriber: SubscriberDto;

  @ApiProperty(attributesByName)
  subscriber_attributes?: Record<string, SdkAttributeDto>;
}

export const customerInfoModels = [
  SdkEntitlementDto,
  SdkSubscriptionDto,
  SdkOneTimePurchaseDto,
  SdkAttributeDto,
];
