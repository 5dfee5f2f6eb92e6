import { Z } from './estimates.js';

/** The 80 % quantile of the normal distribution. */
const POWER_Z = 0.841621;

/**
 * Customers that each variant needs to detect a relative change of a rate at the 95 % level with 80 % probability. Null
 * if the changed rate is not between 0 and 1, or there is no change.
 */
export function customersPerVariant(rate: number, relativeChange: number): number | null {
  const changed = rate * (1 + relativeChange);
  if (rate <= 0 || changed <= 0 || changed >= 1 || changed === rate) return null;
  const variance = rate * (1 - rate) + changed * (1 - changed);
  return Math.ceil(((Z + POWER_Z) ** 2 * variance) / (changed - rate) ** 2);
}
