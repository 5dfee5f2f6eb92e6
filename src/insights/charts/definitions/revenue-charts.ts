import type { SeriesChart, Selected } from './chart.model.js';
import {
  revenueFilters,
  revenueSegments,
  subscriptionFilters,
  subscriptionSegments,
} from './chart-dimensions.js';
import { count, money, rate, stock } from './measures.js';
import { revenueType } from './selectors.js';

const series = { table: 'series', countsCustomers: false, selectors: [], stocks: [], flows: [] } as const;
const ofRevenue = { filters: revenueFilters, segments: revenueSegments } as const;

const TAXES =
  'Net of taxes and proceeds are estimates by the rates of each store; taxes are not available from stores yet, so revenue and revenue net of taxes are equal.';

function revenueName({ revenue_type: type }: Selected): string {
  return revenueType.options.find(({ id }) => id === type)?.name ?? 'Revenue';
}

export const revenueCharts: readonly SeriesChart[] = [
  {
    ...series,
    ...ofRevenue,
    id: 'revenue',
    example: 'A payment of $120 in February and its refund in the same month add 0 to February.',
    name: 'Revenue',
    category: 'revenue',
    about: 'Money from all purchases, less refunds.',
    display: 'bar',
    time: 'flow',
    description: `Money from all purchases, one-time ones included, less refunds on the day the money goes back. ${TAXES} (The overview subtracts refunds on the day of the original sale.)`,
    formula: 'Revenue = payments of the period − refunds made in the period + reversals of refunds',
    selectors: [revenueType],
    flows: ['revenue', 'transactions'],
    measures: (selected) => [
      money('revenue', revenueName(selected), 'Payments less refunds.', 'revenue'),
      count('transactions', 'Transactions', 'Paid transactions, refunded ones included.', 'transactions'),
    ],
  },
  {
    ...series,
    id: 'mrr',
    example: 'A subscription of $120 a year and one of $3 a week add $10 and $12.',
    name: 'MRR',
    category: 'revenue',
    about: 'Monthly recurring revenue of active subscriptions.',
    display: 'line',
    time: 'stock',
    description: `Monthly recurring revenue: the recurring prices of all active paid subscriptions, each for a month. ${TAXES}`,
    formula: 'MRR = sum over active paid subscriptions of recurring price ÷ length of their period in months',
    filters: subscriptionFilters,
    segments: subscriptionSegments,
    selectors: [revenueType],
    stocks: ['monthly'],
    measures: () => [
      stock({
        ...money('mrr', 'MRR', 'At the end of the period.', (sums) => sums.end('monthly')),
        precision: 0,
      }),
    ],
  },
  {
    ...series,
    id: 'arr',
    example: 'An MRR of $30 is an ARR of $360.',
    name: 'ARR',
    category: 'revenue',
    about: 'MRR × 12.',
    display: 'line',
    time: 'stock',
    description: `Annual recurring revenue: MRR × 12. ${TAXES}`,
    formula: 'ARR = 12 × MRR',
    filters: subscriptionFilters,
    segments: subscriptionSegments,
    selectors: [revenueType],
    stocks: ['monthly'],
    measures: () => [
      stock({
        ...money('arr', 'ARR', 'At the end of the period.', (sums) => 12 * sums.end('monthly')),
        precision: 0,
      }),
    ],
  },
  {
    ...series,
    id: 'mrr_movement',
    example: 'A change from $10 a month to $180 a year is an expansion of $5.',
    name: 'MRR Movement',
    category: 'revenue',
    about: 'Why MRR changed.',
    display: 'stacked_bar',
    time: 'flow',
    description: `Why MRR changed. A change of product is an expansion or a contraction. ${TAXES}`,
    formula:
      'Movement = New + Resubscription + Expansion − Churned − Contraction + Exchange Rate Effect = MRR at the end − MRR at the start',
    filters: subscriptionFilters,
    segments: [],
    selectors: [revenueType],
    flows: [
      'monthly',
      'mrr_new',
      'mrr_resubscription',
      'mrr_expansion',
      'mrr_churn',
      'mrr_contraction',
      'mrr_exchange_rate',
    ],
    measures: () => [
      money('new_mrr', 'New MRR', 'From subscriptions that started to pay.', 'mrr_new'),
      money(
        'resubscription_mrr',
        'Resubscription MRR',
        'From customers who subscribed again after a lapse.',
        'mrr_resubscription',
      ),
      money('expansion_mrr', 'Expansion MRR', 'Increases of existing subscriptions.', 'mrr_expansion'),
      money(
        'churned_mrr',
        'Churned MRR',
        'From subscriptions that ended.',
        (sums) => -sums.flow('mrr_churn'),
      ),
      money(
        'contraction_mrr',
        'Contraction MRR',
        'Decreases of existing subscriptions.',
        (sums) => -sums.flow('mrr_contraction'),
      ),
      money('movement', 'Movement', 'The sum of all.', 'monthly'),
      money(
        'exchange_rate_effect',
        'Exchange Rate Effect',
        'Changes of exchange rates.',
        'mrr_exchange_rate',
      ),
    ],
  },
  {
    ...series,
    ...ofRevenue,
    id: 'refunds',
    example: '$5 of March, refunded in April, is in April.',
    name: 'Refunds',
    category: 'revenue',
    about: 'Refunded amount.',
    display: 'bar',
    time: 'flow',
    description: 'Refunded amount by the day of the refund, less reversals.',
    formula: 'Refunded Revenue = refunds made in the period − reversals of refunds',
    flows: ['refunded', 'refunds'],
    measures: () => [
      money('refunded_revenue', 'Refunded Revenue', 'Refunded amount.', 'refunded'),
      count(
        'refunded_transactions',
        'Refunded Transactions',
        'Transactions refunded in the period.',
        'refunds',
      ),
    ],
  },
  {
    ...series,
    ...ofRevenue,
    id: 'refund_rate',
    example: '$5 of March, refunded in April, is one of March’s refunded transactions.',
    name: 'Refund Rate',
    category: 'churn',
    about: 'Share of transactions refunded so far.',
    listedAs: 'revenue',
    display: 'line',
    time: 'flow',
    description:
      'The share of a period’s transactions that were refunded, whenever that was; so past values change.',
    formula: 'Refund Rate = transactions of the period refunded until now ÷ transactions of the period',
    flows: ['transactions', 'refunded_later'],
    measures: () => [
      count('transactions', 'Transactions', 'Paid transactions.', 'transactions'),
      count(
        'refunded_transactions',
        'Refunded Transactions',
        'Transactions refunded so far.',
        'refunded_later',
      ),
      rate(
        'refund_rate',
        'Refund Rate',
        'Refunded ÷ all.',
        (sums) => sums.flow('refunded_later'),
        (sums) => sums.flow('transactions'),
      ),
    ],
  },
  {
    ...series,
    ...ofRevenue,
    id: 'non-subscription_purchases',
    example: 'Coins bought twice in March are 2, also if one is refunded.',
    name: 'Non-subscription Purchases',
    category: 'revenue',
    about: 'Paid one-time purchases.',
    display: 'bar',
    time: 'flow',
    description: 'One-time purchases, refunded ones included.',
    formula: 'Non-subscription Purchases = paid transactions of one-time purchases',
    flows: ['non_subscription'],
    measures: () => [
      count(
        'non_subscription_purchases',
        'Non-subscription Purchases',
        'Paid one-time purchases.',
        'non_subscription',
      ),
    ],
  },
];
