import type { Category } from './chart-list.js';

export const categoryLabels = {
  revenue: 'Revenue',
  subscriptions: 'Subscriptions',
  trials: 'Trials',
  churn: 'Churn',
  customers: 'Customers',
  conversion: 'Conversion',
  ltv: 'Lifetime value',
  paywalls: 'Paywalls',
} satisfies Record<Category, string>;

export const bucketLabels = {
  day: 'UTC day',
  week: 'Week (UTC)',
  month: 'Month (UTC)',
  quarter: 'Quarter (UTC)',
  year: 'Year (UTC)',
};
