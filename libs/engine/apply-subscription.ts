import { isSameJson } from '../kernel/index.js';
import { endIsFinalAt } from './subscription-end.js';
import { subscriptionEvents, nothingEmitted } from './subscription-events.js';
import { viewSubscription } from './subscription-view.js';
import { recordedState, stateOf } from './derive-state.js';
import { mergeSubscriptionFacts, noSubscriptionFacts } from './facts.js';
import type { SubscriptionFacts, Observation } from './facts.model.js';
import { addOnSales, type LedgerBasis, subscriptionLedger } from './ledger.js';
import { assertPlausible } from './plausible.js';
import type { Subscription, EmittedState, SubscriptionState } from './model.js';
import type { EngineEvent, LedgerEntry } from './outcome.model.js';
import type { Transition } from './event-recorder.js';

export interface SubscriptionChange {
  subscription: Subscription;
  state: SubscriptionState;
  /** False if nothing was learned and nothing is emitted. `state` may still have changed with the clock. */
  changed: boolean;
  ledger: LedgerEntry[];
  /** New charges by product, for virtual currency; in the ledger, add-ons share the row of their charge. */
  sales: LedgerEntry[];
  events: EngineEvent[];
}

export function newSubscription(
  identity: Pick<Subscription, 'id' | 'store' | 'environment' | 'storeKey'>,
): Subscription {
  return { ...identity, facts: noSubscriptionFacts, factsAtMs: 0, emitted: nothingEmitted };
}

export interface Circumstances {
  /** Whether there are credentials to query the store. Default: true. */
  storeCanBeAsked?: boolean;
  /** Store reports have been received without a gap since then; earlier ones may be lost. Default: always. */
  listeningSinceMs?: number;
}

function nextDue(transition: Transition, emitted: EmittedState): number | null {
  const { subscription, view, state, nowMs } = transition;
  if (isPutOff(transition, emitted)) return nowMs + 1;
  if (!emitted.accessOpen || state.givesAccess || view.pending) return state.nextDueAtMs;
  const finalAtMs = endIsFinalAt(subscription.store, view, state, transition);
  if (finalAtMs === null || state.nextDueAtMs === null) return finalAtMs ?? state.nextDueAtMs;
  return Math.min(finalAtMs, state.nextDueAtMs);
}

/** A late observation emits no change of state; the clock emits it afterwards. */
function isPutOff(transition: Transition, emitted: EmittedState): boolean {
  const { view, isLate } = transition;
  return (
    isLate &&
    isOther(subscriptionEvents({ ...transition, before: view, isLate: false }, emitted).emitted, emitted)
  );
}

function isOther(emitted: EmittedState, previous: EmittedState): boolean {
  return emitted !== previous && !isSameJson(emitted, previous);
}

/** @throws RangeError if the observation is more than a day ahead of `nowMs` */
export function factsWith(
  facts: SubscriptionFacts,
  observation: Observation<SubscriptionFacts>,
  nowMs: number,
): SubscriptionFacts {
  assertPlausible(observation, nowMs);
  return mergeSubscriptionFacts(facts, observation.facts);
}

/**
 * A null `observation` means that only time has passed: due expirations are emitted, once each. Pure and idempotent.
 * `state.nextDueAtMs` says when to call again without an observation.
 * @throws RangeError if the subscription still has no period, or the observation is more than a day ahead of `nowMs`
 */
export function applySubscription(
  previous: Subscription,
  observation: Observation<SubscriptionFacts> | null,
  nowMs: number,
  { storeCanBeAsked = true, listeningSinceMs = 0 }: Circumstances = {},
): SubscriptionChange {
  const facts = observation ? factsWith(previous.facts, observation, nowMs) : previous.facts;
  const view = viewSubscription(facts);
  const isKnown = Object.keys(previous.facts.periods).length > 0;
  const before = facts === previous.facts ? view : isKnown ? viewSubscription(previous.facts) : null;
  const state = stateOf(view, nowMs);
  const isLate = observation !== null && observation.atMs < previous.factsAtMs;
  const transition = {
    subscription: previous,
    before,
    view,
    state,
    nowMs,
    isLate,
    storeCanBeAsked,
    listeningSinceMs,
  };
  const outcome = subscriptionEvents(transition, previous.emitted);
  const known: LedgerBasis = {
    facts: previous.facts,
    periods: before?.all ?? [],
    addOns: before?.addOns ?? [],
    opened: previous.emitted.opened,
  };
  const now: LedgerBasis = { facts, periods: view.all, addOns: view.addOns, opened: outcome.emitted.opened };
  const { rows, moves } = subscriptionLedger(previous, known, now, outcome.emitted.moves);
  const emitted = moves === outcome.emitted.moves ? outcome.emitted : { ...outcome.emitted, moves };
  const due = { ...recordedState(state, emitted), nextDueAtMs: nextDue(transition, emitted) };
  const changed = facts !== previous.facts || isOther(emitted, previous.emitted);
  if (!changed) return { subscription: previous, state: due, changed, ledger: [], sales: [], events: [] };
  const factsAtMs = Math.max(previous.factsAtMs, observation?.atMs ?? 0);
  return {
    subscription: { ...previous, facts, factsAtMs, emitted },
    state: due,
    changed,
    ledger: rows,
    sales: [
      ...rows.filter(({ periodKey }) => Object.hasOwn(facts.periods, periodKey)),
      ...addOnSales(known, now),
    ],
    events: outcome.events,
  };
}
