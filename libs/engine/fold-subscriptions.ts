import { nextDue, type Circumstances, type SubscriptionChange, withMoney } from './apply-subscription.js';
import { recordedState, stateOf } from './derive-state.js';
import { type EffectiveFacts, effectiveFacts } from './effective-facts.js';
import { mergeSubscriptionFacts } from './facts.js';
import { type LedgerBasis, takenBack } from './ledger.js';
import type { EmittedState, MoveCounts, Subscription } from './model.js';
import { subscriptionEvents } from './subscription-events.js';
import { chargedPeriods, viewSubscription } from './subscription-view.js';
import { emittedUnder, newlyTakenOver, factsUnder } from './taken-over.js';

function together(a: EffectiveFacts, b: EffectiveFacts): EffectiveFacts {
  // A price next to a period belongs to that period's half.
  const ofOthers = Object.entries(b.prices ?? {}).filter(([key]) => !Object.hasOwn(a.periods, key));
  return {
    ...b,
    ...a,
    periods: { ...b.periods, ...a.periods },
    refunds: { ...b.refunds, ...a.refunds },
    prices: { ...Object.fromEntries(ofOthers), ...a.prices },
    ends: { ...b.ends, ...a.ends },
  };
}

function mostMoves(a: EmittedState['moves'] = {}, b: EmittedState['moves'] = {}): EmittedState['moves'] {
  const moves: Record<string, MoveCounts> = { ...b };
  for (const [key, counts] of Object.entries(a)) {
    const kinds = new Set([...Object.keys(counts), ...Object.keys(moves[key] ?? {})]) as Set<
      keyof MoveCounts
    >;
    moves[key] = Object.fromEntries(
      [...kinds].map((kind) => [kind, Math.max(counts[kind] ?? 0, moves[key]?.[kind] ?? 0)]),
    );
  }
  return moves;
}

function emittedTogether(a: EmittedState, b: EmittedState): EmittedState {
  const importedAtMs = Math.max(a.importedAtMs ?? -1, b.importedAtMs ?? -1);
  const moves = mostMoves(a.moves, b.moves);
  return {
    ...b,
    ...a,
    opened: [...new Set([...a.opened, ...b.opened])].sort(),
    accessOpen: a.accessOpen || b.accessOpen,
    unsubscribeOpen: a.unsubscribeOpen || b.unsubscribeOpen,
    expirations: { ...b.expirations, ...a.expirations },
    repeatable: Math.max(a.repeatable ?? 0, b.repeatable ?? 0),
    ...((a.billing ?? b.billing) && { billing: [...new Set([...(a.billing ?? []), ...(b.billing ?? [])])] }),
    ...((a.refunds ?? b.refunds) && { refunds: { ...b.refunds, ...a.refunds } }),
    ...(moves && Object.keys(moves).length > 0 && { moves }),
    ...((a.fees ?? b.fees) && { fees: [...new Set([...(a.fees ?? []), ...(b.fees ?? [])])] }),
    ...((a.booked ?? b.booked) && { booked: { ...b.booked, ...a.booked } }),
    ...(importedAtMs >= 0 && { importedAtMs }),
  };
}

/**
 * Joins two subscriptions that turn out to be the same: `joined` becomes part of `kept`. Charges that both have are
 * counted once, and nothing is emitted. Pure.
 */
export function foldSubscriptions(
  kept: Subscription,
  joined: Subscription,
  nowMs: number,
  { storeCanBeAsked = true, listeningSinceMs = 0 }: Circumstances = {},
): SubscriptionChange {
  const facts = mergeSubscriptionFacts(kept.facts, joined.facts);
  const [ofKept, ofJoined] = [effectiveFacts(kept.facts), effectiveFacts(joined.facts)];
  const view = viewSubscription(facts);
  const both = together(ofKept, ofJoined);
  const remembered = emittedTogether(kept.emitted, joined.emitted);
  const taken = newlyTakenOver(both, view.facts, remembered.opened);
  const before = viewSubscription(factsUnder(both, taken));
  const emitted = emittedUnder(remembered, taken);
  const state = stateOf(view, nowMs);
  const subscription = { ...kept, facts };
  const circumstances = { isLate: false, storeCanBeAsked, listeningSinceMs };
  const transition = { subscription, before, view, state, nowMs, ...circumstances };
  const newlyEmitted = subscriptionEvents(transition, emitted).emitted;
  const quiet = state.givesAccess
    ? { ...newlyEmitted, accessOpen: true }
    : { ...newlyEmitted, accessOpen: emitted.accessOpen, expirations: emitted.expirations };
  const basis: LedgerBasis = {
    facts: before.facts,
    periods: chargedPeriods(before),
    addOns: before.addOns,
    opened: emitted.opened,
    booked: emitted.booked,
  };
  // A period in both halves has a ledger row in each.
  const twice = kept.emitted.opened.filter((key) => joined.emitted.opened.includes(key));
  const back = takenBack(viewSubscription(joined.facts), twice, joined.emitted, quiet.moves);
  const money = withMoney(kept, view, basis, { ...quiet, ...(back.moves && { moves: back.moves }) });
  return {
    subscription: {
      ...subscription,
      factsAtMs: Math.max(kept.factsAtMs, joined.factsAtMs),
      emitted: money.emitted,
    },
    state: { ...recordedState(state, money.emitted), nextDueAtMs: nextDue(transition, money.emitted) },
    changed: true,
    ledger: [...back.rows, ...money.rows],
    sales: [],
    events: [],
  };
}
