import { applySubscription, type Subscription, type EngineEvent, newSubscription } from '../index.js';
import { label } from './life.js';

type Named = Pick<EngineEvent, 'type' | 'transactionId'> & Partial<Pick<EngineEvent, 'cancelReason'>>;

/** What an event says; which payment of a subscription is the first depends on what is heard first. */
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
 * What is left to tell of a subscription at `nowMs`: by the clock alone, and to somebody who hears all of its facts only then.
 */
export function missingEvents(
  subscription: Subscription,
  emitted: readonly Named[],
  nowMs: number,
): string[] {
  const byTheClock = applySubscription(subscription, null, nowMs).events.map(label);
  const observation = { atMs: subscription.factsAtMs, facts: subscription.facts };
  const replay = applySubscription(newSubscription(subscription), observation, nowMs);
  const known = new Set(emitted.flatMap(namesOf));
  // A cancellation that was heard of before the period it belongs to was told of the one before.
  const isCancelled =
    subscription.emitted.unsubscribeOpen && emitted.some((event) => whatOf(event) === 'CANCELLATION');
  const isLeft = (event: EngineEvent): boolean => {
    const what = whatOf(event);
    if (known.has(nameOf(event))) return false;
    return !(isCancelled && what === 'CANCELLATION');
  };
  return [...byTheClock, ...replay.events.filter(isLeft).map(nameOf)];
}
