import type { Measure, SeriesChart, Sums } from '../definitions/chart.model.js';
import { bucketsBetween } from '../question/buckets.js';
import type { ChartQuestion } from '../question/chart-question.js';
import { wireValue } from '../question/currencies.js';
import type {
  AnswerMeasure,
  AnswerSegment,
  AveragedOver,
  SeriesAnswer,
  SeriesValue,
  SummaryPart,
  SummaryRow,
} from './answer.model.js';
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
  /** Averages omit incomplete buckets, unless all are incomplete. */
  averaged: ReadonlySet<number>;
  measures: readonly Measure[];
  question: ChartQuestion;
}

const hasValue = ({ whole }: Measure, sums: Sums): boolean => whole === undefined || whole(sums) !== 0;

function averageOf(
  measure: Measure,
  { sums }: NamedSums,
  { buckets, averaged, question }: Row,
): number | null {
  const used = sums
    .over(buckets)
    .each.filter((each, index) => averaged.has(buckets[index] ?? NaN) && hasValue(measure, each))
    .map((each) => measure.value(each));
  if (used.length === 0) return measure.whole ? null : 0;
  const mean = used.reduce((sum, value) => sum + value, 0) / used.length;
  // The mean of counts can be fractional.
  return wireValue(mean, measure.unit === '#' ? '%' : measure.unit, question.currency);
}

function totalOf(measure: Measure, { sums }: NamedSums, { buckets, question }: Row): number | null {
  const { total } = sums.over(buckets);
  return hasValue(measure, total) ? wireValue(measure.value(total), measure.unit, question.currency) : null;
}

function averagedOver(buckets: ReadonlySet<number>): AveragedOver | null {
  const [firstMs, lastMs] = [[...buckets][0], [...buckets].at(-1)];
  return firstMs === undefined || lastMs === undefined ? null : { buckets: buckets.size, firstMs, lastMs };
}

function summaryPart(
  rows: NamedSums[],
  row: Row,
  counts: (measure: Measure) => boolean,
  valueOf: (measure: Measure, segment: NamedSums, row: Row) => number | null,
): SummaryPart {
  const of = (segment: NamedSums): SummaryRow =>
    Object.fromEntries(
      row.measures.filter(counts).map((measure) => [measure.name, valueOf(measure, segment, row)]),
    );
  const [total] = rows;
  if (row.question.segment === null) return total ? of(total) : {};
  const parts = new Map<string, SummaryRow>();
  // A value may have the same name as the total, which comes first and wins.
  for (const segment of rows) if (!parts.has(segment.name)) parts.set(segment.name, of(segment));
  return Object.fromEntries(parts);
}

/** Answers a series chart from the sums of its segments. The first segment is the total. */
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
  const complete = buckets.filter((_, index) => !incomplete[index]);
  const averaged = new Set(complete.length > 0 ? complete : buckets);
  const row: Row = { buckets, averaged, measures, question };
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
    averagedOver: averagedOver(averaged),
    lastComputedAtMs,
  };
}
