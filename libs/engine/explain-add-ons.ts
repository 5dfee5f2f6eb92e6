import { addOnsByProduct, type KeyedAddOn } from './add-ons.js';
import { endReason } from './chain-end.js';
import { accessEnd, type ChainView, viewChain } from './chain-view.js';
import { addOnEnd, END_TOLERANCE_MS, runningAddOn } from './derive-add-ons.js';
import { stateOf } from './derive-chain.js';
import { type AccessCause, type AccessClaim, denying, endedBy, giving, type Unlocks } from './explain.js';
import type { Chain } from './model.js';
import { revocationOf } from './periods.js';

/** Why one add-on gives access or not. */
export interface AddOnClaim extends AccessClaim {
  storeProductId: string;
  planId: string | null;
}

/** Start of the access without a break that `current` goes on with. */
function unbrokenSince(view: ChainView, own: readonly KeyedAddOn[], current: KeyedAddOn): number {
  let sinceMs = current.startMs;
  for (const before of own.slice(0, own.indexOf(current)).reverse()) {
    if ((addOnEnd(view, before) ?? Infinity) < sinceMs) break;
    sinceMs = before.startMs;
  }
  return sinceMs;
}

/**
 * As `explainChain`, of each add-on that `unlocks` chooses.
 * @throws RangeError when the facts hold no period
 */
export function explainAddOns(
  chain: Pick<Chain, 'store' | 'facts' | 'memory'>,
  nowMs: number,
  unlocks: Unlocks,
): AddOnClaim[] {
  const view = viewChain(chain.facts);
  const state = stateOf(view, nowMs);
  const explain = (own: KeyedAddOn[]): AccessClaim => {
    const { current, latest } = runningAddOn(own, nowMs);
    if (view.pending) return denying('pending_payment', Math.min(nowMs, current.startMs));
    const endMs = addOnEnd(view, latest);
    if (view.cut === null && (endMs === null || nowMs < endMs)) {
      const sinceMs = Math.min(nowMs, unbrokenSince(view, own, current));
      const paidUntilMs = latest.endMs ?? Infinity;
      const cause: AccessCause = current === own[0] ? 'purchase' : 'renewal';
      return nowMs >= paidUntilMs
        ? giving(sinceMs, endMs, 'grace_period', paidUntilMs)
        : giving(sinceMs, endMs, cause, current.startMs);
    }
    const endedAtMs = Math.min(nowMs, endMs ?? nowMs, view.cutAtMs ?? nowMs);
    const endedAlone = (endMs ?? Infinity) < (accessEnd(view) ?? Infinity) - END_TOLERANCE_MS;
    if (endedAlone) {
      const revokedAtMs = revocationOf(view.facts, latest.chargeKey)?.revokedAtMs ?? Infinity;
      return revokedAtMs <= endedAtMs
        ? denying('refund', endedAtMs, 'CUSTOMER_SUPPORT')
        : denying('expiry', endedAtMs, 'UNSUBSCRIBE');
    }
    return denying(endedBy(chain, view, state), endedAtMs, endReason(chain.store, view, state, chain.memory));
  };
  return addOnsByProduct(view.facts, view.addOns)
    .filter(([first]) => first && unlocks(first.storeProductId, first.planId))
    .map((own) => {
      const { storeProductId, planId } = runningAddOn(own, nowMs).current;
      return { ...explain(own), storeProductId, planId };
    });
}
