import type { Reader } from '../../../platform/database/database.service.js';
import type {
  RefundSegment,
  RefundStatisticsService,
} from '../../../stores/refund-requests/reports/refund-statistics.service.js';
import { refundFigures } from '../definitions/figures.js';
import type { ChartQuestion } from '../question/chart-question.js';
import { type DayCount, daysOf } from './counted-answer.js';

/** Stores by option of the selector; null: all. */
const stores: Record<string, string[] | null> = {
  app_store: ['app_store', 'mac_app_store'],
  play_store: ['play_store'],
  all: null,
};

/** Counts refund requests by the decision of the store. */
export async function countRefunds(
  snapshot: Reader,
  requests: RefundStatisticsService,
  question: ChartQuestion,
): Promise<DayCount[]> {
  const { projectId, environment, selected, segment } = question;
  const rows = await requests.outcomesByDay(snapshot, projectId, {
    ...daysOf(question),
    environment,
    stores: stores[selected.store ?? 'all'] ?? null,
    segment: segment as RefundSegment | null,
  });
  return rows.flatMap(({ day, segment: id, ...counts }) =>
    refundFigures.map((figure) => ({ day, segment: id, figure, count: counts[figure] })),
  );
}
