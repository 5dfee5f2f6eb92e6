import { ApiProperty } from '@nestjs/swagger';
import { accessCauses, type AccessCause } from '../../../libs/engine/index.js';
import { OwnershipChangeListDto } from '../../purchases/ownership/ownership-change.dto.js';

const epochMs = { type: 'integer', description: 'Epoch milliseconds.' } as const;

export class AccessCauseDto {
  @ApiProperty({
    enum: accessCauses,
    enumName: 'AccessCause',
    description:
      'What gives access: `purchase`, `renewal`, `product_change`, `grace_period`, `grant`, `refund_reversal`, ' +
      '`transfer` (received from another customer). What does not: `pending_payment`, `expiry`, `billing_issue`, ' +
      '`pause`, `refund`, `family_sharing_end`, `product_change` (to a product without the entitlement), ' +
      '`replacement` (by another subscription), `grant_end`, `grant_revocation`, `transfer_away`, `block`.',
  })
  type: AccessCause;

  @ApiProperty(epochMs)
  occurred_at: number;
}

export class AccessSourceDto {
  @ApiProperty({ enum: ['access_source'] })
  object: 'access_source';

  @ApiProperty({ enum: ['subscription', 'grant', 'purchase'] })
  kind: string;

  @ApiProperty({ type: String, description: 'Id of the subscription (also of a grant) or purchase.' })
  id: string;

  @ApiProperty({ type: String, example: 'app_store' })
  store: string;

  @ApiProperty({ enum: ['production', 'sandbox'] })
  environment: string;

  @ApiProperty({ type: String, nullable: true })
  product_id: string | null;

  @ApiProperty({ type: String })
  store_product_identifier: string;

  @ApiProperty({
    type: Boolean,
    description: 'Whether it gives access now. A blocked customer has no access in any case.',
  })
  gives_access: boolean;

  @ApiProperty({
    ...epochMs,
    description: 'Since when it has given access without a break, or since when it has given none.',
  })
  since: number;

  @ApiProperty({
    ...epochMs,
    nullable: true,
    description: 'When access ends; null if it has no known end, or there is no access.',
  })
  until: number | null;

  @ApiProperty({ type: AccessCauseDto })
  cause: AccessCauseDto;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'For an ended subscription: the reason in its EXPIRATION event.',
    example: 'UNSUBSCRIBE',
  })
  expiration_reason: string | null;

  @ApiProperty({
    ...epochMs,
    nullable: true,
    description: 'When it was imported; null if its store has reported the period or purchase.',
  })
  imported_at: number | null;

  @ApiProperty({
    ...epochMs,
    nullable: true,
    description: 'When the other system was read for that import; null as `imported_at`.',
  })
  imported_as_of: number | null;

  @ApiProperty({ type: Boolean, description: 'Whether its Google Play purchase token is still missing.' })
  needs_token_refresh: boolean;
}

export class ExplainedEntitlementDto {
  @ApiProperty({ enum: ['explained_entitlement'] })
  object: 'explained_entitlement';

  @ApiProperty({ type: String })
  entitlement_id: string;

  @ApiProperty({ type: String })
  lookup_key: string;

  @ApiProperty({ type: Boolean })
  active: boolean;

  @ApiProperty({ ...epochMs, description: 'Since when it has been active or inactive.' })
  since: number;

  @ApiProperty({
    ...epochMs,
    nullable: true,
    description: 'When an active entitlement ends; null if it has no known end, or is not active.',
  })
  until: number | null;

  @ApiProperty({ type: AccessCauseDto, description: 'The cause of the source that decides, or `block`.' })
  cause: AccessCauseDto;

  @ApiProperty({ type: AccessSourceDto, isArray: true, description: 'The one that decides comes first.' })
  sources: AccessSourceDto[];
}

export class ExplainedPurchaseDto {
  @ApiProperty({ enum: ['explained_purchase'] })
  object: 'explained_purchase';

  @ApiProperty({ enum: ['subscription', 'grant', 'purchase'] })
  kind: string;

  @ApiProperty({ type: String })
  id: string;

  @ApiProperty({ type: Boolean, description: 'False if it now belongs to another customer.' })
  owned: boolean;

  @ApiProperty({ type: OwnershipChangeListDto })
  ownership_history: OwnershipChangeListDto;
}

export class AccessExplanationDto {
  @ApiProperty({ enum: ['access_explanation'] })
  object: 'access_explanation';

  @ApiProperty({ type: String })
  customer_id: string;

  @ApiProperty(epochMs)
  explained_at: number;

  @ApiProperty({ ...epochMs, nullable: true, description: 'When the customer was blocked.' })
  blocked_at: number | null;

  @ApiProperty({
    type: ExplainedEntitlementDto,
    isArray: true,
    description:
      'Every entitlement that a purchase or grant of the customer unlocks or unlocked, by lookup key.',
  })
  entitlements: ExplainedEntitlementDto[];

  @ApiProperty({
    type: ExplainedPurchaseDto,
    isArray: true,
    description: 'Every purchase that is or was the customer’s, with its changes of owner.',
  })
  purchases: ExplainedPurchaseDto[];
}
