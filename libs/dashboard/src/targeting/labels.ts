import type { RuleState } from './targeting.queries.js';
import type { Experiment, ExperimentAction, ExperimentStatus } from './experiments.queries.js';

export const stateLabels = { active: 'Live', scheduled: 'Scheduled', inactive: 'Off' } satisfies Record<
  RuleState,
  string
>;

export const modeLabels = {
  only_new: 'Customers first seen after the start',
  new_and_existing: 'All customers',
} satisfies Record<Experiment['enrollment_mode'], string>;

export const metricNames: Record<string, string> = {
  customers: 'Customers',
  initial_conversions: 'Initial conversions',
  initial_conversion_rate: 'Initial conversion rate',
  trials_started: 'Trials started',
  trials_completed: 'Trials completed',
  trials_converted: 'Trials converted',
  trial_conversion_rate: 'Trial conversion rate',
  paid_customers: 'Paying customers',
  conversion_to_paying: 'Conversion to paying',
  active_subscribers: 'Active subscribers',
  active_subscribers_set_to_renew: 'Set to renew',
  churned_subscribers: 'Churned subscribers',
  refunded_customers: 'Refunded customers',
  realized_ltv_revenue: 'Revenue',
  realized_ltv_per_customer: 'Revenue per customer',
  realized_ltv_per_paying_customer: 'Revenue per paying customer',
  total_mrr: 'MRR',
  mrr_per_customer: 'MRR per customer',
  mrr_per_paying_customer: 'MRR per paying customer',
};

export const statusLabels = {
  draft: 'Draft',
  running: 'Running',
  paused: 'Paused',
  stopped: 'Stopped',
} satisfies Record<ExperimentStatus, string>;

export const actionLabels = {
  start: 'Start',
  pause: 'Pause',
  resume: 'Resume',
  stop: 'Stop',
} satisfies Record<ExperimentAction, string>;
