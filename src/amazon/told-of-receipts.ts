import { type Environment, noOneTimeFacts } from '../../libs/engine/index.js';
import type { VerificationFailure, Verified, VerifiedPurchase } from '../../libs/stores/index.js';

/** What is known of a one-time purchase that is gone from Amazon's receipts: all of it was given back. */
export function refundedAt(receiptId: string, environment: Environment, atMs: number): Verified {
  const value = { refundedAtMs: atMs, quantity: Number.MAX_SAFE_INTEGER };
  const facts = { ...noOneTimeFacts, refund: { at: atMs, src: 'api', value } as const };
  const observation = { atMs, facts };
  const purchase = { kind: 'one_time', key: receiptId, firstPostStands: false, observation } as const;
  return { failure: null, environment, purchases: [{ ...purchase, shouldConsume: false }] };
}

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
