import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

class SdkPackageDto {
  @ApiProperty({ type: String, example: '$rc_monthly' })
  identifier: string;

  @ApiProperty({ type: String, example: 'pro_monthly' })
  platform_product_identifier: string;

  @ApiProperty({ type: String, required: false, description: 'Google base plan.' })
  platform_product_plan_identifier?: string;
}

class SdkOfferingDto {
  @ApiProperty({ type: String, example: 'default' })
  identifier: string;

  @ApiProperty({ type: String })
  description: string;

  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  metadata: Record<string, unknown> | null;

  @ApiProperty({ type: [SdkPackageDto] })
  packages: SdkPackageDto[];

  @ApiProperty({
    enum: [true],
    required: false,
    description: 'Present if a paywall of the offering is published.',
  })
  has_paywall_components?: true;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description:
      'The paywall: `GET /schemas/paywall-document.json`. Not for SDKs that read it from remote configuration.',
  })
  paywall_components?: object;
}

class SdkPlacementsDto {
  @ApiProperty({
    type: String,
    nullable: true,
    example: 'default',
    description: 'Offering of all placements that are not listed. Null: none.',
  })
  fallback_offering_id: string | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string', nullable: true },
    description: 'Null: the placement shows no offering.',
  })
  offering_ids_by_placement: Record<string, string | null>;
}

class SdkTargetingDto {
  @ApiProperty({ type: 'integer' })
  revision: number;

  @ApiProperty({ type: String, example: 'trle0a1b2c3d4e' })
  rule_id: string;
}

export class SdkOfferingsDto {
  @ApiProperty({ type: String, nullable: true, example: 'default' })
  current_offering_id: string | null;

  @ApiProperty({ type: SdkPlacementsDto })
  placements: SdkPlacementsDto;

  @ApiProperty({
    type: SdkTargetingDto,
    required: false,
    description: 'The targeting rule that decided, if one did.',
  })
  targeting?: SdkTargetingDto;

  @ApiProperty({ type: [SdkOfferingDto] })
  offerings: SdkOfferingDto[];

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'What all paywalls share. Present with `paywall_components`.',
  })
  ui_config?: object;
}

class SdkPriceDto {
  @ApiProperty({ type: 'integer', example: 9990000 })
  amount_micros: number;

  @ApiProperty({ type: String, example: 'USD' })
  currency: string;
}

class SdkPricingPhaseDto {
  @ApiProperty({ type: String, example: 'P1M' })
  period_duration: string;

  @ApiProperty({ type: 'integer', example: 1 })
  cycle_count: number;

  @ApiProperty({ type: SdkPriceDto, nullable: true })
  price: SdkPriceDto | null;
}

class SdkPurchaseOptionDto {
  @ApiProperty({ type: String })
  id: string;

  @ApiProperty({ type: String })
  price_id: string;

  @ApiProperty({ type: SdkPricingPhaseDto, required: false })
  base?: SdkPricingPhaseDto;

  @ApiProperty({ type: SdkPricingPhaseDto, required: false, nullable: true })
  trial?: SdkPricingPhaseDto | null;

  @ApiProperty({ type: SdkPricingPhaseDto, required: false, nullable: true })
  intro_price?: SdkPricingPhaseDto | null;

  @ApiProperty({ type: SdkPriceDto, required: false, nullable: true })
  base_price?: SdkPriceDto | null;

  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  discount: object | null;
}

class SdkProductDto {
  @ApiProperty({ type: String })
  identifier: string;

  @ApiProperty({ enum: ['subscription', 'consumable', 'non_consumable'] })
  product_type: string;

  @ApiProperty({ type: String })
  title: string;

  @ApiProperty({ type: String, nullable: true })
  description: string | null;

  @ApiProperty({ type: String })
  default_purchase_option_id: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: { $ref: '#/components/schemas/SdkPurchaseOptionDto' },
  })
  purchase_options: Record<string, SdkPurchaseOptionDto>;
}

export class SdkProductsDto {
  @ApiProperty({ type: [SdkProductDto] })
  product_details: SdkProductDto[];
}

class SdkMappedProductDto {
  @ApiProperty({ type: String, example: 'pro' })
  product_identifier: string;

  @ApiProperty({ type: String, required: false, description: 'Google base plan.' })
  base_plan_id?: string;

  @ApiProperty({ type: [String], description: 'Lookup keys.' })
  entitlements: string[];
}

export class SdkEntitlementMappingDto {
  @ApiProperty({
    type: 'object',
    additionalProperties: { $ref: '#/components/schemas/SdkMappedProductDto' },
  })
  product_entitlement_mapping: Record<string, SdkMappedProductDto>;
}

export const sdkCatalogModels = [SdkMappedProductDto, SdkPurchaseOptionDto, SdkPricingPhaseDto, SdkPriceDto];
