import { addOnsByProduct, type KeyedAddOn } from './add-ons.js';
import { endReason } from './subscription-end.js';
import { accessEnd, type SubscriptionView, viewSubscription } from './subscription-view.js';
import { addOnEnd, END_TOLERANCE_MS, runningAddOn } from './derive-add-ons.js';
import { stateOf } from './derive-state.js';
import { type AccessCause, type AccessClaim, denying, endedBy, giving, type Unlocks } from './explain.js';
import type { Subscription } from './model.js';
import { revocationOf } from './periods.js';

export interface AddOnClaim extends AccessClaim {
  storeProductId: string;
  planId: string | null;
}

function unbrokenSince(view: SubscriptionView, own: readonly KeyedAddOn[], current: KeyedAddOn): number {
  let sinceMs = current.startMs;
  for (const before of own.slice(0, own.indexOf(current)).reverse()) {
    if ((addOnEnd(view, before) ?? Infinity) < sinceMs) break;
    sinceMs = before.startMs;
  }
  return sinceMs;
}

/**
 * Does the same as `explainSubscription` for each add-on that `unlocks` selects.
 * @throws RangeError if the facts contain no period
 */
export function explainAddOns(
  subscription: Pick<Subscription, 'store' | 'facts' | 'emitted'>,
  nowMs: number,
  unlocks: Unlocks,
): AddOnClaim[] {
  const view = viewSubscription(subscription.facts);
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
    return denying(
      endedBy(subscription, view, state),
      endedAtMs,
      endReason(subscription.store, view, state, subscription.emitted),
    );
  };
  return addOnsByProduct(view.facts, view.addOns)
    .filter(([first]) => first && unlocks(first.storeProductId, first.planId))
    .map((own) => {
      const { storeProductId, planId } = runningAddOn(own, nowMs).current;
      return { ...explain(own), storeProductId, planId };
    });
}
