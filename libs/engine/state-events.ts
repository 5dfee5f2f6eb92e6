import { chargedTogether, productName } from './add-ons.js';
import { addOnEnd, bundleOf } from './derive-add-ons.js';
import { isNamed, productToCome } from './derive-chain.js';
import { returnedPrice } from './ledger.js';
import { type KeyedPeriod, revocationOf } from './periods.js';
import type { Teller } from './teller.js';
import type { Store } from './words.js';

const EXTENSION_AT_LEAST_MS = 60_000;

const isOdd = (count: number): boolean => count % 2 === 1;

/** Where one product has several plans that customers change between on the same subscription. */
const storesWithPlans: ReadonlySet<Store> = new Set<Store>(['stripe', 'paddle']);

function isSameProduct(store: Store, a: KeyedPeriod, b: KeyedPeriod): boolean {
  return a.storeProductId === b.storeProductId && (a.planId === b.planId || !storesWithPlans.has(store));
}

/** What looked like the end of a chain was only that of a purchase which another one goes on with. */
export function reopenContinued(teller: Teller): void {
  if (teller.memory.replaced === undefined || teller.occasion.view.replaced !== null) return;
  teller.forget('replaced');
  teller.reopen();
}

/** PRODUCT_CHANGE that came with the new latest period: it began before the old one was over. */
export function tellProductChanged(teller: Teller): void {
  const { chain, view, before, late } = teller.occasion;
  const { latest } = view;
  const old = view.counting.at(-2);
  if (late || !before || !old || isSameProduct(chain.store, old, latest)) return;
  const { nextProduct } = teller.memory;
  const announced = nextProduct !== undefined && isNamed(latest, nextProduct);
  const revokedAtMs = revocationOf(view.facts, old.key)?.revokedAtMs ?? Infinity;
  const wasOver = latest.startMs >= Math.min(old.endMs ?? Infinity, Math.max(old.startMs, revokedAtMs));
  if (announced || wasOver) return;
  teller.tell('PRODUCT_CHANGE', 'pc', old, {
    occurredAtMs: latest.startMs,
    newProductId: latest.storeProductId,
  });
}

/** PRODUCT_CHANGE in the middle of a period that goes on as before. */
export function tellProductExchanged(teller: Teller): void {
  const { chain, view, before, nowMs, late } = teller.occasion;
  const { latest, facts } = view;
  const old = before?.latest;
  if (late || !teller.isOpen || !storesWithPlans.has(chain.store)) return;
  if (old?.key !== latest.key || isSameProduct(chain.store, old, latest)) return;
  const occurredAtMs = facts.periods[latest.key]?.at ?? nowMs;
  teller.tell('PRODUCT_CHANGE', 'pc', old, { occurredAtMs, newProductId: latest.storeProductId });
}

/** PRODUCT_CHANGE of a chain that another one replaced. The same product again is none. */
export function tellReplaced(teller: Teller): void {
  const { view } = teller.occasion;
  const by = view.replaced;
  const { accessOpen, replaced } = teller.memory;
  if (!by || by.byChainKey === null || !(accessOpen || replaced === 'closed')) return;
  if (replaced === 'told') return;
  teller.remember({ replaced: 'told' });
  const isSame = isNamed(view.latest, by.byProductId ?? '');
  if (isSame || view.latest.kind === 'prepaid') return;
  teller.tell('PRODUCT_CHANGE', 'pc', view.latest, { occurredAtMs: by.atMs });
}

/** PRODUCT_CHANGE that takes effect with the next period. Taking it back is no event. */
export function tellNextProduct(teller: Teller): void {
  const { view, nowMs } = teller.occasion;
  const next = productToCome(view);
  // Who cancels meanwhile and comes back still has the same change ahead.
  if (next === null && view.renewal.autoRenew) teller.forget('nextProduct');
  if (next === null || !teller.isOpen || next === teller.memory.nextProduct) return;
  teller.tell('PRODUCT_CHANGE', 'pc', view.latest, {
    occurredAtMs: view.renewal.atMs ?? nowMs,
    newProductId: next,
  });
  teller.remember({ nextProduct: next });
}

/** What was told of a period tells of its add-ons, too. */
export function rememberAddOns(teller: Teller): void {
  const { view, nowMs } = teller.occasion;
  const addOns = bundleOf(view, nowMs);
  if (addOns.length === 0) teller.forget('addOns');
  else teller.remember({ addOns });
}

/** PRODUCT_CHANGE because an add-on joined or left in the middle of a period. Neither is money: that is in the ledger. */
export function tellAddOns(teller: Teller): void {
  const { view, nowMs } = teller.occasion;
  if (!teller.isOpen) return;
  const addOns = bundleOf(view, nowMs);
  const known = teller.memory.addOns ?? [];
  if (addOns.join() === known.join()) return;
  const moments = view.addOns.flatMap((addOn) => {
    const name = productName(addOn);
    if (addOns.includes(name)) return known.includes(name) ? [] : addOn.startMs;
    return known.includes(name) ? (addOnEnd(view, addOn) ?? []) : [];
  });
  const occurredAtMs = Math.min(nowMs, Math.max(view.latest.startMs, ...moments));
  teller.tell('PRODUCT_CHANGE', 'pc', view.latest, { occurredAtMs });
  rememberAddOns(teller);
}

/**
 * SUBSCRIPTION_EXTENDED: the same period became longer than last announced, without a failed charge. A late report
 * keeps the announced end, so that the event follows by the clock.
 */
export function tellExtended(teller: Teller): void {
  const { view, state, before, nowMs, late } = teller.occasion;
  const { latest } = view;
  const old = before?.latest;
  if (!old || old.key !== latest.key) return teller.forget('extendedTo');
  if (old.endMs === null || latest.endMs === null) return;
  const announced = teller.memory.extendedTo ?? old.endMs;
  if (latest.endMs - announced <= EXTENSION_AT_LEAST_MS) return;
  if (late) return teller.remember({ extendedTo: announced });
  if (!state.givesAccess || view.inTrouble) return;
  const occurredAtMs = view.facts.periods[latest.key]?.at ?? nowMs;
  teller.tell('SUBSCRIPTION_EXTENDED', 'ex', latest, { occurredAtMs });
  teller.remember({ extendedTo: latest.endMs });
  teller.reopen();
}

/**
 * RENEWAL of a known period whose access came back after its end was announced, where no other event says so: a family
 * shares again, or a pause is lifted before the next charge.
 */
export function tellRegained(teller: Teller): void {
  const { view, before, state, nowMs } = teller.occasion;
  const { latest, facts, renewal } = view;
  const { accessOpen, endedAt, expirations } = teller.memory;
  if (!state.givesAccess || accessOpen) return;
  // The end itself moved: a replica with a slow clock gives nothing back.
  const hasMoved = endedAt === undefined ? before !== view : (state.accessEndsAtMs ?? Infinity) > endedAt;
  if (!hasMoved) return;
  const saidAtMs = Math.max(facts.refunds[latest.key]?.at ?? 0, renewal.atMs ?? 0);
  teller.tellOnce('RENEWAL', `rn:${latest.key}:${expirations[latest.key] ?? 0}`, latest, {
    occurredAtMs: saidAtMs === 0 ? nowMs : Math.min(nowMs, saidAtMs),
    expirationAtMs: state.accessEndsAtMs,
    renewalNumber: view.all.findIndex(({ key }) => key === latest.key) + 1,
    isTrialConversion: false,
  });
  teller.forget('nextProduct', 'pause', 'consentOpen');
  teller.reopen();
  rememberAddOns(teller);
}

/** REFUND_REVERSED of each refund that was told and is no more. */
export function tellReversals(teller: Teller): void {
  const { view, before, nowMs } = teller.occasion;
  for (const [key, count] of Object.entries(teller.memory.refunds ?? {})) {
    const period = view.all.find((known) => known.key === key);
    if (!period || !isOdd(count) || revocationOf(view.facts, key) !== null) continue;
    const old = before?.all.find((known) => known.key === key);
    teller.tellOnce('REFUND_REVERSED', `rr:${key}:${count}`, period, {
      occurredAtMs: view.facts.refunds[key]?.at ?? nowMs,
      price: returnedPrice(
        before?.facts ?? view.facts,
        period.key,
        chargedTogether(old ?? period, (before ?? view).addOns),
      ),
    });
    teller.remember({ refunds: { ...teller.memory.refunds, [key]: count + 1 } });
    teller.reopen();
  }
}

/** CANCELLATION for the refund of the latest period. That of an older one is only money. */
export function tellRefund(teller: Teller): void {
  const { view } = teller.occasion;
  const { latest, facts } = view;
  const count = teller.memory.refunds?.[latest.key] ?? 0;
  const refund = revocationOf(facts, latest.key);
  if (!refund || refund.kind === 'family' || isOdd(count)) return;
  const price = returnedPrice(facts, latest.key, chargedTogether(latest, view.addOns));
  teller.tellOnce('CANCELLATION', `rf:${latest.key}:${count}`, latest, {
    occurredAtMs: refund.revokedAtMs,
    expirationAtMs: teller.occasion.state.accessEndsAtMs,
    price: { ...price, amountMicros: price.amountMicros === null ? null : 0 - price.amountMicros },
    cancelReason: 'CUSTOMER_SUPPORT',
  });
  teller.remember({ refunds: { ...teller.memory.refunds, [latest.key]: count + 1 } });
}

/** UNCANCELLATION. A new period says the same by itself. */
export function tellUncancelled(teller: Teller): void {
  const { view, nowMs } = teller.occasion;
  if (!teller.memory.unsubscribeOpen || !view.renewal.autoRenew || !teller.isOpen) return;
  teller.tell('UNCANCELLATION', 'uc', view.latest, { occurredAtMs: view.renewal.atMs ?? nowMs });
  teller.remember({ unsubscribeOpen: false });
}

/** BILLING_ISSUE and its CANCELLATION, once for each period whose successor could not be charged. */
export function tellBillingIssue(teller: Teller): void {
  const { view, state, nowMs } = teller.occasion;
  const { latest } = view;
  const told = teller.memory.billing ?? [];
  if (!view.inTrouble || view.cut !== null || told.includes(latest.key)) return;
  const occurredAtMs = state.billingIssueAtMs ?? nowMs;
  teller.tellOnce('BILLING_ISSUE', `bi:${latest.key}`, latest, {
    occurredAtMs,
    gracePeriodExpirationAtMs: view.graceEndsAtMs,
  });
  teller.tellOnce('CANCELLATION', `bc:${latest.key}`, latest, {
    occurredAtMs,
    cancelReason: 'BILLING_ERROR',
  });
  teller.remember({ billing: [...told, latest.key] });
  // Its grace end says that access goes on.
  if (view.graceEndsAtMs !== null) teller.reopen();
}

/** CANCELLATION because auto-renew was turned off while access goes on. */
export function tellUnsubscribed(teller: Teller): void {
  const { chain, view, nowMs } = teller.occasion;
  const { latest, renewal } = view;
  const { unsubscribeOpen, billing } = teller.memory;
  if (renewal.autoRenew || !teller.isOpen || unsubscribeOpen || billing?.includes(latest.key)) return;
  if (latest.kind === 'prepaid' || chain.store === 'promotional') return;
  teller.tell('CANCELLATION', 'un', latest, {
    occurredAtMs: renewal.cancelledAtMs ?? renewal.atMs ?? nowMs,
    cancelReason: renewal.cancelReason ?? 'UNSUBSCRIBE',
  });
  teller.remember({ unsubscribeOpen: true });
}

/** SUBSCRIPTION_PAUSED: from the end of the period on. Access lasts until then. */
export function tellPause(teller: Teller): void {
  const { view, nowMs } = teller.occasion;
  const { latest, renewal } = view;
  const isAhead = renewal.pauseScheduled && renewal.autoRenew && teller.isOpen;
  if (!isAhead || teller.memory.pause === latest.key) return;
  teller.tell('SUBSCRIPTION_PAUSED', 'ps', latest, {
    occurredAtMs: renewal.atMs ?? nowMs,
    autoResumeAtMs: renewal.autoResumeAtMs,
  });
  teller.remember({ pause: latest.key });
}

/** PRICE_INCREASE_CONSENT_REQUIRED, and _APPROVED once it was required. */
export function tellPriceConsent(teller: Teller): void {
  const { view, nowMs } = teller.occasion;
  const { priceIncrease, atMs } = view.renewal;
  const occurredAtMs = atMs ?? nowMs;
  const { consentOpen } = teller.memory;
  if (!teller.isOpen) return;
  if (priceIncrease === 'pending' && !consentOpen) {
    teller.tell('PRICE_INCREASE_CONSENT_REQUIRED', 'pr', view.latest, { occurredAtMs });
    teller.remember({ consentOpen: true });
  } else if (priceIncrease === 'accepted' && consentOpen) {
    teller.tell('PRICE_INCREASE_CONSENT_APPROVED', 'pa', view.latest, { occurredAtMs });
    teller.forget('consentOpen');
  }
}
