import type { BundleFact, SubscriptionFacts } from './facts.model.js';
import type { SubscriptionState } from './model.js';

/** The bundle that the current period is a part of; null outside of bundles. */
export function currentBundle(
  { periods }: SubscriptionFacts,
  { periodStartedAtMs }: Pick<SubscriptionState, 'periodStartedAtMs'>,
): BundleFact | null {
  const sold = Object.values(periods).map(({ value }) => value);
  const current = sold.find(({ startMs }) => startMs === periodStartedAtMs)?.bundle;
  if (!current) return null;
  // The store may name the former purchase only with the first period.
  const earlier = sold.filter(
    ({ bundle, startMs }) =>
      bundle?.storeProductId === current.storeProductId && startMs <= periodStartedAtMs,
  );
  earlier.sort((a, b) => b.startMs - a.startMs);
  const previous = earlier.find(({ bundle }) => bundle?.previousKey);
  return { ...current, previousKey: previous?.bundle?.previousKey ?? null };
}
