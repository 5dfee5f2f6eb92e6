import { microsToCents } from './micros.js';

/** In currency units with two decimals. */
export interface MonetaryAmount {
  currency: string;
  gross: number;
  commission: number;
  tax: number;
  /** What remains of the gross amount. */
  proceeds: number;
}

/**
 * Each part rounded to cents. Proceeds are the rounded gross less the rounded parts, so that commission, tax and
 * proceeds add up to gross to the cent. A refund has every sign reversed.
 */
export function monetaryAmount(
  currency: string,
  micros: { grossMicros: number; commissionMicros: number; taxMicros: number },
): MonetaryAmount {
  const gross = microsToCents(micros.grossMicros);
  const commission = microsToCents(micros.commissionMicros);
  const tax = microsToCents(micros.taxMicros);
  return {
    currency,
    gross: gross / 100,
    commission: commission / 100,
    tax: tax / 100,
    proceeds: (gross - commission - tax) / 100,
  };
}
