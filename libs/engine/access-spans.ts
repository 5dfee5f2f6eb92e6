import { deriveChain, orderedPeriods } from './derive-chain.js';
import type { ChainFacts } from './model.js';

/** The time in which one period of a chain gave, gives or will give access. */
export interface AccessSpan {
  periodKey: string;
  startMs: number;
  /** Null: never ends. */
  endMs: number | null;
  /** End of the period itself: access may outlast it in grace, or end before it by a refund. */
  periodEndMs: number | null;
}

function earliest(moments: (number | null | undefined)[]): number | null {
  const known = moments.filter((moment) => typeof moment === 'number');
  return known.length === 0 ? null : Math.min(...known);
}

/**
 * The whole history of a chain's access, oldest first, without overlaps: at any moment at most one span holds.
 * Periods that never gave access (replaced or refunded at their start, not paid yet) have none.
 */
export function accessSpans(facts: ChainFacts): AccessSpan[] {
  const periods = orderedPeriods(facts);
  const latest = periods.at(-1);
  if (!latest) return [];
  const state = deriveChain(facts, latest.startMs);
  if (state.pendingPayment) return [];
  return periods
    .map((period, index) => {
      const refund = facts.refunds[period.key]?.value;
      const cutMs = refund && refund.kind !== 'partial' ? refund.revokedAtMs : null;
      return {
        periodKey: period.key,
        startMs: period.startMs,
        endMs:
          period === latest
            ? state.accessEndsAtMs
            : earliest([period.endMs, periods[index + 1]?.startMs, cutMs]),
        periodEndMs: period.endMs,
      };
    })
    .filter(({ startMs, endMs }) => endMs === null || endMs > startMs);
}
