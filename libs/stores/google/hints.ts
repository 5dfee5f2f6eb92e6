import type { SubscriptionFacts } from '../../engine/index.js';

/** Facts from a notification that Google's API does not return. */
export interface PlayHints {
  /** When a pause was scheduled or changed. */
  pauseScheduledAtMs?: number;
  /** When a payment was refunded and its access revoked. A null orderId means the latest. */
  revoked?: { orderId: string | null; atMs: number };
}

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
  // One item may be revoked while the others continue; the notification does not name it.
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
