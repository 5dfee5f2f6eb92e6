import {
  type Circumstances,
  importSubscription,
  noSubscriptionFacts,
  type Subscription,
  type SubscriptionChange,
} from '../../../libs/engine/index.js';

/** The same subscription under the store's own key. The key is no longer a guess, so access is no longer held open. */
export function withKey(
  subscription: Subscription,
  storeKey: string,
  nowMs: number,
  circumstances: Circumstances,
): SubscriptionChange {
  const { imported } = subscription.facts;
  const statedAt = Math.max(imported?.guessed?.at ?? 0, imported?.held?.at ?? 0) + 1;
  const confirmed = { at: statedAt, src: 'import' as const };
  const facts = {
    ...noSubscriptionFacts,
    imported: {
      periods: {},
      refunds: {},
      renewal: null,
      hints: null,
      held: { ...confirmed, value: null },
      guessed: { ...confirmed, value: false },
    },
  };
  const terms = { ...circumstances, asOfMs: nowMs, emits: false };
  return importSubscription({ ...subscription, storeKey }, facts, nowMs, terms);
}
