import { isSameJson } from '../kernel/index.js';
import { endIsFinalAt } from './subscription-end.js';
import { subscriptionEvents, nothingEmitted } from './subscription-events.js';
import { effectiveFacts, hasPeriods } from './effective-facts.js';
import { chargedPeriods, type SubscriptionView, viewSubscription } from './subscription-view.js';
import { emittedUnder, factsUnder, newlyTakenOver } from './taken-over.js';
import { recordedState, stateOf } from './derive-state.js';
import { mergeSubscriptionFacts, noSubscriptionFacts } from './facts.js';
import type { SubscriptionFacts, Observation } from './facts.model.js';
import { addOnSales, extraLedger, type LedgerBasis, subscriptionLedger } from './ledger.js';
import { assertPlausible } from './plausible.js';
import type { Subscription, EmittedState, SubscriptionState } from './model.js';
import type { EngineEvent, LedgerEntry } from './outcome.model.js';
import type { Transition } from './event-recorder.js';

export interface SubscriptionChange {
  subscription: Subscription;
  state: SubscriptionState;
  /** False if there are no new facts and no events. Time alone may still have changed `state`. */
  changed: boolean;
  ledger: LedgerEntry[];
  /** New charges by product, for virtual currency. In the ledger, add-ons share the row of their charge. */
  sales: LedgerEntry[];
  events: EngineEvent[];
}

export function newSubscription(
  identity: Pick<Subscription, 'id' | 'store' | 'environment' | 'storeKey'>,
): Subscription {
  return { ...identity, facts: noSubscriptionFacts, factsAtMs: 0, emitted: nothingEmitted };
}

export interface Circumstances {
  /** Whether credentials exist to query the store. Default: true. */
  storeCanBeAsked?: boolean;
  /** Since when store reports have been received without a gap; earlier ones may be lost. Default: always. */
  listeningSinceMs?: number;
}

export function nextDue(transition: Transition, emitted: EmittedState): number | null {
  const { subscription, view, state, nowMs } = transition;
  if (isPutOff(transition, emitted)) return nowMs + 1;
  if (!emitted.accessOpen || state.givesAccess || view.pending) return state.nextDueAtMs;
  const finalAtMs = endIsFinalAt(subscription.store, view, state, transition);
  if (finalAtMs === null || state.nextDueAtMs === null) return finalAtMs ?? state.nextDueAtMs;
  return Math.min(finalAtMs, state.nextDueAtMs);
}

/** A late observation emits no state changes; the clock emits them afterwards. */
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
 * `state.nextDueAtMs` is the time of the next call without an observation.
 * @throws RangeError if the subscription still has no period, or the observation is more than a day ahead of `nowMs`
 */
export function applySubscription(
  previous: Subscription,
  observation: Observation<SubscriptionFacts> | null,
  nowMs: number,
  { storeCanBeAsked = true, listeningSinceMs = 0 }: Circumstances = {},
): SubscriptionChange {
  const facts = observation ? factsWith(previous.facts, observation, nowMs) : previous.facts;
  const isLate = observation !== null && observation.atMs < previous.factsAtMs;
  const {
    transition,
    known,
    emitted: before,
  } = transitionTo(previous, facts, nowMs, {
    isLate,
    storeCanBeAsked,
    listeningSinceMs,
  });
  const { view, state } = transition;
  const outcome = subscriptionEvents(transition, before);
  const { emitted, rows, sales } = withMoney(previous, view, known, outcome.emitted);
  const due = { ...recordedState(state, emitted), nextDueAtMs: nextDue(transition, emitted) };
  const changed = facts !== previous.facts || isOther(emitted, previous.emitted);
  if (!changed) return { subscription: previous, state: due, changed, ledger: [], sales: [], events: [] };
  const factsAtMs = Math.max(previous.factsAtMs, observation?.atMs ?? 0);
  return {
    subscription: { ...previous, facts, factsAtMs, emitted },
    state: due,
    changed,
    ledger: rows,
    sales,
    events: outcome.events,
  };
}

/** The transition from the previous facts to `facts`. Emitted and booked state is converted to the current keys. */
export function transitionTo(
  previous: Subscription,
  facts: SubscriptionFacts,
  nowMs: number,
  circumstances: Pick<Transition, 'isLate' | 'storeCanBeAsked' | 'listeningSinceMs'>,
): { transition: Transition; known: LedgerBasis; emitted: EmittedState } {
  const view = viewSubscription(facts);
  const old = facts === previous.facts || !hasPeriods(previous.facts) ? null : effectiveFacts(previous.facts);
  const taken = newlyTakenOver(old, view.facts, previous.emitted.opened);
  const emitted = emittedUnder(previous.emitted, taken);
  const before = facts === previous.facts ? view : old && viewSubscription(factsUnder(old, taken));
  const state = stateOf(view, nowMs);
  return {
    transition: { subscription: previous, before, view, state, nowMs, ...circumstances },
    known: {
      facts: before?.facts ?? effectiveFacts(noSubscriptionFacts),
      periods: before ? chargedPeriods(before) : [],
      addOns: before?.addOns ?? [],
      opened: emitted.opened,
      booked: emitted.booked,
    },
    emitted,
  };
}

/** The missing ledger rows, and the emitted state that counts them. */
export function withMoney(
  subscription: Pick<Subscription, 'store'>,
  view: SubscriptionView,
  known: LedgerBasis,
  emitted: EmittedState,
): { emitted: EmittedState; rows: LedgerEntry[]; sales: LedgerEntry[] } {
  const { facts, addOns } = view;
  const periods = chargedPeriods(view);
  const { opened, booked, importedAtMs = -1 } = emitted;
  const now: LedgerBasis = { facts, periods, addOns, opened, booked };
  const { rows, moves, fees } = subscriptionLedger(subscription, known, now, emitted);
  // Seats added to a period were credited with it, even if they became known first.
  const credited = new Set(
    view.additions.filter(({ key }) => known.opened.includes(key)).map(({ additionTo }) => additionTo),
  );
  const ofPeriods = rows.filter(
    ({ periodKey }) => Object.hasOwn(facts.periods, periodKey) && !credited.has(periodKey),
  );
  const sales = [...ofPeriods, ...addOnSales(known, now)];
  const isSame = moves === emitted.moves && fees === emitted.fees;
  const paid = isSame ? emitted : { ...emitted, ...(moves && { moves }), ...(fees && { fees }) };
  // Unpaid extras are not booked.
  const beside = view.pending ? { rows: [] } : extraLedger(facts, paid);
  return {
    emitted: beside.rows.length === 0 ? paid : { ...paid, extras: beside.extras, moves: beside.moves },
    rows: [...rows, ...beside.rows],
    // The other system's balances already include earlier charges.
    sales: sales.filter(({ purchasedAtMs }) => purchasedAtMs > importedAtMs),
  };
}
