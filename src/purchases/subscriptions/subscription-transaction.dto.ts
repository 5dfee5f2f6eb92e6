import { ApiProperty } from '@nestjs/swagger';
import { listOf } from '../../platform/http/lists/list.dto.js';
import { DisplayAmountDto } from '../lookups/display-amount.dto.js';
import { MonetaryAmountDto } from '../lookups/money.js';

export class SubscriptionTransactionDto {
  @ApiProperty({ enum: ['subscription_transaction'] })
  object: 'subscription_transaction';

  @ApiProperty({ type: String, description: "The store's transaction or order id." })
  id: string;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  purchased_at: number;

  @ApiProperty({ type: String })
  product_store_identifier: string;

  @ApiProperty({ type: MonetaryAmountDto, nullable: true, description: 'Null if the price is unknown.' })
  revenue_in_local_currency: MonetaryAmountDto | null;

  @ApiProperty({ type: MonetaryAmountDto })
  revenue_in_usd: MonetaryAmountDto;

  @ApiProperty({ type: DisplayAmountDto, required: false, description: 'Only with `currency`.' })
  amount_in_currency?: DisplayAmountDto;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Epoch milliseconds.' })
  expiration_date: number | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Epoch milliseconds; for a refunded period, the time of the refund.',
  })
  effective_expiration_date: number | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'When it was refunded, in part or whole, epoch milliseconds; null if it was not.',
  })
  refunded_at: number | null;
}

export class SubscriptionTransactionListDto extends listOf(SubscriptionTransactionDto) {}

export class ManagementUrlDto {
  @ApiProperty({ enum: ['authenticated_management_url'] })
  object: 'authenticated_management_url';

  @ApiProperty({ type: String, example: 'https://apps.apple.com/account/subscriptions' })
  management_url: string;
}
