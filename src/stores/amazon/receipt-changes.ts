import type { VerificationFailure, Verified, VerifiedPurchase } from '../../../libs/stores/index.js';

function subscriptionOf({ purchases }: Verified): Extract<VerifiedPurchase, { kind: 'subscription' }> | null {
  const [purchase] = purchases;
  return purchase?.kind === 'subscription' ? purchase : null;
}

/** Marks the old subscription as replaced by the new one. Changes nothing if either is not a subscription. */
export function replacedBy(
  old: Verified | VerificationFailure,
  fresh: Verified,
  nowMs: number,
): Verified | VerificationFailure {
  const successor = subscriptionOf(fresh);
  const subscription = old.failure === null ? subscriptionOf(old) : null;
  if (old.failure !== null || !subscription || !successor) return old;
  const [first] = Object.values(successor.observation.facts.periods).sort(
    (a, b) => a.value.startMs - b.value.startMs,
  );
  if (!first) return old;
  const { startMs, storeProductId } = first.value;
  const value = { byStoreKey: successor.key, atMs: startMs, byProductId: storeProductId };
  const { observation } = subscription;
  const facts = { ...observation.facts, replaced: { at: nowMs, src: 'api', value } as const };
  return { ...old, purchases: [{ ...subscription, observation: { ...observation, facts } }] };
}
