/**
 * The figures of the specification's examples by month, January to May: what each chart answers to a question, by
 * measure. Products are named as in the store. `openFrom`: the first incomplete month, May unless said.
 */
export const series: readonly [
  chart: string,
  query: Record<string, unknown>,
  values: number[][],
  openFrom?: number,
][] = [
  [
    'revenue',
    {},
    [
      [20, 39, 204, 8, 10],
      [2, 7, 5, 2, 1],
    ],
  ],
  [
    'revenue',
    { selectors: { revenue_type: 'proceeds' } },
    [
      [14, 28.65, 144.3, 5.3, 7],
      [2, 7, 5, 2, 1],
    ],
  ],
  [
    'revenue',
    { filters: [{ name: 'transaction_type', values: ['New'] }] },
    [
      [20, 13, 9, 0, 0],
      [2, 3, 2, 0, 0],
    ],
  ],
  ['mrr', {}, [[20, 30, 29, 25, 25]]],
  ['arr', {}, [[240, 360, 348, 300, 300]]],
  [
    'mrr_movement',
    {},
    [
      [20, 32, 4, 0, 0],
      [0, 0, 0, 12, 0],
      [0, 0, 5, 0, 0],
      [0, 22, 10, 16, 0],
      [0, 0, 0, 0, 0],
      [20, 10, -1, -4, 0],
      [0, 0, 0, 0, 0],
    ],
  ],
  ['actives', {}, [[2, 3, 3, 2, 2]]],
  [
    'actives_movement',
    {},
    [
      [2, 3, 2, 0, 0],
      [0, 0, 0, 1, 0],
      [0, 2, 2, 2, 0],
      [2, 1, 0, -1, 0],
    ],
  ],
  [
    'actives_new',
    {},
    [
      [1, 0, 0, 0, 0],
      [0, 0, 1, 0, 0],
      [1, 3, 1, 1, 0],
      [2, 3, 2, 1, 0],
    ],
  ],
  [
    'churn',
    {},
    [
      [0, 2, 3, 3, 2],
      [0, 2, 2, 2, 0],
      [0, 100, 66.67, 66.67, 0],
    ],
  ],
  ['trials', {}, [[0, 0, 0, 0, 1]]],
  ['trials_new', {}, [[2, 0, 0, 0, 1]]],
  [
    'trials_movement',
    {},
    [
      [2, 0, 0, 0, 1],
      [2, 0, 0, 0, 0],
      [0, 0, 0, 0, 1],
    ],
  ],
  [
    'trial_conversion_rate',
    {},
    [
      [2, 0, 0, 0, 1],
      [1, 0, 0, 0, 0],
      [1, 0, 0, 0, 0],
      [0, 0, 0, 0, 1],
      [50, 0, 0, 0, 0],
    ],
  ],
  ['customers_new', {}, [[4, 2, 3, 4, 0]]],
  [
    'conversion_to_paying',
    {},
    [
      [4, 2, 3, 4, 0],
      [3, 2, 2, 0, 0],
      [75, 100, 66.67, 0, 0],
    ],
  ],
  [
    'conversion_to_paying',
    { selectors: { conversion_timeframe: '0_days' } },
    [
      [4, 2, 3, 4, 0],
      [1, 2, 2, 0, 0],
      [25, 100, 66.67, 0, 0],
    ],
  ],
  [
    'conversion_to_paying',
    { selectors: { conversion_timeframe: '30_days' } },
    [
      [4, 2, 3, 4, 0],
      [2, 2, 2, 0, 0],
      [50, 100, 66.67, 0, 0],
    ],
    3,
  ],
  [
    'conversion_to_paying',
    { selectors: { conversion_timeframe: 'unbounded' } },
    [
      [4, 2, 3, 4, 0],
      [2, 2, 2, 0, 0],
      [50, 100, 66.67, 0, 0],
    ],
  ],
  [
    'initial_conversion',
    {},
    [
      [4, 2, 3, 4, 0],
      [4, 2, 2, 0, 0],
      [100, 100, 66.67, 0, 0],
    ],
  ],
  [
    'initial_conversion',
    { selectors: { conversion_timeframe: '30_days' } },
    [
      [4, 2, 3, 4, 0],
      [3, 2, 2, 1, 0],
      [75, 100, 66.67, 25, 0],
    ],
    3,
  ],
  [
    'ltv_per_customer',
    { selectors: { customer_lifetime: '7_days' } },
    [
      [4, 2, 3, 4, 0],
      [140, 16, 9, 0, 0],
      [35, 8, 3, 0, 0],
    ],
  ],
  [
    'ltv_per_customer',
    {},
    [
      [4, 2, 3, 4, 0],
      [20, 199, 14, 0, 0],
      [5, 99.5, 4.67, 0, 0],
    ],
    3,
  ],
  [
    'ltv_per_paying_customer',
    { selectors: { customer_lifetime: 'unbounded' } },
    [
      [2, 2, 2, 0, 0],
      [70, 202, 9, 0, 0],
      [35, 101, 4.5, 0, 0],
    ],
  ],
  [
    'refund_rate',
    {},
    [
      [2, 7, 5, 2, 1],
      [0, 1, 1, 0, 0],
      [0, 14.29, 20, 0, 0],
    ],
  ],
  [
    'refunds',
    {},
    [
      [0, 120, 0, 5, 0],
      [0, 1, 0, 1, 0],
    ],
  ],
  ['non-subscription_purchases', {}, [[0, 0, 2, 0, 0]]],
  ['subscription_status', {}, [[2], [2], [0], [0]]],
  ['subscription_status', { selectors: { measure: 'mrr' } }, [[25], [25], [0], [0]]],
  [
    'conversion_to_paying',
    {
      selectors: { conversion_timeframe: 'unbounded' },
      filters: [{ name: 'product_id', values: ['m10'] }],
    },
    [
      [4, 2, 3, 4, 0],
      [2, 1, 1, 0, 0],
      [50, 50, 33.33, 0, 0],
    ],
  ],
  [
    'ltv_per_customer',
    { selectors: { customer_lifetime: 'unbounded' } },
    [
      [4, 2, 3, 4, 0],
      [70, 202, 9, 0, 0],
      [17.5, 101, 3, 0, 0],
    ],
  ],
  [
    'ltv_per_paying_customer',
    { selectors: { customer_lifetime: '7_days' } },
    [
      [3, 2, 2, 0, 0],
      [140, 16, 9, 0, 0],
      [46.67, 8, 4.5, 0, 0],
    ],
  ],
  [
    'ltv_per_paying_customer',
    {},
    [
      [2, 2, 2, 0, 0],
      [20, 199, 14, 0, 0],
      [10, 99.5, 7, 0, 0],
    ],
    3,
  ],
  [
    'actives_new',
    { filters: [{ name: 'subscription_type', values: ['product_change', 'resubscription'] }] },
    [
      [0, 0, 0, 0, 0],
      [0, 0, 0, 0, 0],
      [0, 0, 1, 1, 0],
      [0, 0, 1, 1, 0],
    ],
  ],
  ['arr', { selectors: { revenue_type: 'proceeds' } }, [[168, 252, 243.6, 210, 210]]],
];

/** Clients find measures by place or name: both are fixed. */
export const measureNames: Record<string, string[]> = {
  revenue: ['Revenue', 'Transactions'],
  mrr: ['MRR'],
  arr: ['ARR'],
  mrr_movement: [
    'New MRR',
    'Resubscription MRR',
    'Expansion MRR',
    'Churned MRR',
    'Contraction MRR',
    'Movement',
    'Exchange Rate Effect',
  ],
  refunds: ['Refunded Revenue', 'Refunded Transactions'],
  refund_rate: ['Transactions', 'Refunded Transactions', 'Refund Rate'],
  refund_request: ['Refund Granted', 'Refund Declined', 'Refund Reversed', 'No Resolution'],
  'non-subscription_purchases': ['Non-subscription Purchases'],
  actives: ['Actives'],
  actives_movement: ['New Actives', 'Resubscription Actives', 'Churned Actives', 'Movement'],
  actives_new: ['Trial Conversions', 'Intro Offers', 'Direct Subscriptions', 'New Paid Subscriptions'],
  churn: ['Actives', 'Churned Actives', 'Churn Rate'],
  play_store_cancel_reasons: [
    'Not enough usage',
    'Technical issues',
    'Cost',
    'Found a better app',
    'Other reasons',
    'Unspecified',
  ],
  trials: ['Active Trials'],
  trials_new: ['New Trials'],
  trials_movement: ['New Trials', 'Expired Trials', 'Movement'],
  trial_conversion_rate: ['Trial Starts', 'Conversions', 'Expirations', 'Pending', 'Conversion Rate'],
  customers_new: ['New Customers'],
  customers_active: ['Active Customers'],
  conversion_to_paying: ['New Customers', 'Paying Customers (7 days)', 'Conversion Rate (7 days)'],
  initial_conversion: ['New Customers', 'Initial Conversions (7 days)', 'Conversion Rate (7 days)'],
  ltv_per_customer: ['New Customers', 'Realized LTV', 'Realized LTV per Customer'],
  ltv_per_paying_customer: ['New Paying Customers', 'Realized LTV', 'Realized LTV per Paying Customer'],
  paywall_encounter: ['New Customers', 'Paywall Encounters', 'Encounter Rate'],
  paywall_conversion: ['Paywall Viewers', 'Initial Conversions', 'Initial Conversion Rate'],
  paywall_abandonment: ['Paywall Viewers', 'Abandoned', 'Abandonment Rate'],
  paywall_ltv: ['Paywall Viewers', 'Initial Conversions', 'Realized LTV', 'Realized LTV per Viewer'],
  subscription_status: ['Total Active Subscriptions', 'Set to Renew', 'Set to Cancel', 'Billing Issue'],
};
