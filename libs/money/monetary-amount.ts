import { microsToCents } from './micros.js';

/** Amounts in currency units with two decimals. */
export interface MonetaryAmount {
  currency: string;
  gross: number;
  commission: number;
  tax: number;
  proceeds: number;
}

/** Proceeds are the rounded gross minus the rounded parts, so all add up to the cent. A refund negates every amount. */
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
