import type { SubscriptionFacts, OneTimeFacts } from '../../engine/index.js';
import type { Settle } from '../contract.js';
import { type PlaySubscriptionFacts, subscriptionFacts } from './subscription-facts.js';
import { baseItem, type SubscriptionReport, withBaseFirst } from './subscription-report.js';

const END_TOLERANCE_MS = 60_000;

function periodBefore({ periods }: SubscriptionFacts, key: string) {
  const others = Object.entries(periods).filter(([other]) => other !== key);
  return others.map(([, { value }]) => value).sort((a, b) => b.startMs - a.startMs)[0];
}

/** Start of a renewal whose order may be unreadable: no later than its first read. */
function startOf(
  facts: SubscriptionFacts,
  key: string,
  known: SubscriptionFacts,
  atMs: number,
): number | null {
  const seen = known.periods[key];
  if (seen) return seen.value.startMs;
  const before = periodBefore(known, key);
  if (!before) return null;
  const { inRetry = false, graceUntilMs = null, paused = false } = known.renewal?.value ?? {};
  const wasLost = paused || (inRetry && graceUntilMs === null);
  const startMs = wasLost ? atMs : Math.min(before.endMs ?? atMs, atMs);
  return Math.min(startMs, facts.periods[key]?.value.endMs ?? startMs);
}

/** Whether a refund is known to have revoked access, although the answer only shows the money. */
function tookAccess(facts: SubscriptionFacts, known: SubscriptionFacts, key: string): boolean {
  const [report, before] = [facts.refunds[key]?.value, known.refunds[key]?.value];
  return report?.kind === 'partial' && before?.kind === 'full' && before.revokedAtMs !== null;
}

/** An add-on started when it was first read, or with the period paid for by the same charge. */
function reconciledAddOns(
  { addOns, periods }: SubscriptionFacts,
  known: SubscriptionFacts,
  guessed: string[],
  latestKey: string,
): SubscriptionFacts['addOns'] {
  if (!addOns || guessed.length === 0) return addOns;
  const reconciled = { ...addOns };
  for (const key of guessed) {
    const report = addOns[key];
    if (!report) continue;
    const { chargeKey, endMs } = report.value;
    const together = chargeKey === latestKey ? periods[latestKey]?.value.startMs : undefined;
    const startMs = together ?? known.addOns?.[key]?.value.startMs ?? report.value.startMs;
    reconciled[key] = { ...report, value: { ...report.value, startMs: Math.min(startMs, endMs ?? startMs) } };
  }
  return reconciled;
}

function withoutKey<T>(all: Record<string, T>, key: string): Record<string, T> {
  return Object.fromEntries(Object.entries(all).filter(([other]) => other !== key));
}

/**
 * Completes Google's answer with known facts: starts that Google does not report, the end of a missed grace period, and
 * a scheduled pause, which no answer shows before it starts.
 */
export function reconciledSubscription(
  { latestKey, startIsGuess, isStartMissing, guessedAddOns }: Omit<PlaySubscriptionFacts, 'facts'>,
  token: string,
  atMs: number,
): Settle<SubscriptionFacts> {
  return (facts, known) => {
    const reconciled: SubscriptionFacts = { ...facts };
    const period = facts.periods[latestKey];
    const isContinued = known.continuations?.[token] !== undefined;
    const isGuess = startIsGuess || (isContinued && isStartMissing);
    const startMs = isGuess ? startOf(facts, latestKey, known, atMs) : null;
    if (period && startMs !== null) {
      const seen = known.periods[latestKey]?.value;
      const isRenewal = seen?.isRenewal ?? (isContinued || period.value.isRenewal);
      const terms = period.value.terms?.map((one) => ({ ...one, sinceMs: startMs }));
      const value = { ...period.value, startMs, isRenewal, ...(terms && { terms }) };
      reconciled.periods = { ...facts.periods, [latestKey]: { ...period, value } };
    }
    reconciled.addOns = reconciledAddOns(reconciled, known, guessedAddOns, latestKey);
    const charges = [latestKey, ...Object.values(facts.addOns ?? {}).map(({ value }) => value.chargeKey)];
    for (const key of charges) {
      if (tookAccess(facts, known, key)) reconciled.refunds = withoutKey(reconciled.refunds, key);
    }
    const wasHeld = known.addOns !== undefined && (known.ends?.[latestKey]?.expired?.value ?? null) !== null;
    if (wasHeld && period?.src === 'api' && !facts.ends?.[latestKey]?.expired) {
      const goesOn = { expired: { at: atMs, src: 'api' as const, value: null } };
      reconciled.ends = { ...facts.ends, [latestKey]: { ...facts.ends?.[latestKey], ...goesOn } };
    }
    const { renewal } = facts;
    const wasScheduled =
      known.renewal?.value.pauseScheduled === true && known.renewal.value.periodKey === latestKey;
    if (renewal && wasScheduled && renewal.value.autoRenew && !renewal.value.paused) {
      reconciled.renewal = { ...renewal, value: { ...renewal.value, pauseScheduled: true } };
    }
    const isOnHold = renewal?.value.inRetry === true && renewal.value.graceUntilMs === null;
    const paidEndMs = known.periods[latestKey]?.value.endMs ?? null;
    const heldFromMs = period?.value.endMs ?? null;
    if (isOnHold && paidEndMs !== null && heldFromMs !== null && heldFromMs > paidEndMs + END_TOLERANCE_MS) {
      const grace = { at: atMs, src: 'api' as const, value: heldFromMs };
      reconciled.ends = { ...facts.ends, [latestKey]: { ...facts.ends?.[latestKey], grace } };
    }
    return reconciled;
  };
}

function knownProduct({ periods }: SubscriptionFacts): string | null {
  const latest = Object.values(periods).toSorted((a, b) => b.value.startMs - a.value.startMs)[0];
  return latest?.value.storeProductId ?? null;
}

/**
 * Among items that end together, the known base item stays, and so does a known continuation of a linked purchase.
 * `hint` adds other known facts.
 */
export function subscriptionReport(
  subject: SubscriptionReport,
  isContinued: boolean,
  hint: (report: PlaySubscriptionFacts) => SubscriptionFacts = ({ facts }) => facts,
): { report: PlaySubscriptionFacts; facts: SubscriptionFacts; settle: Settle<SubscriptionFacts> } {
  const { token, purchase, atMs } = subject;
  const report = subscriptionFacts(subject, isContinued);
  const settle: Settle<SubscriptionFacts> = (facts, known) => {
    const asKnown = withBaseFirst(purchase, knownProduct(known));
    const goesOn = isContinued || known.continuations?.[token] !== undefined;
    if (baseItem(asKnown) === baseItem(purchase) && goesOn === isContinued)
      return reconciledSubscription(report, token, atMs)(facts, known);
    const other = subscriptionFacts({ ...subject, purchase: asKnown }, goesOn);
    return reconciledSubscription(other, token, atMs)({ ...hint(other), hints: facts.hints }, known);
  };
  return { report, facts: hint(report), settle };
}

/** A refund without a time is dated by its first read. */
export const reconciledProduct: Settle<OneTimeFacts> = (facts, known) => {
  const report = facts.refund?.value;
  const before = known.refund?.value;
  const isKnown = report && before && before.refundedAtMs !== null && before.quantity === report.quantity;
  return isKnown ? { ...facts, refund: null } : facts;
};
