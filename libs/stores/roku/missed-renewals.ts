import { type PeriodFact, type SubscriptionFacts, unknownPrice } from '../../engine/index.js';
import { factOf, isFoundByEnd, type RokuPeriod } from './period-facts.js';
import { noHints, type RokuReport } from './report.js';
import { paidSpans, type Rhythm, rhythmOf, type Span, spansUpTo } from './rhythm.js';
import type { RokuTransaction } from './transaction.js';

type EndedPeriod = RokuPeriod & { endMs: number };

/** A renewal without its transaction. Its end identifies it, and its price is the previous one until it is known. */
function foundByEnd(
  { startMs, endMs }: Span,
  said: RokuTransaction,
  before: PeriodFact | null | undefined,
): EndedPeriod {
  const key = `${said.subscriptionKey}.${endMs}`;
  const fact: PeriodFact = {
    ...factOf(said, noHints, undefined, endMs),
    storeProductId: before?.storeProductId ?? said.productId,
    kind: 'normal',
    isRenewal: true,
    startMs,
    price: unknownPrice,
    storeTransactionId: key,
  };
  return { key, startMs, endMs, fact };
}

/** Uses the periods that transactions of the same product paid for. */
export function rhythmIn(
  { periods }: SubscriptionFacts,
  { duration }: RokuReport,
  { subscriptionKey, productId }: RokuTransaction,
): Rhythm | null {
  const paid = Object.entries(periods).flatMap(([key, { value }]): Span[] => {
    const { kind, storeProductId, startMs, endMs } = value;
    const isOwn = kind === 'normal' && storeProductId === productId && !isFoundByEnd(key, subscriptionKey);
    return isOwn && endMs !== null ? [{ startMs, endMs }] : [];
  });
  return rhythmOf(
    paid.sort((a, b) => a.startMs - b.startMs),
    duration,
  );
}

/** Whether no charge was due after a period, or the last charge had failed and access was over. */
function stateAfter({ key }: RokuPeriod, known: SubscriptionFacts): 'stopped' | 'on_hold' | null {
  const was = known.renewal?.value;
  if (was?.periodKey !== key) return null;
  if (!was.autoRenew) return 'stopped';
  return was.inRetry && was.graceUntilMs === null ? 'on_hold' : null;
}

/**
 * Adds periods between the latest known one and a newer transaction. Their notifications were lost, and Roku has no
 * list. Only those that must have been paid for count.
 */
export function withMissedBetween(
  periods: RokuPeriod[],
  report: RokuReport,
  known: SubscriptionFacts,
  said: RokuTransaction,
): RokuPeriod[] {
  const index = periods.findLastIndex(({ key }) => known.periods[key] !== undefined);
  const [left, right] = [periods[index], periods[index + 1]];
  if (!left || !right || left.endMs === null) return periods;
  const state = stateAfter(left, known);
  const length = rhythmIn(known, report, said);
  if (state === 'stopped' || length === null) return periods;
  const gap = { fromMs: left.endMs, toMs: right.startMs, isLapse: state === 'on_hold' };
  const before = known.periods[left.key]?.value;
  const missed = paidSpans(gap, length).map((span) => foundByEnd(span, said, before));
  return periods.toSpliced(index + 1, 0, ...missed);
}

/** Renewals after the last period, up to the end that Roku shows; none if that end only moved. */
export function renewalsAfter(
  periods: RokuPeriod[],
  report: RokuReport,
  known: SubscriptionFacts,
  said: RokuTransaction,
): EndedPeriod[] {
  const last = periods.at(-1);
  const toMs = said.expiresAtMs;
  if (!last || last.endMs === null || toMs === null) return [];
  const gap = { fromMs: last.endMs, toMs, isLapse: stateAfter(last, known) === 'on_hold' };
  const spans = spansUpTo(gap, rhythmIn(known, report, said), report.atMs);
  const before = known.periods[last.key]?.value ?? last.fact;
  return spans.map((span) => foundByEnd(span, said, before));
}
