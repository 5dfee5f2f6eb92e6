import type { WeekStart } from '../../../workspace/projects/project.entity.js';

const DAY_MS = 86_400_000;
const THURSDAY_TO_MONDAY = 4;
const THURSDAY_TO_SUNDAY = 3;
const DAYS_PER_WEEK = 7;
const MONTHS_PER_QUARTER = 3;

/** Sorted by their ids in the API. */
export const resolutions = ['day', 'week', 'month', 'quarter', 'year'] as const;
export type Resolution = (typeof resolutions)[number];

export interface Calendar {
  resolution: Resolution;
  weekStartsOn: WeekStart;
}

/** Returns the first day (its start) of the bucket that contains a day. */
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

/** Returns the first day after the bucket that starts with `bucketMs`. */
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

/** Returns the first days of the buckets between two days, both included. */
export function bucketsBetween(startMs: number, endMs: number, calendar: Calendar): number[] {
  const buckets: number[] = [];
  for (let bucket = bucketOf(startMs, calendar); bucket <= endMs; bucket = nextBucket(bucket, calendar)) {
    buckets.push(bucket);
  }
  return buckets;
}

/** SQL of `bucketOf`: the first day of the bucket that contains a `date`. */
export function bucketSql(day: string, { resolution, weekStartsOn }: Calendar): string {
  if (resolution === 'day') return day;
  if (resolution === 'week' && weekStartsOn === 'sunday')
    return `(date_trunc('week', (${day} + 1)::timestamp)::date - 1)`;
  return `date_trunc('${resolution}', ${day}::timestamp)::date`;
}
