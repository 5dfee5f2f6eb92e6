import { ApiProperty } from '@nestjs/swagger';
import type { SdkAttributeDto } from '../../customers/customers/customer-info/customer-info.dto.js';
import {
  CountryCode,
  CustomerEventFieldsDto,
  EntitlementIds,
  EventAppId,
  eventEnvironments,
  eventStores,
  SequencedEventDto,
  SubscriberAttributes,
} from './event-fields.dto.js';

/** A purchase moved to another customer. */
export class TransferEventDto extends SequencedEventDto {
  @ApiProperty({ enum: ['TRANSFER'] })
  type: 'TRANSFER';

  @EventAppId()
  app_id?: string;

  @ApiProperty({ enum: eventStores })
  store: string;

  @ApiProperty({ enum: eventEnvironments })
  environment: string;

  @ApiProperty({ type: [String], description: 'All app user ids of the previous owner.' })
  transferred_from: string[];

  @ApiProperty({ type: [String], description: 'All app user ids of the new owner.' })
  transferred_to: string[];

  @SubscriberAttributes()
  subscriber_attributes: Record<string, SdkAttributeDto>;
}

export class SubscriberAliasEventDto extends CustomerEventFieldsDto {
  @ApiProperty({ enum: ['SUBSCRIBER_ALIAS'] })
  type: 'SUBSCRIBER_ALIAS';

  @EventAppId()
  app_id?: string;

  @SubscriberAttributes()
  subscriber_attributes: Record<string, SdkAttributeDto>;
}

class AdjustedCurrencyDto {
  @ApiProperty({ type: String })
  code: string;

  @ApiProperty({ type: String })
  name: string;

  @ApiProperty({ type: String, nullable: true })
  description: string | null;
}

class CurrencyAdjustmentDto {
  @ApiProperty({ type: 'integer', description: 'Negative if it was spent.' })
  amount: number;

  @ApiProperty({ type: AdjustedCurrencyDto })
  currency: AdjustedCurrencyDto;
}

/** The fields of the purchase are null in adjustments that a backend or a person made. */
export class VirtualCurrencyEventDto extends CustomerEventFieldsDto {
  @ApiProperty({ enum: ['VIRTUAL_CURRENCY_TRANSACTION'] })
  type: 'VIRTUAL_CURRENCY_TRANSACTION';

  @EventAppId()
  app_id?: string;

  @CountryCode()
  country_code: string | null;

  @ApiProperty({ enum: eventStores, type: String, nullable: true })
  store: string | null;

  @SubscriberAttributes()
  subscriber_attributes: Record<string, SdkAttributeDto>;

  @ApiProperty({ type: String, nullable: true })
  product_id: string | null;

  @ApiProperty({ type: String, nullable: true })
  product_display_name: string | null;

  @ApiProperty({ enum: eventEnvironments, type: String, nullable: true })
  purchase_environment: string | null;

  @ApiProperty({ type: String, nullable: true })
  transaction_id: string | null;

  @ApiProperty({ type: String })
  virtual_currency_transaction_id: string;

  @ApiProperty({ enum: ['admin_api', 'in_app_purchase'] })
  source: 'admin_api' | 'in_app_purchase';

  @ApiProperty({ type: [CurrencyAdjustmentDto] })
  adjustments: CurrencyAdjustmentDto[];
}

/** It has no app and no environment. */
export class ExperimentEnrollmentEventDto extends CustomerEventFieldsDto {
  @ApiProperty({ enum: ['EXPERIMENT_ENROLLMENT'] })
  type: 'EXPERIMENT_ENROLLMENT';

  @ApiProperty({ type: String })
  experiment_id: string;

  @ApiProperty({ type: String, description: '`a` to `d`.' })
  experiment_variant: string;

  @ApiProperty({ type: String, description: "Lookup key of the variant's offering." })
  offering_id: string;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  experiment_enrolled_at_ms: number;

  @ApiProperty({ type: 'integer', description: 'The same.' })
  enrolled_at_ms: number;
}

export class PurchaseRedeemedEventDto extends SequencedEventDto {
  @ApiProperty({ enum: ['PURCHASE_REDEEMED'] })
  type: 'PURCHASE_REDEEMED';

  @ApiProperty({ type: String, required: false, description: 'The app of the purchase.' })
  app_id?: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Null in replays if the customer has been deleted since.',
  })
  app_user_id: string | null;

  @ApiProperty({ enum: eventStores })
  store: string;

  @ApiProperty({ enum: eventEnvironments })
  environment: string;

  @ApiProperty({
    type: [String],
    nullable: true,
    description: 'All previous ids of the owner; null if the redeemer already owned the purchase.',
  })
  redeemed_from: string[] | null;

  @ApiProperty({
    type: [String],
    description:
      'All previous ids of the redeemer, starting with the one in the request. Empty if `app_user_id` is null.',
  })
  redeemed_by: string[];

  @ApiProperty({ enum: ['alias', 'transfer', 'redeemer_owns'] })
  redemption_outcome: 'alias' | 'transfer' | 'redeemer_owns';

  @ApiProperty({ type: String, nullable: true })
  redemption_platform: string | null;

  @ApiProperty({ type: String })
  product_id: string;

  @EntitlementIds()
  entitlement_ids: string[] | null;

  @ApiProperty({ type: 'null' })
  workflow_id: null;

  @ApiProperty({ type: 'null' })
  workflow_step_id: null;

  @ApiProperty({ type: String, description: 'Id of the redemption link.' })
  trace_id: string;
}
