import { canonicalJson } from '../kernel/index.js';
import { chainEvents, noMemory } from './chain-events.js';
import { deriveChain, orderedPeriods } from './derive-chain.js';
import { mergeChainFacts, noChainFacts } from './facts.js';
import type { Chain, ChainFacts, ChainState, EngineEvent, LedgerEntry, Observation } from './model.js';

export interface ChainChange {
  chain: Chain;
  state: ChainState;
  /** False: nothing to write, ledger and events are empty. */
  changed: boolean;
  ledger: LedgerEntry[];
  events: EngineEvent[];
}

/** A chain nothing is known of yet. */
export function newChain(identity: Pick<Chain, 'id' | 'store' | 'environment' | 'chainKey'>): Chain {
  return { ...identity, facts: noChainFacts, factsAtMs: 0, memory: noMemory };
}

/** One ledger row for each period that was not known before. */
function newLedgerEntries(before: ChainFacts, after: ChainFacts): LedgerEntry[] {
  return orderedPeriods(after)
    .filter(({ key }) => before.periods[key] === undefined)
    .map((period) => {
      const isFree = period.kind === 'trial' || period.ownership === 'family_shared';
      return {
        kind: period.kind === 'trial' ? 'trial_start' : period.isRenewal ? 'renewal' : 'purchase',
        kindSeq: 0,
        periodKey: period.key,
        storeIds: [period.storeTransactionId],
        storeProductId: period.storeProductId,
        price: isFree ? { ...period.price, amountMicros: 0 } : period.price,
        quantity: period.quantity,
        purchasedAtMs: period.startMs,
        expiresAtMs: period.endMs,
        periodType: period.kind,
        ownership: period.ownership,
        country: period.country,
      };
    });
}

/**
 * Takes one observation into a chain: merges the facts, derives the state at `nowMs`, and tells what is
 * new. With `observation` null only the time has passed. Pure; the same input twice changes nothing.
 */
export function applyChain(
  previous: Chain,
  observation: Observation<ChainFacts> | null,
  nowMs: number,
): ChainChange {
  const facts = observation ? mergeChainFacts(previous.facts, observation.facts) : previous.facts;
  const factsAtMs = Math.max(previous.factsAtMs, observation?.atMs ?? 0);
  const merged: Chain = { ...previous, facts, factsAtMs };
  const state = deriveChain(facts, nowMs);
  const { events, memory } = chainEvents(merged, state, nowMs);
  const ledger = newLedgerEntries(previous.facts, facts);
  const changed = events.length > 0 || canonicalJson(facts) !== canonicalJson(previous.facts);
  return changed
    ? { chain: { ...merged, memory }, state, changed, ledger, events }
    : { chain: previous, state, changed, ledger: [], events: [] };
}
