import { generatedCharts } from './chart-list.generated.js';

/** Categories in the order of the chart list. */
export const categories = [
  'revenue',
  'subscriptions',
  'trials',
  'churn',
  'customers',
  'conversion',
  'ltv',
  'paywalls',
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
export const charts: readonly ListedChart[] = generatedCharts;

/** The grouping with which links open a chart. */
export const groupingOf = (chart: ListedChart | undefined) =>
  chart?.category === 'paywalls' ? { segment: 'paywall' } : {};

export const chartNamed = (id: string): ListedChart | undefined => charts.find((chart) => chart.id === id);
