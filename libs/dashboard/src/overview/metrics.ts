import type { Schema } from '../api/types.js';

export type MetricHistory = Schema<'MetricHistoryDto'>;
export type Metric = MetricHistory['id'];

/** In the order of the tiles. */
export const metrics = [
  'mrr',
  'revenue',
  'active_subscriptions',
  'active_trials',
  'new_customers',
  'active_users',
] as const satisfies readonly Metric[];

export const isMoney = (metric: Metric): boolean => metric === 'mrr' || metric === 'revenue';

/** Whether the figure is of now, and not of a period. */
export const isState = (metric: Metric): boolean =>
  metric === 'mrr' || metric === 'active_subscriptions' || metric === 'active_trials';

export type Change =
  | { kind: 'same' }
  /** There was nothing to compare with: a share of zero means nothing. */
  | { kind: 'from-nothing' }
  | { kind: 'share'; share: number };

export function changeOf({
  value,
  previous_value: before,
}: Pick<MetricHistory, 'value' | 'previous_value'>): Change {
  if (value === before) return { kind: 'same' };
  if (before <= 0) return { kind: 'from-nothing' };
  return { kind: 'share', share: (value - before) / before };
}

export interface Line {
  /** The days that are over, as points of an SVG polyline. */
  past: string;
  /** From yesterday to today so far. */
  today: string;
  /** Where zero lies. */
  zero: number;
}

/** The values as points in a box of `width` by `height`; zero is always in it, and a flat line of zeros at its foot. */
export function lineOf(values: readonly number[], width: number, height: number): Line {
  const top = Math.max(0, ...values);
  const bottom = Math.min(0, ...values);
  const range = top - bottom || 1;
  const y = (value: number) => Number((height - ((value - bottom) / range) * height).toFixed(2));
  const step = values.length > 1 ? width / (values.length - 1) : 0;
  const points = values.map((value, index) => `${Number((index * step).toFixed(2))},${y(value)}`);
  return { past: points.slice(0, -1).join(' '), today: points.slice(-2).join(' '), zero: y(0) };
}
