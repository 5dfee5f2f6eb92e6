import { type Definition, maskerOf, type Reason, type Verdict } from '../../../../libs/destinations/index.js';
import {
  type AttemptOutcome,
  kindOfStatus,
  mayHaveArrived,
  notSent,
} from '../../deliveries/attempt-outcome.js';
import { loggedBody, loggedHeaders } from '../../deliveries/log/logged-response.js';
import type { CallResult } from './destination-calls.service.js';

/** An attempt that ended without a request. */
export function withoutCall(
  verdict: 'skipped' | 'rejected' | 'refused' | 'delivered',
  reason: Reason | null,
  error: string | null,
): AttemptOutcome {
  return { ...notSent(null, error), verdict, reason };
}

/** The last request of an attempt, and what its answer means. */
export interface LastCall {
  result: CallResult;
  verdict: Verdict;
  step: number;
  /** Number of successful requests of the delivery. */
  stepsDone: number;
  /** The sum over all requests of the attempt. */
  durationMs: number;
}

function errorOf({ name }: Pick<Definition, 'name'>, { result, verdict }: LastCall): string | null {
  if (verdict.class === 'delivered' || verdict.class === 'duplicate') return null;
  const { response, failure } = result;
  if (verdict.detail !== undefined && verdict.detail !== '') return verdict.detail;
  return response ? `${name} answered ${response.status}.` : (failure?.message ?? null);
}

export function outcomeOf(
  definition: Pick<Definition, 'name' | 'paceMs'>,
  call: LastCall,
  secrets: readonly string[],
): AttemptOutcome {
  const { result, verdict, step, stepsDone, durationMs } = call;
  const { url, response, failure } = result;
  const mask = maskerOf(secrets);
  const error = errorOf(definition, call);
  return {
    verdict: verdict.class === 'opted_out' ? 'skipped' : verdict.class,
    reason: verdict.class === 'opted_out' ? 'opted_out' : verdict.class === 'rejected' ? 'rejected' : null,
    url,
    step,
    stepsDone,
    mayBeRepeated: failure !== null && mayHaveArrived(failure.kind),
    responseStatus: response?.status ?? null,
    responseMs: durationMs,
    error: error === null ? null : mask(error),
    responseBody: response && loggedBody(mask(response.body)),
    responseHeaders: response && loggedHeaders(response.headers, mask),
    retryAfterMs: verdict.waitMs ?? null,
    pauseMs: definition.paceMs,
    kind: response ? kindOfStatus(response.status) : (failure?.kind ?? 'not_sent'),
    reachedOut: true,
  };
}
