import { accessEnd, chargedPeriods, type SubscriptionView, viewSubscription } from './subscription-view.js';
import { addOnTimes, addOnStates, START_TOLERANCE_MS } from './derive-add-ons.js';
import type { SubscriptionFacts } from './facts.model.js';
import type { Subscription, EmittedState, SubscriptionState } from './model.js';
import type { KeyedPeriod } from './periods.js';
import type { AutoRenewalStatus, SubscriptionStatus } from './enums.js';

/** No store retries a payment for longer. Meanwhile, nothing confirms data that only an import reported. */
const RECOVERY_MS = 60 * 24 * 3_600_000;

/** When an imported subscription that lost access, but may still recover, counts as over. Null: the store decides. */
function recoveryEndsAt({ renewal }: SubscriptionView, accessEndsAtMs: number | null): number | null {
  return renewal.src === 'import' && accessEndsAtMs !== null ? accessEndsAtMs + RECOVERY_MS : null;
}

function statusOf(
  view: SubscriptionView,
  current: KeyedPeriod,
  givesAccess: boolean,
  accessEndsAtMs: number | null,
  nowMs: number,
): SubscriptionStatus {
  const { renewal, cut, paidUntilMs } = view;
  if (cut !== null || view.pending) return 'expired';
  if (!givesAccess) {
    if (renewal.ended || nowMs >= (recoveryEndsAt(view, accessEndsAtMs) ?? Infinity)) return 'expired';
    // A scheduled pause starts at the end of the period.
    if (renewal.paused || (renewal.pauseScheduled && renewal.autoRenew)) return 'paused';
    return renewal.inRetry || (view.hasBillingIssue && renewal.autoRenew) ? 'in_billing_retry' : 'expired';
  }
  const isOpen = view.heldUntilMs !== null || renewal.collectingUntilMs !== null;
  const isHeld = isOpen && !view.hasBillingIssue;
  if (paidUntilMs !== null && nowMs >= paidUntilMs && !isHeld) return 'in_grace_period';
  return current.kind === 'trial' ? 'trialing' : 'active';
}

export function isNamed({ storeProductId, planId }: KeyedPeriod, name: string): boolean {
  return name === storeProductId || name === `${storeProductId}:${planId}`;
}

/** The store's name of the next period's product if it differs from the latest one's. */
export function productToCome({ renewal, latest }: SubscriptionView): string | null {
  const { nextProductId, autoRenew } = renewal;
  return !autoRenew || nextProductId === null || isNamed(latest, nextProductId) ? null : nextProductId;
}

/** A refund ends access, not renewal: until the refunded period is over, the store decides whether it renews. */
function mayRenewAfterRefund({ cut, renewal, paidUntilMs }: SubscriptionView, nowMs: number): boolean {
  if (cut !== 'refund' || renewal.atMs === null || renewal.ended) return false;
  return paidUntilMs === null || nowMs < paidUntilMs;
}

function autoRenewalOf(view: SubscriptionView, status: SubscriptionStatus, nowMs: number): AutoRenewalStatus {
  const { renewal, latest } = view;
  const isOver = status === 'expired' && !mayRenewAfterRefund(view, nowMs);
  if (!renewal.autoRenew || latest.kind === 'prepaid' || isOver) return 'will_not_renew';
  if (renewal.pauseScheduled && status !== 'paused') return 'will_pause';
  return productToCome(view) === null ? 'will_renew' : 'will_change_product';
}

function billingIssueAt({ renewal, hasBillingIssue, latest }: SubscriptionView): number | null {
  const { billingIssueAtMs, atMs } = renewal;
  if (billingIssueAtMs !== null || !hasBillingIssue || atMs === null) return billingIssueAtMs;
  // The charge was due at the end of the period, unless the store tried earlier.
  return Math.min(atMs, latest.endMs ?? atMs);
}

function unsubscribedAt({ renewal, latest }: SubscriptionView): number | null {
  if (renewal.autoRenew || renewal.atMs === null || latest.kind === 'prepaid') return renewal.cancelledAtMs;
  return renewal.cancelledAtMs ?? renewal.atMs;
}

function nextDue(view: SubscriptionView, state: SubscriptionState, nowMs: number): number | null {
  const times: (number | null)[] = view.counting.map(({ startMs }) => startMs - START_TOLERANCE_MS);
  times.push(...addOnTimes(view));
  if (state.givesAccess) times.push(view.paidUntilMs, state.accessEndsAtMs);
  if (view.cut === 'refund') times.push(view.paidUntilMs);
  if (state.status === 'paused') times.push(state.autoResumeAtMs);
  if (state.status === 'paused' || state.status === 'in_billing_retry')
    times.push(recoveryEndsAt(view, state.accessEndsAtMs));
  const future = times.filter((time) => time !== null && time > nowMs) as number[];
  return future.length === 0 ? null : Math.min(...future);
}

function identifiersOf(view: SubscriptionView): string[] {
  const { addOns, facts } = view;
  const ofPeriods = chargedPeriods(view).flatMap((period) => [period.storeTransactionId, period.key]);
  const ofAddOns = addOns.map(({ storeTransactionId }) => storeTransactionId);
  return [...new Set([...ofPeriods, ...ofAddOns, ...Object.keys(facts.continuations ?? {})])].sort();
}

/** The store may have charged for a period that has not started. Until then, the previous one is current. */
export function currentPeriod({ counting, first }: SubscriptionView, nowMs: number): KeyedPeriod {
  return counting.findLast((period) => period.startMs <= nowMs + START_TOLERANCE_MS) ?? first;
}

export function stateOf(view: SubscriptionView, nowMs: number): SubscriptionState {
  const { facts, first, latest, renewal, cut } = view;
  const current = currentPeriod(view, nowMs);
  const accessEndsAtMs = accessEnd(view);
  const givesAccess = !view.pending && cut === null && (accessEndsAtMs === null || nowMs < accessEndsAtMs);
  const status = statusOf(view, current, givesAccess, accessEndsAtMs, nowMs);
  // Written out: this runs for every subscription on every read, and a spread would copy every field again.
  const state: SubscriptionState = {
    status,
    autoRenewalStatus: autoRenewalOf(view, status, nowMs),
    givesAccess,
    pendingPayment: view.pending,
    startedAtMs: Math.min(first.startMs, facts.startedAtMs ?? first.startMs),
    periodStartedAtMs: current.startMs,
    periodEndsAtMs: current.endMs,
    accessEndsAtMs,
    graceEndsAtMs: view.hasBillingIssue ? view.graceEndsAtMs : null,
    billingIssueAtMs: billingIssueAt(view),
    unsubscribeAtMs: unsubscribedAt(view),
    refundedAtMs: cut === 'refund' ? view.cutAtMs : null,
    autoResumeAtMs: renewal.autoResumeAtMs,
    periodType: current.kind,
    ownership: current.ownership,
    storeProductId: current.storeProductId,
    planId: current.planId,
    autoRenewProductId: renewal.nextProductId,
    price: current.price,
    country: current.country,
    presentedOfferingId: facts.hints?.value.presentedOfferingId ?? null,
    latestStoreTransactionId: latest.storeTransactionId,
    originalStoreTransactionId: first.storeTransactionId,
    storeIdentifiers: identifiersOf(view),
    nextDueAtMs: null,
    addOns: [],
  };
  state.addOns = addOnStates(view, state, nowMs);
  state.nextDueAtMs = nextDue(view, state, nowMs);
  return state;
}

/** @throws RangeError if the facts contain no period */
export function deriveState(facts: SubscriptionFacts, nowMs: number): SubscriptionState {
  return stateOf(viewSubscription(facts), nowMs);
}

/** Adds the cancellation time recorded at the end of the period if the store never reported one. */
export function recordedState(state: SubscriptionState, { cancelledAt }: EmittedState): SubscriptionState {
  if (cancelledAt === undefined || state.unsubscribeAtMs !== null) return state;
  const addOns = state.addOns.map((addOn) => ({
    ...addOn,
    unsubscribeAtMs: addOn.unsubscribeAtMs ?? cancelledAt,
  }));
  return { ...state, unsubscribeAtMs: cancelledAt, addOns };
}

export function currentState(
  { facts, emitted }: Pick<Subscription, 'facts' | 'emitted'>,
  nowMs: number,
): SubscriptionState {
  return recordedState(deriveState(facts, nowMs), emitted);
}
