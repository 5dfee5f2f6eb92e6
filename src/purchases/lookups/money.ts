import { ApiProperty } from '@nestjs/swagger';
import { monetaryAmount } from '../../../libs/money/index.js';

/** Amounts in units of the currency; proceeds = gross - commission - tax. */
export class MonetaryAmountDto {
  @ApiProperty({ type: String, example: 'USD' })
  currency: string;

  @ApiProperty({ type: Number, example: 9.99 })
  gross: number;

  @ApiProperty({ type: Number })
  commission: number;

  @ApiProperty({ type: Number })
  tax: number;

  @ApiProperty({ type: Number })
  proceeds: number;
}

export interface MoneyMicros {
  grossMicros: number;
  commissionMicros: number;
  taxMicros: number;
}

export const noMoney: MoneyMicros = { grossMicros: 0, commissionMicros: 0, taxMicros: 0 };

/** Rounds to cents so that the parts still add up. The ledger stores micros. */
export function presentMoney(currency: string, money: MoneyMicros): MonetaryAmountDto {
  return monetaryAmount(currency, money);
}
