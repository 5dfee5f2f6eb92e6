import type { Reader } from '../../../platform/database/database.service.js';
import type {
  RefundSegment,
  RefundStatisticsService,
} from '../../../stores/refund-requests/reports/refund-statistics.service.js';
import type { SeriesChart } from '../definitions/chart.model.js';
import { refundFigures } from '../definitions/figures.js';
import { bucketOf } from '../question/buckets.js';
import type { ChartQuestion } from '../question/chart-question.js';
import type { SeriesAnswer } from './answer.model.js';
import { SegmentSums } from './chart-sums.js';
import { largest, totalSegment } from './segments.js';
import { seriesAnswer } from './series-values.js';

const DAY_MS = 86_400_000;

/** Stores by option of the selector; null: all. */
const stores: Record<string, string[] | null> = {
  app_store: ['app_store', 'mac_app_store'],
  play_store: ['play_store'],
  all: null,
};

/** Answers the chart of refund requests. */
export async function answerRefunds(
  snapshot: Reader,
  requests: RefundStatisticsService,
  chart: SeriesChart,
  question: ChartQuestion,
  lastComputedAtMs: number,
): Promise<SeriesAnswer> {
  const { projectId, environment, startMs, endMs, calendar, selected, segment } = question;
  const rows = await requests.outcomesByDay(snapshot, projectId, {
    from: new Date(startMs),
    to: new Date(endMs + DAY_MS),
    environment,
    stores: stores[selected.store ?? 'all'] ?? null,
    segment: segment as RefundSegment | null,
  });
  const bySegment = new Map<string, SegmentSums>();
  const total = new SegmentSums();
  for (const { day, segment: id, ...counts } of rows) {
    const bucket = bucketOf(Date.parse(`${day}T00:00:00Z`), calendar);
    const sums = bySegment.get(id) ?? new SegmentSums();
    bySegment.set(id, sums);
    for (const figure of refundFigures) {
      sums.add(bucket, figure, counts[figure]);
      total.add(bucket, figure, counts[figure]);
    }
  }
  const buckets = [...new Set(rows.map(({ day }) => bucketOf(Date.parse(`${day}T00:00:00Z`), calendar)))];
  const sizeOf = (sums: SegmentSums): number =>
    refundFigures.reduce((size, figure) => size + sums.over(buckets).total.flow(figure), 0);
  const segments = segment === null ? [] : largest(bySegment, question, sizeOf);
  return seriesAnswer(chart, question, [{ ...totalSegment, sums: total }, ...segments], {
    lastComputedAtMs,
    firstMs: null,
  });
}
