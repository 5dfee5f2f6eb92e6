import { addPeriods, type Period } from '../kernel/index.js';
import type { SubscriptionFacts } from './facts.model.js';

const YEAR: Period = { years: 1, months: 0, weeks: 0, days: 0, hours: 0, minutes: 0, seconds: 0 };

/**
 * End of the first paid year, after which some stores charge a lower commission. Epoch ms; null if nothing was paid
 * (trials, purchases that others pay for).
 */
export function paidYearEndsAt({ periods }: SubscriptionFacts): number | null {
  let first: number | null = null;
  for (const { value } of Object.values(periods)) {
    const { kind, ownership, price, startMs } = value;
    if (kind === 'trial' || ownership !== 'purchased' || price.amountMicros === 0) continue;
    if (first === null || startMs < first) first = startMs;
  }
  return first === null ? null : addPeriods(first, YEAR);
}
