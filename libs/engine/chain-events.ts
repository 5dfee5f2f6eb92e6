import { endIsFinalAt, endReason } from './chain-end.js';
import { openings } from './chain-event.js';
import type { ChainMemory } from './model.js';
import type { EngineEvent } from './outcome.model.js';
import {
  rememberAddOns,
  reopenContinued,
  tellAddOns,
  tellBillingIssue,
  tellExtended,
  tellNextProduct,
  tellPause,
  tellPriceConsent,
  tellProductChanged,
  tellProductExchanged,
  tellRefund,
  tellRegained,
  tellReplaced,
  tellReversals,
  tellUncancelled,
  tellUnsubscribed,
} from './state-events.js';
import { type Occasion, Teller } from './teller.js';

export const noMemory: ChainMemory = {
  opened: [],
  accessOpen: false,
  unsubscribeOpen: false,
  expirations: {},
};

/** A CANCELLATION comes before each EXPIRATION, except where nobody cancelled anything. */
function wasCancelled({ occasion, memory }: Teller): boolean {
  const { chain, view, state } = occasion;
  const { key } = view.latest;
  const grantRanOut = chain.store === 'promotional' && !view.renewal.ended;
  return (
    memory.unsubscribeOpen ||
    (memory.billing?.includes(key) ?? false) ||
    (view.cut === 'refund' && (memory.refunds?.[key] ?? 0) % 2 === 1) ||
    view.cut === 'family' ||
    view.cut === 'replaced' ||
    state.status === 'paused' ||
    grantRanOut
  );
}

/** CANCELLATION (when none was told) and EXPIRATION of a chain whose access is over for good. */
function tellEnd(teller: Teller): void {
  const { chain, view, state, nowMs } = teller.occasion;
  const { latest } = view;
  const { memory } = teller;
  const finalAtMs = endIsFinalAt(chain.store, view, state, teller.occasion);
  if (!memory.accessOpen || state.givesAccess || finalAtMs === null || finalAtMs > nowMs) return;
  const endMs = state.accessEndsAtMs ?? latest.startMs;
  const reason = endReason(chain.store, view, state, memory);
  const cancelled = wasCancelled(teller);
  teller.remember({ accessOpen: false, unsubscribeOpen: false, endedAt: endMs });
  if (view.cut === 'replaced') {
    const takenOverBy = view.replaced?.byChainKey ?? null;
    teller.remember({ replaced: memory.replaced ?? (takenOverBy === null ? 'closed' : 'told') });
    // The chain that took over goes on with the story. A prepaid one was not replaced but topped up.
    if (latest.kind !== 'prepaid') return;
  }
  if (!cancelled) {
    // A grant is set not to renew from the beginning: what is told of it is that it was taken back.
    const unsubscribeAtMs = chain.store === 'promotional' ? null : state.unsubscribeAtMs;
    if (unsubscribeAtMs === null) teller.remember({ cancelledAt: endMs });
    teller.tell('CANCELLATION', 'un', latest, {
      occurredAtMs: unsubscribeAtMs ?? endMs,
      expirationAtMs: endMs,
      cancelReason: reason === 'SUBSCRIPTION_PAUSED' ? 'UNKNOWN' : reason,
    });
  }
  const times = memory.expirations[latest.key] ?? 0;
  teller.tellOnce('EXPIRATION', `xp:${latest.key}:${times}`, latest, {
    occurredAtMs: endMs,
    expirationAtMs: endMs,
    expirationReason: reason,
  });
  teller.remember({ expirations: { ...memory.expirations, [latest.key]: times + 1 } });
}

/** Events that the new facts and the time call for, in order, and what must be remembered of having told them. */
export function chainEvents(
  occasion: Occasion,
  memory: ChainMemory,
): { events: EngineEvent[]; memory: ChainMemory } {
  const { chain, before, view, nowMs, late } = occasion;
  // Nothing is bought before it is paid for.
  if (view.pending) return { events: [], memory };
  const teller = new Teller(occasion, memory);
  reopenContinued(teller);
  const opened = openings(chain, view, memory.opened, nowMs);
  // An older period that is found late is told, but opens nothing.
  const opensAccess = opened.length > 0 && !memory.opened.includes(view.latest.key);
  if (opensAccess && before) tellProductChanged(teller);
  else tellProductExchanged(teller);
  if (before) tellReplaced(teller);
  if (!late && !opensAccess) tellNextProduct(teller);
  teller.events.push(...opened);
  const charged = [...view.all, ...view.addOns].map(({ key }) => key);
  if (opened.length > 0 || charged.some((key) => !memory.opened.includes(key))) {
    teller.remember({ opened: charged.sort() });
  }
  if (opensAccess) {
    teller.remember({ accessOpen: true, unsubscribeOpen: memory.unsubscribeOpen && !view.renewal.autoRenew });
    teller.forget('nextProduct', 'pause', 'consentOpen', 'extendedTo', 'endedAt', 'cancelledAt');
    rememberAddOns(teller);
  } else if (!late) tellAddOns(teller);
  // A product that comes after a period just told of, and a life that had gone over when first seen.
  if (!late && opensAccess) tellNextProduct(teller);
  if (!before) tellReplaced(teller);
  tellExtended(teller);
  tellReversals(teller);
  if (!late) {
    tellUncancelled(teller);
    tellBillingIssue(teller);
    tellRegained(teller);
    if (teller.hasReopened) {
      tellNextProduct(teller);
      tellAddOns(teller);
    }
  }
  tellRefund(teller);
  if (!late) {
    tellUnsubscribed(teller);
    tellPause(teller);
    tellPriceConsent(teller);
  }
  tellEnd(teller);
  return { events: teller.events, memory: teller.memory };
}
