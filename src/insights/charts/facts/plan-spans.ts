import {
  type AccessSpan,
  accessSpans,
  effectiveFacts,
  type SubscriptionFacts,
} from '../../../../libs/engine/index.js';

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
