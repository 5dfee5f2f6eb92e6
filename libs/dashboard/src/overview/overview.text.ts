import type { Schema } from '../api/types.js';
import type { Metric } from './metrics.js';

type Kind = Schema<'TransactionDto'>['kind'];

export const text = {
  title: 'Overview',
  setup: {
    noApp: 'No app is connected yet. It takes a few minutes to the first purchase.',
    noCall: 'Your app is ready, but no SDK has called yet.',
    go: 'Continue the set-up',
    dismiss: 'Dismiss',
  },
  warnings: {
    title: 'Needs attention',
    all: 'Set-up health',
    more: (count: number) =>
      count === 1 ? '1 more in the set-up health' : `${count} more in the set-up health`,
  },
  metrics: 'Metrics',
  metric: {
    mrr: { name: 'Monthly recurring revenue', about: 'now' },
    revenue: { name: 'Revenue', about: '28 days' },
    active_subscriptions: { name: 'Active subscriptions', about: 'now' },
    active_trials: { name: 'Active trials', about: 'now' },
    new_customers: { name: 'New customers', about: '28 days' },
    active_users: { name: 'Active users', about: '28 days' },
  } satisfies Record<Metric, { name: string; about: string }>,
  days: 'Days are UTC; the dashed end of a line is today so far. Amounts are in USD, those in other currencies converted.',
  refunds: 'Revenue here takes a refund off the day of the sale; its chart, off the day of the refund.',
  chart: 'Chart',
  show: 'Show the days',
  showDays: (name: string) => `Show the days of: ${name}`,
  onlyOne: 'Figures of the two environments are not added up: these are of production.',
  change: (percent: string, isState: boolean) =>
    isState ? `${percent} against 28 days ago` : `${percent} against the 28 days before`,
  more: 'more',
  fewer: 'less',
  same: (isState: boolean) => (isState ? 'the same as 28 days ago' : 'the same as in the 28 days before'),
  fromNothing: (isState: boolean) => (isState ? 'none 28 days ago' : 'none in the 28 days before'),
  line: (name: string, first: string, firstDay: string, last: string) =>
    `${name} by UTC day: ${first} on ${firstDay}, ${last} today so far`,
  feed: {
    title: 'Latest transactions',
    count: (count: string) => `${count} in the last 28 days`,
    all: 'All transactions',
    empty: 'Purchases, renewals and refunds appear here as they happen.',
    test: 'Make a test purchase',
    time: 'Time',
    kind: 'Kind',
    product: 'Product',
    customer: 'Customer',
    amount: 'Amount',
    deleted: 'Customer deleted',
  },
};

export const kinds: Record<Kind, string> = {
  purchase: 'Purchase',
  renewal: 'Renewal',
  trial: 'Trial',
  one_time: 'One-time purchase',
  refund: 'Refund',
  refund_reversal: 'Refund reversed',
  proration: 'Proration',
  correction: 'Correction',
};
