import {
  type AccessSpan,
  accessSpans,
  effectiveFacts,
  type SubscriptionFacts,
} from '../../../libs/engine/index.js';
import { lengthBetween } from './billing-length.js';

export type MetricEnvironment = 'production' | 'sandbox';

export interface LedgerRow {
  /** Id of the subscription or one-time purchase. */
  purchaseId: string;
  periodKey: string;
  kind: string;
  kindSeq: number;
  environment: MetricEnvironment;
  store: string;
  appId: string | null;
  storeProductId: string | null;
  /** Null if the price is unknown. */
  amountMicros: number | null;
  usdMicros: number | null;
  /** Currency units per USD on the day of the purchase; null without a price. */
  fxRate: number | null;
  purchasedAtMs: number;
  expiresAtMs: number | null;
  periodType: string;
  ownership: string;
}

/** Prices are stored per product and length, because their monthly amount depends on both. */
export interface PlanKey {
  /** Empty without an app. */
  appId: string;
  /** Includes the plan or price, if any, as `product:plan`. */
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
 * One billing period or one-time purchase. Trials, subscriptions and price count from `startsAtMs` until `endsAtMs`
 * (null: forever); revenue and transactions count once, at `startsAtMs`.
 */
export interface MetricPeriod extends PlanKey, Amounts {
  purchaseId: string;
  periodKey: string;
  environment: MetricEnvironment;
  startsAtMs: number;
  endsAtMs: number | null;
}

/** A period continues an earlier one if it starts at most this long after its end, because renewals may be late. */
const JOIN_MS = 3_600_000;

export function isContinued(
  { endsAtMs }: { endsAtMs: number | null },
  { startsAtMs }: { startsAtMs: number },
): boolean {
  return endsAtMs === null || startsAtMs - endsAtMs <= JOIN_MS;
}

export interface PlanSpan extends AccessSpan {
  planId: string | null;
}

/** Returns a subscription's periods of access so far, oldest first. */
export function planSpans(facts: SubscriptionFacts): PlanSpan[] {
  // Includes imported periods, which have plans too.
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

/** Returns the row that opened the period. The others correct its amount. */
function openingOf(rows: LedgerRow[]): LedgerRow | undefined {
  return rows.find(({ kind, kindSeq }) => openingKinds.has(kind) && kindSeq === 0) ?? rows[0];
}

/** A trial ends at its own end, even if the store extends access with a grace period. */
function endOf(opening: LedgerRow, span: AccessSpan): number | null {
  const isTrial = opening.periodType === 'trial';
  if (!isTrial || span.periodEndMs === null || span.endMs === null) return span.endMs;
  return Math.min(span.endMs, span.periodEndMs);
}

/** Converts to USD micros at the rate of the purchase. An unknown price may have none until a correction states it. */
export function usdOf(micros: number, rows: readonly Pick<LedgerRow, 'fxRate'>[]): number {
  const fxRate = rows.find((row) => row.fxRate !== null)?.fxRate ?? null;
  return fxRate === null ? 0 : Math.round(micros / fxRate);
}

/**
 * Whether the charge paid for less than a whole period. The length of such a period says nothing about its price, so only
 * the length in the catalog counts.
 */
export function isProrated([first]: readonly Pick<SoldPart, 'valueMicros'>[]): boolean {
  return (first?.valueMicros ?? null) !== null;
}

/** Returns one period, or several if the product changed within it or it was paid before it started. */
function periodsOf(rows: LedgerRow[], spans: ReadonlyMap<string, PlanSpan>): MetricPeriod[] {
  const opening = openingOf(rows);
  // Grants and family members pay nothing and are excluded from every metric.
  if (!opening || opening.ownership !== 'purchased' || opening.store === 'promotional') return [];
  const { purchaseId, periodKey, environment, purchasedAtMs, expiresAtMs } = opening;
  const span = spans.get(periodKey);
  const startsAtMs = span?.isPaidAhead ? span.startMs : purchasedAtMs;
  const endsAtMs = span ? endOf(opening, span) : null;
  const counts = span !== undefined && (endsAtMs === null || endsAtMs > startsAtMs);
  const isTrial = opening.periodType === 'trial';
  const isPaid = paidKinds.has(opening.kind) && opening.amountMicros !== 0;
  const priceMicros = sumUsd(rows.filter(({ kind }) => priceKinds.has(kind)));
  const period = {
    purchaseId,
    periodKey,
    environment,
    appId: opening.appId ?? '',
    storeProductId: [opening.storeProductId ?? '', ...(span?.planId ? [span.planId] : [])].join(':'),
    lengthUnits: lengthBetween(startsAtMs, expiresAtMs),
  };
  const money = { revenueMicros: sumUsd(rows), transactions: isPaid ? 1 : 0 };
  const access = (price: number) => ({
    trials: counts && isTrial ? 1 : 0,
    subscriptions: counts && !isTrial ? 1 : 0,
    priceMicros: counts && !isTrial ? price : 0,
  });
  const whole = { ...period, ...access(priceMicros), ...money, endsAtMs: counts ? endsAtMs : null };
  if (!counts) return [{ ...whole, startsAtMs: purchasedAtMs }];
  const sold = soldParts(span, { startsAtMs, endsAtMs, storeProductId: period.storeProductId });
  const hasOnePrice = sold.length === 1 && !isProrated(sold);
  if (hasOnePrice && startsAtMs === purchasedAtMs) return [{ ...whole, startsAtMs }];
  return [
    {
      ...period,
      ...access(0),
      subscriptions: 0,
      trials: 0,
      ...money,
      startsAtMs: purchasedAtMs,
      endsAtMs: null,
    },
    ...sold.map(({ valueMicros, ...part }, index) => ({
      ...period,
      ...access(valueMicros === null ? priceMicros : usdOf(valueMicros, rows)),
      ...part,
      ...(isProrated(sold) && { lengthUnits: 0 }),
      periodKey: `${periodKey}#${index}`,
      revenueMicros: 0,
      transactions: 0,
    })),
  ];
}

export interface SoldPart {
  storeProductId: string;
  startsAtMs: number;
  endsAtMs: number | null;
  /** Price of a whole period; null if it equals the charge. */
  valueMicros: number | null;
}

/** Returns the access of a period by product: one part unless the product changed within it. */
export function soldParts(
  { parts = [] }: PlanSpan,
  whole: Omit<SoldPart, 'valueMicros'>,
): [SoldPart, ...SoldPart[]] {
  const { startsAtMs, endsAtMs, storeProductId } = whole;
  const within = parts.filter(({ sinceMs }) => endsAtMs === null || sinceMs < endsAtMs);
  const names = within.map((part) => [part.storeProductId, ...(part.planId ? [part.planId] : [])].join(':'));
  const isOneProduct = new Set(names).size < 2;
  const [first, ...later] = within.map(({ sinceMs, valueMicros }, index): SoldPart => ({
    storeProductId: isOneProduct ? storeProductId : (names[index] ?? storeProductId),
    startsAtMs: index === 0 ? startsAtMs : sinceMs,
    endsAtMs: within[index + 1]?.sinceMs ?? endsAtMs,
    valueMicros,
  }));
  return first ? [first, ...later] : [{ ...whole, valueMicros: null }];
}

function givesAccess({ trials, subscriptions }: Amounts): boolean {
  return trials + subscriptions > 0;
}

/** Joins the periods of one purchase: each ends when the next one starts if that continues it, so no gap is counted. */
function joined(periods: MetricPeriod[]): MetricPeriod[] {
  const ordered = periods
    .filter(givesAccess)
    .sort((a, b) => a.startsAtMs - b.startsAtMs || (a.periodKey < b.periodKey ? -1 : 1));
  return [
    ...periods.filter((period) => !givesAccess(period)),
    ...ordered.map((period, index) => {
      const next = ordered[index + 1];
      return next && isContinued(period, next) ? { ...period, endsAtMs: next.startsAtMs } : period;
    }),
  ];
}

/**
 * Returns the figures of some purchases.
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
  const periods = new Map<string, MetricPeriod[]>();
  for (const group of rows.values()) {
    const purchaseId = group[0]?.purchaseId ?? '';
    const added = periodsOf(group, spansByKey.get(purchaseId) ?? new Map<string, PlanSpan>());
    periods.set(purchaseId, [...(periods.get(purchaseId) ?? []), ...added]);
  }
  return [...periods.values()].flatMap(joined);
}

export interface PeriodChanges {
  removed: MetricPeriod[];
  added: MetricPeriod[];
}
