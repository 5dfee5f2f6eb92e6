import type { Measure, SeriesChart } from '../definitions/chart.model.js';
import { bucketsBetween } from '../question/buckets.js';
import type { ChartQuestion } from '../question/chart-question.js';
import { wireValue } from '../question/currencies.js';
import type { AnswerMeasure, AnswerSegment, SeriesAnswer, SeriesValue, SummaryPart } from './answer.model.js';
import type { SegmentSums } from './chart-sums.js';
import { isIncomplete } from './incomplete.js';

const MONEY_PLACES = 2;

export interface NamedSums extends AnswerSegment {
  sums: SegmentSums;
}

export function presentedMeasure({ id, name, description, unit, precision }: Measure): AnswerMeasure {
  return { id, name, description, unit, precision: precision ?? (unit === '#' ? 0 : MONEY_PLACES) };
}

interface Row {
  buckets: number[];
  incomplete: boolean[];
  measures: readonly Measure[];
  question: ChartQuestion;
}

/** Averages leave incomplete buckets out, unless there are no others. */
function averageOf(measure: Measure, { sums }: NamedSums, { buckets, incomplete, question }: Row): number {
  const values = sums.over(buckets).each.map((each) => measure.value(each));
  const complete = values.filter((_, index) => !incomplete[index]);
  const used = complete.length > 0 ? complete : values;
  const mean = used.length === 0 ? 0 : used.reduce((sum, value) => sum + value, 0) / used.length;
  // A mean of counts is no count.
  return wireValue(mean, measure.unit === '#' ? '%' : measure.unit, question.currency);
}

function totalOf(measure: Measure, { sums }: NamedSums, { buckets, question }: Row): number {
  return wireValue(measure.value(sums.over(buckets).total), measure.unit, question.currency);
}

function summaryPart(
  rows: NamedSums[],
  row: Row,
  counts: (measure: Measure) => boolean,
  valueOf: (measure: Measure, segment: NamedSums, row: Row) => number,
): SummaryPart {
  const of = (segment: NamedSums): Record<string, number> =>
    Object.fromEntries(
      row.measures.filter(counts).map((measure) => [measure.name, valueOf(measure, segment, row)]),
    );
  const [total] = rows;
  if (row.question.segment === null) return total ? of(total) : {};
  return Object.fromEntries(rows.map((segment) => [segment.name, of(segment)]));
}

/** The answer of a series chart from the sums of its segments; the first one is the total. */
export function seriesAnswer(
  chart: SeriesChart,
  question: ChartQuestion,
  rows: NamedSums[],
  { lastComputedAtMs, firstMs }: { lastComputedAtMs: number; firstMs: number | null },
): SeriesAnswer {
  const measures = chart.measures(question.selected);
  const buckets = bucketsBetween(
    question.startMs,
    Math.min(question.endMs, question.nowMs),
    question.calendar,
  ).filter((bucket) => firstMs === null || bucket >= firstMs);
  const pending = rows[0]?.sums;
  const incomplete = buckets.map(
    (bucket) =>
      isIncomplete(chart, question, bucket) ||
      (chart.time === 'trials' && (pending?.flow(bucket, 'pending_trials') ?? 0) > 0),
  );
  const row: Row = { buckets, incomplete, measures, question };
  const values: SeriesValue[] = [];
  rows.forEach(({ sums }, segment) => {
    sums.over(buckets).each.forEach((each, index) => {
      measures.forEach((measure, position) => {
        values.push({
          bucketMs: buckets[index] ?? 0,
          measure: position,
          segment,
          value: wireValue(measure.value(each), measure.unit, question.currency),
          incomplete: incomplete[index] ?? false,
        });
      });
    });
  });
  const wants = (part: 'total' | 'average'): boolean => question.aggregate?.has(part) ?? true;
  const hasTotal = measures.some(({ summary }) => summary === 'both');
  return {
    form: 'series',
    measures: measures.map(presentedMeasure),
    segments:
      question.segment === null
        ? null
        : rows.map(({ id, name, isTotal, isOther }) => ({ id, name, isTotal, isOther })),
    values: question.aggregate === null ? values : [],
    summary: {
      ...(wants('total') && hasTotal
        ? { total: summaryPart(rows, row, ({ summary }) => summary === 'both', totalOf) }
        : {}),
      ...(wants('average') ? { average: summaryPart(rows, row, () => true, averageOf) } : {}),
    },
    lastComputedAtMs,
  };
}
