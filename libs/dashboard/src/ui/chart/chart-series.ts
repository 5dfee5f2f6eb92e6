export type Kind = 'line' | 'area' | 'bar';

export interface Series {
  name: string;
  /** One value per bucket; null if there is none. */
  values: readonly (number | null)[];
  /** The previous period, drawn thin and dashed. */
  comparison?: boolean;
  /** Drawn as a line with points among columns, as the sum of gains and losses. */
  asLine?: boolean;
}

export interface ChartProps {
  /** Names the chart in its summary. */
  label: string;
  /** UTC days `YYYY-MM-DD`, or other names of the buckets. */
  days: readonly string[];
  series: readonly Series[];
  format: (value: number | null) => string;
  /** Formats the labels of the value axis, shorter than `format`. */
  axisFormat?: (value: number) => string;
  /** Index of the first incomplete bucket. */
  incompleteFrom?: number;
  /** Whether the first bucket covers only a part of its time. */
  incompleteFirst?: boolean;
  /** Returns the name of a bucket; by default its day. */
  bucketName?: (bucket: string, short: boolean) => string;
  height?: number;
  /** Notes on UTC days, drawn as marks and read out with their bucket. */
  notes?: readonly { date: string; text: string }[];
}

const most = 8;

const sum = (values: Series['values']) => values.reduce<number>((total, value) => total + (value ?? 0), 0);

/** Returns at most 8 series: the 7 largest in their order, and the sum of the rest as "Other". */
export function topSeries(series: readonly Series[]): readonly Series[] {
  const own = series.filter(({ comparison, asLine }) => !comparison && !asLine);
  if (own.length <= most) return series;
  const ranked = own.toSorted((a, b) => Math.abs(sum(b.values)) - Math.abs(sum(a.values)));
  const kept = new Set(ranked.slice(0, most - 1));
  const rest = ranked.slice(most - 1);
  const other = own[0]!.values.map((_, index) => {
    const values = rest.map(({ values }) => values[index] ?? null);
    return values.every((value) => value === null) ? null : sum(values);
  });
  return [
    ...own.filter((one) => kept.has(one)),
    { name: 'Other', values: other },
    ...series.filter(({ comparison, asLine }) => comparison || asLine),
  ];
}

/** Dash patterns, so that lines differ without color. */
const dashes = ['', '6 3', '2 3', '8 3 2 3', '12 4', '4 4', '1 4', '10 3 2 3 2 3'];

/** Whether a series is drawn as a line in a chart of this kind. */
export const isLine = (kind: Kind, { comparison, asLine }: Series) =>
  kind === 'line' || Boolean(comparison || asLine);

export const colorOf = (index: number) => `var(--series-${(index % most) + 1})`;
export const dashOf = (index: number) => dashes[index % most] || undefined;

/** Returns one sentence with the first and last value, and the maximum. */
export function summarize(
  { label, days, series, format }: ChartProps,
  day: (name: string) => string,
): string {
  const parts = series.map(({ name, values }) => {
    const known = values.flatMap((value, index) => (value === null ? [] : [{ value, index }]));
    const first = known[0];
    const last = known.at(-1);
    if (!first || !last) return `${name}: no data`;
    const top = known.reduce((best, point) => (point.value > best.value ? point : best));
    return `${name}: ${format(first.value)} to ${format(last.value)}, highest ${format(top.value)} on ${day(days[top.index]!)}`;
  });
  const from = days[0];
  const to = days.at(-1);
  if (from === undefined || to === undefined) return `${label}. No data in this period.`;
  return `${`${label} from ${day(from)} to ${day(to)} (UTC).`} ${parts.join('; ')}.`;
}

/** Returns the positions of about `count` labels, always including the last bucket. */
export function tickIndexes(length: number, count: number): number[] {
  if (length === 0) return [];
  const step = Math.max(1, Math.ceil(length / Math.max(1, count)));
  return Array.from(
    { length: Math.ceil(length / step) },
    (_, index) => length - 1 - index * step,
  ).toReversed();
}
