/** A response other than 2xx, or a missing one. Covers v2 and account errors. */
export class CallError extends Error {
  /** 0 if there was no response. */
  readonly status: number;
  readonly type: string;
  /** The invalid field, as the server names it: `name`, `subscription.duration`, `attributes.0.name`. */
  readonly param: string | null;
  /** A machine-readable cause in addition to `type`: `expired`, `setup_token_required`, `sso_required`. */
  readonly reason: string | null;
  readonly docUrl: string | null;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  readonly retryAfterS: number | null;
  readonly requestId: string | null;
  /** When the call was made. */
  readonly begunAtMs: number;

  constructor(message: string, facts: Partial<Omit<CallError, keyof Error>> = {}) {
    super(message);
    this.name = 'CallError';
    this.status = facts.status ?? 0;
    this.type = facts.type ?? 'network';
    this.param = facts.param ?? null;
    this.reason = facts.reason ?? null;
    this.docUrl = facts.docUrl ?? null;
    this.retryable = facts.retryable ?? false;
    this.retryAfterS = facts.retryAfterS ?? null;
    this.requestId = facts.requestId ?? null;
    this.begunAtMs = facts.begunAtMs ?? Date.now();
  }

  /** Whether the organization requires single sign-on, and the session started in another way. */
  get isSsoRequired(): boolean {
    return this.status === 403 && this.reason === 'sso_required';
  }
}

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

function secondsUntilRetry(headers: Headers, body: Record<string, unknown>): number | null {
  const header = Number(headers.get('retry-after') ?? Number.NaN);
  if (Number.isFinite(header)) return header;
  if (typeof body.retry_after === 'number') return body.retry_after;
  return typeof body.backoff_ms === 'number' ? Math.ceil(body.backoff_ms / 1000) : null;
}

/** `body` is the response body: an API error, or a proxy's page. */
export function errorOf(
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  body: unknown,
  begunAtMs?: number,
): CallError {
  const fields = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const message = text(fields.message) ?? `The server answered ${status} without saying why.`;
  return new CallError(message, {
    status,
    type: text(fields.type) ?? 'unknown',
    param: text(fields.param),
    reason: text(fields.reason),
    docUrl: text(fields.doc_url),
    retryable: typeof fields.retryable === 'boolean' ? fields.retryable : status === 429 || status >= 502,
    retryAfterS: secondsUntilRetry(headers, fields),
    requestId: text(headers.get('x-request-id')),
    begunAtMs,
  });
}

export function asCallError(error: unknown): CallError {
  if (error instanceof CallError) return error;
  return new CallError(error instanceof Error ? error.message : String(error), { type: 'program' });
}
