import type { SeriesChart } from './chart.model.js';
import { cancellationFigures } from './figures.js';
import { count } from './measures.js';

/** Counted from the cancellations that Google Play reports. */
export const playCancelReasonsChart: SeriesChart = {
  table: 'series',
  id: 'play_store_cancel_reasons',
  name: 'Play Store Cancel Reasons',
  category: 'churn',
  about: 'Why customers of Google Play cancelled, by their own answers.',
  display: 'stacked_bar',
  time: 'flow',
  description:
    "Subscriptions of Google Play by the day their customer cancelled, with the customer's answer to Google's survey. Counts from the update to version 0.11.0 on.",
  formula:
    'Each cancellation by a customer counts once, also when the customer resumes the subscription later',
  example:
    'Two customers cancel on 3 November because of the cost, and a third without an answer: Cost 2, Unspecified 1.',
  filters: [],
  segments: [],
  countsCustomers: false,
  selectors: [],
  flows: cancellationFigures,
  stocks: [],
  measures: () => [
    count('not_enough_usage', 'Not enough usage', 'Did not use it enough.', 'cancelled_usage'),
    count('technical_issues', 'Technical issues', 'Had technical problems.', 'cancelled_technical'),
    count('cost', 'Cost', 'Found it too expensive.', 'cancelled_cost'),
    count('found_a_better_app', 'Found a better app', 'Found a better app.', 'cancelled_better_app'),
    count('other_reasons', 'Other reasons', 'Had another reason.', 'cancelled_other'),
    count('unspecified', 'Unspecified', 'Did not answer.', 'cancelled_unspecified'),
  ],
};
