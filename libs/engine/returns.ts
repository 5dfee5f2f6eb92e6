import type { ChainFacts, OneTimeFacts, PeriodFact } from './facts.model.js';
import { revocationOf } from './periods.js';

/** What a refund newly takes back of what came with a period or a one-time purchase. */
export interface Return {
  /** Of a one-time purchase its store transaction id. */
  periodKey: string;
  storeProductId: string;
  /** Of a one-time purchase that was made at a price with an id. */
  planId?: string | null;
  storeTransactionId: string;
  country: string | null;
  /** All in all `part` of `whole` is taken back: the time that was left of a period, the pieces of a purchase. */
  part: number;
  whole: number;
}

/** Time of a period that its refund left unused, of all of it. A period without an end is never used up. */
function unused(
  facts: ChainFacts,
  key: string,
  { startMs, endMs }: PeriodFact,
): [part: number, whole: number] {
  const revocation = revocationOf(facts, key);
  if (revocation === null) return [0, 1];
  if (endMs === null || endMs <= startMs) return [1, 1];
  const from = Math.max(revocation.revokedAtMs, startMs);
  return [Math.max(0, endMs - from), endMs - startMs];
}

/**
 * What refunds of a chain take back that they had not between two states of knowledge. A refund that leaves access as
 * it is takes nothing, and neither does the reversal of one.
 */
export function chainReturns(before: ChainFacts, after: ChainFacts): Return[] {
  if (before.refunds === after.refunds && before.periods === after.periods) return [];
  return Object.keys(after.refunds).flatMap((key) => {
    const period = after.periods[key]?.value;
    if (!period) return [];
    const [part, whole] = unused(after, key, period);
    const known = before.periods[key]?.value;
    const [oldPart, oldWhole] = known ? unused(before, key, known) : [0, 1];
    if (part / whole <= oldPart / oldWhole) return [];
    const { storeProductId, storeTransactionId, country } = period;
    return [{ periodKey: key, storeProductId, storeTransactionId, country, part, whole }];
  });
}

function returnedPieces({ purchase, refund }: OneTimeFacts): number {
  if (!purchase || !refund || refund.value.refundedAtMs === null) return 0;
  return Math.min(refund.value.quantity, purchase.value.quantity);
}

/** As `chainReturns`, of a one-time purchase by its key. */
export function oneTimeReturns(periodKey: string, before: OneTimeFacts, after: OneTimeFacts): Return[] {
  const part = returnedPieces(after);
  const purchase = after.purchase?.value;
  if (!purchase || part <= returnedPieces(before)) return [];
  const { storeProductId, planId = null, storeTransactionId, country, quantity: whole } = purchase;
  return [{ periodKey, storeProductId, planId, storeTransactionId, country, part, whole }];
}
