import { addPeriods, parsePeriod, type Period } from '../../../../libs/kernel/index.js';

/**
 * Billing periods are measured in sixtieths of a month, the unit in which a day (2), a week (15), a month and a year
 * are all whole numbers. A month has 30 days or 4 weeks.
 */
const UNITS = { month: 60, week: 15, day: 2 } as const;
const DAY_MS = 86_400_000;
const AVERAGE_MONTH_DAYS = 30.44;
const DAYS_PER_WEEK = 7;

/** Returns the length of an ISO 8601 date duration (`P1M`); null if the text is not one. */
export function lengthOfDuration(text: string): number | null {
  const period = parsePeriod(text);
  if (!period) return null;
  const { years, months, weeks, days } = period;
  return (12 * years + months) * UNITS.month + weeks * UNITS.week + days * UNITS.day || null;
}

function months(count: number): Period {
  return { years: 0, months: count, weeks: 0, days: 0, hours: 0, minutes: 0, seconds: 0 };
}

/**
 * Returns the length between two dates: whole calendar months (within a day), else whole weeks, else days, at least
 * one. Returns 0 without an end.
 */
export function lengthBetween(startMs: number, endMs: number | null): number {
  if (endMs === null) return 0;
  const days = Math.max(1, Math.round((endMs - startMs) / DAY_MS));
  const count = Math.round(days / AVERAGE_MONTH_DAYS);
  const isMonths = count > 0 && Math.abs(addPeriods(startMs, months(count)) - endMs) <= DAY_MS;
  if (isMonths) return count * UNITS.month;
  return days % DAYS_PER_WEEK === 0 ? (days / DAYS_PER_WEEK) * UNITS.week : days * UNITS.day;
}
