import { msToDay } from '../ui/format/format-time.js';
import type { ChartData } from './chart-data.js';

type Value = ChartData['values'][number];
export type Period = NonNullable<ChartData['periods']>[number];

const MS_PER_SECOND = 1000;
const TOTAL = 'Total';

export interface CohortRow {
  /** First day of the cohort, the name of a segment, or `Total`. */
  name: string;
  isTotal: boolean;
  /** By column index; missing if no member has reached it. */
  cells: ReadonlyMap<number, Value>;
}

/** Rows of a cohort table, the total first. */
export function cohortRows({ values }: Pick<ChartData, 'values'>): CohortRow[] {
  const rows = new Map<number | string, Map<number, Value>>();
  for (const value of values) {
    const cells = rows.get(value.cohort) ?? new Map<number, Value>();
    rows.set(value.cohort, cells);
    cells.set(value.period ?? 0, value);
  }
  const named = [...rows].map(([cohort, cells]) => ({
    name: typeof cohort === 'number' ? msToDay(cohort * MS_PER_SECOND) : cohort,
    isTotal: false,
    cells,
  }));
  const last = named.at(-1);
  return last?.name === TOTAL ? [{ ...last, isTotal: true }, ...named.slice(0, -1)] : named;
}

/** Columns of a scale, without the first, which is the cohort's size. */
export function columnsOf(periods: readonly Period[], scale: 'absolute' | 'relative'): number[] {
  const all = [...periods.keys()].slice(1);
  const scaled = all.filter((index) => periods[index]!.scale === scale);
  return scaled.length > 0 ? scaled : all;
}

const MOST = 45;

/**
 * Color intensity of a cell, in percent: a rate is its own value, an amount its share of the highest amount. Limited so
 * that the text remains readable.
 */
export function heatOf(value: number, unit: string, highest: number): number {
  const share = unit === '%' ? value / 100 : highest > 0 ? value / highest : 0;
  return Math.round(MOST * Math.min(1, Math.max(0, share)));
}
