import type { SubscriptionFacts, OneTimeFacts, PeriodFact } from './facts.model.js';
import { effectiveFacts, effectivePurchase } from './effective-facts.js';
import { revocationOf } from './periods.js';

/** The newly revoked part of what a period or one-time purchase granted, after a refund. */
export interface Return {
  /** Key of the period or add-on; for a one-time purchase, its store transaction id. */
  periodKey: string;
  storeProductId: string;
  planId: string | null;
  storeTransactionId: string;
  country: string | null;
  /** `part` of `whole` is revoked in total: the remaining time of a period, or units of a purchase. */
  part: number;
  whole: number;
}

/** The unused and total time of a refunded period. A period without an end counts as unused. */
function unused(
  facts: SubscriptionFacts,
  key: string,
  { startMs, endMs }: PeriodFact,
): [part: number, whole: number] {
  const revocation = revocationOf(facts, key);
  if (revocation === null) return [0, 1];
  if (endMs === null || endMs <= startMs) return [1, 1];
  const from = Math.max(revocation.revokedAtMs, startMs);
  return [Math.max(0, endMs - from), endMs - startMs];
}

/** Partial refunds and their reversals revoke nothing. */
export function subscriptionReturns(knownBefore: SubscriptionFacts, known: SubscriptionFacts): Return[] {
  const [before, after] = [effectiveFacts(knownBefore), effectiveFacts(known)];
  const { refunds, periods, addOns = {} } = after;
  const isSame = before.periods === periods && before.addOns === after.addOns;
  if (before.refunds === refunds && isSame) return [];
  return Object.keys(refunds).flatMap((key) => {
    const period = periods[key]?.value;
    const own = period ? returned(key, [before, before.periods[key]?.value], [after, period], key) : [];
    const together = Object.entries(addOns).filter(([, { value }]) => value.chargeKey === key);
    return [
      ...own,
      ...together.flatMap(([name, { value }]) =>
        returned(key, [before, before.addOns?.[name]?.value], [after, value], name),
      ),
    ];
  });
}

type Known = [facts: SubscriptionFacts, sold: PeriodFact | undefined];

function returned(
  key: string,
  [before, known]: Known,
  [after, sold]: [SubscriptionFacts, PeriodFact],
  name: string,
): Return[] {
  const [part, whole] = unused(after, key, sold);
  const [oldPart, oldWhole] = known ? unused(before, key, known) : [0, 1];
  if (part / whole <= oldPart / oldWhole) return [];
  const { storeProductId, planId, storeTransactionId, country } = sold;
  return [{ periodKey: name, storeProductId, planId, storeTransactionId, country, part, whole }];
}

function returnedPieces(facts: OneTimeFacts): number {
  const { purchase, refund } = effectivePurchase(facts);
  if (!purchase || !refund || refund.value.refundedAtMs === null) return 0;
  return Math.min(refund.value.quantity, purchase.value.quantity);
}

export function oneTimeReturns(periodKey: string, before: OneTimeFacts, after: OneTimeFacts): Return[] {
  const part = returnedPieces(after);
  const purchase = effectivePurchase(after).purchase?.value;
  if (!purchase || part <= returnedPieces(before)) return [];
  const { storeProductId, planId = null, storeTransactionId, country, quantity: whole } = purchase;
  return [{ periodKey, storeProductId, planId, storeTransactionId, country, part, whole }];
}
