/** Sums over a variant's customers, for all products or one. Amounts in micros of USD, squares in USD². */
export interface VariantSums {
  customers: number;
  recentCustomers: number;
  converted: number;
  trialsStarted: number;
  trialsCompleted: number;
  trialsConverted: number;
  paid: number;
  active: number;
  renewing: number;
  churned: number;
  refunded: number;
  revenue: number;
  revenueSquares: number;
  monthly: number;
  monthlySquares: number;
}

export const noSums: VariantSums = {
  customers: 0,
  recentCustomers: 0,
  converted: 0,
  trialsStarted: 0,
  trialsCompleted: 0,
  trialsConverted: 0,
  paid: 0,
  active: 0,
  renewing: 0,
  churned: 0,
  refunded: 0,
  revenue: 0,
  revenueSquares: 0,
  monthly: 0,
  monthlySquares: 0,
};

type Count = Exclude<keyof VariantSums, 'revenue' | 'revenueSquares' | 'monthly' | 'monthlySquares'>;

/** How a metric is calculated from sums, which determines its statistics. */
export type MetricKind =
  | { kind: 'count'; of: Count }
  | { kind: 'rate'; of: Count; per: Count }
  | { kind: 'money'; of: 'revenue' | 'monthly' }
  | { kind: 'mean'; of: 'revenue' | 'monthly'; per: 'customers' | 'paid' };

export interface ResultMetric {
  name: string;
  unit: '#' | '%' | '$';
  effect: 'positive' | 'negative';
  how: MetricKind;
}

const count = (name: string, of: Count, effect: ResultMetric['effect'] = 'positive'): ResultMetric => ({
  name,
  unit: '#',
  effect,
  how: { kind: 'count', of },
});
const rate = (name: string, of: Count, per: Count): ResultMetric => ({
  name,
  unit: '%',
  effect: 'positive',
  how: { kind: 'rate', of, per },
});
const money = (name: string, of: 'revenue' | 'monthly'): ResultMetric => ({
  name,
  unit: '$',
  effect: 'positive',
  how: { kind: 'money', of },
});
const mean = (name: string, of: 'revenue' | 'monthly', per: 'customers' | 'paid'): ResultMetric => ({
  name,
  unit: '$',
  effect: 'positive',
  how: { kind: 'mean', of, per },
});

export interface ResultSection {
  name: string;
  metrics: readonly ResultMetric[];
}

export const resultSections: readonly ResultSection[] = [
  {
    name: 'Initial conversion',
    metrics: [
      count('customers', 'customers'),
      count('initial_conversions', 'converted'),
      rate('initial_conversion_rate', 'converted', 'customers'),
      count('trials_started', 'trialsStarted'),
      count('trials_completed', 'trialsCompleted'),
      count('trials_converted', 'trialsConverted'),
      rate('trial_conversion_rate', 'trialsConverted', 'trialsCompleted'),
    ],
  },
  {
    name: 'Paid customers',
    metrics: [
      count('paid_customers', 'paid'),
      rate('conversion_to_paying', 'paid', 'customers'),
      count('active_subscribers', 'active'),
      count('active_subscribers_set_to_renew', 'renewing'),
      count('churned_subscribers', 'churned', 'negative'),
      count('refunded_customers', 'refunded', 'negative'),
    ],
  },
  {
    name: 'Revenue',
    metrics: [
      money('realized_ltv_revenue', 'revenue'),
      mean('realized_ltv_per_customer', 'revenue', 'customers'),
      mean('realized_ltv_per_paying_customer', 'revenue', 'paid'),
      money('total_mrr', 'monthly'),
      mean('mrr_per_customer', 'monthly', 'customers'),
      mean('mrr_per_paying_customer', 'monthly', 'paid'),
    ],
  },
];

export const resultMetrics = resultSections.flatMap(({ metrics }) => metrics);
