import { endIsFinalAt, endReason } from './subscription-end.js';
import { openings } from './period-event.js';
import type { EmittedState } from './model.js';
import type { EngineEvent } from './outcome.model.js';
import {
  rememberAddOns,
  reopenContinued,
  emitAddOns,
  emitBillingIssue,
  emitExtended,
  emitNextProduct,
  emitPause,
  emitPriceConsent,
  emitProductChanged,
  emitProductExchanged,
  emitRefund,
  emitRegained,
  emitReplaced,
  emitReversals,
  emitSeatsAdded,
  emitUncancelled,
  emitUnsubscribed,
} from './state-events.js';
import { type Transition, EventRecorder } from './event-recorder.js';
import { chargedPeriods } from './subscription-view.js';

export const nothingEmitted: EmittedState = {
  opened: [],
  accessOpen: false,
  unsubscribeOpen: false,
  expirations: {},
};

/** Whether the CANCELLATION that precedes an EXPIRATION was emitted, or none is due. */
function wasCancelled({ transition, emitted }: EventRecorder): boolean {
  const { subscription, view, state } = transition;
  const { key } = view.latest;
  const grantRanOut = subscription.store === 'promotional' && !view.renewal.ended;
  return (
    emitted.unsubscribeOpen ||
    (emitted.billing?.includes(key) ?? false) ||
    (view.cut === 'refund' && (emitted.refunds?.[key] ?? 0) % 2 === 1) ||
    view.cut === 'family' ||
    view.cut === 'replaced' ||
    state.status === 'paused' ||
    grantRanOut
  );
}

function emitEnd(recorder: EventRecorder): void {
  const { subscription, view, state, nowMs } = recorder.transition;
  const { latest } = view;
  const { emitted } = recorder;
  const finalAtMs = endIsFinalAt(subscription.store, view, state, recorder.transition);
  if (!emitted.accessOpen || state.givesAccess || finalAtMs === null || finalAtMs > nowMs) return;
  const endMs = state.accessEndsAtMs ?? latest.startMs;
  const reason = endReason(subscription.store, view, state, emitted);
  const cancelled = wasCancelled(recorder);
  recorder.remember({ accessOpen: false, unsubscribeOpen: false, endedAt: endMs });
  if (view.cut === 'replaced') {
    const takenOverBy = view.replaced?.byStoreKey ?? null;
    recorder.remember({ replaced: emitted.replaced ?? (takenOverBy === null ? 'closed' : 'emitted') });
    // The subscription that took over continues the history. A prepaid one was topped up, not replaced.
    if (latest.kind !== 'prepaid') return;
  }
  if (!cancelled) {
    // A grant never renews, so only its revocation is emitted.
    const unsubscribeAtMs = subscription.store === 'promotional' ? null : state.unsubscribeAtMs;
    if (unsubscribeAtMs === null) recorder.remember({ cancelledAt: endMs });
    recorder.report('CANCELLATION', 'un', latest, {
      occurredAtMs: unsubscribeAtMs ?? endMs,
      expirationAtMs: endMs,
      cancelReason: reason === 'SUBSCRIPTION_PAUSED' ? 'UNKNOWN' : reason,
    });
  }
  const times = emitted.expirations[latest.key] ?? 0;
  recorder.emitOnce('EXPIRATION', `xp:${latest.key}:${times}`, latest, {
    occurredAtMs: endMs,
    expirationAtMs: endMs,
    expirationReason: reason,
  });
  recorder.remember({ expirations: { ...emitted.expirations, [latest.key]: times + 1 } });
}

export function subscriptionEvents(
  transition: Transition,
  emitted: EmittedState,
): { events: EngineEvent[]; emitted: EmittedState } {
  const { subscription, before, view, nowMs, isLate } = transition;
  // Nothing is emitted until it is paid for.
  if (view.pending) return { events: [], emitted };
  const recorder = new EventRecorder(transition, emitted);
  reopenContinued(recorder);
  const opened = openings(subscription, view, emitted.opened, nowMs);
  // An older period found late is emitted, but does not open access.
  const opensAccess = opened.length > 0 && !emitted.opened.includes(view.latest.key);
  if (opensAccess && before) emitProductChanged(recorder);
  else emitProductExchanged(recorder);
  if (before) emitReplaced(recorder);
  if (!isLate && !opensAccess) emitNextProduct(recorder);
  // The other system already reported earlier periods, or should have.
  const { importedAtMs = -1 } = emitted;
  recorder.events.push(...opened.filter(({ purchasedAtMs }) => purchasedAtMs > importedAtMs));
  if (!isLate && !opensAccess) emitSeatsAdded(recorder);
  const charged = [...chargedPeriods(view), ...view.addOns].map(({ key }) => key);
  const isOther = charged.some((key) => !emitted.opened.includes(key));
  // Two imported periods can turn out to be the same.
  const isLess = view.facts.takenOver !== undefined && charged.length < emitted.opened.length;
  if (opened.length > 0 || isOther || isLess) {
    recorder.remember({ opened: charged.sort() });
  }
  if (opensAccess) {
    recorder.remember({
      accessOpen: true,
      unsubscribeOpen: emitted.unsubscribeOpen && !view.renewal.autoRenew,
    });
    recorder.forget('nextProduct', 'pause', 'consentOpen', 'extendedTo', 'endedAt', 'cancelledAt');
    rememberAddOns(recorder);
  } else if (!isLate) emitAddOns(recorder);
  // The product change after a period just emitted, and a new subscription that was already replaced.
  if (!isLate && opensAccess) emitNextProduct(recorder);
  if (!before) emitReplaced(recorder);
  emitExtended(recorder);
  emitReversals(recorder);
  if (!isLate) {
    emitUncancelled(recorder);
    emitBillingIssue(recorder);
    emitRegained(recorder);
    if (recorder.hasReopened) {
      emitNextProduct(recorder);
      emitAddOns(recorder);
    }
  }
  emitRefund(recorder);
  if (!isLate) {
    emitUnsubscribed(recorder);
    emitPause(recorder);
    emitPriceConsent(recorder);
  }
  emitEnd(recorder);
  return { events: recorder.events, emitted: recorder.emitted };
}
