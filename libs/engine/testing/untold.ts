import { applyChain, type Chain, type EngineEvent, newChain } from '../index.js';
import { label } from './life.js';

type Named = Pick<EngineEvent, 'type' | 'transactionId'> & Partial<Pick<EngineEvent, 'cancelReason'>>;

/**
 * What an event says of which payment. Which payment of a chain is the first depends on what is heard first, and why
 * one is over is told as it was known by then: what comes later gives another reason, and no second end.
 */
function nameOf({ type, transactionId, cancelReason }: Named): string {
  const isRefund = cancelReason === 'CUSTOMER_SUPPORT';
  const what = type === 'INITIAL_PURCHASE' ? 'RENEWAL' : isRefund ? 'refund' : type;
  return `${what} of ${transactionId}`;
}

/** What nobody needs to be told any more: an end says all, also where nobody had cancelled by then. */
function namesOf(event: Named): string[] {
  return event.type === 'EXPIRATION'
    ? [nameOf(event), nameOf({ ...event, type: 'CANCELLATION' })]
    : [nameOf(event)];
}

/** Told of access that goes on, by whoever knows of it. */
const ofRunning = new Set<string>([
  'CANCELLATION',
  'UNCANCELLATION',
  'PRODUCT_CHANGE',
  'SUBSCRIPTION_PAUSED',
  'PRICE_INCREASE_CONSENT_REQUIRED',
]);

/**
 * What is left to tell of a chain at `nowMs`: by the clock alone, and to somebody who hears all of its facts only then.
 */
export function untold(chain: Chain, told: readonly Named[], nowMs: number): string[] {
  const byTheClock = applyChain(chain, null, nowMs).events.map(label);
  const observation = { atMs: chain.factsAtMs, facts: chain.facts };
  const replay = applyChain(newChain(chain), observation, nowMs);
  const known = new Set(told.flatMap(namesOf));
  const { accessOpen, unsubscribeOpen } = chain.memory;
  const isLeft = (event: EngineEvent): boolean => {
    if (known.has(nameOf(event))) return false;
    // That a family shares again what it had taken away is no event: the outside knows of the end only.
    if (!accessOpen && ofRunning.has(event.type)) return event.cancelReason === 'CUSTOMER_SUPPORT';
    // A cancellation that was heard of before the period it belongs to was told of the one before.
    return !(unsubscribeOpen && nameOf(event).startsWith('CANCELLATION'));
  };
  return [...byTheClock, ...replay.events.filter(isLeft).map(nameOf)];
}
