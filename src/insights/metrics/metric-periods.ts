import {
  type AccessSpan,
  accessSpans,
  effectiveFacts,
  type SubscriptionFacts,
} from '../../../libs/engine/index.js';
import { lengthBetween } from './billing-length.js';

export type MetricEnvironment = 'production' | 'sandbox';

export interface LedgerRow {
  /** Of the subscription or the one-time purchase. */
  purchaseId: string;
  periodKey: string;
  kind: string;
  kindSeq: number;
  environment: MetricEnvironment;
  store: string;
  appId: string | null;
  storeProductId: string | null;
  /** Null: unknown price. */
  amountMicros: number | null;
  usdMicros: number | null;
  purchasedAtMs: number;
  expiresAtMs: number | null;
  periodType: string;
  ownership: string;
}

/** Prices of different products and lengths are kept apart: their monthly amount depends on both. */
export interface PlanKey {
  /** Empty: none. */
  appId: string;
  /** With its plan or price, if any, as `product:plan`. */
  storeProductId: string;
  /** Actual length in sixtieths of a month; 0 if there is none. */
  lengthUnits: number;
}

export interface Amounts {
  trials: number;
  subscriptions: number;
  /** USD prices of paid periods. */
  priceMicros: number;
  /** USD paid and not refunded. */
  revenueMicros: number;
  transactions: number;
}

/**
 * One billing period or one-time purchase: trials, subscriptions and price count from `startsAtMs` until
 * `endsAtMs` (null: for ever), revenue and transactions once, at `startsAtMs`.
 */
export interface MetricPeriod extends PlanKey, Amounts {
  purchaseId: string;
  periodKey: string;
  environment: MetricEnvironment;
  startsAtMs: number;
  endsAtMs: number | null;
}

export interface PlanSpan extends AccessSpan {
  planId: string | null;
}

/** The access of a subscription so far, oldest first. */
export function planSpans(facts: SubscriptionFacts): PlanSpan[] {
  // Imported periods have plans, too.
  const { periods } = effectiveFacts(facts);
  return accessSpans(facts).map((span) => ({
    ...span,
    planId: periods[span.periodKey]?.value.planId ?? null,
  }));
}

const openingKinds = new Set(['purchase', 'trial_start', 'renewal', 'one_time']);
const paidKinds = new Set(['purchase', 'renewal', 'one_time']);
/** Refunds, and estimates of them, do not change the price of the current period. */
const priceKinds = new Set(['purchase', 'renewal', 'correction']);

function sumUsd(rows: LedgerRow[]): number {
  return rows.reduce((sum, { usdMicros }) => sum + (usdMicros ?? 0), 0);
}

/** The row that opened the period; the others correct its amount. */
function openingOf(rows: LedgerRow[]): LedgerRow | undefined {
  return rows.find(({ kind, kindSeq }) => openingKinds.has(kind) && kindSeq === 0) ?? rows[0];
}

/** A trial is over when its time is, even if the store extends access with a grace period. */
function endOf(opening: LedgerRow, span: AccessSpan): number | null {
  const isTrial = opening.periodType === 'trial';
  if (!isTrial || span.periodEndMs === null || span.endMs === null) return span.endMs;
  return Math.min(span.endMs, span.periodEndMs);
}

function periodOf(rows: LedgerRow[], spans: ReadonlyMap<string, PlanSpan>): MetricPeriod | null {
  const opening = openingOf(rows);
  // Grants and family members pay nothing and are excluded from every metric.
  if (!opening || opening.ownership !== 'purchased' || opening.store === 'promotional') return null;
  const { purchaseId, periodKey, environment, purchasedAtMs: startsAtMs, expiresAtMs } = opening;
  const span = spans.get(periodKey);
  const endsAtMs = span ? endOf(opening, span) : null;
  const counts = span !== undefined && (endsAtMs === null || endsAtMs > startsAtMs);
  const isTrial = opening.periodType === 'trial';
  const isPaid = paidKinds.has(opening.kind) && opening.amountMicros !== 0;
  return {
    purchaseId,
    periodKey,
    environment,
    appId: opening.appId ?? '',
    storeProductId: [opening.storeProductId ?? '', ...(span?.planId ? [span.planId] : [])].join(':'),
    lengthUnits: lengthBetween(startsAtMs, expiresAtMs),
    startsAtMs,
    endsAtMs: counts ? endsAtMs : null,
    trials: counts && isTrial ? 1 : 0,
    subscriptions: counts && !isTrial ? 1 : 0,
    priceMicros: counts && !isTrial ? sumUsd(rows.filter(({ kind }) => priceKinds.has(kind))) : 0,
    revenueMicros: sumUsd(rows),
    transactions: isPaid ? 1 : 0,
  };
}

/**
 * The figures of some purchases.
 * @param ledger all ledger rows of the purchases
 * @param spans access of each subscription by its id
 */
export function metricPeriods(
  ledger: LedgerRow[],
  spans: ReadonlyMap<string, readonly PlanSpan[]>,
): MetricPeriod[] {
  const rows = new Map<string, LedgerRow[]>();
  for (const row of ledger) {
    const key = `${row.purchaseId}\n${row.periodKey}`;
    rows.set(key, [...(rows.get(key) ?? []), row]);
  }
  const spansByKey = new Map(
    [...spans].map(([id, list]) => [id, new Map(list.map((span) => [span.periodKey, span]))]),
  );
  return [...rows.values()]
    .map((group) =>
      periodOf(group, spansByKey.get(group[0]?.purchaseId ?? '') ?? new Map<string, PlanSpan>()),
    )
    .filter((period) => period !== null);
}

export interface PeriodChanges {
  removed: MetricPeriod[];
  added: MetricPeriod[];
}
