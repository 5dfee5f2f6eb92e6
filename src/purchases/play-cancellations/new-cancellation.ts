import type { Environment, RenewalFact } from '../../../libs/engine/index.js';

/** A cancellation by the customer, as Google Play reports it. */
export interface NewCancellation {
  /** Purchase token. */
  key: string;
  environment: Environment;
  cancelledAtMs: number;
  /** Null: no answer. */
  reason: string | null;
}

type Reported = Pick<RenewalFact, 'cancelledAtMs' | 'cancelSurvey'>;

/**
 * Returns the cancellation in a report; null if there is none, or if it is known. A known one without a survey, not
 * even an empty one, is from before answers were recorded.
 */
export function newCancellation(
  { key, environment }: Pick<NewCancellation, 'key' | 'environment'>,
  reported: Reported | undefined,
  known: Reported | undefined,
): NewCancellation | null {
  const { cancelledAtMs = null, cancelSurvey: reason } = reported ?? {};
  if (cancelledAtMs === null || reason === undefined) return null;
  const isSame = known?.cancelledAtMs === cancelledAtMs;
  if (isSame && (known.cancelSurvey === undefined || known.cancelSurvey === reason)) return null;
  return { key, environment, cancelledAtMs, reason };
}
