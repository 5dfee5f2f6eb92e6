import type { Schema } from '../api/types.js';
import { msToDay } from '../ui/format/format-time.js';
import type { Series } from '../ui/chart/chart-series.js';

export type ChartData = Schema<'ChartDataDto'>;
export type Measure = ChartData['measures'][number];

const MS_PER_SECOND = 1000;
const PERCENT = 100;

export interface ChartSeries {
  /** First days of the buckets. */
  buckets: string[];
  incomplete: boolean[];
  /** One value per bucket; null for a rate whose denominator is 0. */
  values: (measure: number, segment?: number) => (number | null)[];
}

/** Whether the measure is a ratio, whose denominator is the chart's first measure. */
const isRatio = ({ id, unit }: Measure): boolean => unit === '%' || id.startsWith('realized_ltv_per');

/** Values of a response by bucket. */
export function seriesOf({ values, measures }: ChartData): ChartSeries {
  const cohorts = [...new Set(values.map(({ cohort }) => Number(cohort)))].toSorted((a, b) => a - b);
  const places = new Map(cohorts.map((cohort, index) => [cohort, index]));
  const rows = new Map<string, (number | null)[]>();
  const incomplete = cohorts.map(() => false);
  for (const { cohort, measure = 0, segment = 0, value, incomplete: isOpen } of values) {
    const key = `${segment} ${measure}`;
    const place = places.get(Number(cohort))!;
    let row = rows.get(key);
    if (!row) rows.set(key, (row = cohorts.map(() => null)));
    row[place] = value;
    if (isOpen) incomplete[place] = true;
  }
  const row = (measure: number, segment: number) =>
    rows.get(`${segment} ${measure}`) ?? cohorts.map(() => null);
  return {
    buckets: cohorts.map((cohort) => msToDay(cohort * MS_PER_SECOND)),
    incomplete,
    values: (measure, segment = 0) => {
      const own = row(measure, segment);
      if (!measures[measure] || !isRatio(measures[measure])) return own;
      const whole = row(0, segment);
      return own.map((value, index) => (whole[index] === 0 ? null : value));
    },
  };
}

/** Returns the index of the trailing incomplete buckets. */
export function incompleteFrom(incomplete: readonly boolean[]): number {
  return incomplete.lastIndexOf(false) + 1;
}

/** Previous values by bucket; null if either bucket is incomplete. */
export function comparable(now: ChartSeries, before: ChartSeries, measure: number): (number | null)[] {
  const values = before.values(measure);
  return now.buckets.map((_, index) =>
    now.incomplete[index] || before.incomplete[index] !== false ? null : (values[index] ?? null),
  );
}

/** Indexes of measures, by unit: those in the main drawing, its lines, and those drawn below. */
export interface Drawing {
  main: number[];
  line: number | null;
  /** Drawn downwards. */
  losses: number[];
  below: number[][];
}

const isTotal = ({ id }: Measure): boolean => id === 'total' || id === 'new_paid_subscriptions';

export function drawingOf(measures: readonly Measure[]): Drawing {
  const at = [...measures.keys()];
  const movement = measures.findIndex(({ id }) => id === 'movement');
  if (movement >= 0) {
    const losses = at.filter((index) => /^(churned|contraction|expired)_/.test(measures[index]!.id));
    return { main: at, line: movement, losses, below: [] };
  }
  const ratio = measures.findIndex(isRatio);
  const main =
    ratio >= 0
      ? [ratio]
      : measures.some(isTotal)
        ? at.filter((index) => !isTotal(measures[index]!))
        : at.slice(0, 1);
  const rest = at.filter((index) => !main.includes(index) && !isTotal(measures[index]!));
  const units = [...new Set(rest.map((index) => measures[index]!.unit))];
  const below = units.map((unit) => rest.filter((index) => measures[index]!.unit === unit));
  return { main, line: null, losses: [], below };
}

/** Whether a chart of paywalls has no views in its range. */
export function hasNoViews({ measures, values }: ChartData): boolean {
  const views = measures.findIndex(({ id }) => id === 'paywall_viewers' || id === 'paywall_encounters');
  return views >= 0 && values.every(({ measure, value }) => measure !== views || value === 0);
}

/** Converts values to percentages of their bucket. */
export function sharesOf(series: readonly Series[]): Series[] {
  return series.map((one) => ({
    ...one,
    values: one.values.map((value, index) => {
      const all = series.reduce((sum, { values }) => sum + Math.abs(values[index] ?? 0), 0);
      return value === null ? null : all === 0 ? 0 : (PERCENT * Math.abs(value)) / all;
    }),
  }));
}

/**
 * Returns the summary of a measure over all segments: null if a rate has no denominator, undefined if there is no such
 * figure.
 */
export function summaryOf(
  { summary, segments, measures }: ChartData,
  operation: 'total' | 'average',
  measure: number,
): number | null | undefined {
  const part = summary?.[operation];
  const name = measures[measure]?.display_name ?? '';
  const row = segments ? part?.[segments[0]?.display_name ?? ''] : part;
  const value = row !== null && typeof row === 'object' ? row[name] : undefined;
  return typeof value === 'object' ? null : value;
}

/** Returns the state at the end of the range for all segments; undefined before the first bucket. */
export function latestOf({ values }: Pick<ChartData, 'values'>, measure: number): number | undefined {
  return values.findLast((one) => one.measure === measure && (one.segment ?? 0) === 0)?.value;
}

/** Returns the state at the end of the first bucket for all segments. */
export function firstOf({ values }: Pick<ChartData, 'values'>, measure: number): number | undefined {
  return values.find((one) => one.measure === measure && (one.segment ?? 0) === 0)?.value;
}

/** Number of buckets that a measure's average covers, and whether they are complete. */
export function averagedOver(data: ChartData, measure: number): { buckets: number; areComplete: boolean } {
  const { averaged_over: averaged } = data;
  const { buckets, incomplete, values } = seriesOf(data);
  const [first, last] = [averaged?.first, averaged?.last].map((seconds) =>
    seconds === undefined ? '' : msToDay(seconds * MS_PER_SECOND),
  );
  const areComplete = incomplete.includes(false);
  const used = values(measure).filter((value, index) => {
    const bucket = buckets[index]!;
    const isAveraged = first! <= bucket && bucket <= last! && incomplete[index] !== areComplete;
    return isAveraged && value !== null;
  });
  return { buckets: used.length, areComplete };
}
