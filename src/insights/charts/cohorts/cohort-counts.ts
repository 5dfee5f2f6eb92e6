import { utcDayMs } from '../../../../libs/kernel/index.js';
import { windows } from '../definitions/windows.js';
import { windowsSince } from '../facts/customer-sales.js';
import type { DerivedCustomer } from '../facts/derive-customer.js';
import type { FactChanges, StoredFact } from '../facts/fact-changes.js';
import type { CohortMember, CohortMembers, MemberChange } from './cohort-member.js';

/** Instead of a window: customers by the day of their first conversion, or of their first payment. */
export const BY_CONVERSION = -1;
export const BY_PAYMENT = -2;

interface Cohort {
  environment: string;
  cohortDay: string;
  timeWindow: number;
}

/** A row of `chart_cohort_counts`, or its change. */
export interface CohortCounts extends Cohort {
  customers: number;
  converts: number;
  pays: number;
}

/** A row of `chart_cohort_money`, or its change. */
export interface CohortMoney extends Cohort {
  rateDay: string;
  revenue: number;
}

/** The facts of some customers: stored, derived, and those that differ. */
export interface MemberFacts {
  stored: readonly StoredFact[];
  derived: readonly DerivedCustomer[];
  changes: FactChanges;
}

interface Bits {
  converts: number;
  pays: number;
}

/** Returns the windows in which a customer converted, and paid. */
function bitsOf(member: CohortMember | null, environment: string): Bits {
  const bits = { converts: 0, pays: 0 };
  for (const row of member?.sales ?? []) {
    if (row.environment !== environment) continue;
    bits.converts |= row.converts;
    bits.pays |= row.pays;
  }
  return bits;
}

/** Returns the changes of the numbers of customers, without unchanged rows. */
export function countDifferences(changes: readonly MemberChange[]): CohortCounts[] {
  const rows = new Map<string, CohortCounts>();
  const rowOf = (environment: string, cohortDay: string, timeWindow: number): CohortCounts => {
    const key = `${environment} ${cohortDay} ${timeWindow}`;
    const row = rows.get(key) ?? { environment, cohortDay, timeWindow, customers: 0, converts: 0, pays: 0 };
    rows.set(key, row);
    return row;
  };
  const addStarts = ({ cohortDay, starts }: CohortMember, times: 1 | -1): void => {
    rowOf('any', cohortDay, 0).customers += times;
    for (const { environment, first, firstPaying } of starts) {
      rowOf(environment, first, BY_CONVERSION).customers += times;
      if (firstPaying !== null) rowOf(environment, firstPaying, BY_PAYMENT).customers += times;
    }
  };
  const addSales = (environment: string, cohortDay: string, bits: Bits, times: 1 | -1): void => {
    for (let window = 0; window < windows.length; window++) {
      if ((((bits.converts | bits.pays) >> window) & 1) === 0) continue;
      const row = rowOf(environment, cohortDay, window);
      row.converts += times * ((bits.converts >> window) & 1);
      row.pays += times * ((bits.pays >> window) & 1);
    }
  };
  for (const [before, after] of changes) {
    if (before) addStarts(before, -1);
    if (after) addStarts(after, 1);
    for (const environment of ['production', 'sandbox']) {
      const [was, is] = [bitsOf(before, environment), bitsOf(after, environment)];
      const isSame = was.converts === is.converts && was.pays === is.pays;
      if (isSame && before?.cohortDay === after?.cohortDay) continue;
      if (before) addSales(environment, before.cohortDay, was, -1);
      if (after) addSales(environment, after.cohortDay, is, 1);
    }
  }
  return [...rows.values()].filter(
    ({ customers, converts, pays }) => customers !== 0 || converts !== 0 || pays !== 0,
  );
}

/** Returns a function that finds the first window of a cohort that contains a time. */
function windowFinder(): (cohortDay: string, atMs: number) => number {
  const byCohort = new Map<string, (atMs: number) => number>();
  return (cohortDay, atMs) => {
    let windowsOf = byCohort.get(cohortDay);
    if (!windowsOf) byCohort.set(cohortDay, (windowsOf = windowsSince(utcDayMs(cohortDay))));
    const bits = windowsOf(atMs);
    return 31 - Math.clz32(bits & -bits);
  };
}

/**
 * Returns the changes of the payments, without unchanged rows. Only facts that differ matter, unless their customer
 * moves to another cohort.
 */
export function moneyDifferences(
  before: CohortMembers,
  after: CohortMembers,
  { stored, derived, changes }: MemberFacts,
): CohortMoney[] {
  const rows = new Map<string, CohortMoney>();
  const windowOf = windowFinder();
  const ids = new Set([...before.keys(), ...after.keys()]);
  const moved = new Set([...ids].filter((id) => before.get(id)?.cohortDay !== after.get(id)?.cohortDay));
  const add = (
    member: CohortMember | undefined,
    { environment, atMs, rateDay }: Pick<StoredFact, 'environment' | 'atMs' | 'rateDay'>,
    revenue: number,
  ): void => {
    if (!member || revenue === 0) return;
    const { cohortDay } = member;
    const timeWindow = windowOf(cohortDay, atMs);
    const key = `${environment} ${cohortDay} ${timeWindow} ${rateDay}`;
    const row = rows.get(key) ?? { environment, cohortDay, timeWindow, rateDay, revenue: 0 };
    row.revenue += revenue;
    rows.set(key, row);
  };
  const remove = (fact: StoredFact): void => add(before.get(fact.customerId), fact, -(fact.revenue ?? 0));
  for (const fact of changes.removed) if (!moved.has(fact.customerId)) remove(fact);
  for (const fact of changes.added) {
    if (!moved.has(fact.customerId)) add(after.get(fact.customerId), fact, fact.amounts.revenue ?? 0);
  }
  if (moved.size > 0) {
    for (const fact of stored) if (moved.has(fact.customerId)) remove(fact);
    for (const { customerId, facts } of derived) {
      if (!moved.has(customerId)) continue;
      for (const fact of facts) add(after.get(customerId), fact, fact.amounts.revenue ?? 0);
    }
  }
  return [...rows.values()].filter(({ revenue }) => revenue !== 0);
}
