import { accessEnd, type SubscriptionView, viewSubscription } from './subscription-view.js';
import { hasPeriods } from './effective-facts.js';
import type { SubscriptionFacts } from './facts.model.js';
import { type KeyedPeriod, revocationOf } from './periods.js';

export interface AccessSpan {
  periodKey: string;
  startMs: number;
  /** Null: never ends. */
  endMs: number | null;
  /** The period's own end: access may outlast it (grace) or end before it (refund). */
  periodEndMs: number | null;
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

/** Oldest first, without overlaps. A period that never gave access (replaced, refunded at start, not paid) has none. */
export function accessSpans(facts: SubscriptionFacts): AccessSpan[] {
  if (!hasPeriods(facts)) return [];
  const view = viewSubscription(facts);
  if (view.pending) return [];
  return view.counting
    .map((period, index) => ({
      periodKey: period.key,
      startMs: period.startMs,
      endMs: period === view.latest ? accessEnd(view) : endOf(view, period, index),
      periodEndMs: period.endMs,
    }))
    .filter(({ startMs, endMs }) => endMs === null || endMs > startMs);
}
