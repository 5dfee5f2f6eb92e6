type ChartId =
  | 'revenue'
  | 'mrr'
  | 'actives'
  | 'trials'
  | 'customers_new'
  | 'trials_new'
  | 'actives_new'
  | 'churn'
  | 'refunds';

interface ChartFigure {
  label: string;
  chart: ChartId;
  measure: string;
  /** Cents are shown; a state is rounded to dollars, as in its chart. */
  unit: '$' | '$ rounded' | '#';
}

/** Figures from charts, in the order of a digest. */
export const chartFigures = {
  revenue: { label: 'Revenue', chart: 'revenue', measure: 'revenue', unit: '$' },
  mrr: { label: 'MRR', chart: 'mrr', measure: 'mrr', unit: '$ rounded' },
  active_subscriptions: { label: 'Active subscriptions', chart: 'actives', measure: 'actives', unit: '#' },
  active_trials: { label: 'Active trials', chart: 'trials', measure: 'active_trials', unit: '#' },
  new_customers: { label: 'New customers', chart: 'customers_new', measure: 'new_customers', unit: '#' },
  new_trials: { label: 'New trials', chart: 'trials_new', measure: 'new_trials', unit: '#' },
  new_subscriptions: {
    label: 'New subscriptions',
    chart: 'actives_new',
    measure: 'new_paid_subscriptions',
    unit: '#',
  },
  churned: { label: 'Churned subscriptions', chart: 'churn', measure: 'churned_actives', unit: '#' },
  refunds: { label: 'Refunds', chart: 'refunds', measure: 'refunded_revenue', unit: '$' },
} as const satisfies Record<string, ChartFigure>;

export type ChartFigureId = keyof typeof chartFigures;
export type DigestFigure = ChartFigureId | 'problems';

export const digestFigures = [
  ...(Object.keys(chartFigures) as ChartFigureId[]),
  'problems',
] as const satisfies DigestFigure[];

export const isChartFigure = (figure: DigestFigure): figure is ChartFigureId => figure !== 'problems';

export type FigureUnit = ChartFigure['unit'];
