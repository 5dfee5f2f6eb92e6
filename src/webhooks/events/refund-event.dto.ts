import { ApiProperty } from '@nestjs/swagger';
import type { SdkAttributeDto } from '../../customers/customers/customer-info/customer-info.dto.js';
import {
  CountryCode,
  Currency,
  CustomerEventFieldsDto,
  EntitlementIds,
  eventEnvironments,
  eventStores,
  SubscriberAttributes,
} from './event-fields.dto.js';

const Amount = (description: string): PropertyDecorator =>
  ApiProperty({ type: Number, nullable: true, description });

/** Fields of a refund request in an event. There is no price, because no money moved. */
export class RefundRequestFieldsDto extends CustomerEventFieldsDto {
  @ApiProperty({ type: String })
  app_id: string;

  @ApiProperty({ enum: eventStores })
  store: string;

  @ApiProperty({ enum: eventEnvironments })
  environment: string;

  @ApiProperty({ type: String, nullable: true })
  product_id: string | null;

  @EntitlementIds()
  entitlement_ids: string[] | null;

  @ApiProperty({ type: String, nullable: true })
  transaction_id: string | null;

  @ApiProperty({ type: String, nullable: true })
  original_transaction_id: string | null;

  @CountryCode()
  country_code: string | null;

  @SubscriberAttributes()
  subscriber_attributes: Record<string, SdkAttributeDto>;

  @ApiProperty({ type: String })
  refund_request_id: string;

  @ApiProperty({ type: String, nullable: true })
  refund_reason: string | null;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  requested_at_ms: number;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  deadline_at_ms: number;

  @Amount('Requested amount in `currency`; null if it is unknown.')
  amount: number | null;

  @Amount('The same in USD.')
  amount_in_usd: number | null;

  @Currency()
  currency: string | null;
}

export class RefundRequestedEventDto extends RefundRequestFieldsDto {
  @ApiProperty({ enum: ['REFUND_REQUESTED'] })
  type: 'REFUND_REQUESTED';
}

/** CANCELLATION reports the money itself. */
export class RefundDecisionEventDto extends RefundRequestFieldsDto {
  @ApiProperty({ enum: ['REFUND_REQUEST_DECIDED'] })
  type: 'REFUND_REQUEST_DECIDED';

  @ApiProperty({ type: String })
  outcome: string;

  @ApiProperty({ type: String, nullable: true, description: 'Null if nothing was sent to the store.' })
  preference_sent: string | null;

  @Amount('Refunded amount in `currency`; null if nothing was refunded.')
  refunded_amount: number | null;

  @Amount('The same in USD.')
  refunded_amount_in_usd: number | null;
}
