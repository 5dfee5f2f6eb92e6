import type { Schema } from '../api/types.js';

export type MetricHistory = Schema<'MetricHistoryDto'>;
export type Metric = MetricHistory['id'];

/** Metrics in the order of the tiles. */
export const metrics = [
  'mrr',
  'revenue',
  'active_subscriptions',
  'active_trials',
  'new_customers',
  'active_users',
] as const satisfies readonly Metric[];

/** The chart of a metric. */
export const chartOf = {
  mrr: 'mrr',
  revenue: 'revenue',
  active_subscriptions: 'actives',
  active_trials: 'trials',
  new_customers: 'customers_new',
  active_users: 'customers_active',
} satisfies Record<Metric, string>;

export const isMoney = (metric: Metric): boolean => metric === 'mrr' || metric === 'revenue';

/** Whether the figure is a current state, not a sum over a period. */
export const isState = (metric: Metric): boolean =>
  metric === 'mrr' || metric === 'active_subscriptions' || metric === 'active_trials';

export type Change =
  | { kind: 'same' }
  /** The previous value was zero, so a percentage is meaningless. */
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
