import { isSameJson } from '../kernel/index.js';
import { endIsFinalAt } from './chain-end.js';
import { chainEvents, noMemory } from './chain-events.js';
import { viewChain } from './chain-view.js';
import { recordedState, stateOf } from './derive-chain.js';
import { mergeChainFacts, noChainFacts } from './facts.js';
import type { ChainFacts, Observation } from './facts.model.js';
import { addOnSales, type Books, chainLedger } from './ledger.js';
import { assertPlausible } from './plausible.js';
import type { Chain, ChainMemory, ChainState } from './model.js';
import type { EngineEvent, LedgerEntry } from './outcome.model.js';
import type { Occasion } from './teller.js';

export interface ChainChange {
  chain: Chain;
  state: ChainState;
  /** False: nothing was learned and nothing is told. A state that the clock alone changed is in `state`. */
  changed: boolean;
  ledger: LedgerEntry[];
  /** What was charged for anew, product by product: credits come with it. Add-ons share the rows of their charges. */
  sales: LedgerEntry[];
  events: EngineEvent[];
}

/** A chain nothing is known of yet. */
export function newChain(identity: Pick<Chain, 'id' | 'store' | 'environment' | 'chainKey'>): Chain {
  return { ...identity, facts: noChainFacts, factsAtMs: 0, memory: noMemory };
}

/** What the facts do not say. */
export interface Circumstances {
  /** There are credentials to ask the store with. Default: there are. */
  storeCanBeAsked?: boolean;
  /** Since when reports of stores have been received without a break; before, one may have been lost. Default: always. */
  listeningSinceMs?: number;
}

/** The next moment when time alone changes the state or makes an event due. */
function nextDue(occasion: Occasion, memory: ChainMemory): number | null {
  const { chain, view, state, nowMs } = occasion;
  if (isPutOff(occasion, memory)) return nowMs + 1;
  if (!memory.accessOpen || state.givesAccess || view.pending) return state.nextDueAtMs;
  const finalAtMs = endIsFinalAt(chain.store, view, state, occasion);
  if (finalAtMs === null || state.nextDueAtMs === null) return finalAtMs ?? state.nextDueAtMs;
  return Math.min(finalAtMs, state.nextDueAtMs);
}

/** What an old statement may not tell is still to be told, by the clock. */
function isPutOff(occasion: Occasion, memory: ChainMemory): boolean {
  const { view, late } = occasion;
  return late && isOther(chainEvents({ ...occasion, before: view, late: false }, memory).memory, memory);
}

function isOther(memory: ChainMemory, previous: ChainMemory): boolean {
  return memory !== previous && !isSameJson(memory, previous);
}

/**
 * What is known of a chain with one more observation.
 * @throws RangeError when the observation is more than a day ahead of `nowMs`
 */
export function factsWith(
  facts: ChainFacts,
  observation: Observation<ChainFacts>,
  nowMs: number,
): ChainFacts {
  assertPlausible(observation, nowMs);
  return mergeChainFacts(facts, observation.facts);
}

/**
 * Takes one observation into a chain: merges the facts, derives the state at `nowMs`, and tells what is new. With
 * `observation` null only the time has passed: due ends are told, each once. Pure; the same input twice changes
 * nothing. `state.nextDueAtMs` is when to call again without an observation.
 * @throws RangeError when the chain still has no period, or the observation is more than a day ahead of `nowMs`
 */
export function applyChain(
  previous: Chain,
  observation: Observation<ChainFacts> | null,
  nowMs: number,
  { storeCanBeAsked = true, listeningSinceMs = 0 }: Circumstances = {},
): ChainChange {
  const facts = observation ? factsWith(previous.facts, observation, nowMs) : previous.facts;
  const view = viewChain(facts);
  const isKnown = Object.keys(previous.facts.periods).length > 0;
  const before = facts === previous.facts ? view : isKnown ? viewChain(previous.facts) : null;
  const state = stateOf(view, nowMs);
  const late = observation !== null && observation.atMs < previous.factsAtMs;
  const occasion = { chain: previous, before, view, state, nowMs, late, storeCanBeAsked, listeningSinceMs };
  const told = chainEvents(occasion, previous.memory);
  const known: Books = {
    facts: previous.facts,
    periods: before?.all ?? [],
    addOns: before?.addOns ?? [],
    opened: previous.memory.opened,
  };
  const now: Books = { facts, periods: view.all, addOns: view.addOns, opened: told.memory.opened };
  const { rows, moves } = chainLedger(previous, known, now, told.memory.moves);
  const memory = moves === told.memory.moves ? told.memory : { ...told.memory, moves };
  const due = { ...recordedState(state, memory), nextDueAtMs: nextDue(occasion, memory) };
  const changed = facts !== previous.facts || isOther(memory, previous.memory);
  if (!changed) return { chain: previous, state: due, changed, ledger: [], sales: [], events: [] };
  const factsAtMs = Math.max(previous.factsAtMs, observation?.atMs ?? 0);
  return {
    chain: { ...previous, facts, factsAtMs, memory },
    state: due,
    changed,
    ledger: rows,
    sales: [
      ...rows.filter(({ periodKey }) => Object.hasOwn(facts.periods, periodKey)),
      ...addOnSales(known, now),
    ],
    events: told.events,
  };
}
