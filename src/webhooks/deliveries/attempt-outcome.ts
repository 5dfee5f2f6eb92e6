import type { AttemptResult, ClaimedDelivery } from './deliveries.repository.js';
import { nextAttempt } from './retry-schedule.js';

const MAX_ERROR_LENGTH = 500;

/** The result of one attempt. Contains no secrets. */
export interface AttemptOutcome {
  responseStatus: number | null;
  /** Duration of the attempt; null if nothing was sent. */
  responseMs: number | null;
  /** Null if the event was delivered. */
  error: string | null;
  /** The start of the response body. */
  responseBody: string | null;
  responseHeaders: Record<string, string> | null;
  /** The wait that the endpoint requested. */
  retryAfterMs: number | null;
  /** Label for the metrics: a status, the class of a status (`5xx`), or the reason why there was no response. */
  kind: string;
  /** False if the attempt says nothing about the endpoint. */
  reachedOut: boolean;
}

export function notSent(error: string): AttemptOutcome {
  return {
    responseStatus: null,
    responseMs: null,
    error,
    responseBody: null,
    responseHeaders: null,
    retryAfterMs: null,
    kind: 'not_sent',
    reachedOut: false,
  };
}

/** Statuses with a label of their own; the others are counted by class. */
const NAMED_STATUSES = new Set([200, 410, 429]);

export function kindOfStatus(status: number): string {
  return NAMED_STATUSES.has(status) ? String(status) : `${Math.floor(status / 100)}xx`;
}

/** The effect of an attempt on its delivery. `attemptedAt`: when the attempt started. */
export function resultOf(
  { id, attempts }: Pick<ClaimedDelivery, 'id' | 'attempts'>,
  outcome: AttemptOutcome,
  attemptedAt: Date,
  nowMs: number,
): AttemptResult {
  const { error, responseStatus, responseMs, responseBody, responseHeaders, retryAfterMs } = outcome;
  const made = attempts + 1;
  const nextAttemptAt =
    error === null ? null : nextAttempt({ deliveryId: id, attempts: made, retryAfterMs }, nowMs);
  return {
    status: error === null ? 'delivered' : nextAttemptAt === null ? 'failed' : 'pending',
    attempts: made,
    nextAttemptAt,
    responseStatus,
    responseMs,
    lastError: error?.slice(0, MAX_ERROR_LENGTH) ?? null,
    attemptedAt,
    responseBody,
    responseHeaders,
  };
}
