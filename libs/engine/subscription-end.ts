import type { SubscriptionView } from './subscription-view.js';
import type { EmittedState, SubscriptionState } from './model.js';
import type { EndReason } from './outcome.model.js';
import type { Transition } from './event-recorder.js';
import type { Store } from './enums.js';

/** How long a renewal that the store still owes may be on its way before access counts as ended. */
const RENEWAL_MAY_BE_LATE_MS = 24 * 3_600_000;
/** The same of a store that nobody can ask: only what it tells by itself can come, and that comes soon. */
const NEWS_MAY_BE_LATE_MS = 3_600_000;

/** No store repeats for longer what it could not deliver; a server that restarts daily comes to an end, too. */
const REPORTS_COME_AGAIN_FOR_MS = 7 * 24 * 3_600_000;

/** Stores without a later word: the end of the period is the end. */
const endsWithoutConfirmation = new Set<Store>(['test_store', 'promotional']);

/** A grant ends because whoever gave it said until when. */
const GRANT_END_REASON = 'DEVELOPER_INITIATED';

/** The store looked at the subscription when access was over already, and knew of no newer period. */
function wasSeenOver({ facts, renewal, latest }: SubscriptionView, endMs: number): boolean {
  const period = facts.periods[latest.key];
  const seenAt = period && period.src !== 'device' ? period.at : 0;
  return Math.max(seenAt, renewal.atMs ?? 0) >= endMs;
}

/**
 * From when on the end of access is told. Access itself follows the clock at once; only the event waits where a
 * renewal may still be reported. Null: access does not end.
 */
export function endIsFinalAt(
  store: Store,
  view: SubscriptionView,
  state: SubscriptionState,
  { storeCanBeAsked, listeningSinceMs }: Pick<Transition, 'storeCanBeAsked' | 'listeningSinceMs'>,
): number | null {
  const endMs = state.accessEndsAtMs;
  // Taken away, whatever the clock says.
  if (view.cut !== null) return 0;
  if (endMs === null || endsWithoutConfirmation.has(store)) return endMs;
  const { autoRenew, pauseScheduled, paused, ended } = view.renewal;
  const noRenewalToCome = !autoRenew || view.inTrouble || pauseScheduled || paused || ended;
  if (noRenewalToCome || wasSeenOver(view, endMs)) return endMs;
  // What the store reported while no server was there to hear it comes again, later.
  const listenedFromMs = Math.min(Math.max(endMs, listeningSinceMs), endMs + REPORTS_COME_AGAIN_FOR_MS);
  return listenedFromMs + (storeCanBeAsked ? RENEWAL_MAY_BE_LATE_MS : NEWS_MAY_BE_LATE_MS);
}

/** The customer turned renewal off: said by the store, or seen while access was still running. */
function customerCancelled({ renewal }: SubscriptionView, state: SubscriptionState): boolean {
  const { cancelReason, autoRenew, atMs } = renewal;
  if (cancelReason !== null) return cancelReason === 'UNSUBSCRIBE';
  return !autoRenew && atMs !== null && (state.accessEndsAtMs === null || atMs < state.accessEndsAtMs);
}

/** Why access is over; the first that applies. */
export function endReason(
  store: Store,
  view: SubscriptionView,
  state: SubscriptionState,
  emitted: EmittedState,
): EndReason {
  const { renewal, cut, latest } = view;
  if (store === 'promotional') return GRANT_END_REASON;
  if (state.status === 'paused') return 'SUBSCRIPTION_PAUSED';
  if (cut === 'refund') return 'CUSTOMER_SUPPORT';
  if (cut === 'family') return 'UNKNOWN';
  if (customerCancelled(view, state)) return 'UNSUBSCRIBE';
  if (renewal.cancelReason === 'PRICE_INCREASE') return 'PRICE_INCREASE';
  if (view.inTrouble || emitted.billing?.includes(latest.key)) return 'BILLING_ERROR';
  if (renewal.cancelReason !== null) return renewal.cancelReason;
  const saysNothingMore = store === 'test_store' || latest.kind === 'prepaid';
  return !renewal.autoRenew || saysNothingMore ? 'UNSUBSCRIBE' : 'UNKNOWN';
}
