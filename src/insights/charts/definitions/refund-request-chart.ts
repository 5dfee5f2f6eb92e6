import type { SeriesChart } from './chart.model.js';
import { count } from './measures.js';
import { refundStore } from './selectors.js';

/** Counted from refund requests, unlike all other charts. */
export const refundRequestChart: SeriesChart = {
  table: 'series',
  id: 'refund_request',
  name: 'Refund Requests',
  category: 'revenue',
  about: 'Refund requests and chargebacks, by the decision of the store.',
  display: 'stacked_bar',
  time: 'flow',
  description:
    'Refund requests of the App Store and chargebacks of Google Play by the day of the request. Past days change when the store decides.',
  formula: 'Requests = Refund Granted + Refund Declined + Refund Reversed + No Resolution',
  example: 'A request of 2 November that Apple grants on the 3rd is granted on the 2nd.',
  filters: [],
  segments: ['refund_reason', 'product', 'app', 'policy', 'answer'],
  countsCustomers: false,
  selectors: [refundStore],
  flows: ['refunds_granted', 'refunds_declined', 'refunds_reversed', 'refunds_open'],
  stocks: [],
  changesForDays: 30,
  measures: () => [
    count('refund_granted', 'Refund Granted', 'Refunded, in part or in full.', 'refunds_granted'),
    count('refund_declined', 'Refund Declined', 'Declined by the store.', 'refunds_declined'),
    count('refund_reversed', 'Refund Reversed', 'Refunded, and taken back later.', 'refunds_reversed'),
    count('no_resolution', 'No Resolution', 'The store has reported no decision.', 'refunds_open'),
  ],
};
