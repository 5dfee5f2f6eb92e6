import { microsToMajor } from '../../../libs/money/index.js';
import type { DisplayCurrency } from '../../platform/exchange-rates/display-currencies.js';

/** Why an amount is missing. */
export const missingReasons = ['no_exchange_rate', 'unknown_price'] as const;

/** An amount in the currency that a person chose. */
export interface DisplayAmount {
  currency: DisplayCurrency;
  amount: number | null;
  missing: (typeof missingReasons)[number] | null;
}

/** Payments and refunds as the ledger stores them, at the rate of one day. */
export interface StoredAmount {
  /** `YYYY-MM-DD`. */
  day: string;
  currency: string | null;
  /** Null: unknown price. */
  amountMicros: number | null;
  /** Null: unknown price, or no rate. */
  usdMicros: number | null;
}

/** Units of a currency per USD on a UTC day; null if unknown. */
type RateOf = (currency: string, day: string) => number | null;

function convertedMicros(stored: StoredAmount, currency: DisplayCurrency, rateOf: RateOf): number | null {
  if (stored.currency === currency) return stored.amountMicros;
  if (stored.usdMicros === null) return null;
  if (currency === 'USD') return stored.usdMicros;
  // The rate of the day on which the payment was converted to USD: a refund then equals its payment.
  const rate = rateOf(currency, stored.day);
  return rate === null ? null : stored.usdMicros * rate;
}

/** Adds amounts in one currency. The sum is null rather than too low if one has no rate. */
export function displayAmount(
  currency: DisplayCurrency,
  amounts: readonly StoredAmount[],
  rateOf: RateOf,
): DisplayAmount {
  const known = amounts.filter(({ amountMicros }) => amountMicros !== null);
  if (known.length === 0 && amounts.length > 0) return { currency, amount: null, missing: 'unknown_price' };
  let micros = 0;
  for (const stored of known) {
    const converted = convertedMicros(stored, currency, rateOf);
    if (converted === null) return { currency, amount: null, missing: 'no_exchange_rate' };
    micros += converted;
  }
  return { currency, amount: microsToMajor(Math.round(micros)), missing: null };
}
