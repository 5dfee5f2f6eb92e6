import { ApiProperty } from '@nestjs/swagger';
import {
  type DisplayCurrency,
  displayCurrencyNames,
} from '../../platform/exchange-rates/display-currencies.js';
import { type DisplayAmount, missingReasons } from './display-amount.policy.js';

export class DisplayAmountDto implements DisplayAmount {
  @ApiProperty({ enum: displayCurrencyNames, description: 'The currency of the request.' })
  currency: DisplayCurrency;

  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'Gross, at the rate of the day of each payment; null if unknown.',
  })
  amount: number | null;

  @ApiProperty({
    enum: missingReasons,
    nullable: true,
    description: 'Why the amount is null: a payment has no exchange rate, or no payment has a known price.',
  })
  missing: DisplayAmount['missing'];
}
