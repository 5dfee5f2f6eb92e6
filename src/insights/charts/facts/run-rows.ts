import { utcDay } from '../../../../libs/kernel/index.js';
import { deriveState, viewSubscription } from '../../../../libs/engine/index.js';
import type { ChartPeriod } from './periods.js';
import type { PeriodDims } from './period-dims.js';
import { isRefundedInFull } from './refunds.js';
import type { Run } from './runs.js';

/** Maximum number of renewals: the columns of a cohort table, and the bits that fit into a `bigint`. */
export const MAX_RENEWALS = 60;

export interface RunRow {
  purchaseId: string;
  run: number;
  environment: string;
  dimsId: string;
  startsAtMs: number;
  paidUntilMs: number | null;
  endsAtMs: number | null;
  isTrial: boolean;
  isRenewing: boolean;
  inRetry: boolean;
  rateDay: string;
  monthly: number;
  lastPayment: number;
  cohortDimsId: string | null;
  cohortAtMs: number | null;
  /** A string, because it has 60 bits. */
  retained: string;
  /** Number of standard paid periods. */
  payments: number;
}

const standardTypes = new Set(['normal', 'prepaid']);

function retainedBits(standard: ChartPeriod[]): bigint {
  return standard.reduce((bits, period, index) => {
    const isKept = index > 0 && index <= MAX_RENEWALS && !isRefundedInFull(period, () => true);
    return isKept ? bits | (1n << BigInt(index - 1)) : bits;
  }, 0n);
}

export function runRow(
  run: Run,
  isLastOfSubscription: boolean,
  dims: ReadonlyMap<ChartPeriod, PeriodDims>,
  next: Run | null,
): RunRow | null {
  const [first] = run.periods;
  const last = run.periods.at(-1);
  if (!first || !last) return null;
  const { facts } = run.subscription;
  const standard = run.periods.filter(
    ({ access, opening, isSameProduct }) =>
      access === 'paid' && standardTypes.has(opening.periodType) && !isSameProduct,
  );
  const [cohort] = standard;
  const isTrial = last.access === 'trial';
  // A run whose next period is paid in advance still runs and renews.
  const goesOn = isLastOfSubscription || next?.subscription === run.subscription;
  const autoRenewalStatus = goesOn ? deriveState(facts, last.startsAtMs).autoRenewalStatus : null;
  return {
    purchaseId: run.subscription.id,
    run: run.index,
    environment: run.subscription.environment,
    dimsId: dims.get(last)?.purchase.id ?? '',
    startsAtMs: last.startsAtMs,
    paidUntilMs: last.paidUntilMs,
    endsAtMs: last.endsAtMs,
    isTrial,
    isRenewing: autoRenewalStatus === 'will_renew' || autoRenewalStatus === 'will_change_product',
    inRetry: isLastOfSubscription && viewSubscription(facts).renewal.inRetry,
    rateDay: utcDay(last.opening.purchasedAtMs),
    monthly: isTrial ? 0 : last.monthlyMicros,
    lastPayment: isTrial ? 0 : last.usdChargeMicros,
    cohortDimsId: cohort ? (dims.get(cohort)?.purchase.id ?? null) : null,
    cohortAtMs: cohort?.startsAtMs ?? null,
    retained: String(retainedBits(standard)),
    payments: standard.length,
  };
}
