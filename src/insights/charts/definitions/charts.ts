import type { Chart } from './chart.model.js';
import { customerCharts } from './customer-charts.js';
import { revenueCharts } from './revenue-charts.js';
import { subscriptionCharts } from './subscription-charts.js';
import { tableCharts } from './table-charts.js';

/** Every chart of this server, in the order of the documentation. */
export const charts: readonly Chart[] = [
  ...revenueCharts,
  ...subscriptionCharts,
  ...customerCharts,
  ...tableCharts,
];

export const chartNames: readonly string[] = charts.map(({ id }) => id);

/** Charts that clients know by name and this server does not draw. */
export const chartsElsewhere: readonly string[] = [
  'ad_revenue',
  'customer_center_survey_responses',
  'app_store_save_outcomes',
  'paywall_conversion',
  'play_store_cancel_reasons',
  'prediction_explorer',
  'refund_request',
  'trial_cancellation',
  'trial_conversion',
];
