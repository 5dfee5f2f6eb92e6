import { Z } from './estimates.js';

/** The 80 % quantile of the normal distribution. */
const POWER_Z = 0.841621;

/**
 * Customers that each variant needs so that a test with a 95 % level shows a change by `relativeChange` of a rate with
 * 80 % probability. Null if the changed rate is none, or there is nothing to find.
 */
export function customersPerVariant(rate: number, relativeChange: number): number | null {
  const changed = rate * (1 + relativeChange);
  if (rate <= 0 || changed <= 0 || changed >= 1 || changed === rate) return null;
  const variance = rate * (1 - rate) + changed * (1 - changed);
  return Math.ceil(((Z + POWER_Z) ** 2 * variance) / (changed - rate) ** 2);
}
