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
