/** Metrics of results, by their API names. */
export const experimentMetrics = [
  'customers',
  'initial_conversions',
  'initial_conversion_rate',
  'trials_started',
  'trials_completed',
  'trials_converted',
  'trial_conversion_rate',
  'paid_customers',
  'conversion_to_paying',
  'active_subscribers',
  'active_subscribers_set_to_renew',
  'churned_subscribers',
  'refunded_customers',
  'realized_ltv_revenue',
  'realized_ltv_per_customer',
  'realized_ltv_per_paying_customer',
  'total_mrr',
  'mrr_per_customer',
  'mrr_per_paying_customer',
] as const;

export const experimentTypes = [
  'introductory_offer',
  'free_trial_offer',
  'paywall_design',
  'price_point',
  'subscription_duration',
  'subscription_ordering',
  'other',
] as const;
