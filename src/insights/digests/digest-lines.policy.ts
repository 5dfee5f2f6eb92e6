import { utcDayMs } from '../../../libs/kernel/index.js';
import type { ReportedPeriod } from './digest-schedule.policy.js';
import { chartFigures, type DigestFigure, type FigureUnit, isChartFigure } from './digest-figures.js';

/** The value of a period, and of the one before. */
export interface FigureValues {
  value: number;
  previous: number;
}

/** Null for a figure that is still computed. */
export type DigestValues = ReadonlyMap<DigestFigure, FigureValues | null>;

/** The text of a digest, not escaped yet. */
export interface DigestText {
  heading: string;
  lines: string[];
}

const cents = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const dollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 0,
});
const numbers = new Intl.NumberFormat('en-US');
const percents = new Intl.NumberFormat('en-US', {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
});

const openProblems = { label: 'Open problems', unit: '#' } as const;

const formats: Record<FigureUnit, Intl.NumberFormat> = { $: cents, '$ rounded': dollars, '#': numbers };

function comparison({ value, previous }: FigureValues, format: Intl.NumberFormat): string {
  if (previous === 0) return value === 0 ? '' : ` (was ${format.format(0)})`;
  const change = (100 * (value - previous)) / Math.abs(previous);
  return ` (${percents.format(change)} % from ${format.format(previous)})`;
}

function lineOf(figure: DigestFigure, values: FigureValues | null): string {
  const { label, unit } = isChartFigure(figure) ? chartFigures[figure] : openProblems;
  if (values === null) return `${label}: still being computed`;
  if (!isChartFigure(figure)) return `${label}: ${numbers.format(values.value)}`;
  const format = formats[unit];
  return `${label}: ${format.format(values.value)}${comparison(values, format)}`;
}

const BARS = '▁▂▃▄▅▆▇█';

/** One bar for each value, from the smallest to the largest in eight levels. */
export function sparkline(values: readonly number[]): string {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const levelOf = (value: number) =>
    most === least ? 0 : Math.round(((value - least) / (most - least)) * (BARS.length - 1));
  return values.map((value) => BARS[levelOf(value)]).join('');
}

const dateFormat = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' });

const dayFormat = dateFormat({ day: 'numeric', month: 'long', year: 'numeric' });
const dayOfMonthFormat = dateFormat({ day: 'numeric' });
const dayOfYearFormat = dateFormat({ day: 'numeric', month: 'long' });
const weekdayFormat = dateFormat({ weekday: 'long' });

/** `Thursday 26 November 2026`, or `16 to 22 November 2026`. */
export function periodText({ firstDay, lastDay }: ReportedPeriod): string {
  const [first, last] = [utcDayMs(firstDay), utcDayMs(lastDay)];
  if (firstDay === lastDay) return `${weekdayFormat.format(last)} ${dayFormat.format(last)}`;
  const monthLength = '2026-11'.length;
  const yearLength = '2026'.length;
  const isSame = (length: number) => firstDay.slice(0, length) === lastDay.slice(0, length);
  const start = isSame(monthLength) ? dayOfMonthFormat : isSame(yearLength) ? dayOfYearFormat : dayFormat;
  return `${start.format(first)} to ${dayFormat.format(last)}`;
}

export interface DigestFacts {
  projectName: string;
  environment: 'production' | 'sandbox';
  period: ReportedPeriod;
  /** In the order of the lines. */
  values: DigestValues;
  /** Revenue of the last days, oldest first; null for a digest without a sparkline. */
  revenueByDay: readonly number[] | null;
  /** Some figures do not include everything yet. */
  isPreliminary: boolean;
}

export function digestText(facts: DigestFacts): DigestText {
  const { projectName, environment, period, values, revenueByDay, isPreliminary } = facts;
  const prefix = environment === 'sandbox' ? '[Sandbox] ' : '';
  const lines = [...values].map(([figure, value]) => lineOf(figure, value));
  if (revenueByDay) lines.push(`Revenue of ${revenueByDay.length} days: ${sparkline(revenueByDay)}`);
  if (isPreliminary) lines.push('These figures may still change.');
  return { heading: `${prefix}${projectName}, ${periodText(period)}`, lines };
}

/** Whether there is nothing to report. */
export function isEmpty(values: DigestValues): boolean {
  return [...values.values()].every((figure) => figure?.value === 0);
}
