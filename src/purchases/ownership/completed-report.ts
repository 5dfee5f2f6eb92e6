import type { Observation } from '../../../libs/engine/index.js';
import type { Settle } from '../../../libs/stores/index.js';

/** Completes a store report with the facts that are already known. */
export function completedReport<Facts>(
  { observation, settle }: { observation: Observation<Facts>; settle?: Settle<Facts> },
  known: Facts,
): Observation<Facts> {
  return settle ? { ...observation, facts: settle(observation.facts, known) } : observation;
}
