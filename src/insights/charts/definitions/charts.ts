import type { Chart } from './chart.model.js';
import { customerCharts } from './customer-charts.js';
import { revenueCharts } from './revenue-charts.js';
import { subscriptionCharts } from './subscription-charts.js';
import { tableCharts } from './table-charts.js';

/** All charts of this server, in the order of the documentation. */
export const charts: readonly Chart[] = [
  ...revenueCharts,
  ...subscriptionCharts,
  ...customerCharts,
  ...tableCharts,
];

export const chartNames: readonly string[] = charts.map(({ id }) => id);

const elsewhere: readonly string[] = [
  'app_store_refund_requests',
  'customer_center_survey_responses',
  'app_store_save_outcomes',
  'play_store_cancel_reasons',
  'prediction_explorer',
  'refund_request',
  'trial_cancellation',
  'trial_conversion',
];

/** Whether clients know the chart but this server does not have it: it stores no data on ads and paywalls. */
export function isChartElsewhere(name: string): boolean {
  return elsewhere.includes(name) || /^(ad|paywall)_/.test(name);
}
