import { utcDay, utcDayMs } from '../../../libs/kernel/index.js';

export const rangeNames = [
  '7d',
  '28d',
  '90d',
  '12m',
  'this_month',
  'last_month',
  'this_quarter',
  'last_quarter',
  'ytd',
  'last_year',
  'custom',
] as const;

export type RangeName = (typeof rangeNames)[number];

interface Days {
  start_date?: string | null;
  end_date?: string | null;
}

const DAY_MS = 86_400_000;
const MONTHS_PER_YEAR = 12;
const CUSTOM_DAYS = 28;
const DAILY_DAYS = 31;
const WEEKLY_DAYS = 200;
const daysOf: Partial<Record<RangeName, number>> = { '7d': 7, '28d': 28, '90d': 90 };
const monthsOf: Partial<Record<RangeName, number>> = {
  this_month: 1,
  last_month: 1,
  this_quarter: 3,
  last_quarter: 3,
  ytd: MONTHS_PER_YEAR,
  last_year: MONTHS_PER_YEAR,
};

function firstOfMonth(dayMs: number, months: number): number {
  const day = new Date(dayMs);
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + months, 1);
}

/** Returns UTC days, both included, as the dashboard does. The days of a custom range are returned as they are. */
export function spanOf(
  range: RangeName,
  todayMs: number,
  custom: Days = {},
): { start_date: string; end_date: string } {
  const today = utcDay(todayMs);
  if (range === 'custom') {
    const { start_date, end_date } = custom;
    const end = end_date ?? today;
    const endMs = utcDayMs(end);
    return {
      start_date: start_date ?? utcDay((endMs || todayMs) - (CUSTOM_DAYS - 1) * DAY_MS),
      end_date: end,
    };
  }
  const days = daysOf[range];
  if (days !== undefined) return { start_date: utcDay(todayMs - (days - 1) * DAY_MS), end_date: today };
  const months = monthsOf[range];
  if (months === undefined)
    return { start_date: utcDay(firstOfMonth(todayMs, 1 - MONTHS_PER_YEAR)), end_date: today };
  const start = firstOfMonth(todayMs, -(new Date(todayMs).getUTCMonth() % months));
  if (!range.startsWith('last_')) return { start_date: utcDay(start), end_date: today };
  return { start_date: utcDay(firstOfMonth(start, -months)), end_date: utcDay(start - DAY_MS) };
}

/** The resolution of a small picture, in which rates of single days would be lone points. */
export function pictureResolution({ start_date, end_date }: Days): 'day' | 'week' | 'month' {
  const days = (Date.parse(end_date ?? '') - Date.parse(start_date ?? '')) / DAY_MS + 1;
  if (days <= DAILY_DAYS) return 'day';
  return days <= WEEKLY_DAYS ? 'week' : 'month';
}
