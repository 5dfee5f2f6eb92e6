import type { EffectiveFacts } from './effective-facts.js';
import type { SubscriptionFacts, PeriodFact, RefundFact } from './facts.model.js';
import { isPaidByOther, type Price } from './enums.js';

export interface KeyedPeriod extends PeriodFact {
  key: string;
  /** Key of the period that this transaction added seats to. */
  additionTo?: string;
}

const noAdditions: KeyedPeriod[] = [];

/** The number in a Google Play order id: `GPA.1` is -1 (as are all other keys), `GPA.1..0` is 0, `GPA.1..1` is 1. */
function orderNumber(key: string): number {
  const match = /\.\.(\d+)$/.exec(key);
  return match ? Number(match[1]) : -1;
}

export function inOrder(a: KeyedPeriod, b: KeyedPeriod): number {
  return a.startMs - b.startMs || orderNumber(a.key) - orderNumber(b.key) || (a.key < b.key ? -1 : 1);
}

/** A renewal without a price has the last price of the same product in this subscription. */
export function withKnownPrices<Period extends KeyedPeriod>(periods: Period[]): Period[] {
  const last = new Map<string, Price>();
  return periods.map((period) => {
    // The other system or the store did not report what was charged, so it stays unknown.
    const isUnknown = period.price.source === 'import' || period.reportedPrice !== undefined;
    if (period.kind !== 'normal' || isUnknown) return period;
    const product = `${period.storeProductId} ${period.planId ?? ''}`;
    const known = last.get(product);
    if (period.price.amountMicros !== null) last.set(product, period.price);
    else if (period.isRenewal && known) return { ...period, price: known };
    return period;
  });
}

/** Written out: this runs for every period on every read, and a spread takes several times as long. */
export function keyed(key: string, value: PeriodFact, price: Price): KeyedPeriod {
  return {
    key,
    storeProductId: value.storeProductId,
    planId: value.planId,
    offerCode: value.offerCode,
    kind: value.kind,
    hasFee: value.hasFee,
    isRenewal: value.isRenewal,
    startMs: value.startMs,
    endMs: value.endMs === null ? null : Math.max(value.endMs, value.startMs),
    paidAtMs: value.paidAtMs,
    price,
    reportedPrice: value.reportedPrice,
    seats: value.seats,
    bundle: value.bundle,
    quantity: value.quantity,
    ownership: value.ownership,
    storeTransactionId: value.storeTransactionId,
    country: value.country,
    terms: value.terms,
  };
}

/** All periods by start, with the best known prices. No period ends before it starts. */
export function orderedPeriods({ periods, prices }: SubscriptionFacts): KeyedPeriod[] {
  const ordered: KeyedPeriod[] = [];
  for (const [key, { value }] of Object.entries(periods)) {
    ordered.push(keyed(key, value, prices?.[key]?.value ?? value.price));
  }
  return withKnownPrices(ordered.sort(inOrder));
}

/** Transactions that added seats to a period, oldest first. */
export function orderedAdditions({ additions, prices }: EffectiveFacts): KeyedPeriod[] {
  if (!additions) return noAdditions;
  return Object.entries(additions)
    .map(([key, { periodKey, register }]) => ({
      ...keyed(key, register.value, prices?.[key]?.value ?? register.value.price),
      additionTo: periodKey,
    }))
    .sort(inOrder);
}

/** The payment may precede the start of the period. */
export function purchasedAt({ startMs, paidAtMs }: Pick<PeriodFact, 'startMs' | 'paidAtMs'>): number {
  return paidAtMs === undefined ? startMs : Math.min(startMs, paidAtMs);
}

export interface EffectiveRefund extends RefundFact {
  revokedAtMs: number;
}

/** The refund of a period, including partial ones; null if there is none or it was reversed. */
export function refundOf(facts: Pick<SubscriptionFacts, 'refunds'>, key: string): EffectiveRefund | null {
  const refund = facts.refunds[key]?.value;
  return refund && refund.revokedAtMs !== null ? (refund as EffectiveRefund) : null;
}

export function revocationOf(facts: SubscriptionFacts, key: string): EffectiveRefund | null {
  const refund = refundOf(facts, key);
  return refund === null || refund.kind === 'partial' ? null : refund;
}

/** A prepaid future period never starts if the store ends the subscription before it. */
function neverBegan({ ends }: SubscriptionFacts, { key, startMs, paidAtMs }: KeyedPeriod): boolean {
  const endedAtMs = ends?.[key]?.expired?.value ?? null;
  return paidAtMs !== undefined && endedAtMs !== null && endedAtMs <= startMs;
}

/** The periods that count for access. Excludes periods paid for early and refunded before they started. */
export function countingPeriods(facts: SubscriptionFacts, ordered: KeyedPeriod[]): KeyedPeriod[] {
  return ordered.filter((period, index) => {
    const { key, startMs } = period;
    if (index > 0 && neverBegan(facts, period)) return false;
    const revocation = index === 0 ? null : revocationOf(facts, key);
    return revocation === null || revocation.revokedAtMs >= startMs;
  });
}

/** A trial is free unless the store charged a fee for it. Someone whose purchase is paid by others pays nothing. */
export function chargedPrice({ kind, hasFee = false, ownership, price }: PeriodFact): Price {
  if (ownership === 'unknown') return { ...price, amountMicros: null };
  const isFree = (kind === 'trial' && !hasFee) || isPaidByOther(ownership);
  return isFree ? { ...price, amountMicros: 0 } : price;
}
