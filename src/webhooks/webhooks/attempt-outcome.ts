/** What came of one attempt. Nothing in it is secret. */
export interface AttemptOutcome {
  responseStatus: number | null;
  /** Length of the attempt; null when nothing was sent. */
  responseMs: number | null;
  /** Null for a delivered event. */
  error: string | null;
  /** The start of the answer. */
  responseBody: string | null;
  responseHeaders: Record<string, string> | null;
  /** How long the endpoint asks to be left alone. */
  retryAfterMs: number | null;
  /** One word for the metrics: a status, the class of a status (`5xx`), or why there was no answer. */
  kind: string;
  /** False when the attempt says nothing about the endpoint. */
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

/** Statuses that mean something of their own; the others are counted by their class. */
const NAMED_STATUSES = new Set([200, 410, 429]);

export function kindOfStatus(status: number): string {
  return NAMED_STATUSES.has(status) ? String(status) : `${Math.floor(status / 100)}xx`;
}
