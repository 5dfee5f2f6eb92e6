/** In the order of the list. */
export const categories = [
  'revenue',
  'subscriptions',
  'trials',
  'churn',
  'customers',
  'conversion',
  'ltv',
] as const;

export type Category = (typeof categories)[number];

export interface ListedChart {
  /** The id in the API's path. */
  id: string;
  category: Category;
  name: string;
  about: string;
  /** Whether rows are cohorts, which are drawn as a heat map. */
  isCohorts?: boolean;
  /** Whether its figures are states, of which the value at the end of the range comes first. */
  isState?: boolean;
  /** Whether none of its figures is money. */
  isWithoutMoney?: boolean;
}

/** The charts of the server. A chart that the server lacks is removed after its first request. */
export const charts: readonly ListedChart[] = [
  {
    id: 'revenue',
    category: 'revenue',
    name: 'Revenue',
    about: 'Money from all purchases, less refunds.',
  },
  {
    id: 'mrr',
    category: 'revenue',
    name: 'MRR',
    about: 'Monthly recurring revenue of active subscriptions.',
    isState: true,
  },
  { id: 'arr', category: 'revenue', name: 'ARR', about: 'MRR for a year.', isState: true },
  {
    id: 'mrr_movement',
    category: 'revenue',
    name: 'MRR movement',
    about: 'What raised and lowered MRR.',
  },
  { id: 'refunds', category: 'revenue', name: 'Refunds', about: 'Money that went back.' },
  {
    id: 'refund_rate',
    category: 'revenue',
    name: 'Refund rate',
    about: 'Share of transactions refunded by now.',
    isWithoutMoney: true,
  },
  {
    id: 'non-subscription_purchases',
    category: 'revenue',
    name: 'Non-subscription purchases',
    about: 'Paid one-time purchases.',
    isWithoutMoney: true,
  },
  {
    id: 'actives',
    category: 'subscriptions',
    name: 'Active subscriptions',
    about: 'Paid subscriptions with access.',
    isWithoutMoney: true,
    isState: true,
  },
  {
    id: 'actives_movement',
    category: 'subscriptions',
    name: 'Active subscriptions movement',
    about: 'What began and ended.',
    isWithoutMoney: true,
  },
  {
    id: 'actives_new',
    category: 'subscriptions',
    name: 'New paid subscriptions',
    about: 'By how they began to pay.',
    isWithoutMoney: true,
  },
  {
    id: 'subscription_status',
    category: 'subscriptions',
    name: 'Subscription status',
    about: 'What is active now, and whether it renews.',
    isState: true,
  },
  {
    id: 'subscription_retention',
    category: 'subscriptions',
    name: 'Subscription retention',
    about: 'How many paid again, by month of their first payment.',
    isCohorts: true,
    isWithoutMoney: true,
  },
  {
    id: 'trials',
    category: 'trials',
    name: 'Active trials',
    about: 'Trials that run.',
    isWithoutMoney: true,
    isState: true,
  },
  {
    id: 'trials_new',
    category: 'trials',
    name: 'New trials',
    about: 'Trials that began.',
    isWithoutMoney: true,
  },
  {
    id: 'trials_movement',
    category: 'trials',
    name: 'Trials movement',
    about: 'What began and ended.',
    isWithoutMoney: true,
  },
  {
    id: 'trial_conversion_rate',
    category: 'trials',
    name: 'Trial conversion',
    about: 'Share of trials that were paid.',
    isWithoutMoney: true,
  },
  {
    id: 'churn',
    category: 'churn',
    name: 'Churn',
    about: 'Share of active subscriptions that ended.',
    isWithoutMoney: true,
  },
  {
    id: 'customers_new',
    category: 'customers',
    name: 'New customers',
    about: 'First seen in the period.',
    isWithoutMoney: true,
  },
  {
    id: 'customers_active',
    category: 'customers',
    name: 'Active customers',
    about: 'Seen in the period.',
    isWithoutMoney: true,
  },
  {
    id: 'conversion_to_paying',
    category: 'conversion',
    name: 'Conversion to paying',
    about: 'Share of new customers that paid.',
    isWithoutMoney: true,
  },
  {
    id: 'initial_conversion',
    category: 'conversion',
    name: 'Initial conversion',
    about: 'Share of new customers that began a trial or paid.',
    isWithoutMoney: true,
  },
  {
    id: 'ltv_per_customer',
    category: 'ltv',
    name: 'Realized LTV per customer',
    about: 'What a new customer paid on average.',
  },
  {
    id: 'ltv_per_paying_customer',
    category: 'ltv',
    name: 'Realized LTV per paying customer',
    about: 'What a customer who paid has paid on average.',
  },
  {
    id: 'cohort_explorer',
    category: 'ltv',
    name: 'Cohort explorer',
    about: 'What cohorts of customers paid, month by month.',
    isCohorts: true,
  },
];

export const chartNamed = (id: string): ListedChart | undefined => charts.find((chart) => chart.id === id);
