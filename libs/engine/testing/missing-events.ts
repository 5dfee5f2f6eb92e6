import { applySubscription, type Subscription, type EngineEvent, newSubscription } from '../index.js';
import { label } from './subscription-history.js';

type Named = Pick<EngineEvent, 'type' | 'transactionId'> & Partial<Pick<EngineEvent, 'cancelReason'>>;

/** Which payment counts as the first depends on the order of receipt, so both types have one name. */
function whatOf({ type, cancelReason }: Named): string {
  if (type === 'INITIAL_PURCHASE') return 'RENEWAL';
  return cancelReason === 'CUSTOMER_SUPPORT' ? 'refund' : type;
}

/** Excludes the reason of an end: it depends on the facts known then, and a better reason emits no second event. */
const nameOf = (event: Named): string => `${whatOf(event)} of ${event.transactionId}`;

/** Names that an event makes redundant: an end covers everything, even without a known cancellation. */
function namesOf(event: Named): string[] {
  return event.type === 'EXPIRATION'
    ? [nameOf(event), nameOf({ ...event, type: 'CANCELLATION' })]
    : [nameOf(event)];
}

/**
 * Returns the events still to be emitted at `nowMs`: by the clock, and for an observer who receives all facts
 * only then.
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
  // A cancellation received before its period was emitted for the previous period.
  const isCancelled =
    subscription.emitted.unsubscribeOpen && emitted.some((event) => whatOf(event) === 'CANCELLATION');
  const isLeft = (event: EngineEvent): boolean => {
    const what = whatOf(event);
    if (known.has(nameOf(event))) return false;
    return !(isCancelled && what === 'CANCELLATION');
  };
  return [...byTheClock, ...replay.events.filter(isLeft).map(nameOf)];
}
