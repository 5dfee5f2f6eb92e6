import type { PeriodFact, PeriodKind, Price, SubscriptionFacts } from '../../engine/index.js';
import { begun, type RokuHints, type RokuReport, saidBy } from './report.js';
import { transactionKey } from './transaction-id.js';
import type { RokuTransaction } from './transaction.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 3_600_000;
/** A renewal is found by a poll, up to a day after it was paid for. */
const FOUND_LATE_MS = 2 * DAY_MS;

export interface RokuPeriod extends Pick<PeriodFact, 'startMs' | 'endMs'> {
  key: string;
  /** Null if only known from before. */
  fact: PeriodFact | null;
}

export interface RokuPeriods {
  /** By start; never empty. */
  all: RokuPeriod[];
  latest: RokuPeriod & { endMs: number };
  /** The answer with the latest expiration: it says what becomes of the subscription. */
  said: RokuTransaction;
}

const unknownPrice: Price = { amountMicros: null, currency: null, source: 'unknown' };

export function priceOf({ totalMicros, currency }: RokuTransaction): Price {
  if (totalMicros === null || totalMicros < 0) return unknownPrice;
  if (currency === null && totalMicros > 0) return unknownPrice;
  return { amountMicros: totalMicros, currency, source: 'store' };
}

/**
 * The key of a transaction's period. A renewal of which no notification came was found by its expiration alone: its
 * transaction takes that period over.
 */
function periodKeyOf({ key, chainKey, purchasedAtMs }: RokuTransaction, known: SubscriptionFacts): string {
  if (known.periods[key]) return key;
  const found = Object.entries(known.periods).filter(([name]) => isFoundByEnd(name, chainKey));
  const taken = found.find(([, { value }]) => transactionKey(value.storeTransactionId) === key);
  if (taken) return taken[0];
  const free = found.filter(([name, { value }]) => value.storeTransactionId === name);
  const own = free.find(
    ([, { value }]) =>
      purchasedAtMs >= value.startMs - FOUND_LATE_MS && purchasedAtMs < (value.endMs ?? Infinity) - MINUTE_MS,
  );
  return own?.[0] ?? key;
}

/** Whether a period was found by its expiration, and not by a transaction. */
export function isFoundByEnd(name: string, chainKey: string): boolean {
  return name.startsWith(`${chainKey}.`) && /^\d+$/.test(name.slice(chainKey.length + 1));
}

/** Test users pay nothing, so a price of zero alone is no trial. */
function kindOf(transaction: RokuTransaction, hints: RokuHints, known: PeriodFact | undefined): PeriodKind {
  if (known?.kind === 'trial' || known?.kind === 'intro') return known.kind;
  const { key, chainKey, totalMicros, isFreeTrial } = transaction;
  if (key !== chainKey) return 'normal';
  if (totalMicros === 0) return isFreeTrial || hints.isTrial ? 'trial' : 'normal';
  return hints.hasIntro && totalMicros !== null ? 'intro' : 'normal';
}

function factOf(
  transaction: RokuTransaction,
  hints: RokuHints,
  known: PeriodFact | undefined,
  endMs: number,
): PeriodFact {
  return {
    storeProductId: transaction.productId,
    planId: null,
    offerCode: null,
    kind: kindOf(transaction, hints, known),
    isRenewal: transaction.key !== transaction.chainKey,
    startMs: transaction.purchasedAtMs,
    endMs,
    price: priceOf(transaction),
    quantity: transaction.quantity,
    ownership: 'purchased',
    storeTransactionId: transaction.id,
    country: null,
  };
}

/**
 * The periods that Roku's answers show, with those known before. Any transaction shows the latest expiration, and so
 * does the first one after a renewal of which no notification came. Null while nothing has begun.
 */
export function paidPeriods(
  { transactions, hints, atMs }: RokuReport,
  known: SubscriptionFacts,
): RokuPeriods | null {
  const sold = begun(transactions);
  const found = saidBy(sold);
  if (found === null) return null;
  const said: RokuTransaction = found;
  const named = new Map(sold.map((transaction) => [periodKeyOf(transaction, known), transaction]));
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
  const shownEndMs = said.expiresAtMs ?? said.purchasedAtMs;
  const periods = all.map(({ key, transaction, startMs, endMs }, index): RokuPeriod => {
    const next = all[index + 1];
    const untilMs = next ? Math.min(endMs ?? next.startMs, next.startMs) : latestEnd(transaction, endMs);
    const before = known.periods[key]?.value;
    return { key, startMs, endMs: untilMs, fact: transaction && factOf(transaction, hints, before, untilMs) };
  });
  const last = periods.at(-1) as RokuPeriod;
  const endMs = last.endMs ?? shownEndMs;
  const renewal = shownEndMs > endMs + MINUTE_MS && !isGift(endMs) ? foundByEnd(endMs) : null;
  if (renewal) return { all: [...periods, renewal], latest: { ...renewal, endMs: shownEndMs }, said };
  const extended = Math.max(endMs, shownEndMs);
  const fact = last.fact && { ...last.fact, endMs: extended };
  const kept = { ...last, endMs: extended, fact: fact ?? extendedFact(last, extended) };
  return { all: [...periods.slice(0, -1), kept], latest: kept, said };

  /** Roku may shorten a period; it grows only by a renewal or as a gift. */
  function latestEnd(transaction: RokuTransaction | null, endMs: number | null): number {
    const ownMs = transaction?.expiresAtMs ?? shownEndMs;
    return endMs === null || (transaction !== null && shownEndMs < endMs)
      ? Math.min(ownMs, shownEndMs)
      : endMs;
  }

  /** Roku renews on the day, so an end that grows before was moved. */
  function isGift(endMs: number): boolean {
    return hints.hasOffer || atMs < endMs - DAY_MS;
  }

  function extendedFact({ key, endMs }: RokuPeriod, toMs: number): PeriodFact | null {
    const value = known.periods[key]?.value;
    return value && toMs !== endMs ? { ...value, endMs: toMs } : null;
  }

  function foundByEnd(endMs: number): RokuPeriod {
    const { chainKey, productId } = said;
    const { inRetry = false, graceUntilMs = null } = known.renewal?.value ?? {};
    const wasOnHold = inRetry && graceUntilMs === null;
    const startMs = Math.min(wasOnHold ? atMs : endMs, shownEndMs);
    const key = `${chainKey}.${shownEndMs}`;
    const before = known.periods[last.key]?.value;
    const fact: PeriodFact = {
      ...factOf(said, hints, before, shownEndMs),
      storeProductId: before?.storeProductId ?? productId,
      kind: 'normal',
      isRenewal: true,
      startMs,
      // It costs what the same product cost before, until its transaction is known.
      price: unknownPrice,
      storeTransactionId: key,
    };
    return { key, startMs, endMs: shownEndMs, fact };
  }
}
