import type { Chart } from './chart.model.js';
import { customerCharts } from './customer-charts.js';
import { paywallCharts } from './paywall-charts.js';
import { playCancelReasonsChart } from './play-cancel-reasons-chart.js';
import { refundRequestChart } from './refund-request-chart.js';
import { revenueCharts } from './revenue-charts.js';
import { subscriptionCharts } from './subscription-charts.js';
import { tableCharts } from './table-charts.js';

/** All charts of this server, in the order of the documentation. */
export const charts: readonly Chart[] = [
  ...revenueCharts,
  refundRequestChart,
  ...subscriptionCharts,
  playCancelReasonsChart,
  ...customerCharts,
  ...paywallCharts,
  ...tableCharts,
];

export const chartNames: readonly string[] = charts.map(({ id }) => id);

const elsewhere: readonly string[] = [
  'customer_center_survey_responses',
  'app_store_save_outcomes',
  'prediction_explorer',
  'trial_cancellation',
  'trial_conversion',
];

const aliases: Readonly<Record<string, string>> = { app_store_refund_requests: 'refund_request' };

/** Returns undefined for an unknown name. */
export function chartOfName(name: string): Chart | undefined {
  const id = aliases[name] ?? name;
  return charts.find((chart) => chart.id === id);
}

/** Whether clients know the chart but this server does not have it: it counts no ads. */
export function isChartElsewhere(name: string): boolean {
  return elsewhere.includes(name) || name.startsWith('ad_');
}
