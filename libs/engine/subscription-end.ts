import type { Source } from './facts.model.js';
import type { SubscriptionView } from './subscription-view.js';
import type { EmittedState, SubscriptionState } from './model.js';
import type { EndReason } from './outcome.model.js';
import type { Transition } from './event-recorder.js';
import type { Store } from './enums.js';

/** Maximum delay of a renewal report before access counts as ended. */
const RENEWAL_MAY_BE_LATE_MS = 24 * 3_600_000;
/** The same for a store that cannot be queried: its notifications arrive soon or not at all. */
const NEWS_MAY_BE_LATE_MS = 3_600_000;

/** No store retries a notification for longer. Also limits the wait if a server restarts daily. */
const REPORTS_COME_AGAIN_FOR_MS = 7 * 24 * 3_600_000;

/** These stores report nothing after the end of the period, so it is final. */
const endsWithoutConfirmation = new Set<Store>(['test_store', 'promotional']);

/** The end of a grant is chosen when it is created. */
const GRANT_END_REASON = 'DEVELOPER_INITIATED';

/** The store was read after access had ended, and reported no newer period. */
function wasSeenOver({ facts, renewal, latest }: SubscriptionView, endMs: number): boolean {
  const period = facts.periods[latest.key];
  const isStores = (src: Source | null | undefined): boolean => src !== 'device' && src !== 'import';
  const seenAt = period && isStores(period.src) ? period.at : 0;
  const saidAt = renewal.src === 'import' ? 0 : (renewal.atMs ?? 0);
  return Math.max(seenAt, saidAt) >= endMs;
}

/** Access follows the clock; only the event waits while a renewal may still be reported. Null: access does not end. */
export function endIsFinalAt(
  store: Store,
  view: SubscriptionView,
  state: SubscriptionState,
  { storeCanBeAsked, listeningSinceMs }: Pick<Transition, 'storeCanBeAsked' | 'listeningSinceMs'>,
): number | null {
  const endMs = state.accessEndsAtMs;
  // Revoked or replaced, whatever the time.
  if (view.cut !== null) return 0;
  if (endMs === null || endsWithoutConfirmation.has(store) || view.heldUntilMs !== null) return endMs;
  const { autoRenew, pauseScheduled, paused, ended } = view.renewal;
  const noRenewalToCome = !autoRenew || view.hasBillingIssue || pauseScheduled || paused || ended;
  if (noRenewalToCome || wasSeenOver(view, endMs)) return endMs;
  // The store retries notifications that it sent while no server was listening.
  const listenedFromMs = Math.min(Math.max(endMs, listeningSinceMs), endMs + REPORTS_COME_AGAIN_FOR_MS);
  return listenedFromMs + (storeCanBeAsked ? RENEWAL_MAY_BE_LATE_MS : NEWS_MAY_BE_LATE_MS);
}

/** The customer turned off renewal: the store reports it, or renewal was off while access was still active. */
function customerCancelled({ renewal }: SubscriptionView, state: SubscriptionState): boolean {
  const { cancelReason, autoRenew, atMs } = renewal;
  if (cancelReason !== null) return cancelReason === 'UNSUBSCRIBE';
  return !autoRenew && atMs !== null && (state.accessEndsAtMs === null || atMs < state.accessEndsAtMs);
}

export function endReason(
  store: Store,
  view: SubscriptionView,
  state: SubscriptionState,
  emitted: EmittedState,
): EndReason {
  const { renewal, cut, latest } = view;
  if (store === 'promotional') return GRANT_END_REASON;
  // A store may pause an unpaid subscription.
  if (state.status === 'paused' && !view.hasBillingIssue) return 'SUBSCRIPTION_PAUSED';
  if (cut === 'refund') return 'CUSTOMER_SUPPORT';
  if (cut === 'family') return 'UNKNOWN';
  if (customerCancelled(view, state)) return 'UNSUBSCRIBE';
  if (renewal.cancelReason === 'PRICE_INCREASE') return 'PRICE_INCREASE';
  if (view.hasBillingIssue || emitted.billing?.includes(latest.key)) return 'BILLING_ERROR';
  if (renewal.cancelReason !== null) return renewal.cancelReason;
  const saysNothingMore = store === 'test_store' || latest.kind === 'prepaid';
  return !renewal.autoRenew || saysNothingMore ? 'UNSUBSCRIBE' : 'UNKNOWN';
}
