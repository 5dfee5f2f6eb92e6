import { setMaxListeners } from 'node:events';
import { ImportFailed, Interrupted } from '../command/outcome.js';
import type { Runtime } from '../command/runtime.js';
import { redacted } from './redacted.js';
import type { RateBucket } from './rate-bucket.js';

const TIMEOUT_MS = 30_000;
/** Waits before the second to the sixth attempt of a request that failed temporarily. */
const WAITS_MS = [1_000, 2_000, 4_000, 8_000, 16_000];
const USAGE_HEADER = 'revenuecat-rate-limit-current-usage';
const LIMIT_HEADER = 'revenuecat-rate-limit-current-limit';

/** A refusal that another attempt would not change. */
export class HttpRefusal extends ImportFailed {
  constructor(
    readonly status: number,
    message: string,
    /** The request field at fault (`customers.3.id`), if the answer names one. */
    readonly param: string | null = null,
    readonly type: string | null = null,
  ) {
    super(message);
  }
}

/** No attempt received a usable answer. */
export class HttpUnavailable extends ImportFailed {
  constructor(
    message: string,
    readonly isTimeout: boolean,
  ) {
    super(message);
  }
}

export interface HttpRequest {
  method?: 'GET' | 'POST' | 'DELETE';
  /** Path and query after the origin of the base URL, already encoded; sent unchanged. */
  path: string;
  body?: object;
  headers?: Record<string, string>;
  bucket: RateBucket;
  /** Do not retry after a timeout; the caller sends less instead. */
  failsOnTimeout?: boolean;
}

export interface HttpClientOptions {
  /** `the source` or `the target`, for messages. */
  name: string;
  origin: string;
  key: string;
  runtime: Runtime;
  /** Aborts all requests and waits at once. */
  abort: AbortSignal;
}

/** The body of an answer; the caller knows its fields. */
export type Answer = Record<string, unknown>;

/** Result of one attempt: an answer, or the reason to retry. */
type Attempt =
  { answer: Answer } | { failure: string; waitMs: number | null; isTimeout: boolean } | 'limited';

/** JSON over HTTP with retries. Keys are sent only in the header. */
export class HttpClient {
  requests = 0;

  constructor(private readonly options: HttpClientOptions) {
    // Each request in flight adds a listener, and there can be more than the ten that Node warns about.
    setMaxListeners(0, options.abort);
  }

  /**
   * Returns the answer's body.
   * @throws HttpRefusal for 4xx answers, HttpUnavailable after the last attempt, Interrupted when aborted
   */
  async send(request: HttpRequest): Promise<Answer> {
    let tries = 0;
    for (;;) {
      const attempt = await this.attempt(request);
      if (attempt === 'limited') continue;
      if ('answer' in attempt) return attempt.answer;
      const waitMs = WAITS_MS[tries++];
      const gaveUp = attempt.isTimeout && request.failsOnTimeout === true;
      if (waitMs === undefined || gaveUp) {
        const what = `${request.method ?? 'GET'} ${request.path.split('?')[0]}`;
        throw new HttpUnavailable(
          `${capital(this.options.name)} failed at ${what}: ${attempt.failure}`,
          attempt.isTimeout,
        );
      }
      const jittered = waitMs * (0.75 + this.options.runtime.random() / 2);
      await this.pause(Math.max(attempt.waitMs ?? 0, jittered));
    }
  }

  private async pause(ms: number): Promise<void> {
    await this.options.runtime.sleep(ms, this.options.abort).catch(() => this.interrupted());
  }

  private interrupted(): never {
    throw new Interrupted('Stopped.');
  }

  private async attempt(request: HttpRequest): Promise<Attempt> {
    const { abort } = this.options;
    await request.bucket.take(abort).catch(() => this.interrupted());
    const end = new AbortController();
    let isTimeout = false;
    // Clear both with the answer: an AbortSignal.timeout would live for the whole limit, once per request.
    const timer = setTimeout(() => {
      isTimeout = true;
      end.abort();
    }, TIMEOUT_MS);
    const stop = (): void => end.abort();
    abort.addEventListener('abort', stop);
    this.requests += 1;
    try {
      const response = await this.fetch(request, end.signal);
      return this.judged(request, response, await response.text());
    } catch (error) {
      if (error instanceof ImportFailed) throw error;
      if (abort.aborted) this.interrupted();
      const failure = isTimeout ? `no answer within ${TIMEOUT_MS / 1000} s` : reasonOf(error);
      return { failure, waitMs: null, isTimeout };
    } finally {
      clearTimeout(timer);
      abort.removeEventListener('abort', stop);
    }
  }

  private fetch(request: HttpRequest, signal: AbortSignal): Promise<Response> {
    const { method = 'GET', path, body, headers } = request;
    return fetch(`${this.options.origin}${path}`, {
      method,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${this.options.key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      // A redirect could send the key elsewhere.
      redirect: 'error',
      signal,
    });
  }

  private judged(request: HttpRequest, response: Response, text: string): Attempt {
    const body = parsed(text);
    request.bucket.learn(response.headers.get(USAGE_HEADER), response.headers.get(LIMIT_HEADER));
    const waitMs = waitOf(response.headers.get('retry-after'), body);
    if (response.status === 429) {
      request.bucket.pause(waitMs);
      return 'limited';
    }
    if (response.status >= 500 || response.status === 423 || response.status === 408) {
      return {
        failure: `status ${response.status}${said(body, this.options.key)}`,
        waitMs,
        isTimeout: false,
      };
    }
    if (response.ok) {
      if (body !== null) return { answer: body };
      return { failure: 'the answer is not JSON', waitMs: null, isTimeout: false };
    }
    const where = `${request.method ?? 'GET'} ${request.path.split('?')[0]}`;
    const message = `${capital(this.options.name)} answered ${response.status} to ${where}${said(body, this.options.key)}`;
    throw new HttpRefusal(response.status, message, textOrNull(body?.param), textOrNull(body?.type));
  }
}

function parsed(text: string): Answer | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Answer) : null;
  } catch {
    return null;
  }
}

/** The wait in ms that an answer requests: `Retry-After` in seconds, else `backoff_ms` in the body. */
function waitOf(retryAfter: string | null, body: Answer | null): number | null {
  if (retryAfter !== null && /^\d+(\.\d+)?$/.test(retryAfter.trim())) return Number(retryAfter) * 1000;
  const backoff = body?.backoff_ms;
  return typeof backoff === 'number' && backoff >= 0 ? backoff : null;
}

function said(body: Answer | null, key: string): string {
  const message = textOrNull(body?.message);
  return message === null ? '' : `: ${redacted(message, key)}`;
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Node puts the reason of a failed connection in the cause. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  const { code, message: detail } = (cause ?? {}) as NodeJS.ErrnoException;
  return code ?? detail ?? message;
}
