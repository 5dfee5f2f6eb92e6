import type { SubscriptionFacts } from '../../engine/index.js';
import type { Settle } from '../contract.js';
import { inLightOfKnown } from '../stripe/known-facts.js';
import type { PaddleFacts } from './subscription-facts.js';

/** A period keeps an end that the seller had moved: its transaction names only the original end. */
function withKnownEnds(
  { periods }: SubscriptionFacts,
  known: SubscriptionFacts,
  pastKeys: string[],
): SubscriptionFacts['periods'] {
  const settled = { ...periods };
  for (const key of pastKeys) {
    const [reported, before] = [periods[key], known.periods[key]];
    if (!reported || !before || reported.value.endMs === null) continue;
    const endMs = Math.max(reported.value.endMs, before.value.endMs ?? 0);
    settled[key] = { ...reported, value: { ...reported.value, endMs } };
  }
  return settled;
}

/** Paddle does not report when a customer cancelled, so the first report dates it. */
function withKnownCancellation(
  { renewal }: SubscriptionFacts,
  known: SubscriptionFacts,
): SubscriptionFacts['renewal'] {
  const before = known.renewal;
  if (!renewal || renewal.value.autoRenew || !before || before.value.autoRenew) return renewal;
  const cancelledAtMs = before.value.cancelledAtMs ?? before.at;
  return { ...renewal, value: { ...renewal.value, cancelledAtMs } };
}

/** Paddle shows only the current state; the past comes from earlier reports. */
export function inLightOf(reported: PaddleFacts, at: number): Settle<SubscriptionFacts> {
  const shared = inLightOfKnown(reported, at);
  return (facts, known) => {
    const settled = shared(facts, known);
    return {
      ...settled,
      periods: withKnownEnds(settled, known, reported.pastKeys),
      renewal: withKnownCancellation(settled, known),
    };
  };
}
