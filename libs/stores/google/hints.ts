import type { SubscriptionFacts } from '../../engine/index.js';

/** What a notification told beside what Google answers when it is asked. */
export interface PlayHints {
  /** A pause was scheduled or changed at that moment. */
  pauseScheduledAtMs?: number;
  /** The latest payment (orderId null) or another was given back at a moment, and what it unlocked taken away. */
  revoked?: { orderId: string | null; atMs: number };
}

/** Facts with what only a notification tells. */
export function withPlayHints(
  facts: SubscriptionFacts,
  latestKey: string,
  { pauseScheduledAtMs, revoked }: PlayHints,
  atMs: number,
): SubscriptionFacts {
  const { renewal } = facts;
  const hinted = { ...facts };
  const isOfLatest =
    pauseScheduledAtMs !== undefined && pauseScheduledAtMs >= (facts.periods[latestKey]?.value.startMs ?? 0);
  if (isOfLatest && renewal?.value.autoRenew && !renewal.value.paused) {
    hinted.renewal = { ...renewal, value: { ...renewal.value, pauseScheduled: true } };
  }
  // One item may be taken back while the others go on; the notification does not say so.
  const isOfOneItem = facts.addOns !== undefined && renewal?.value.ended !== true;
  const isOfLatestCharge = revoked?.orderId === null || revoked?.orderId === latestKey;
  if (revoked && !(isOfOneItem && isOfLatestCharge)) {
    const value = { revokedAtMs: revoked.atMs, kind: 'full' as const, amountMicros: null };
    hinted.refunds = {
      ...facts.refunds,
      [revoked.orderId ?? latestKey]: { at: Math.max(atMs, revoked.atMs), src: 'api', value },
    };
  }
  return hinted;
}
