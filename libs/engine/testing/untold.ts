import { applyChain, type Chain, type EngineEvent, newChain } from '../index.js';
import { label } from './life.js';

type Named = Pick<EngineEvent, 'type' | 'transactionId'> &
  Partial<Pick<EngineEvent, 'cancelReason' | 'expirationReason'>>;

/** What an event says of which payment. Which payment of a chain is the first depends on what is heard first. */
function nameOf({ type, transactionId, cancelReason, expirationReason }: Named): string {
  const what = type === 'INITIAL_PURCHASE' ? 'RENEWAL' : type;
  return `${what}/${cancelReason ?? expirationReason ?? ''} of ${transactionId}`;
}

/**
 * What is left to tell of a chain at `nowMs`: by the clock alone, and to somebody who hears all of its facts only then.
 */
export function untold(chain: Chain, told: readonly Named[], nowMs: number): string[] {
  const byTheClock = applyChain(chain, null, nowMs).events.map(label);
  const observation = { atMs: chain.factsAtMs, facts: chain.facts };
  const replay = applyChain(newChain(chain), observation, nowMs);
  const known = new Set(told.map(nameOf));
  return [...byTheClock, ...replay.events.map(nameOf).filter((name) => !known.has(name))];
}
