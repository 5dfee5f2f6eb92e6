import { divideRounded } from '../../../../libs/money/index.js';
import { MONTHLY_PARTS } from '../facts/chart-facts.js';
import type { DisplayCurrency } from '../../../platform/exchange-rates/display-currencies.js';
import { wireValue } from '../question/currencies.js';

const MICROS_PER_CENT = 10_000n;
const CENTS = 100;

/** A decimal number of micros, and parts of a micro. */
export interface MonthlyAmount {
  monthly: string;
  fraction: string;
}

/** Monthly amounts in a currency. Exact in USD, in which every amount is whole. */
export class MonthlySum {
  private parts = 0n;
  private micros = 0;

  constructor(private readonly currency: DisplayCurrency) {}

  add({ monthly, fraction }: MonthlyAmount): void {
    if (this.currency === 'USD') this.parts += BigInt(monthly) * BigInt(MONTHLY_PARTS) + BigInt(fraction);
    else this.micros += Number(monthly) + Number(fraction) / MONTHLY_PARTS;
  }

  toMajor(): number {
    if (this.currency !== 'USD') return wireValue(this.micros, '$', this.currency);
    return Number(divideRounded(this.parts, BigInt(MONTHLY_PARTS) * MICROS_PER_CENT)) / CENTS;
  }
}
