import type { WeekStart } from '../../../workspace/projects/project.entity.js';

const DAY_MS = 86_400_000;
const THURSDAY_TO_MONDAY = 4;
const THURSDAY_TO_SUNDAY = 3;
const DAYS_PER_WEEK = 7;
const MONTHS_PER_QUARTER = 3;

/** In the order of their ids on the wire. */
export const resolutions = ['day', 'week', 'month', 'quarter', 'year'] as const;
export type Resolution = (typeof resolutions)[number];

export interface Calendar {
  resolution: Resolution;
  weekStartsOn: WeekStart;
}

/** The first day (its start) of the bucket that holds a day. */
export function bucketOf(dayMs: number, { resolution, weekStartsOn }: Calendar): number {
  const day = new Date(dayMs);
  const [year, month] = [day.getUTCFullYear(), day.getUTCMonth()];
  switch (resolution) {
    case 'day':
      return dayMs;
    case 'week': {
      // 1 January 1970 was a Thursday.
      const offset = weekStartsOn === 'monday' ? THURSDAY_TO_MONDAY : THURSDAY_TO_SUNDAY;
      const days = Math.floor(dayMs / DAY_MS) - offset;
      return (Math.floor(days / DAYS_PER_WEEK) * DAYS_PER_WEEK + offset) * DAY_MS;
    }
    case 'month':
      return Date.UTC(year, month, 1);
    case 'quarter':
      return Date.UTC(year, month - (month % MONTHS_PER_QUARTER), 1);
    case 'year':
      return Date.UTC(year, 0, 1);
  }
}

/** The first day after a bucket, by its own first day. */
export function nextBucket(bucketMs: number, { resolution }: Calendar): number {
  const day = new Date(bucketMs);
  const [year, month] = [day.getUTCFullYear(), day.getUTCMonth()];
  switch (resolution) {
    case 'day':
      return bucketMs + DAY_MS;
    case 'week':
      return bucketMs + DAYS_PER_WEEK * DAY_MS;
    case 'month':
      return Date.UTC(year, month + 1, 1);
    case 'quarter':
      return Date.UTC(year, month + MONTHS_PER_QUARTER, 1);
    case 'year':
      return Date.UTC(year + 1, 0, 1);
  }
}

/** First days of the buckets from one day to another, both included. */
export function bucketsBetween(startMs: number, endMs: number, calendar: Calendar): number[] {
  const buckets: number[] = [];
  for (let bucket = bucketOf(startMs, calendar); bucket <= endMs; bucket = nextBucket(bucket, calendar)) {
    buckets.push(bucket);
  }
  return buckets;
}

/** The same in SQL: the first day of the bucket of a `date`. */
export function bucketSql(day: string, { resolution, weekStartsOn }: Calendar): string {
  if (resolution === 'day') return day;
  if (resolution === 'week' && weekStartsOn === 'sunday')
    return `(date_trunc('week', (${day} + 1)::timestamp)::date - 1)`;
  return `date_trunc('${resolution}', ${day}::timestamp)::date`;
}
