import { utcDay } from '../../../../libs/kernel/index.js';
import type { Reader } from '../../../platform/database/database.service.js';
import type { ActiveCustomersService } from '../activity/active-customers.service.js';
import type { Activity, DayRange } from '../activity/active-days.repository.js';
import { bucketsBetween, nextBucket } from '../question/buckets.js';
import type { ChartQuestion } from '../question/chart-question.js';
import { SegmentSums } from './chart-sums.js';
import type { SeriesSums } from './question-sums.js';
import { largest, totalSegment } from './segments.js';

const DAY_MS = 86_400_000;

/** Returns the activity that a question is about; null if no sums have its dimensions. */
export function activityOf({ filters, segment }: ChartQuestion): Activity | null {
  const split = segment === null || typeof segment === 'string' ? null : segment.column;
  const [column = null, ...others] = new Set([
    ...filters.map(({ dimension }) => dimension.column),
    ...(split === null ? [] : [split]),
  ]);
  if (others.length > 0) return null;
  if (column === null) return { level: 'all', hasSegments: false, values: null };
  if (column !== 'customer_country' && column !== 'platform') return null;
  const [first, ...rest] = filters;
  const values =
    first?.values.filter((value) => rest.every((filter) => filter.values.includes(value))) ?? null;
  return { level: column, hasSegments: split !== null, values };
}

/** Returns the days of each bucket that are in the range of a question. */
function rangesOf({ calendar, startMs, endMs, nowMs }: ChartQuestion, buckets: number[]): DayRange[] {
  return buckets.map((bucket) => ({
    first: utcDay(Math.max(bucket, startMs)),
    last: utcDay(Math.min(nextBucket(bucket, calendar) - DAY_MS, endMs, nowMs)),
  }));
}

/** Counts active customers from the sums of days. Returns null if no sums answer the question. */
export async function sumActivity(
  snapshot: Reader,
  service: ActiveCustomersService,
  question: ChartQuestion,
): Promise<SeriesSums | null> {
  const activity = activityOf(question);
  if (activity === null) return null;
  const { projectId, startMs, endMs, nowMs, calendar, segment } = question;
  const buckets = bucketsBetween(startMs, Math.min(endMs, nowMs), calendar);
  const ranges = rangesOf(question, buckets);
  const counted = await service.countFromSums(snapshot, projectId, ranges, activity);
  if (counted === null) return null;
  const total = new SegmentSums();
  const bySegment = new Map<string, SegmentSums>();
  for (const { place, seg, customers } of counted.rows) {
    const sums = bySegment.get(seg ?? '') ?? new SegmentSums();
    bySegment.set(seg ?? '', sums);
    for (const one of [total, sums]) one.add(buckets[place] ?? 0, 'active_customers', customers);
  }
  const sizeOf = (sums: SegmentSums): number => sums.over(buckets).total.flow('active_customers');
  const segments = segment === null ? [] : largest(bySegment, question, sizeOf);
  return { form: 'series', rows: [{ ...totalSegment, sums: total }, ...segments], asOfMs: counted.asOfMs };
}
