import { utcDay } from '../../../../libs/kernel/index.js';
import type { Resolution } from '../question/buckets.js';
import type { ChartQuestion } from '../question/chart-question.js';
import type { SqlValues } from './sql-values.js';

export const MAX_COLUMNS = 60;

/** Columns, in months or days from each member's own start day. */
export const steps: Record<Resolution, { name: string; months: number; days: number }> = {
  day: { name: 'Day', months: 0, days: 1 },
  week: { name: 'Week', months: 0, days: 7 },
  month: { name: 'Month', months: 1, days: 0 },
  quarter: { name: 'Quarter', months: 3, days: 0 },
  year: { name: 'Year', months: 12, days: 0 },
};

/** Whole steps between two rows of the calendar. Negative differences are in column 0. */
export function columnSql(from: string, to: string, resolution: Resolution): string {
  const { months, days } = steps[resolution];
  if (days > 0) return `greatest(0, (${to}.day - ${from}.day) / ${days})`;
  // A month starts on the same day of the next month, or on its last day if that is earlier.
  const isEarlier = `(${to}.of_month < least(${from}.of_month, ${to}.last_of_month))::int`;
  return `greatest(0, (${to}.month - ${from}.month - ${isEarlier}) / ${months})`;
}

/** Every day from the first of the range to today, so that the many facts need no arithmetic of dates. */
export function calendarSql({ startMs, nowMs }: ChartQuestion, values: SqlValues): string {
  const [from, to] = [startMs, nowMs].map((ms) => `${values.add(utcDay(ms))}::timestamp`);
  return `calendar AS MATERIALIZED (
      SELECT d::date AS day, (date_part('year', d) * 12 + date_part('month', d))::int AS month,
        date_part('day', d)::int AS of_month,
        date_part('day', date_trunc('month', d) + interval '1 month - 1 day')::int AS last_of_month
      FROM generate_series(${from}, ${to}, interval '1 day') d)`;
}

export const isStock = (measure: string): boolean =>
  measure === 'retained_subscriptions' || measure === 'subscriptions_set_to_renew';

/** The amount of a measure in rows `r`. */
export function amountOf(measure: string): string {
  if (measure === 'revenue_net_of_taxes') return 'r.revenue - coalesce(r.tax, 0)';
  if (measure === 'proceeds') return 'r.revenue - coalesce(r.tax, 0) - coalesce(r.commission, 0)';
  return isStock(measure) ? 'r.actives' : 'r.revenue';
}
