import type { Metric } from './metrics.js';

export const metricLabels = {
  mrr: { name: 'Monthly recurring revenue', about: 'now' },
  revenue: { name: 'Revenue', about: '28 days' },
  active_subscriptions: { name: 'Active subscriptions', about: 'now' },
  active_trials: { name: 'Active trials', about: 'now' },
  new_customers: { name: 'New customers', about: '28 days' },
  active_users: { name: 'Active users', about: '28 days' },
} satisfies Record<Metric, { name: string; about: string }>;
