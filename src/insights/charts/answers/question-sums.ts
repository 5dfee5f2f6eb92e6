import type { Figure } from '../definitions/figures.js';
import { CUSTOMER_DAYS_KEPT } from '../facts/customer-days.js';
import type { ChartQuestion } from '../question/chart-question.js';
import { fixedNames } from '../question/value-names.js';
import type { ChartAnswer } from './answer.model.js';
import { SegmentSums, type StoredSegmentSums } from './chart-sums.js';
import { answerExplorer, type ExplorerSums } from './explorer-answer.js';
import { answerRetention, type RetentionSums } from './retention-answer.js';
import { segmentName } from './segments.js';
import { type NamedSums, seriesAnswer } from './series-values.js';
import { questionOfToday, statusChart } from './status-answer.js';

const DAY_MS = 86_400_000;

export interface SeriesSums {
  form: 'series';
  rows: NamedSums[];
  /** When the sums of today were stored, if they were. */
  asOfMs?: number | null;
}

/** Everything that was read for an answer. */
export type QuestionSums = SeriesSums | RetentionSums | ExplorerSums;

interface StoredSegment {
  id: string;
  isTotal: boolean;
  isOther: boolean;
  sums: StoredSegmentSums;
}

/** Sums as JSON. Names are added when they are read, because they can change. */
export type StoredSums = { form: 'series'; rows: StoredSegment[] } | RetentionSums | ExplorerSums;

export function storedSums(sums: QuestionSums): StoredSums {
  if (sums.form !== 'series') return sums;
  const rows = sums.rows.map(({ id, isTotal, isOther, sums: segment }) => ({
    id,
    isTotal,
    isOther,
    sums: segment.toJSON(),
  }));
  return { form: 'series', rows };
}

export function restoredSums(question: ChartQuestion, stored: StoredSums): QuestionSums {
  if (stored.form !== 'series') return stored;
  const rows = stored.rows.map(({ id, isTotal, isOther, sums }): NamedSums => {
    const name = isTotal ? fixedNames.total : isOther ? fixedNames.other : segmentName(question, id);
    return { id, name, isTotal, isOther, sums: SegmentSums.fromJSON(sums) };
  });
  return { form: 'series', rows };
}

/** Turns sums into an answer as of `question.nowMs`. */
export function answerOf(question: ChartQuestion, sums: QuestionSums, asOfMs: number): ChartAnswer {
  const { chart, nowMs } = question;
  const lastComputedAtMs = sums.form === 'series' ? Math.min(asOfMs, sums.asOfMs ?? asOfMs) : asOfMs;
  if (sums.form === 'retention') return answerRetention(question, sums, lastComputedAtMs);
  if (sums.form === 'explorer') return answerExplorer(question, sums, lastComputedAtMs);
  if (chart.table !== 'series') {
    const series = statusChart(chart, question);
    return seriesAnswer(series, questionOfToday(question), sums.rows, { lastComputedAtMs, firstMs: null });
  }
  const isActivity = chart.flows.includes('active_customers' satisfies Figure);
  const firstMs = isActivity ? nowMs - CUSTOMER_DAYS_KEPT * DAY_MS : null;
  return seriesAnswer(chart, question, sums.rows, { lastComputedAtMs, firstMs });
}
