import type { Selector } from './chart.model.js';
import { windows } from './windows.js';

const named = (ids: readonly string[]) =>
  ids.map((id) => ({ id, name: windows.find((window) => window.id === id)?.name ?? id }));

export const revenueType: Selector = {
  id: 'revenue_type',
  name: 'Revenue type',
  options: [
    { id: 'revenue', name: 'Revenue' },
    { id: 'revenue_net_of_taxes', name: 'Revenue (net of taxes)' },
    { id: 'proceeds', name: 'Proceeds' },
  ],
};

export const conversionTimeframe: Selector = {
  id: 'conversion_timeframe',
  name: 'Conversion timeframe',
  options: named(['7_days', '0_days', '3_days', '14_days', '30_days', 'unbounded']),
};

export const customerLifetime: Selector = {
  id: 'customer_lifetime',
  name: 'Customer lifetime',
  options: named([
    '30_days',
    '7_days',
    '14_days',
    '3_months',
    '6_months',
    '9_months',
    '12_months',
    '18_months',
    '24_months',
    'unbounded',
  ]),
};

export const encounterTimeframe: Selector = {
  id: 'encounter_timeframe',
  name: 'Encounter timeframe',
  options: [
    { id: '3_days', name: '3 days' },
    { id: '1_day', name: '1 day' },
    { id: '7_days', name: '7 days' },
    { id: '14_days', name: '14 days' },
  ],
};

export const conversionType: Selector = {
  id: 'conversion_type',
  name: 'Conversion type',
  options: [
    { id: 'initial_conversion', name: 'Initial Conversion' },
    { id: 'paid_conversion', name: 'Paid Conversion' },
    { id: 'trial_start', name: 'Trial Start' },
    { id: 'trial_conversion', name: 'Trial Conversion' },
  ],
};

export const abandonment: Selector = {
  id: 'show',
  name: 'Show',
  options: [
    { id: 'abandonment', name: 'Abandonment' },
    { id: 'bounce', name: 'Bounce' },
    { id: 'purchase_cancellation', name: 'Purchase Cancellation' },
  ],
};

/** The App Store includes the Mac App Store. */
export const refundStore: Selector = {
  id: 'store',
  name: 'Store',
  options: [
    { id: 'app_store', name: 'App Store' },
    { id: 'play_store', name: 'Google Play' },
    { id: 'all', name: 'All stores' },
  ],
};

export const statusMeasure: Selector = {
  id: 'measure',
  name: 'Measure',
  options: [
    { id: 'active_subscriptions', name: 'Active Subscriptions' },
    { id: 'active_trials', name: 'Active Trials' },
    { id: 'mrr', name: 'MRR' },
    { id: 'arr', name: 'ARR' },
    { id: 'subscription_revenue', name: 'Subscription Revenue' },
  ],
};

export const cohortingDate: Selector = {
  id: 'cohorting_date',
  name: 'Cohorting date',
  options: [
    { id: 'new_customers', name: 'New Customers' },
    { id: 'initial_conversions', name: 'Initial Conversions' },
    { id: 'new_paying_customers', name: 'New Paying Customers' },
  ],
};

export const cohortMeasure: Selector = {
  id: 'cohort_measure',
  name: 'Measure',
  options: [
    { id: 'realized_ltv_per_customer', name: 'Realized LTV per Customer' },
    { id: 'realized_ltv', name: 'Realized LTV' },
    { id: 'revenue', name: 'Revenue' },
    { id: 'revenue_net_of_taxes', name: 'Revenue (net of taxes)' },
    { id: 'proceeds', name: 'Proceeds' },
    { id: 'retained_subscriptions', name: 'Retained Subscriptions' },
    { id: 'subscriptions_set_to_renew', name: 'Subscriptions Set to Renew' },
  ],
};
