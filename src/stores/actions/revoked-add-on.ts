import { type SubscriptionFacts, noSubscriptionFacts } from '../../../libs/engine/index.js';

export interface AddOnName {
  storeProductId: string;
  planId: string | null;
}

/** Facts of an add-on revoked at `nowMs`, with its payment; null if there is none. */
export function revokedAddOn(
  known: SubscriptionFacts,
  { storeProductId, planId }: AddOnName,
  nowMs: number,
): { chargeKey: string; facts: SubscriptionFacts } | null {
  const [latest] = Object.entries(known.addOns ?? {})
    .filter(([, { value }]) => value.storeProductId === storeProductId && value.planId === planId)
    .sort(([, a], [, b]) => b.value.startMs - a.value.startMs);
  if (!latest) return null;
  const [key, { value }] = latest;
  const { chargeKey } = value;
  const reported = <T>(value: T) => ({ at: nowMs, src: 'api' as const, value });
  const { amountMicros } = known.prices?.[key]?.value ?? value.price;
  const before = known.refunds[chargeKey]?.value;
  const isAlone =
    Object.values(known.addOns ?? {}).filter((one) => one.value.chargeKey === chargeKey).length === 1;
  const isWhole = isAlone && !Object.hasOwn(known.periods, chargeKey);
  // A charge may cover several products, so refund only this one's part. The store may report the amount later.
  const part = amountMicros === null ? null : amountMicros + (before?.amountMicros ?? 0);
  const refund = isWhole
    ? { revokedAtMs: nowMs, kind: 'full' as const, amountMicros: null }
    : part !== null && { revokedAtMs: nowMs, kind: 'partial' as const, amountMicros: part };
  const facts: SubscriptionFacts = {
    ...noSubscriptionFacts,
    ends: { [key]: { expired: reported<number | null>(nowMs) } },
    refunds: refund ? { [chargeKey]: reported(refund) } : {},
  };
  return { chargeKey, facts };
}
