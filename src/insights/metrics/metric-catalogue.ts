/** In the order of the response, with the labels that clients display. */
export const overviewMetrics = [
  { id: 'active_trials', name: 'Active Trials', description: 'In total', unit: '#', period: 'P0D' },
  {
    id: 'active_subscriptions',
    name: 'Active Subscriptions',
    description: 'In total',
    unit: '#',
    period: 'P0D',
  },
  { id: 'mrr', name: 'MRR', description: 'Monthly Recurring Revenue', unit: '$', period: 'P28D' },
  { id: 'revenue', name: 'Revenue', description: 'Last 28 days', unit: '$', period: 'P28D' },
  { id: 'new_customers', name: 'New Customers', description: 'Last 28 days', unit: '#', period: 'P28D' },
  { id: 'active_users', name: 'Active Users', description: 'Last 28 days', unit: '#', period: 'P28D' },
  {
    id: 'num_tx_last_28_days',
    name: 'Number of transactions in the last 28 days',
    description: 'Last 28 days',
    unit: '#',
    period: 'P28D',
  },
] as const;

export const historyMetrics = [
  'active_trials',
  'active_subscriptions',
  'mrr',
  'revenue',
  'new_customers',
  'active_users',
] as const;

export type OverviewMetricId = (typeof overviewMetrics)[number]['id'];
export type HistoryMetricId = (typeof historyMetrics)[number];

/** Number of days that overview metrics of the period P28D cover. */
export const OVERVIEW_DAYS = 28;
export const MIN_HISTORY_DAYS = 7;
export const MAX_HISTORY_DAYS = 365;
