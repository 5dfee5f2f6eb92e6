import type { PeriodFact, Register, SubscriptionFacts } from '../../engine/index.js';
import { renewalsAfter, rhythmIn, withMissedBetween } from './missed-renewals.js';
import { factOf, isFoundByEnd, type RokuPeriod } from './period-facts.js';
import { begun, type RokuReport, saidBy } from './report.js';
import { endOfFirst } from './rhythm.js';
import { transactionKey } from './transaction-id.js';
import type { RokuTransaction } from './transaction.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 3_600_000;
/** A poll finds a renewal up to a day after its payment. */
const FOUND_LATE_MS = 2 * DAY_MS;

export interface RokuPeriods {
  /** Sorted by start; never empty. */
  all: RokuPeriod[];
  latest: RokuPeriod & { endMs: number };
  /** The answer with the latest expiration. It determines the current state of the subscription. */
  said: RokuTransaction;
}

/**
 * Maps period keys to transactions. A renewal whose notification was lost was found without its transaction. The
 * transaction takes over the period that starts closest to it.
 */
function keyedByPeriod(sold: RokuTransaction[], known: SubscriptionFacts): Map<string, RokuTransaction> {
  const keyed = new Map<string, RokuTransaction>();
  for (const transaction of sold) {
    const { key, subscriptionKey } = transaction;
    const found = Object.entries(known.periods).filter(([name]) => isFoundByEnd(name, subscriptionKey));
    const taken = found.find(([, { value }]) => transactionKey(value.storeTransactionId) === key);
    const own = known.periods[key] ? key : (taken?.[0] ?? freeFor(transaction, found, keyed));
    keyed.set(own ?? key, transaction);
  }
  return keyed;
}

function freeFor(
  { purchasedAtMs }: RokuTransaction,
  found: [string, Register<PeriodFact>][],
  keyed: Map<string, RokuTransaction>,
): string | undefined {
  const away = ({ value }: Register<PeriodFact>): number => Math.abs(purchasedAtMs - value.startMs);
  return found
    .filter(([name, { value }]) => value.storeTransactionId === name && !keyed.has(name))
    .filter(
      ([, { value }]) =>
        purchasedAtMs >= value.startMs - FOUND_LATE_MS &&
        purchasedAtMs < (value.endMs ?? Infinity) - MINUTE_MS,
    )
    .sort(([, a], [, b]) => away(a) - away(b))[0]?.[0];
}

/**
 * The periods in Roku's answers, combined with known ones. Any transaction shows the latest expiration, including the
 * first one after renewals whose notifications were lost. Null until a period starts.
 */
export function paidPeriods(report: RokuReport, known: SubscriptionFacts): RokuPeriods | null {
  const { transactions, hints, atMs } = report;
  const sold = begun(transactions);
  const said = saidBy(sold);
  if (said === null) return null;
  const shownEndMs = said.expiresAtMs ?? said.purchasedAtMs;
  const reported = reportedPeriods(report, known, keyedByPeriod(sold, known), said);
  const all = withMissedBetween(reported, report, known, said);
  const last = all.at(-1) as RokuPeriod;
  const endMs = last.endMs ?? shownEndMs;
  // Roku renews on the day a period ends. An end that moves before that day is a gift, not a renewal.
  const isGift = hints.hasOffer || atMs < endMs - DAY_MS;
  const renewals = shownEndMs > endMs + MINUTE_MS && !isGift ? renewalsAfter(all, report, known, said) : [];
  const renewal = renewals.at(-1);
  if (renewal) return { all: [...all, ...renewals], latest: { ...renewal, endMs: shownEndMs }, said };
  const extended = Math.max(endMs, shownEndMs);
  const fact = last.fact && { ...last.fact, endMs: extended };
  const kept = { ...last, endMs: extended, fact: fact ?? extendedFact(known, last, extended) };
  return { all: [...all.slice(0, -1), kept], latest: kept, said };
}

function reportedPeriods(
  report: RokuReport,
  known: SubscriptionFacts,
  named: Map<string, RokuTransaction>,
  said: RokuTransaction,
): RokuPeriod[] {
  const { hints, atMs } = report;
  const shownEndMs = said.expiresAtMs ?? said.purchasedAtMs;
  const all: (Omit<RokuPeriod, 'fact'> & { transaction: RokuTransaction | null })[] = [
    ...[...named].map(([key, transaction]) => ({
      key,
      transaction,
      startMs: transaction.purchasedAtMs,
      endMs: known.periods[key]?.value.endMs ?? null,
    })),
    ...Object.entries(known.periods)
      .filter(([key]) => !named.has(key))
      .map(([key, { value }]) => ({ key, transaction: null, startMs: value.startMs, endMs: value.endMs })),
  ].sort((a, b) => a.startMs - b.startMs || (a.key < b.key ? -1 : 1));
  return all.map(({ key, transaction, startMs, endMs }, index): RokuPeriod => {
    const next = all[index + 1];
    const untilMs = next ? Math.min(endMs ?? next.startMs, next.startMs) : latestEnd(transaction, endMs);
    const before = known.periods[key]?.value;
    return { key, startMs, endMs: untilMs, fact: transaction && factOf(transaction, hints, before, untilMs) };
  });

  /** Roku may shorten a period. Only a renewal or a gift makes it longer. */
  function latestEnd(transaction: RokuTransaction | null, endMs: number | null): number {
    if (transaction === null) return endMs ?? shownEndMs;
    if (endMs !== null) return Math.min(endMs, shownEndMs);
    const { key, subscriptionKey, purchasedAtMs: startMs } = transaction;
    const untilMs = Math.min(transaction.expiresAtMs ?? shownEndMs, shownEndMs);
    // This is the first one alone, long after its payment: the app posts the others.
    if (key === subscriptionKey) return untilMs;
    return endOfFirst({ startMs, endMs: untilMs }, rhythmIn(known, report, said), atMs);
  }
}

function extendedFact(known: SubscriptionFacts, { key, endMs }: RokuPeriod, toMs: number): PeriodFact | null {
  const value = known.periods[key]?.value;
  return value && toMs !== endMs ? { ...value, endMs: toMs } : null;
}
