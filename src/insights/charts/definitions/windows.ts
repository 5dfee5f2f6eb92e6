import { addPeriods } from '../../../../libs/kernel/index.js';

const DAY_MS = 86_400_000;

export interface Window {
  id: string;
  name: string;
  days: number | null;
  months: number | null;
}

const ofDays = (days: number): Window => ({ id: `${days}_days`, name: `${days} days`, days, months: null });
const ofMonths = (months: number): Window => ({
  id: `${months}_months`,
  name: `${months} months`,
  days: null,
  months,
});

/** Windows after the cohort day. Stored figures have one bit or element per window, so only append. */
export const windows: readonly Window[] = [
  ofDays(0),
  ofDays(3),
  ofDays(7),
  ofDays(14),
  ofDays(30),
  ofMonths(3),
  ofMonths(6),
  ofMonths(9),
  ofMonths(12),
  ofMonths(18),
  ofMonths(24),
  { id: 'unbounded', name: 'Unbounded', days: null, months: null },
];

export function windowIndex(id: string): number {
  return windows.findIndex((window) => window.id === id);
}

/** Returns the last day of a window (its start); null if it never ends. */
export function lastDayOf({ days, months }: Window, cohortDayMs: number): number | null {
  if (days !== null) return cohortDayMs + days * DAY_MS;
  if (months === null) return null;
  const period = { years: 0, months, weeks: 0, days: 0, hours: 0, minutes: 0, seconds: 0 };
  return addPeriods(cohortDayMs, period);
}
