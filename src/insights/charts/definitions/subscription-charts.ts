import type { SeriesChart } from './chart.model.js';
import { subscriptionFilters, subscriptionSegments } from './chart-dimensions.js';
import { count, rate, stock } from './measures.js';

const series = {
  table: 'series',
  countsCustomers: false,
  selectors: [],
  stocks: [],
  flows: [],
  filters: subscriptionFilters,
  segments: subscriptionSegments,
} as const;

export const subscriptionCharts: readonly SeriesChart[] = [
  {
    ...series,
    id: 'actives',
    example: 'A cancelled subscription counts until its paid month is over.',
    name: 'Active Subscriptions',
    category: 'subscriptions',
    display: 'line',
    time: 'stock',
    description:
      'Paid subscriptions that give access, cancelled ones and grace periods included; no trials, grants or family members.',
    formula: 'Actives = paid periods that give access at the end of the period',
    stocks: ['actives'],
    measures: () => [
      stock(count('actives', 'Actives', 'At the end of the period.', (sums) => sums.end('actives'))),
    ],
  },
  {
    ...series,
    segments: [],
    id: 'actives_movement',
    example: 'A change of product is one new and one churned.',
    name: 'Active Subscriptions Movement',
    category: 'subscriptions',
    display: 'stacked_bar',
    time: 'flow',
    description: 'Paid subscriptions that started and ended. A change of product counts as one of each.',
    formula: 'Movement = New Actives + Resubscription Actives − Churned Actives',
    flows: ['new_actives', 'resubscribed', 'churned'],
    measures: () => [
      count('new_actives', 'New Actives', 'New paid subscriptions and changes of product.', 'new_actives'),
      count('resubscription_actives', 'Resubscription Actives', 'Paid again after a lapse.', 'resubscribed'),
      count('churned_actives', 'Churned Actives', 'Ended.', 'churned'),
      count(
        'movement',
        'Movement',
        'Started less ended.',
        (sums) => sums.flow('new_actives') + sums.flow('resubscribed') - sums.flow('churned'),
      ),
    ],
  },
  {
    ...series,
    id: 'actives_new',
    example: 'A trial that is paid after a week is a trial conversion on that day.',
    name: 'New Paid Subscriptions',
    category: 'subscriptions',
    display: 'stacked_bar',
    time: 'flow',
    description: 'Subscriptions that started to pay, by how they started.',
    formula: 'New Paid Subscriptions = Trial Conversions + Intro Offers + Direct Subscriptions',
    flows: ['new_actives', 'resubscribed', 'from_trial', 'from_intro'],
    measures: () => [
      count('trial_conversions', 'Trial Conversions', 'Paid after a trial.', 'from_trial'),
      count('intro_offers', 'Intro Offers', 'Started with an introductory price.', 'from_intro'),
      count(
        'direct_subscriptions',
        'Direct Subscriptions',
        'Started with the regular price.',
        (sums) =>
          sums.flow('new_actives') +
          sums.flow('resubscribed') -
          sums.flow('from_trial') -
          sums.flow('from_intro'),
      ),
      count(
        'new_paid_subscriptions',
        'New Paid Subscriptions',
        'All of them.',
        (sums) => sums.flow('new_actives') + sums.flow('resubscribed'),
      ),
    ],
  },
  {
    ...series,
    id: 'churn',
    example: '2 of 3 subscriptions active at the start ended: 66.67%.',
    name: 'Churn',
    category: 'churn',
    display: 'line',
    time: 'flow',
    description:
      'Paid subscriptions that ended, as a share of those active at the beginning. It can exceed 100% when a subscription starts and ends in one period.',
    formula: 'Churn Rate = Churned Actives ÷ Actives at the beginning of the period',
    flows: ['churned'],
    stocks: ['actives'],
    measures: () => [
      count('actives', 'Actives', 'At the beginning of the period.', (sums) => sums.start('actives')),
      count('churned_actives', 'Churned Actives', 'Ended in the period.', 'churned'),
      rate(
        'churn_rate',
        'Churn Rate',
        'Churned ÷ active.',
        (sums) => sums.flow('churned'),
        (sums) => sums.start('actives'),
      ),
    ],
  },
  {
    ...series,
    id: 'trials',
    example: 'A trial from 5 to 12 May is active at the end of 10 May.',
    name: 'Active Trials',
    category: 'trials',
    display: 'line',
    time: 'stock',
    description: 'Free trials that give access, cancelled ones included.',
    formula: 'Active Trials = trials that give access at the end of the period',
    stocks: ['trials'],
    measures: () => [
      stock(
        count('active_trials', 'Active Trials', 'At the end of the period.', (sums) => sums.end('trials')),
      ),
    ],
  },
  {
    ...series,
    id: 'trials_new',
    example: 'Two trials that started in January are 2, however they ended.',
    name: 'New Trials',
    category: 'trials',
    display: 'bar',
    time: 'flow',
    description: 'Trials started.',
    formula: 'New Trials = trials that started in the period',
    flows: ['trials_new'],
    measures: () => [count('new_trials', 'New Trials', 'Started in the period.', 'trials_new')],
  },
  {
    ...series,
    segments: [],
    id: 'trials_movement',
    example: 'A trial from 10 to 17 January is one new and one expired in January.',
    name: 'Trials Movement',
    category: 'trials',
    display: 'stacked_bar',
    time: 'flow',
    description: 'Trials started and ended, converted or not.',
    formula: 'Movement = New Trials − Expired Trials',
    flows: ['trials_new', 'trials'],
    measures: () => [
      count('new_trials', 'New Trials', 'Started in the period.', 'trials_new'),
      count(
        'expired_trials',
        'Expired Trials',
        'Ended in the period, converted or not.',
        (sums) => sums.flow('trials_new') - sums.flow('trials'),
      ),
      count('movement', 'Movement', 'Started less ended.', 'trials'),
    ],
  },
  {
    ...series,
    id: 'trial_conversion_rate',
    example: 'One of two trials of January is paid: 50%.',
    name: 'Trial Conversion',
    category: 'conversion',
    display: 'line',
    time: 'trials',
    description:
      'The outcome of the trials that started in a period. A trial converts when a payment that is not refunded follows it without a gap.',
    formula: 'Conversion Rate = Conversions ÷ Trial Starts',
    flows: ['trials_new', 'trials_converted', 'pending_trials'],
    measures: () => [
      count('trial_starts', 'Trial Starts', 'Started in the period.', 'trials_new'),
      count('conversions', 'Conversions', 'Customers who paid.', 'trials_converted'),
      count(
        'expirations',
        'Expirations',
        'Trials that ended without a payment.',
        (sums) => sums.flow('trials_new') - sums.flow('trials_converted') - sums.flow('pending_trials'),
      ),
      count('pending', 'Pending', 'Trials currently running.', 'pending_trials'),
      rate(
        'conversion_rate',
        'Conversion Rate',
        'Conversions ÷ starts.',
        (sums) => sums.flow('trials_converted'),
        (sums) => sums.flow('trials_new'),
      ),
    ],
  },
];
