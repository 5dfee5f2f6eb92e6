import { addPeriods, type Period } from '../kernel/index.js';
import type { SubscriptionFacts } from './facts.model.js';

const YEAR: Period = { years: 1, months: 0, weeks: 0, days: 0, hours: 0, minutes: 0, seconds: 0 };

/**
 * The end of a subscription's first paid year (epoch ms), after which some stores take a lower commission: a year
 * after the start of its first paid period. Null if nothing was paid. Trials and family sharing are not paid.
 */
export function paidYearEndsAt({ periods }: SubscriptionFacts): number | null {
  let first: number | null = null;
  for (const { value } of Object.values(periods)) {
    const { kind, ownership, price, startMs } = value;
    if (kind === 'trial' || ownership === 'family_shared' || price.amountMicros === 0) continue;
    if (first === null || startMs < first) first = startMs;
  }
  return first === null ? null : addPeriods(first, YEAR);
}
