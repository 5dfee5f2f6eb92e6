/** Statuses of a server that is overloaded, or of a proxy that cannot reach it. */
export const retriedStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);

interface TenureErrorFields {
  status: number | null;
  type: string;
  message: string;
  param?: string | null;
  retryable?: boolean;
  requestId?: string | null;
  docUrl?: string | null;
  body?: unknown;
  cause?: unknown;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** The server refused a request, or did not answer. */
export class TenureError extends Error {
  override readonly name = 'TenureError';
  /** HTTP status; null without an answer. */
  readonly status: number | null;
  /**
   * The server's `type`, such as `parameter_error`. `http_error` if the answer has none; `connection_error`, `timeout` or
   * `aborted` without an answer.
   */
  readonly type: string;
  /** The request field at fault. */
  readonly param: string | null;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** `X-Request-Id` of the answer, for the server's log. */
  readonly requestId: string | null;
  readonly docUrl: string | null;
  /** The answer as the server sent it: parsed JSON, or text. */
  readonly body: unknown;

  constructor(fields: TenureErrorFields) {
    super(fields.message, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.status = fields.status;
    this.type = fields.type;
    this.param = fields.param ?? null;
    this.retryable = fields.retryable ?? false;
    this.requestId = fields.requestId ?? null;
    this.docUrl = fields.docUrl ?? null;
    this.body = fields.body;
  }

  static ofAnswer(response: Response, body: unknown): TenureError {
    const { status } = response;
    const fields = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
    return new TenureError({
      status,
      // OAuth names its errors `error` and `error_description`.
      type: textOf(fields.type) ?? textOf(fields.error) ?? 'http_error',
      message:
        textOf(fields.message) ??
        textOf(fields.error_description) ??
        `The server answered with status ${status}.`,
      param: textOf(fields.param),
      retryable: typeof fields.retryable === 'boolean' ? fields.retryable : retriedStatuses.has(status),
      requestId: response.headers.get('x-request-id'),
      docUrl: textOf(fields.doc_url),
      body,
    });
  }
}
