import { addOnsByProduct, type KeyedAddOn, productName } from './add-ons.js';
import { accessEnd, type SubscriptionView } from './subscription-view.js';
import type { AddOnState, SubscriptionState } from './model.js';
import { type KeyedPeriod, revocationOf } from './periods.js';

/** A store may date a period slightly ahead of our clock. */
export const START_TOLERANCE_MS = 5 * 60_000;
/** Stores do not end all items of a subscription at exactly the same time. */
export const END_TOLERANCE_MS = 60_000;

function byName(a: KeyedAddOn, b: KeyedAddOn): number {
  return productName(a) < productName(b) ? -1 : 1;
}

/** End of access including grace, at the latest when the whole subscription is cut off. Null: never ends. */
export function addOnEnd({ facts, cutAtMs }: SubscriptionView, addOn: KeyedAddOn): number | null {
  const reported = facts.ends?.[addOn.key];
  const grace = reported?.grace?.value ?? null;
  const paid = addOn.endMs === null || grace === null ? addOn.endMs : Math.max(addOn.endMs, grace);
  const revokedAtMs = revocationOf(facts, addOn.chargeKey)?.revokedAtMs ?? null;
  const ends = [paid, reported?.expired?.value ?? null, revokedAtMs, cutAtMs].filter((end) => end !== null);
  return ends.length === 0 ? null : Math.max(addOn.startMs, Math.min(...ends));
}

/** The add-ons of a period at `nowMs`, one for each product. A past period has the add-ons that it ended with. */
export function addOnsAt(view: SubscriptionView, { key, startMs }: KeyedPeriod, nowMs: number): KeyedAddOn[] {
  if (view.addOns.length === 0) return [];
  const index = view.counting.findIndex((period) => period.key === key);
  const next = index === -1 ? undefined : view.counting[index + 1];
  const endMs = next?.startMs ?? accessEnd(view) ?? Infinity;
  const timeMs = Math.max(startMs, Math.min(nowMs, endMs - END_TOLERANCE_MS));
  return addOnsByProduct(view.facts, view.addOns)
    .flatMap((own) => own.findLast((one) => one.chargeKey === key || one.startMs <= timeMs) ?? [])
    .filter((addOn) => (addOnEnd(view, addOn) ?? Infinity) > timeMs)
    .sort(byName);
}

/** Names of the current period's add-ons, including add-ons that may only be renewing late. */
export function bundleOf(view: SubscriptionView, nowMs: number): string[] {
  const { latest, renewal } = view;
  return addOnsByProduct(view.facts, view.addOns)
    .flatMap((own) => own.at(-1) ?? [])
    .filter((addOn) => {
      const endMs = addOnEnd(view, addOn) ?? Infinity;
      if (endMs > Math.max(nowMs, latest.startMs)) return true;
      if (latest.endMs !== null && endMs >= latest.endMs - END_TOLERANCE_MS) return true;
      const seenAtMs = Math.max(addOn.saidAtMs, renewal.atMs ?? 0);
      return addOn.renews && endMs > latest.startMs + END_TOLERANCE_MS && seenAtMs < endMs;
    })
    .map(productName)
    .sort();
}

export function runningAddOn(
  own: readonly KeyedAddOn[],
  nowMs: number,
): { current: KeyedAddOn; latest: KeyedAddOn } {
  const latest = own.at(-1) as KeyedAddOn;
  const begun = own.findLast(({ startMs }) => startMs <= nowMs + START_TOLERANCE_MS);
  return { current: begun ?? own[0] ?? latest, latest };
}

export function addOnStates(
  view: SubscriptionView,
  subscription: Omit<SubscriptionState, 'addOns'>,
  nowMs: number,
): AddOnState[] {
  if (view.addOns.length === 0) return [];
  const bundle = new Set(addOnsAt(view, view.latest, nowMs).map(productName));
  return addOnsByProduct(view.facts, view.addOns)
    .map((own): AddOnState => {
      const { current, latest } = runningAddOn(own, nowMs);
      const endsAtMs = addOnEnd(view, latest);
      const grace = view.facts.ends?.[latest.key]?.grace?.value ?? null;
      return {
        storeProductId: current.storeProductId,
        planId: current.planId,
        givesAccess: !view.pending && view.cut === null && (endsAtMs === null || nowMs < endsAtMs),
        pendingPayment: view.pending,
        startedAtMs: own[0]?.startMs ?? current.startMs,
        periodStartedAtMs: current.startMs,
        periodEndsAtMs: current.endMs,
        accessEndsAtMs: endsAtMs,
        graceEndsAtMs: view.hasBillingIssue ? grace : null,
        billingIssueAtMs: subscription.billingIssueAtMs,
        unsubscribeAtMs: subscription.unsubscribeAtMs ?? (latest.renews ? null : latest.saidAtMs),
        refundedAtMs: revocationOf(view.facts, latest.chargeKey)?.revokedAtMs ?? subscription.refundedAtMs,
        autoResumeAtMs: subscription.autoResumeAtMs,
        periodType: current.kind,
        ownership: current.ownership,
        price: current.price,
        latestStoreTransactionId: latest.storeTransactionId,
        isInBundle: bundle.has(productName(current)),
      };
    })
    .sort((a, b) => (productName(a) < productName(b) ? -1 : 1));
}

export function addOnTimes(view: SubscriptionView): (number | null)[] {
  return view.addOns.flatMap((addOn) => [addOn.startMs - START_TOLERANCE_MS, addOnEnd(view, addOn)]);
}
