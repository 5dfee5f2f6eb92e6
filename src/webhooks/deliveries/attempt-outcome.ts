import type { OutboundFailure } from '../../platform/outbound/outbound-errors.js';
import type { AttemptResult, ClaimedDelivery } from './deliveries.repository.js';
import type { DeliveryReason } from './delivery-reason.js';
import { nextAttempt } from './retry-schedule.js';

const MAX_ERROR_LENGTH = 500;

/**
 * The meaning of an attempt for its delivery and its endpoint.
 * - `delivered`, `duplicate`: the endpoint has the event; a duplicate, from an earlier attempt
 * - `retry`: the endpoint failed
 * - `limited`: the endpoint asks for a pause
 * - `refused`: the endpoint refuses the credentials
 * - `rejected`: the endpoint refuses this event
 * - `skipped`: the endpoint does not want this event
 * - `gone`: the endpoint is permanently gone
 */
export type Verdict =
  'delivered' | 'duplicate' | 'retry' | 'limited' | 'refused' | 'rejected' | 'skipped' | 'gone';

/** The result of one attempt. Contains no secrets. */
export interface AttemptOutcome {
  verdict: Verdict;
  /** Set if the event is rejected or skipped. */
  reason: DeliveryReason | null;
  /** As logged; null if nothing was sent. */
  url: string | null;
  /** The request that decided the attempt, from 0. */
  step: number;
  /** Number of requests of the delivery that succeeded, earlier attempts included. */
  stepsDone: number;
  /** The endpoint may have received a request whose response is unknown. */
  mayBeRepeated: boolean;
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
  /** The least time until the next delivery to the endpoint, after a success; null if any rate is fine. */
  pauseMs: number | null;
  /** Label for the metrics: a status, the class of a status (`5xx`), or the reason why there was no response. */
  kind: string;
  /** False if the attempt says nothing about the endpoint. */
  reachedOut: boolean;
}

/** An attempt without a request. `url`: as logged; null if it is not logged. */
export function notSent(url: string | null, error: string | null): AttemptOutcome {
  return {
    verdict: 'retry',
    reason: null,
    url,
    step: 0,
    stepsDone: 0,
    mayBeRepeated: false,
    responseStatus: null,
    responseMs: null,
    error,
    responseBody: null,
    responseHeaders: null,
    retryAfterMs: null,
    pauseMs: null,
    kind: 'not_sent',
    reachedOut: false,
  };
}

/** True if the endpoint may have received a request that failed in this way. */
export function mayHaveArrived(failure: OutboundFailure): boolean {
  return failure === 'timeout' || failure === 'reset' || failure === 'protocol';
}

/** Statuses with a label of their own; the others are counted by class. */
const NAMED_STATUSES = new Set([200, 410, 429]);

export function kindOfStatus(status: number): string {
  return NAMED_STATUSES.has(status) ? String(status) : `${Math.floor(status / 100)}xx`;
}

const DEFAULT_PAUSE_MS = 30_000;
const SHORTEST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 3_600_000;

/** The pause that an endpoint with a limited rate gets. */
export function pauseMs(retryAfterMs: number | null): number {
  return Math.min(Math.max(retryAfterMs ?? DEFAULT_PAUSE_MS, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS);
}

/** Consecutive responses 429 after which the endpoint counts as failing. */
const MAX_LIMITED = 100;

type Claimed = Pick<ClaimedDelivery, 'id' | 'attempts' | 'isProbe' | 'endpointLimited'>;

/** Responses 429 without an end count as failures. */
export function verdictOf(
  { verdict }: Pick<AttemptOutcome, 'verdict'>,
  { endpointLimited }: Pick<Claimed, 'endpointLimited'>,
): Verdict {
  return verdict === 'limited' && endpointLimited + 1 >= MAX_LIMITED ? 'retry' : verdict;
}

type Effect = Pick<AttemptResult, 'status' | 'reason' | 'attempts' | 'nextAttemptAt'>;

/** The next attempt by the schedule; after the last one the delivery fails. */
function scheduled(
  { id, attempts }: Claimed,
  { retryAfterMs }: AttemptOutcome,
  nowMs: number,
  reasons: { pending: DeliveryReason | null; failed: DeliveryReason },
): Effect {
  const made = attempts + 1;
  const nextAttemptAt = nextAttempt({ deliveryId: id, attempts: made, retryAfterMs }, nowMs);
  return nextAttemptAt === null
    ? { status: 'failed', reason: reasons.failed, attempts: made, nextAttemptAt }
    : { status: 'pending', reason: reasons.pending, attempts: made, nextAttemptAt };
}

function effectOf(delivery: Claimed, outcome: AttemptOutcome, nowMs: number): Effect {
  const made = delivery.attempts + (outcome.url === null ? 0 : 1);
  switch (verdictOf(outcome, delivery)) {
    case 'delivered':
    case 'duplicate':
      return { status: 'delivered', reason: null, attempts: made, nextAttemptAt: null };
    case 'retry':
    case 'gone':
      return scheduled(delivery, outcome, nowMs, { pending: null, failed: 'gave_up' });
    case 'refused':
      // Due at once behind the others, so that another delivery is the next probe.
      return delivery.isProbe
        ? notCounted(delivery, 'refused_key', nowMs)
        : scheduled(delivery, outcome, nowMs, { pending: 'refused_key', failed: 'rejected' });
    case 'limited':
      return notCounted(delivery, 'quiet', nowMs + pauseMs(outcome.retryAfterMs));
    case 'rejected':
      return { status: 'failed', reason: outcome.reason ?? 'rejected', attempts: made, nextAttemptAt: null };
    case 'skipped':
      return { status: 'skipped', reason: outcome.reason ?? 'rejected', attempts: made, nextAttemptAt: null };
  }
}

function notCounted({ attempts }: Claimed, reason: DeliveryReason, nextAtMs: number): Effect {
  return { status: 'pending', reason, attempts, nextAttemptAt: new Date(nextAtMs) };
}

/** The effect of an attempt on its delivery. `attemptedAt`: when the attempt started. */
export function resultOf(
  delivery: Claimed,
  outcome: AttemptOutcome,
  attemptedAt: Date,
  nowMs: number,
): AttemptResult {
  const { url, step, stepsDone, mayBeRepeated, error } = outcome;
  const { responseStatus, responseMs, responseBody, responseHeaders } = outcome;
  return {
    ...effectOf(delivery, outcome, nowMs),
    attempt: delivery.attempts + 1,
    step,
    stepsDone,
    mayBeRepeated,
    url,
    responseStatus,
    responseMs,
    lastError: error?.slice(0, MAX_ERROR_LENGTH) ?? null,
    attemptedAt,
    responseBody,
    responseHeaders,
  };
}
