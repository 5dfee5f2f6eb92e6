import type { SeriesChart } from '../definitions/chart.model.js';
import { lastDayOf, windowIndex, windows } from '../definitions/windows.js';
import { nextBucket } from '../question/buckets.js';
import type { ChartQuestion } from '../question/chart-question.js';

const DAY_MS = 86_400_000;

/** Whether a bucket may still change as time passes, or covers only a part of its time. */
export function isIncomplete(chart: SeriesChart, question: ChartQuestion, bucketMs: number): boolean {
  const { calendar, startMs, endMs, nowMs, selected } = question;
  const next = nextBucket(bucketMs, calendar);
  if (bucketMs <= nowMs && nowMs < next) return true;
  if (chart.time === 'stock') return false;
  if (nowMs < next + (chart.changesForDays ?? 0) * DAY_MS) return bucketMs <= nowMs;
  if (chart.time === 'flow') return bucketMs < startMs || next - DAY_MS > endMs;
  const days = chart.windowDays?.(selected);
  if (days !== undefined) return next + days * DAY_MS > nowMs;
  const id = selected.conversion_timeframe ?? selected.customer_lifetime;
  const window = id === undefined ? undefined : windows[windowIndex(id)];
  const lastDay = window ? lastDayOf(window, next - DAY_MS) : null;
  return lastDay !== null && lastDay + DAY_MS > nowMs;
}
