import type { Reader } from '../../../platform/database/database.service.js';
import type { PlayCancellationsService } from '../../../purchases/play-cancellations/play-cancellations.service.js';
import type { CancellationFigure } from '../definitions/figures.js';
import type { ChartQuestion } from '../question/chart-question.js';
import { type DayCount, daysOf } from './counted-answer.js';

const figureOf: Readonly<Record<string, CancellationFigure>> = {
  NOT_ENOUGH_USAGE: 'cancelled_usage',
  TECHNICAL_ISSUES: 'cancelled_technical',
  COST_RELATED: 'cancelled_cost',
  FOUND_BETTER_APP: 'cancelled_better_app',
  OTHERS: 'cancelled_other',
};

/** Counts cancellations of Google Play by the customer's answer. */
export async function countCancellations(
  snapshot: Reader,
  cancellations: PlayCancellationsService,
  question: ChartQuestion,
): Promise<DayCount[]> {
  const { projectId, environment } = question;
  const rows = await cancellations.countByDay(snapshot, projectId, { ...daysOf(question), environment });
  return rows.map(({ day, reason, count }) => ({
    day,
    segment: '',
    figure: figureOf[reason ?? ''] ?? 'cancelled_unspecified',
    count,
  }));
}
