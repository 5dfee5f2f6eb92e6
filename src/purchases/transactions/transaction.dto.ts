import { ApiProperty } from '@nestjs/swagger';
import { microsToMajor, shareMicros } from '../../../libs/money/index.js';
import { listOf } from '../../platform/http/lists/list.dto.js';
import { MonetaryAmountDto, noMoney, presentMoney } from '../lookups/money.js';
import type { TransactionRow } from './transactions.repository.js';
import { PageQuery } from '../../platform/http/lists/page-query.js';
import { EnvironmentParameter, TextParameter } from '../../platform/http/lists/query-parameters.js';

class TransactionPriceDto {
  @ApiProperty({ type: Number, example: 9.99, description: 'Negative for refunds.' })
  amount: number;

  @ApiProperty({ type: String, example: 'USD' })
  currency: string;
}

/** Kinds that have another name in the API than in the ledger. */
const kindNames: Record<string, string> = { trial_start: 'trial' };

export class TransactionDto {
  @ApiProperty({ enum: ['transaction'] })
  object: 'transaction';

  @ApiProperty({ type: String })
  id: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Original app user id of the owner; null if the customer was deleted.',
  })
  customer_id: string | null;

  @ApiProperty({ type: String, nullable: true })
  app_id: string | null;

  @ApiProperty({ type: String, example: 'test_store' })
  store: string;

  @ApiProperty({ type: String })
  store_transaction_id: string;

  @ApiProperty({ type: String, nullable: true })
  product_identifier: string | null;

  @ApiProperty({
    enum: [
      'purchase',
      'renewal',
      'trial',
      'one_time',
      'refund',
      'refund_reversal',
      'proration',
      'correction',
    ],
  })
  kind: string;

  @ApiProperty({ enum: ['production', 'sandbox'] })
  environment: TransactionRow['environment'];

  @ApiProperty({ type: 'integer', description: 'Time of the payment or refund, epoch milliseconds.' })
  purchased_at: number;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Null for one-time purchases.' })
  expires_at: number | null;

  @ApiProperty({ type: MonetaryAmountDto, description: 'Negative for refunds.' })
  revenue_in_usd: MonetaryAmountDto;

  @ApiProperty({ type: TransactionPriceDto, nullable: true, description: 'Null if unknown.' })
  price: TransactionPriceDto | null;

  @ApiProperty({
    enum: ['order', 'store', 'import', 'device', 'catalog', 'unknown'],
    description: 'Where the price comes from. `import`: the system that the payment was imported from.',
  })
  price_source: TransactionRow['priceSource'];

  @ApiProperty({ type: String, nullable: true, description: 'ISO 3166 alpha-2.' })
  country: string | null;
}

export class TransactionListDto extends listOf(TransactionDto) {}

export function presentTransaction(row: TransactionRow): TransactionDto {
  const { usdMicros, amountMicros, currency, commissionBps, taxBps } = row;
  const usd =
    usdMicros === null
      ? noMoney
      : {
          grossMicros: usdMicros,
          commissionMicros: shareMicros(usdMicros, commissionBps),
          taxMicros: shareMicros(usdMicros, taxBps),
        };
  return {
    object: 'transaction',
    id: row.id,
    customer_id: row.customerAppUserId,
    app_id: row.appId,
    store: row.store,
    store_transaction_id: row.storeTransactionId,
    product_identifier: row.storeProductId,
    kind: kindNames[row.kind] ?? row.kind,
    environment: row.environment,
    purchased_at: row.purchasedAt.getTime(),
    expires_at: row.isOneTime ? null : (row.expiresAt?.getTime() ?? null),
    revenue_in_usd: presentMoney('USD', usd),
    price:
      amountMicros === null || currency === null ? null : { amount: microsToMajor(amountMicros), currency },
    price_source: row.priceSource,
    country: row.country,
  };
}

export class ListTransactionsQuery extends PageQuery {
  @TextParameter({ description: 'Any app user id of a customer.' })
  customer: string | null;

  @EnvironmentParameter()
  environment: 'production' | 'sandbox' | null;
}
