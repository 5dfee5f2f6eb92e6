import { utcDayMs } from '../../../../libs/kernel/index.js';
import type { SeriesChart } from '../definitions/chart.model.js';
import type { Figure } from '../definitions/figures.js';
import { bucketOf } from '../question/buckets.js';
import type { ChartQuestion } from '../question/chart-question.js';
import { SegmentSums } from './chart-sums.js';
import { largest, totalSegment } from './segments.js';
import type { NamedSums } from './series-values.js';

const DAY_MS = 86_400_000;

/** A number of objects on a day (UTC). */
export interface DayCount {
  day: string;
  /** Empty: unknown, or without segments. */
  segment: string;
  figure: Figure;
  count: number;
}

/** Times of the first day and of the end of the last. */
export function daysOf({ startMs, endMs }: ChartQuestion): { from: Date; to: Date } {
  return { from: new Date(startMs), to: new Date(endMs + DAY_MS) };
}

/** Sums the figures of a chart that are counted when it is read. */
export function sumCounted(
  chart: SeriesChart,
  question: ChartQuestion,
  counts: readonly DayCount[],
): NamedSums[] {
  const bySegment = new Map<string, SegmentSums>();
  const total = new SegmentSums();
  const buckets = new Set<number>();
  for (const { day, segment, figure, count } of counts) {
    const bucket = bucketOf(utcDayMs(day), question.calendar);
    buckets.add(bucket);
    const sums = bySegment.get(segment) ?? new SegmentSums();
    bySegment.set(segment, sums);
    sums.add(bucket, figure, count);
    total.add(bucket, figure, count);
  }
  const sizeOf = (sums: SegmentSums): number =>
    chart.flows.reduce((size, figure) => size + sums.over([...buckets]).total.flow(figure), 0);
  const segments = question.segment === null ? [] : largest(bySegment, question, sizeOf);
  return [{ ...totalSegment, sums: total }, ...segments];
}
