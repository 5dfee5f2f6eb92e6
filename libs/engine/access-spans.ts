import { accessEnd, type SubscriptionView, viewSubscription } from './subscription-view.js';
import { hasPeriods } from './effective-facts.js';
import { addOnEnd, END_TOLERANCE_MS } from './derive-add-ons.js';
import type { PeriodTerms, SubscriptionFacts } from './facts.model.js';
import { returnedPrice } from './ledger.js';
import { chargedPrice, type KeyedPeriod, purchasedAt, revocationOf } from './periods.js';
import { chargeRefunds, chargesOf, seatsInPeriod } from './seats.js';

/** A part of a period during which the same products were sold. */
export type SpanPart = Omit<PeriodTerms, 'quantity' | 'currency'>;

export interface AccessSpan {
  periodKey: string;
  startMs: number;
  /** Null: never ends. */
  endMs: number | null;
  /** End of the period itself. Access can last longer (grace) or end earlier (refund). */
  periodEndMs: number | null;
  /** The period was paid for before it started. */
  isPaidAhead?: true;
  /** Oldest first; absent if the products did not change and the charge paid for a whole period. */
  parts?: SpanPart[];
}

function earliest(times: (number | null | undefined)[]): number | null {
  const known = times.filter((time) => typeof time === 'number');
  return known.length === 0 ? null : Math.min(...known);
}

/** For an earlier period: its paid end, adjusted for grace, early expiration, refund and the next period. */
function endOf({ facts, counting }: SubscriptionView, period: KeyedPeriod, index: number): number | null {
  const ends = facts.ends?.[period.key];
  const grace = ends?.grace?.value ?? null;
  const paid = period.endMs === null || grace === null ? period.endMs : Math.max(period.endMs, grace);
  const cut = revocationOf(facts, period.key)?.revokedAtMs;
  return earliest([paid, ends?.expired?.value, cut, counting[index + 1]?.startMs]);
}

/** End of access of any charged period: one that never gave access ends at its start. Null: never ends. */
export function periodEnd(view: SubscriptionView, period: KeyedPeriod): number | null {
  if (period === view.latest) return accessEnd(view);
  const index = view.counting.indexOf(period);
  if (index === -1) return period.startMs;
  const endMs = endOf(view, period, index);
  return endMs === null ? null : Math.max(period.startMs, endMs);
}

/** Returns the price of the seats of a period from a time on; null if unknown. */
function seatsValue(view: SubscriptionView, period: KeyedPeriod, sinceMs: number): number | null {
  let value = 0;
  for (const charge of chargesOf(view, period)) {
    const charged = chargedPrice(charge);
    if (charged.amountMicros === null) return null;
    if (charge.startMs > sinceMs) continue;
    const revokedAtMs = chargeRefunds(view.facts)[charge.key]?.value.revokedAtMs ?? Infinity;
    const returned = revokedAtMs <= sinceMs ? returnedPrice(view.facts, charge.key, charged).amountMicros : 0;
    value += charged.amountMicros - (returned ?? 0);
  }
  return value;
}

/** The price of the next period if it has the same product and as many seats as this one. */
function renewalValue(view: SubscriptionView, period: KeyedPeriod): number | null {
  const { nextSeats, nextProductId } = view.renewal;
  if (period !== view.latest || !nextSeats || nextProductId !== period.storeProductId) return null;
  const isSame = nextSeats.quantity === seatsInPeriod(view, period)?.quantity;
  return isSame && nextSeats.currency === period.price.currency ? nextSeats.amountMicros : null;
}

/** Added and refunded seats start a new part, with the price of the seats that are left. */
function seatParts(view: SubscriptionView, period: KeyedPeriod): SpanPart[] {
  const { startMs, endMs, storeProductId, planId } = period;
  const refunds = chargeRefunds(view.facts);
  const bounds = chargesOf(view, period).flatMap((charge) => [
    charge.startMs,
    refunds[charge.key]?.value.revokedAtMs ?? Infinity,
  ]);
  const lastMs = (endMs ?? Infinity) - END_TOLERANCE_MS;
  const within = bounds.filter((atMs) => atMs > startMs + END_TOLERANCE_MS && atMs < lastMs);
  const times = [...new Set([startMs, ...within])].sort((a, b) => a - b);
  const renewal = renewalValue(view, period);
  const charged = chargedPrice(period).amountMicros;
  const parts = times.map((sinceMs, index) => {
    const isLast = index === times.length - 1;
    const value = seatsValue(view, period, index === 0 ? startMs + END_TOLERANCE_MS : sinceMs);
    const valueMicros = isLast ? (renewal ?? value) : value;
    return {
      sinceMs,
      storeProductId,
      planId,
      valueMicros: index === 0 && valueMicros === charged ? null : valueMicros,
    };
  });
  return parts.length === 1 && parts[0]?.valueMicros === null ? [] : parts;
}

/**
 * A change of product, price or quantity starts a new part, and so does an add-on that is added or removed. The first part
 * has a value only if the charge was not for a whole period.
 */
function partsOf(view: SubscriptionView, period: KeyedPeriod): SpanPart[] {
  const { key, startMs, endMs, storeProductId, planId, terms = [], kind } = period;
  if (kind === 'trial') return [];
  if (period.seats) return seatParts(view, period);
  const addOns = view.addOns.filter(({ chargeKey }) => chargeKey === key);
  const bounds = [...terms.map(({ sinceMs }) => sinceMs)];
  for (const addOn of addOns) bounds.push(addOn.startMs, addOnEnd(view, addOn) ?? Infinity);
  const lastMs = (endMs ?? Infinity) - END_TOLERANCE_MS;
  const within = bounds.filter((atMs) => atMs > startMs + END_TOLERANCE_MS && atMs < lastMs);
  const isProrated = (terms[0]?.valueMicros ?? null) !== null;
  if (within.length === 0 && !isProrated) return [];
  return [...new Set([startMs, ...within])]
    .sort((a, b) => a - b)
    .map((sinceMs) => {
      const sold = terms.findLast((one) => one.sinceMs <= sinceMs) ?? terms[0] ?? { storeProductId, planId };
      const own = ('valueMicros' in sold ? sold.valueMicros : null) ?? chargedPrice(period).amountMicros;
      const others = addOns
        .filter((one) => one.startMs <= sinceMs && (addOnEnd(view, one) ?? Infinity) > sinceMs)
        .reduce((sum, one) => sum + (one.valueMicros ?? chargedPrice(one).amountMicros ?? 0), 0);
      const isCharge = sinceMs === startMs && !isProrated;
      const valueMicros = isCharge || own === null ? null : own + others;
      return { sinceMs, storeProductId: sold.storeProductId, planId: sold.planId, valueMicros };
    });
}

/** Oldest first, without overlaps. Omits periods that never gave access (replaced, refunded at the start, unpaid). */
export function accessSpans(facts: SubscriptionFacts): AccessSpan[] {
  if (!hasPeriods(facts)) return [];
  const view = viewSubscription(facts);
  if (view.pending) return [];
  return view.counting
    .map((period, index) => {
      const parts = partsOf(view, period);
      return {
        periodKey: period.key,
        startMs: period.startMs,
        endMs: period === view.latest ? accessEnd(view) : endOf(view, period, index),
        periodEndMs: period.endMs,
        ...(purchasedAt(period) < period.startMs && { isPaidAhead: true as const }),
        ...(parts.length > 0 && { parts }),
      };
    })
    .filter(({ startMs, endMs }) => endMs === null || endMs > startMs);
}
