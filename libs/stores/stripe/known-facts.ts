import type { AddOnFact, SubscriptionFacts } from '../../engine/index.js';
import type { Settle } from '../contract.js';
import type { StripeFacts } from './subscription-facts.js';

/** Add-ons that were removed before any invoice named them. */
function forgotten(
  facts: SubscriptionFacts,
  known: SubscriptionFacts,
  goneByMs: number,
): [key: string, addOn: AddOnFact][] {
  return Object.entries(known.addOns ?? {})
    .filter(([key, { value }]) => !facts.addOns?.[key] && (value.endMs ?? Infinity) > goneByMs)
    .map(([key, { value }]) => [key, value]);
}

/** A subscription only shows its current product: for a past period, the known product stays. */
function withKnownProducts(
  { periods }: SubscriptionFacts,
  known: SubscriptionFacts,
  pastKeys: string[],
): SubscriptionFacts['periods'] {
  const settled = { ...periods };
  for (const key of pastKeys) {
    const [reported, before] = [periods[key], known.periods[key]];
    if (!reported || !before) continue;
    const { storeProductId, planId, quantity } = before.value;
    settled[key] = { ...reported, value: { ...reported.value, storeProductId, planId, quantity } };
  }
  return settled;
}

/** If the time of an end is unknown, it is when the end was first seen; past products stay. */
export function inLightOfKnown(
  { guessedEnds, pastKeys }: Pick<StripeFacts, 'guessedEnds' | 'pastKeys'>,
  at: number,
): Settle<SubscriptionFacts> {
  return (facts, known) => {
    const ends = { ...facts.ends };
    const addOns = { ...facts.addOns };
    const endedMs = ends[facts.renewal?.value.periodKey ?? '']?.expired?.value ?? at;
    const goneByMs = Math.min(at, endedMs);
    for (const [key, value] of forgotten(facts, known, goneByMs)) {
      addOns[key] = { at, src: 'api', value: { ...value, renews: false } };
      const before = known.ends?.[key]?.expired?.value ?? null;
      ends[key] = { expired: { at, src: 'api', value: before ?? goneByMs } };
    }
    for (const key of guessedEnds) {
      const before = known.ends?.[key]?.expired?.value ?? null;
      const expired = ends[key]?.expired;
      if (expired && before !== null && before < (expired.value ?? before)) {
        ends[key] = { ...ends[key], expired: { ...expired, value: before } };
      }
    }
    const periods = withKnownProducts(facts, known, pastKeys);
    return { ...facts, periods, ends, ...(Object.keys(addOns).length > 0 && { addOns }) };
  };
}
