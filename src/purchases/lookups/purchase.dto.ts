import { ApiProperty } from '@nestjs/swagger';
import { EntitlementDto } from '../../catalog/entitlements/entitlement.dto.js';
import { ProductDto } from '../../catalog/products/product.dto.js';
import { listOf } from '../../platform/http/lists/list.dto.js';
import { MonetaryAmountDto } from './money.js';

export class UnlockedEntitlementListDto extends listOf(EntitlementDto) {}

const epochMs = { type: 'integer', description: 'Epoch milliseconds.' } as const;

class AppliedTargetingRuleDto {
  @ApiProperty({ type: 'integer' })
  revision: number;

  @ApiProperty({ type: String })
  rule_id: string;
}

class PurchaseBaseDto {
  @ApiProperty({ type: String })
  id: string;

  @ApiProperty({ type: String, description: 'Original app user id of the owner.' })
  customer_id: string;

  @ApiProperty({ type: String, description: 'The first owner.' })
  original_customer_id: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Null if the product is not in the catalog.',
  })
  product_id: string | null;

  @ApiProperty({ type: String, nullable: true })
  presented_offering_id: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'The placement in which the app showed it.' })
  presented_placement_id: string | null;

  @ApiProperty({
    type: AppliedTargetingRuleDto,
    nullable: true,
    description: 'The targeting rule that chose the offering, as sent to the device.',
  })
  applied_targeting_rule: AppliedTargetingRuleDto | null;

  @ApiProperty({ type: UnlockedEntitlementListDto })
  entitlements: UnlockedEntitlementListDto;

  @ApiProperty({ enum: ['production', 'sandbox'] })
  environment: string;

  @ApiProperty({ type: String, example: 'test_store' })
  store: string;

  @ApiProperty({ enum: ['purchased', 'family_shared'] })
  ownership: string;

  @ApiProperty({ type: String, nullable: true })
  country: string | null;
}

export class PurchaseDto extends PurchaseBaseDto {
  @ApiProperty({ enum: ['purchase'] })
  object: 'purchase';

  @ApiProperty(epochMs)
  purchased_at: number;

  @ApiProperty({ type: MonetaryAmountDto })
  revenue_in_usd: MonetaryAmountDto;

  @ApiProperty({ type: 'integer', minimum: 1 })
  quantity: number;

  @ApiProperty({ enum: ['owned', 'refunded'] })
  status: string;

  @ApiProperty({ type: String })
  store_purchase_identifier: string;
}

export class PurchaseListDto extends listOf(PurchaseDto) {}

export class SubscriptionItemDto {
  @ApiProperty({ enum: ['base', 'addon'] })
  type: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Null if the product is not in the catalog.',
  })
  product_id: string | null;

  @ApiProperty({ type: String, example: 'hifi:monthly' })
  store_product_identifier: string;

  @ApiProperty({ type: Boolean })
  gives_access: boolean;

  @ApiProperty({ ...epochMs, nullable: true, description: 'When the access given by this item ends.' })
  ends_at: number | null;
}

class PendingChangesDto {
  @ApiProperty({ type: ProductDto })
  product: ProductDto;
}

class SeatTierDto {
  @ApiProperty({ type: MonetaryAmountDto, description: 'Price of one seat.' })
  price: MonetaryAmountDto;

  @ApiProperty({ type: 'integer', minimum: 0 })
  quantity: number;
}

class SeatsDto {
  @ApiProperty({
    enum: ['purchaser', 'member'],
    description: 'A member has a seat that someone else pays for.',
  })
  role: 'purchaser' | 'member';

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'Seats in effect: those bought less those revoked.',
  })
  quantity: number;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Seats refunded in the current period.' })
  revoked: number;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Seats of the next period.' })
  next_quantity: number;

  @ApiProperty({ type: [SeatTierDto], required: false, description: 'Only for the purchaser.' })
  tiers?: SeatTierDto[];

  @ApiProperty({ enum: ['apple', 'developer'], nullable: true, description: 'Who invites the members.' })
  invitations: 'apple' | 'developer' | null;
}

class BundleDto {
  @ApiProperty({ type: String, description: "The store's id of the bundle." })
  product_identifier: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: "The store's id of the subscription that the customer left for the bundle.",
  })
  previous_store_subscription_identifier: string | null;
}

export class SubscriptionDto extends PurchaseBaseDto {
  @ApiProperty({ enum: ['subscription'] })
  object: 'subscription';

  @ApiProperty(epochMs)
  starts_at: number;

  @ApiProperty(epochMs)
  current_period_starts_at: number;

  @ApiProperty({ ...epochMs, nullable: true })
  current_period_ends_at: number | null;

  @ApiProperty({ ...epochMs, nullable: true, description: 'When access ends.' })
  ends_at: number | null;

  @ApiProperty({ type: Boolean })
  gives_access: boolean;

  @ApiProperty({ type: Boolean })
  pending_payment: boolean;

  @ApiProperty({ enum: ['will_renew', 'will_not_renew', 'will_change_product', 'will_pause'] })
  auto_renewal_status: string;

  @ApiProperty({ enum: ['trialing', 'active', 'in_grace_period', 'in_billing_retry', 'paused', 'expired'] })
  status: string;

  @ApiProperty({ type: MonetaryAmountDto })
  total_revenue_in_usd: MonetaryAmountDto;

  @ApiProperty({ type: String })
  store_subscription_identifier: string;

  @ApiProperty({ type: String, nullable: true })
  management_url: string | null;

  @ApiProperty({
    type: PendingChangesDto,
    required: false,
    description: 'The product of the next period: only with `will_change_product`, if it is in the catalog.',
  })
  pending_changes?: PendingChangesDto;

  @ApiProperty({
    type: [SubscriptionItemDto],
    required: false,
    description: 'The products sold together, the main product first; only for subscriptions with add-ons.',
  })
  items?: SubscriptionItemDto[];

  @ApiProperty({ type: SeatsDto, nullable: true, description: 'Null for subscriptions without seats.' })
  seats: SeatsDto | null;

  @ApiProperty({ type: BundleDto, nullable: true, description: 'Null outside of bundles of the App Store.' })
  bundle: BundleDto | null;
}

export class SubscriptionListDto extends listOf(SubscriptionDto) {}
