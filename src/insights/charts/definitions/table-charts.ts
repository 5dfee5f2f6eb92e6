import type { TableChart } from './chart.model.js';
import { conversionFilters, subscriptionFilters, subscriptionSegments } from './chart-dimensions.js';
import { cohortingDate, cohortMeasure, statusMeasure } from './selectors.js';

export const tableCharts: readonly TableChart[] = [
  {
    table: 'status',
    id: 'subscription_status',
    example: 'A subscription in its grace period is a billing issue.',
    name: 'Subscription Status',
    category: 'subscriptions',
    about: 'What is active now, and whether it renews.',
    display: 'stacked_bar',
    description: 'Active subscriptions by renewal status. Ignores the date range.',
    formula: 'Total = Set to Renew + Set to Cancel + Billing Issue',
    filters: subscriptionFilters,
    segments: [...subscriptionSegments, 'expiration_month'],
    countsCustomers: false,
    selectors: [statusMeasure],
  },
  {
    table: 'retention',
    id: 'subscription_retention',
    example: 'One of 2 monthly subscriptions of January is paid a third time: 50% at month 2.',
    name: 'Subscription Retention',
    category: 'subscriptions',
    about: 'How many paid again, by month of their first payment.',
    display: 'cohort',
    description:
      'How many subscriptions of one duration paid again, by the period of their first payment at the regular price. Without a filter the duration is one month.',
    formula:
      'Month k rate = subscriptions whose k-th renewal was paid and not refunded in full ÷ subscriptions old enough for it',
    filters: subscriptionFilters,
    segments: subscriptionSegments,
    countsCustomers: false,
    selectors: [],
  },
  {
    table: 'explorer',
    id: 'cohort_explorer',
    example: 'A customer first seen on 25 January has month 1 from 25 February to 24 March.',
    name: 'Cohort Explorer',
    category: 'ltv',
    about: 'What cohorts of customers paid, month by month.',
    display: 'cohort',
    description: 'What cohorts of customers paid, or kept, in each month after their own first day.',
    formula: 'Month n = sum over the cohort of [first day + n months, first day + n + 1 months)',
    filters: conversionFilters,
    segments: [],
    countsCustomers: true,
    selectors: [cohortingDate, cohortMeasure],
  },
];
