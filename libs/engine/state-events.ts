import { chargedTogether, productName, sumOf } from './add-ons.js';
import { addOnEnd, bundleOf } from './derive-add-ons.js';
import { isNamed, productToCome } from './derive-state.js';
import { returnedPrice } from './ledger.js';
import { type KeyedPeriod, revocationOf } from './periods.js';
import type { EventRecorder } from './event-recorder.js';
import { chargesOf } from './seats.js';
import type { SubscriptionView } from './subscription-view.js';
import type { Price, Store } from './enums.js';

const EXTENSION_AT_LEAST_MS = 60_000;

const isOdd = (count: number): boolean => count % 2 === 1;

/** In these stores a product has several plans, and customers switch plans on the same subscription. */
const storesWithPlans: ReadonlySet<Store> = new Set<Store>(['stripe', 'paddle']);

/** No RENEWAL after a pause within the paid period: nothing was charged, and the end of access is unchanged. */
const resumesSilently: ReadonlySet<Store> = new Set<Store>(['paddle']);

function isSameProduct(store: Store, a: KeyedPeriod, b: KeyedPeriod): boolean {
  const isSamePlan = a.planId === b.planId || !storesWithPlans.has(store);
  const isSameBundle = a.bundle?.storeProductId === b.bundle?.storeProductId;
  return a.storeProductId === b.storeProductId && isSamePlan && isSameBundle;
}

/** Whether the latest period is the first of a purchase that took over from the one before it. */
function isOfSwitch({ facts, latest }: SubscriptionView): boolean {
  const starts = Object.values(facts.continuations ?? {}).map(({ value }) => value.sinceMs);
  return starts.includes(latest.startMs);
}

/** When a refund or the end of sharing ended a period. The App Store also revokes what the customer switched from. */
function revokedAt(view: SubscriptionView, { key }: KeyedPeriod): number | null {
  const revocation = revocationOf(view.facts, key);
  if (!revocation) return null;
  const isByStore = revocation.kind === 'family' || revocation.isReasonUnknown === true;
  return isByStore && isOfSwitch(view) ? null : revocation.revokedAtMs;
}

/** Reopens access if the apparent end of the subscription only ended a purchase that another one continues. */
export function reopenContinued(recorder: EventRecorder): void {
  if (recorder.emitted.replaced === undefined || recorder.transition.view.replaced !== null) return;
  recorder.forget('replaced');
  recorder.reopen();
}

/** PRODUCT_CHANGE for a new latest period that started before the previous one was over. */
export function emitProductChanged(recorder: EventRecorder): void {
  const { subscription, view, before, isLate } = recorder.transition;
  const { latest } = view;
  const old = view.counting.at(-2);
  if (isLate || !before || !old || isSameProduct(subscription.store, old, latest)) return;
  const { nextProduct } = recorder.emitted;
  const announced = nextProduct !== undefined && isNamed(latest, nextProduct);
  const revokedAtMs = revokedAt(view, old) ?? Infinity;
  const wasOver = latest.startMs >= Math.min(old.endMs ?? Infinity, Math.max(old.startMs, revokedAtMs));
  if (announced || wasOver) return;
  recorder.report('PRODUCT_CHANGE', 'pc', old, {
    occurredAtMs: latest.startMs,
    newProductId: latest.storeProductId,
  });
}

/** The store's first report about an imported period is a correction, not an event. */
function wasImported(before: SubscriptionView | null, periodKey: string): boolean {
  return before?.facts.periods[periodKey]?.src === 'import';
}

/** PRODUCT_CHANGE during a period that continues. */
export function emitProductExchanged(recorder: EventRecorder): void {
  const { subscription, view, before, nowMs, isLate } = recorder.transition;
  const { latest, facts } = view;
  const old = before?.latest;
  if (isLate || !recorder.isOpen || !storesWithPlans.has(subscription.store)) return;
  if (old?.key !== latest.key || isSameProduct(subscription.store, old, latest)) return;
  if (wasImported(recorder.transition.before, old.key)) return;
  const occurredAtMs = facts.periods[latest.key]?.at ?? nowMs;
  recorder.report('PRODUCT_CHANGE', 'pc', old, { occurredAtMs, newProductId: latest.storeProductId });
}

/** PRODUCT_CHANGE of a subscription that another one replaced, unless both have the same product. */
export function emitReplaced(recorder: EventRecorder): void {
  const { view } = recorder.transition;
  const by = view.replaced;
  const { accessOpen, replaced } = recorder.emitted;
  if (!by || by.byStoreKey === null || !(accessOpen || replaced === 'closed')) return;
  if (replaced === 'emitted') return;
  recorder.remember({ replaced: 'emitted' });
  const { nextProduct } = recorder.emitted;
  const isAnnounced = nextProduct !== undefined && nextProduct === by.byProductId;
  const isSame = isNamed(view.latest, by.byProductId ?? '');
  if (isAnnounced || isSame || view.latest.kind === 'prepaid') return;
  recorder.report('PRODUCT_CHANGE', 'pc', view.latest, { occurredAtMs: by.atMs });
}

/** PRODUCT_CHANGE that takes effect with the next period. Withdrawing it emits no event. */
export function emitNextProduct(recorder: EventRecorder): void {
  const { view, nowMs } = recorder.transition;
  const next = productToCome(view);
  // A customer who cancels and resubscribes still has the same pending change.
  if (next === null && view.renewal.autoRenew) recorder.forget('nextProduct');
  if (next === null || !recorder.isOpen || next === recorder.emitted.nextProduct) return;
  recorder.report('PRODUCT_CHANGE', 'pc', view.latest, {
    occurredAtMs: view.renewal.atMs ?? nowMs,
    newProductId: next,
  });
  recorder.remember({ nextProduct: next });
}

/** Events about a period include its add-ons, so these need no event of their own. */
export function rememberAddOns(recorder: EventRecorder): void {
  const { view, nowMs } = recorder.transition;
  const addOns = bundleOf(view, nowMs);
  if (addOns.length === 0) recorder.forget('addOns');
  else recorder.remember({ addOns });
}

/** PRODUCT_CHANGE for an add-on added or removed during a period. Its price appears only in the ledger. */
export function emitAddOns(recorder: EventRecorder): void {
  const { view, nowMs } = recorder.transition;
  if (!recorder.isOpen) return;
  const addOns = bundleOf(view, nowMs);
  const known = recorder.emitted.addOns ?? [];
  if (addOns.join() === known.join()) return;
  const times = view.addOns.flatMap((addOn) => {
    const name = productName(addOn);
    if (addOns.includes(name)) return known.includes(name) ? [] : addOn.startMs;
    return known.includes(name) ? (addOnEnd(view, addOn) ?? []) : [];
  });
  const occurredAtMs = Math.min(nowMs, Math.max(view.latest.startMs, ...times));
  recorder.report('PRODUCT_CHANGE', 'pc', view.latest, { occurredAtMs });
  rememberAddOns(recorder);
}

/** PRODUCT_CHANGE for seats added during a known period. Their price appears only in the ledger. */
export function emitSeatsAdded(recorder: EventRecorder): void {
  const { view } = recorder.transition;
  const { opened } = recorder.emitted;
  const [latest, ...additions] = chargesOf(view, view.latest);
  const added = additions.filter(({ key }) => !opened.includes(key));
  if (!recorder.isOpen || added.length === 0 || !opened.includes(latest?.key ?? '')) return;
  const occurredAtMs = Math.max(...added.map(({ startMs }) => startMs));
  recorder.report('PRODUCT_CHANGE', 'pc', view.latest, { occurredAtMs });
}

/** Extended beyond the last emitted end without a failed charge. Late reports leave the event to the clock. */
export function emitExtended(recorder: EventRecorder): void {
  const { view, state, before, nowMs, isLate } = recorder.transition;
  const { latest } = view;
  const old = before?.latest;
  const isOther = !old || old.key !== latest.key || wasImported(before, old.key);
  if (isOther) return recorder.forget('extendedTo');
  if (old.endMs === null || latest.endMs === null) return;
  const announced = recorder.emitted.extendedTo ?? old.endMs;
  if (latest.endMs - announced <= EXTENSION_AT_LEAST_MS) return;
  if (isLate) return recorder.remember({ extendedTo: announced });
  if (!state.givesAccess || view.hasBillingIssue) return;
  const occurredAtMs = view.facts.periods[latest.key]?.at ?? nowMs;
  recorder.report('SUBSCRIPTION_EXTENDED', 'ex', latest, { occurredAtMs });
  recorder.remember({ extendedTo: latest.endMs });
  recorder.reopen();
}

/** RENEWAL if access returned after its emitted end: family sharing was restored, or a pause ended before a charge. */
export function emitRegained(recorder: EventRecorder): void {
  const { view, before, state, nowMs } = recorder.transition;
  const { latest, facts, renewal } = view;
  const { accessOpen, endedAt, expirations } = recorder.emitted;
  if (!state.givesAccess || accessOpen) return;
  // The end itself must have moved; otherwise a replica with a slow clock could reopen access.
  const hasMoved = endedAt === undefined ? before !== view : (state.accessEndsAtMs ?? Infinity) > endedAt;
  if (!hasMoved) return;
  const saidAtMs = Math.max(facts.refunds[latest.key]?.at ?? 0, renewal.atMs ?? 0);
  const isSilent = resumesSilently.has(recorder.transition.subscription.store);
  if (!isSilent) {
    recorder.emitOnce('RENEWAL', `rn:${latest.key}:${expirations[latest.key] ?? 0}`, latest, {
      occurredAtMs: saidAtMs === 0 ? nowMs : Math.min(nowMs, saidAtMs),
      expirationAtMs: state.accessEndsAtMs,
      renewalNumber: view.all.findIndex(({ key }) => key === latest.key) + 1,
      isTrialConversion: false,
    });
  }
  recorder.forget('nextProduct', 'pause', 'consentOpen');
  recorder.reopen();
  rememberAddOns(recorder);
}

/** Returns the sum of the refunds of all transactions of a period. */
function returnedFor(view: SubscriptionView, period: KeyedPeriod): Price {
  const returned = chargesOf(view, period).map((charge) =>
    returnedPrice(view.facts, charge.key, chargedTogether(charge, view.addOns)),
  );
  return sumOf(returned);
}

/** Returns the amount that a transition refunded for a period with seats, some of which may have been refunded before. */
function newlyReturned(
  later: SubscriptionView,
  earlier: SubscriptionView | null,
  period: KeyedPeriod,
): Price {
  const now = returnedFor(later, period);
  const old = earlier?.all.find(({ key }) => key === period.key);
  const then = earlier && old ? returnedFor(earlier, old).amountMicros : 0;
  if (now.amountMicros === null || then === null) return now;
  return { ...now, amountMicros: Math.max(0, now.amountMicros - then) };
}

export function emitReversals(recorder: EventRecorder): void {
  const { view, before, nowMs } = recorder.transition;
  for (const [key, count] of Object.entries(recorder.emitted.refunds ?? {})) {
    const period = view.all.find((known) => known.key === key);
    if (!period || !isOdd(count) || revocationOf(view.facts, key) !== null) continue;
    const old = before?.all.find((known) => known.key === key);
    recorder.emitOnce('REFUND_REVERSED', `rr:${key}:${count}`, period, {
      occurredAtMs: view.facts.refunds[key]?.at ?? nowMs,
      price:
        period.seats && before
          ? newlyReturned(before, view, period)
          : returnedPrice(
              before?.facts ?? view.facts,
              period.key,
              chargedTogether(old ?? period, (before ?? view).addOns),
            ),
    });
    recorder.remember({ refunds: { ...recorder.emitted.refunds, [key]: count + 1 } });
    recorder.reopen();
  }
}

/** CANCELLATION for a refund of the latest period. A refund of an older one only changes the ledger. */
export function emitRefund(recorder: EventRecorder): void {
  const { view } = recorder.transition;
  const { latest, facts } = view;
  const count = recorder.emitted.refunds?.[latest.key] ?? 0;
  const refund = revocationOf(facts, latest.key);
  if (!refund || refund.kind === 'family' || isOdd(count)) return;
  const price = latest.seats
    ? newlyReturned(view, recorder.transition.before, latest)
    : returnedPrice(facts, latest.key, chargedTogether(latest, view.addOns));
  recorder.emitOnce('CANCELLATION', `rf:${latest.key}:${count}`, latest, {
    occurredAtMs: refund.revokedAtMs,
    expirationAtMs: recorder.transition.state.accessEndsAtMs,
    price: { ...price, amountMicros: price.amountMicros === null ? null : 0 - price.amountMicros },
    cancelReason: 'CUSTOMER_SUPPORT',
  });
  recorder.remember({ refunds: { ...recorder.emitted.refunds, [latest.key]: count + 1 } });
}

/** UNCANCELLATION, unless a new period already implies it. */
export function emitUncancelled(recorder: EventRecorder): void {
  const { view, nowMs } = recorder.transition;
  if (!recorder.emitted.unsubscribeOpen || !view.renewal.autoRenew || !recorder.isOpen) return;
  recorder.report('UNCANCELLATION', 'uc', view.latest, { occurredAtMs: view.renewal.atMs ?? nowMs });
  recorder.remember({ unsubscribeOpen: false });
}

/** BILLING_ISSUE and its CANCELLATION, once for each period after which the charge failed. */
export function emitBillingIssue(recorder: EventRecorder): void {
  const { view, state, nowMs } = recorder.transition;
  const { latest } = view;
  const emitted = recorder.emitted.billing ?? [];
  if (!view.hasBillingIssue || view.cut !== null || emitted.includes(latest.key)) return;
  const occurredAtMs = state.billingIssueAtMs ?? nowMs;
  recorder.emitOnce('BILLING_ISSUE', `bi:${latest.key}`, latest, {
    occurredAtMs,
    gracePeriodExpirationAtMs: view.graceEndsAtMs,
  });
  recorder.emitOnce('CANCELLATION', `bc:${latest.key}`, latest, {
    occurredAtMs,
    cancelReason: 'BILLING_ERROR',
  });
  recorder.remember({ billing: [...emitted, latest.key] });
  // A grace period implies that access continues.
  if (view.graceEndsAtMs !== null) recorder.reopen();
}

export function emitUnsubscribed(recorder: EventRecorder): void {
  const { subscription, view, nowMs } = recorder.transition;
  const { latest, renewal } = view;
  const { unsubscribeOpen, billing } = recorder.emitted;
  if (renewal.autoRenew || !recorder.isOpen || unsubscribeOpen || billing?.includes(latest.key)) return;
  if (latest.kind === 'prepaid' || subscription.store === 'promotional') return;
  recorder.report('CANCELLATION', 'un', latest, {
    occurredAtMs: renewal.cancelledAtMs ?? renewal.atMs ?? nowMs,
    cancelReason: renewal.cancelReason ?? 'UNSUBSCRIBE',
  });
  recorder.remember({ unsubscribeOpen: true });
}

/** SUBSCRIPTION_PAUSED, at the end of the period: access lasts until then. */
export function emitPause(recorder: EventRecorder): void {
  const { view, nowMs } = recorder.transition;
  const { latest, renewal } = view;
  const isAhead = renewal.pauseScheduled && renewal.autoRenew && recorder.isOpen;
  if (!isAhead || recorder.emitted.pause === latest.key) return;
  recorder.report('SUBSCRIPTION_PAUSED', 'ps', latest, {
    occurredAtMs: renewal.atMs ?? nowMs,
    autoResumeAtMs: renewal.autoResumeAtMs,
  });
  recorder.remember({ pause: latest.key });
}

export function emitPriceConsent(recorder: EventRecorder): void {
  const { view, nowMs } = recorder.transition;
  const { priceIncrease, atMs } = view.renewal;
  const occurredAtMs = atMs ?? nowMs;
  const { consentOpen } = recorder.emitted;
  if (!recorder.isOpen) return;
  if (priceIncrease === 'pending' && !consentOpen) {
    recorder.report('PRICE_INCREASE_CONSENT_REQUIRED', 'pr', view.latest, { occurredAtMs });
    recorder.remember({ consentOpen: true });
  } else if (priceIncrease === 'accepted' && consentOpen) {
    recorder.report('PRICE_INCREASE_CONSENT_APPROVED', 'pa', view.latest, { occurredAtMs });
    recorder.forget('consentOpen');
  }
}
