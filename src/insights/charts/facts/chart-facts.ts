import type { MetricEnvironment } from './plan-spans.js';

/** Reasons for changes of monthly recurring revenue. Stored, so only append. */
export const moves = {
  none: 0,
  new: 1,
  resubscription: 2,
  expansion: 3,
  churn: 4,
  contraction: 5,
  exchangeRate: 6,
  /** The same changes, recorded for the earlier period, which may be the only one that passes the filters. */
  expansionFrom: 13,
  contractionFrom: 15,
  exchangeRateFrom: 16,
} as const;

export type Move = (typeof moves)[keyof typeof moves];

/** Additive columns of `chart_facts` and `chart_days`. */
export const amountColumns = [
  'trials',
  'trials_new',
  'trials_converted',
  'actives',
  'monthly',
  'monthly_tax',
  'monthly_commission',
  'new_actives',
  'resubscribed',
  'churned',
  'from_trial',
  'from_intro',
  'revenue',
  'tax',
  'commission',
  'transactions',
  'refunded',
  'refunds',
  'refunded_later',
  'non_subscription',
  /** The rest of `monthly` below a micro, in parts of `MONTHLY_PARTS`. */
  'monthly_fraction',
  /** Correct the states for the key figures, in which a replaced subscription lasts until its own end. */
  'overlap_trials',
  'overlap_actives',
  'overlap_monthly',
] as const;

/** Parts of a micro. Every length up to 16 months, weeks or days divides a price into whole parts. */
export const MONTHLY_PARTS = 720_720;

export type AmountColumn = (typeof amountColumns)[number];
export type Amounts = Partial<Record<AmountColumn, number>>;

/** Columns in micros of USD. */
export const moneyColumns: readonly AmountColumn[] = [
  'monthly',
  'monthly_tax',
  'monthly_commission',
  'revenue',
  'tax',
  'commission',
  'refunded',
  'overlap_monthly',
];

export interface ChartFact {
  purchaseId: string;
  factKey: string;
  environment: MetricEnvironment;
  atMs: number;
  /** `YYYY-MM-DD`. */
  rateDay: string;
  dimsId: string;
  customerDimsId: string;
  peerDimsId: string | null;
  run: number | null;
  move: Move;
  amounts: Amounts;
}

/** Adds amounts to others in place. Keeps zeros, which are stored as null. */
export function addTo(sum: Amounts, amounts: Amounts): void {
  for (const column of Object.keys(amounts) as AmountColumn[]) {
    sum[column] = (sum[column] ?? 0) + (amounts[column] ?? 0);
  }
}

export function isEmpty(amounts: Amounts): boolean {
  return Object.values(amounts).every((value) => value === 0);
}
