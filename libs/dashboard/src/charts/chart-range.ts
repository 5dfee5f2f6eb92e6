import { addDays, dayToMs, msToDay } from '../ui/format/format-time.js';

export const ranges = [
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
export type Range = (typeof ranges)[number];

export const rangeLabels = {
  '7d': 'Last 7 days',
  '28d': 'Last 28 days',
  '90d': 'Last 90 days',
  '12m': 'Last 12 months',
  this_month: 'This month',
  last_month: 'Last month',
  this_quarter: 'This quarter',
  last_quarter: 'Last quarter',
  ytd: 'Year to date',
  last_year: 'Last year',
  custom: 'Custom',
} satisfies Record<Range, string>;

export const resolutions = ['day', 'week', 'month', 'quarter', 'year'] as const;
export type Resolution = (typeof resolutions)[number];

/** UTC days, both included. */
export interface Span {
  start: string;
  end: string;
}

const DAY_MS = 86_400_000;
const DAYS_PER_WEEK = 7;
const MONTHS_PER_YEAR = 12;
const daysOf = { '7d': 7, '28d': 28, '90d': 90 } as const;

function parts(day: string): [year: number, month: number, day: number] {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return [year, month - 1, date];
}

/** Returns the first day of the month `months` later. */
function firstOfMonth(day: string, months: number): string {
  const [year, month] = parts(day);
  return msToDay(Date.UTC(year, month + months, 1));
}

/** Months of a range that follows the calendar. */
const calendarMonths: Partial<Record<Range, number>> = {
  this_month: 1,
  last_month: 1,
  this_quarter: 3,
  last_quarter: 3,
  ytd: MONTHS_PER_YEAR,
  last_year: MONTHS_PER_YEAR,
};

/** Returns the first day of the calendar period that contains the day. */
function startOfPeriod(day: string, months: number): string {
  const [, month] = parts(day);
  return firstOfMonth(day, -(month % months));
}

const length = ({ start, end }: Span): number => ((dayToMs(end) ?? 0) - (dayToMs(start) ?? 0)) / DAY_MS + 1;

/** Returns the days of a named range. 12 months are the current one and the 11 before. */
export function spanOf(range: Range, today: string, custom: Partial<Span> = {}): Span {
  switch (range) {
    case '12m':
      return { start: firstOfMonth(today, 1 - MONTHS_PER_YEAR), end: today };
    case 'this_month':
    case 'this_quarter':
    case 'ytd':
      return { start: startOfPeriod(today, calendarMonths[range]!), end: today };
    case 'last_month':
    case 'last_quarter':
    case 'last_year': {
      const next = startOfPeriod(today, calendarMonths[range]!);
      return { start: firstOfMonth(next, -calendarMonths[range]!), end: addDays(next, -1) };
    }
    case 'custom': {
      const end = custom.end ?? today;
      const start = custom.start ?? addDays(end, 1 - daysOf['28d']);
      return start <= end ? { start, end } : { start: end, end: start };
    }
    case '7d':
    case '28d':
    case '90d':
      return { start: addDays(today, 1 - daysOf[range]), end: today };
  }
}

/** The resolution that draws a readable number of points. */
export function usualResolution(span: Span): Resolution {
  const days = length(span);
  if (days <= 100) return 'day';
  return days <= 200 ? 'week' : 'month';
}

/** The resolution of a small picture, in which rates of single days would be lone points. */
export function pictureResolution(span: Span): Resolution {
  const days = length(span);
  if (days <= 31) return 'day';
  return days <= 200 ? 'week' : 'month';
}

/**
 * Returns the preceding period: the calendar period before, or as many days of it, if the range follows the calendar.
 * Otherwise it has equal length, with aligned buckets: whole months if buckets are months or longer, whole weeks if they
 * are weeks.
 */
export function spanBefore({ start, end }: Span, resolution: Resolution, range?: Range): Span {
  const calendar = range && calendarMonths[range];
  if (calendar) {
    const first = firstOfMonth(start, -calendar);
    const last = addDays(start, -1);
    const sameDays = addDays(first, length({ start, end }) - 1);
    return { start: first, end: range.startsWith('last_') || sameDays > last ? last : sameDays };
  }
  if (resolution === 'day' || resolution === 'week') {
    const unit = resolution === 'week' ? DAYS_PER_WEEK : 1;
    const shift = Math.ceil(length({ start, end }) / unit) * unit;
    return { start: addDays(start, -shift), end: addDays(end, -shift) };
  }
  const [startYear, startMonth, startDay] = parts(start);
  const [endYear, endMonth] = parts(end);
  const unit = { month: 1, quarter: 3, year: MONTHS_PER_YEAR }[resolution];
  const months = (endYear - startYear) * MONTHS_PER_YEAR + endMonth - startMonth + 1;
  const shift = Math.ceil(months / unit) * unit;
  const lastOfMonth = addDays(firstOfMonth(end, 1 - shift), -1);
  const first = firstOfMonth(start, -shift);
  return { start: addDays(first, Math.min(startDay, 28) - 1), end: lastOfMonth };
}

/** Label of a bucket for an axis or a table, by its first day. */
export function bucketLabel(
  locale: string,
  day: string,
  resolution: Resolution,
  formatDay: (locale: string, day: string, short: boolean) => string,
  short = false,
): string {
  const ms = dayToMs(day);
  if (ms === null) return day;
  const [year, month] = parts(day);
  switch (resolution) {
    case 'month':
      return new Intl.DateTimeFormat(locale, {
        timeZone: 'UTC',
        month: 'short',
        year: short ? '2-digit' : 'numeric',
      }).format(ms);
    case 'quarter':
      return `Q${Math.floor(month / 3) + 1} ${year}`;
    case 'year':
      return String(year);
    case 'day':
    case 'week':
      return formatDay(locale, day, short);
  }
}
