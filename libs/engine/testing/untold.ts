import { applyChain, type Chain, type EngineEvent, newChain } from '../index.js';
import { label } from './life.js';

type Named = Pick<EngineEvent, 'type' | 'transactionId'> & Partial<Pick<EngineEvent, 'cancelReason'>>;

/** What an event says; which payment of a chain is the first depends on what is heard first. */
function whatOf({ type, cancelReason }: Named): string {
  if (type === 'INITIAL_PURCHASE') return 'RENEWAL';
  return cancelReason === 'CUSTOMER_SUPPORT' ? 'refund' : type;
}

/**
 * What an event says of which payment. Why one is over is told as it was known by then: what comes later gives another
 * reason, and no second end.
 */
const nameOf = (event: Named): string => `${whatOf(event)} of ${event.transactionId}`;

/** What nobody needs to be told any more: an end says all, also where nobody had cancelled by then. */
function namesOf(event: Named): string[] {
  return event.type === 'EXPIRATION'
    ? [nameOf(event), nameOf({ ...event, type: 'CANCELLATION' })]
    : [nameOf(event)];
}

/**
 * What is left to tell of a chain at `nowMs`: by the clock alone, and to somebody who hears all of its facts only then.
 */
export function untold(chain: Chain, told: readonly Named[], nowMs: number): string[] {
  const byTheClock = applyChain(chain, null, nowMs).events.map(label);
  const observation = { atMs: chain.factsAtMs, facts: chain.facts };
  const replay = applyChain(newChain(chain), observation, nowMs);
  const known = new Set(told.flatMap(namesOf));
  // A cancellation that was heard of before the period it belongs to was told of the one before.
  const isCancelled = chain.memory.unsubscribeOpen && told.some((event) => whatOf(event) === 'CANCELLATION');
  const isLeft = (event: EngineEvent): boolean => {
    const what = whatOf(event);
    if (known.has(nameOf(event))) return false;
    return !(isCancelled && what === 'CANCELLATION');
  };
  return [...byTheClock, ...replay.events.filter(isLeft).map(nameOf)];
}
