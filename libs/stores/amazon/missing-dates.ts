import type { SubscriptionFacts, PeriodFact } from '../../engine/index.js';
import type { AmazonReceipt } from './receipt-service.js';
import { firstEnd, paidFrom, runningEnd, type TermFacts } from './terms.js';

const DAY_MS = 86_400_000;

export function termKey({ receiptId }: Pick<AmazonReceipt, 'receiptId'>, startMs: number): string {
  return `${receiptId}.${startMs}`;
}

function knownTerm(
  receipt: AmazonReceipt,
  known: SubscriptionFacts,
  startMs: number,
): PeriodFact | undefined {
  return known.periods[termKey(receipt, startMs)]?.value;
}

/** Amazon reports the end of a trial only while it runs. */
function trialEnd(receipt: AmazonReceipt, known: SubscriptionFacts): number | null {
  const first = knownTerm(receipt, known, receipt.purchaseDate);
  return receipt.freeTrialEndDate ?? (first?.kind === 'trial' ? first.endMs : null);
}

/** In tests, a month lasts minutes. */
function testTerm(receipt: AmazonReceipt & TermFacts, known: SubscriptionFacts): number | null {
  if (!receipt.testTransaction && !receipt.betaProduct) return null;
  const fromMs = paidFrom(receipt);
  const lengthMs = (knownTerm(receipt, known, fromMs)?.endMs ?? fromMs) - fromMs;
  const nominalMs = (firstEnd(receipt) ?? fromMs) - fromMs;
  return lengthMs > 0 && lengthMs <= nominalMs / 2 ? lengthMs : null;
}

/**
 * The end of a subscription without a renewal date. Amazon omits the date if the subscription will not renew, and
 * reports the end only afterwards. One that is active a day after its known end, and not in grace, has renewed
 * meanwhile.
 */
function missingEnd(
  receipt: AmazonReceipt & TermFacts,
  known: SubscriptionFacts,
  atMs: number,
): number | null {
  const ends = Object.values(known.periods).flatMap(({ value }) => value.endMs ?? []);
  if (ends.length === 0) return runningEnd(receipt, atMs);
  const knownEndMs = Math.max(...ends);
  const isInGrace = (receipt.gracePeriodEndDate ?? 0) > atMs;
  if (isInGrace || atMs < knownEndMs + DAY_MS) return knownEndMs;
  return runningEnd(receipt, atMs) ?? knownEndMs;
}

/** Adds the dates that Amazon reported earlier, or that follow from the receipt being active at `atMs`. */
export function withMissingDates(
  receipt: AmazonReceipt,
  known: SubscriptionFacts,
  atMs: number,
): AmazonReceipt & TermFacts {
  const dated: AmazonReceipt & TermFacts = { ...receipt, freeTrialEndDate: trialEnd(receipt, known) };
  const testTermMs = testTerm(dated, known);
  if (testTermMs !== null) dated.testTermMs = testTermMs;
  if (dated.renewalDate === null && dated.cancelDate === null) {
    dated.renewalDate = missingEnd(dated, known, atMs);
  }
  return dated;
}
