import { type AmountColumn, amountColumns } from '../facts/chart-facts.js';

/** Monthly recurring revenue by cause of the change. */
export const moveFigures = {
  mrr_new: 'r.move = 1',
  mrr_resubscription: 'r.move = 2',
  mrr_expansion: 'r.move IN (3, 13)',
  mrr_churn: 'r.move = 4',
  mrr_contraction: 'r.move IN (5, 15)',
  mrr_exchange_rate: 'r.move IN (6, 16)',
} as const;

export type MoveFigure = keyof typeof moveFigures;

/** Figures that are not counted from facts. */
export const customerFigures = ['customers', 'active_customers', 'paying', 'converting', 'ltv'] as const;
export type CustomerFigure = (typeof customerFigures)[number];

/** Figures of customers by the paywalls that they saw. */
export const viewFigures = [
  'encounters',
  'viewers',
  'viewers_converting',
  'viewers_paying',
  'viewers_in_trial',
  'viewers_trial_converted',
  'viewers_bounced',
  'viewers_cancelled',
  'viewers_ltv',
] as const;
export type ViewFigure = (typeof viewFigures)[number];

/** Refund requests by the decision of the store. */
export const refundFigures = [
  'refunds_granted',
  'refunds_declined',
  'refunds_reversed',
  'refunds_open',
] as const;
export type RefundFigure = (typeof refundFigures)[number];

/** Cancellations of Google Play by the customer's answer. */
export const cancellationFigures = [
  'cancelled_usage',
  'cancelled_technical',
  'cancelled_cost',
  'cancelled_better_app',
  'cancelled_other',
  'cancelled_unspecified',
] as const;
export type CancellationFigure = (typeof cancellationFigures)[number];

/** Figures counted from tables of their own when the chart is read. */
export type CountedFigure = RefundFigure | CancellationFigure;

export type Figure =
  AmountColumn | MoveFigure | CustomerFigure | ViewFigure | CountedFigure | 'pending_trials';

const money = new Set<Figure>([
  'monthly',
  'revenue',
  'refunded',
  'ltv',
  'viewers_ltv',
  ...(Object.keys(moveFigures) as MoveFigure[]),
]);

/** Whether the figure is in micros. */
export function isMoney(figure: Figure): boolean {
  return money.has(figure);
}

export function isAmount(figure: Figure): figure is AmountColumn {
  return (amountColumns as readonly string[]).includes(figure);
}

export function isMove(figure: Figure): figure is MoveFigure {
  return figure in moveFigures;
}

export function isViewFigure(figure: Figure): figure is ViewFigure {
  return (viewFigures as readonly string[]).includes(figure);
}

export function isRefundFigure(figure: Figure): figure is RefundFigure {
  return (refundFigures as readonly string[]).includes(figure);
}

export function isCancellationFigure(figure: Figure): figure is CancellationFigure {
  return (cancellationFigures as readonly string[]).includes(figure);
}

export function isCountedFigure(figure: Figure): figure is CountedFigure {
  return isRefundFigure(figure) || isCancellationFigure(figure);
}

export type RevenueType = 'revenue' | 'revenue_net_of_taxes' | 'proceeds';

const deductions: Record<RevenueType, readonly ('tax' | 'commission')[]> = {
  revenue: [],
  revenue_net_of_taxes: ['tax'],
  proceeds: ['tax', 'commission'],
};

/** SQL of a figure of one row `r`; null if the row has none. */
export function figureSql(figure: AmountColumn | MoveFigure, revenueType: RevenueType): string {
  const column = isMove(figure) ? 'monthly' : figure;
  const less = column === 'monthly' || column === 'revenue' ? deductions[revenueType] : [];
  const names = less.map((name) => (column === 'monthly' ? `monthly_${name}` : name));
  const value = [`r.${column}`, ...names.map((name) => `coalesce(r.${name}, 0)`)].join(' - ');
  return isMove(figure) ? `CASE WHEN ${moveFigures[figure]} THEN ${value} END` : value;
}
