import { utcDay } from '../../../../libs/kernel/index.js';
import type { DerivedCustomer } from './derive-customer.js';

/** First days of a customer (in the environment `any`) or of a buyer. */
export interface CustomerStart {
  customerId: string;
  environment: string;
  first: string;
  /** Null for customers, and for buyers without a payment that counts. */
  firstPaying: string | null;
}

export interface DayOfFacts {
  environment: string;
  day: string;
}

const keyOf = (customerId: string, environment: string): string => `${environment}\n${customerId}`;

function startsOf({ customerId, cohortDayMs, buyers }: DerivedCustomer): CustomerStart[] {
  return [
    { customerId, environment: 'any', first: utcDay(cohortDayMs), firstPaying: null },
    ...buyers.map(({ environment, firstConversionDayMs: first, firstPayingDayMs: paying }) => ({
      customerId,
      environment,
      first: utcDay(first),
      firstPaying: paying === null ? null : utcDay(paying),
    })),
  ];
}

/**
 * Returns the days, until `lastMs`, of facts that move to another cohort because a first day of their customer differs
 * from the stored one.
 */
export function movedDays(
  stored: readonly CustomerStart[],
  derived: readonly DerivedCustomer[],
  lastMs: number,
): DayOfFacts[] {
  const before = new Map(stored.map((start) => [keyOf(start.customerId, start.environment), start]));
  const days = new Map<string, DayOfFacts>();
  for (const customer of derived) {
    const after = new Map(startsOf(customer).map((start) => [start.environment, start]));
    const moved = ['any', 'production', 'sandbox'].filter((environment) => {
      const [was, is] = [before.get(keyOf(customer.customerId, environment)), after.get(environment)];
      return was?.first !== is?.first || was?.firstPaying !== is?.firstPaying;
    });
    if (moved.length === 0) continue;
    for (const { environment, atMs, amounts } of customer.facts) {
      const isSummed = Boolean(amounts.revenue) || Boolean(amounts.actives);
      if (!isSummed || atMs >= lastMs || !(moved.includes('any') || moved.includes(environment))) continue;
      const day = utcDay(atMs);
      days.set(`${environment} ${day}`, { environment, day });
    }
  }
  return [...days.values()];
}
