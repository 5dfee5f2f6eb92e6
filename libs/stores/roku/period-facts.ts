import { type PeriodFact, type PeriodKind, type Price, unknownPrice } from '../../engine/index.js';
import type { RokuHints } from './report.js';
import type { RokuTransaction } from './transaction.js';

export interface RokuPeriod extends Pick<PeriodFact, 'startMs' | 'endMs'> {
  key: string;
  /** Null if the period is only known from earlier reports. */
  fact: PeriodFact | null;
}

export function priceOf({ totalMicros, currency }: RokuTransaction): Price {
  if (totalMicros === null || totalMicros < 0) return unknownPrice;
  if (currency === null && totalMicros > 0) return unknownPrice;
  return { amountMicros: totalMicros, currency, source: 'store' };
}

/** Whether a period was found by its expiration instead of a transaction. */
export function isFoundByEnd(name: string, subscriptionKey: string): boolean {
  return name.startsWith(`${subscriptionKey}.`) && /^\d+$/.test(name.slice(subscriptionKey.length + 1));
}

/** Test users pay nothing, so a price of zero alone does not indicate a trial. */
function kindOf(transaction: RokuTransaction, hints: RokuHints, known: PeriodFact | undefined): PeriodKind {
  if (known?.kind === 'trial' || known?.kind === 'intro') return known.kind;
  const { key, subscriptionKey, totalMicros, isFreeTrial } = transaction;
  if (key !== subscriptionKey) return 'normal';
  if (totalMicros === 0) return isFreeTrial || hints.isTrial ? 'trial' : 'normal';
  return hints.hasIntro && totalMicros !== null ? 'intro' : 'normal';
}

/** The period that a transaction paid for. */
export function factOf(
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
    isRenewal: transaction.key !== transaction.subscriptionKey,
    startMs: transaction.purchasedAtMs,
    endMs,
    price: priceOf(transaction),
    quantity: transaction.quantity,
    ownership: 'purchased',
    storeTransactionId: transaction.id,
    country: null,
  };
}
