import type { VerificationFailure, Verified, VerifiedPurchase } from '../../../libs/stores/index.js';

function chainOf({ purchases }: Verified): Extract<VerifiedPurchase, { kind: 'chain' }> | null {
  const [purchase] = purchases;
  return purchase?.kind === 'chain' ? purchase : null;
}

/** An old subscription with the new one that took over; as it is where either is none. */
export function replacedBy(
  old: Verified | VerificationFailure,
  fresh: Verified,
  nowMs: number,
): Verified | VerificationFailure {
  const successor = chainOf(fresh);
  const chain = old.failure === null ? chainOf(old) : null;
  if (old.failure !== null || !chain || !successor) return old;
  const [first] = Object.values(successor.observation.facts.periods).sort(
    (a, b) => a.value.startMs - b.value.startMs,
  );
  if (!first) return old;
  const { startMs, storeProductId } = first.value;
  const value = { byChainKey: successor.key, atMs: startMs, byProductId: storeProductId };
  const { observation } = chain;
  const facts = { ...observation.facts, replaced: { at: nowMs, src: 'api', value } as const };
  return { ...old, purchases: [{ ...chain, observation: { ...observation, facts } }] };
}
