import { retriedStatuses, TenureError } from './tenure-error.js';

/** A key, or a function that returns the current one. */
export type ApiKey = string | (() => string | Promise<string>);

export interface TransportOptions {
  /** URL of the server, which may have a path. The key is sent nowhere else. */
  baseUrl: URL;
  apiKey: ApiKey;
  /** Limit of a request with all its retries, until its answer has arrived. */
  timeoutMs: number;
  allowInsecure: boolean;
  fetch: typeof fetch;
  /** Name and version of the client. */
  clientName: string;
  /** POST requests that the server runs once for each `Idempotency-Key`: by prefix of the path, and by path. */
  idempotentPosts: { prefixes: readonly string[]; paths: readonly string[] };
}

type Outcome = { response: Response } | { response: null; error: unknown };

/** Waits before the first and the second retry, unless the answer has a `Retry-After`. */
const WAITS_MS = [500, 2000];
const JITTER = 0.25;
const METHODS_WITH_KEY = new Set(['POST', 'PATCH', 'DELETE']);
const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;
const KEY = /^[\x21-\x7e]+$/;
const JSON_TYPE = /^application\/([^;]+\+)?json\b/;

/** @throws TypeError if others on the network could read the key */
export function assertSecure(url: URL, allowInsecure: boolean): void {
  if (url.protocol === 'https:') return;
  if (url.protocol === 'http:' && (allowInsecure || LOOPBACK.test(url.hostname))) return;
  throw new TypeError(`${url.origin} is not https. Set allowInsecure to send the key unencrypted.`);
}

/** @throws TypeError that does not quote the value, as `Headers` would */
export function assertKey(key: unknown): asserts key is string {
  if (typeof key === 'string' && KEY.test(key)) return;
  throw new TypeError('The API key is not a text of printable characters without spaces.');
}

/** Workers reject the mode `error`. They get the redirect itself, which is no success either. */
function redirectMode(): RequestRedirect {
  try {
    new Request('https://localhost', { redirect: 'error' });
    return 'error';
  } catch {
    return 'manual';
  }
}

/** Milliseconds of a `Retry-After` in seconds or as a date; null without a valid one. */
function retryAfterMs(response: Response | null): number | null {
  const value = response?.headers.get('retry-after')?.trim() ?? '';
  const waitMs = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(waitMs) ? null : Math.max(0, waitMs);
}

function waitMsOf(response: Response | null, retry: number): number {
  const jitter = 1 - JITTER + 2 * JITTER * Math.random();
  return retryAfterMs(response) ?? (WAITS_MS[retry] ?? 0) * jitter;
}

/** Resolves after a time; rejects when the signal aborts. */
function pause(waitMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, waitMs);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
}

/** Reads JSON while the timeout still runs. Other bodies are streams, which may take longer. */
async function withJson(response: Response): Promise<Response> {
  if (!JSON_TYPE.test(response.headers.get('content-type') ?? '')) return response;
  const bytes = await response.arrayBuffer();
  const { status, statusText, headers } = response;
  return new Response(bytes.byteLength === 0 ? null : bytes, { status, statusText, headers });
}

function failure(
  error: unknown,
  request: Request,
  signals: { deadline: AbortSignal; timeoutMs: number },
): TenureError {
  const { origin, pathname } = new URL(request.url);
  const target = `${request.method} ${origin}${pathname}`;
  if (request.signal.aborted) {
    const cause: unknown = request.signal.reason;
    return new TenureError({ status: null, type: 'aborted', message: `${target} was aborted.`, cause });
  }
  if (signals.deadline.aborted) {
    const message = `${target} was not answered within ${signals.timeoutMs} ms.`;
    return new TenureError({ status: null, type: 'timeout', message, retryable: true });
  }
  const message = `${target} failed: the server cannot be reached.`;
  return new TenureError({
    status: null,
    type: 'connection_error',
    message,
    retryable: true,
    cause: error,
  });
}

/**
 * Sends requests with the key, the client's name and an idempotency key, and repeats those that are safe to repeat. The
 * function it returns resolves with an answer of any status, and rejects with a TenureError if there is none.
 */
export function createTransport(options: TransportOptions): (request: Request) => Promise<Response> {
  const { baseUrl, apiKey, timeoutMs, allowInsecure, clientName, idempotentPosts } = options;
  const { fetch: send } = options;
  const redirect = redirectMode();
  const basePath = baseUrl.pathname.replace(/\/$/, '');

  function isRepeatable({ method }: Request, { pathname }: URL): boolean {
    if (method !== 'POST') return true;
    const path = pathname.startsWith(basePath) ? pathname.slice(basePath.length) : pathname;
    const { prefixes, paths } = idempotentPosts;
    return paths.includes(path) || prefixes.some((prefix) => path.startsWith(prefix));
  }

  function headersOf(request: Request): Headers {
    const headers = new Headers(request.headers);
    headers.set('x-client', clientName);
    if (METHODS_WITH_KEY.has(request.method) && !headers.has('idempotency-key')) {
      headers.set('idempotency-key', crypto.randomUUID());
    }
    return headers;
  }

  /** Reads the key for each attempt, since it may be rotated in between. */
  async function withKey(headers: Headers, { origin }: URL): Promise<Headers> {
    if (origin !== baseUrl.origin || headers.has('authorization')) return headers;
    const key: unknown = typeof apiKey === 'function' ? await apiKey() : apiKey;
    assertKey(key);
    const withAuthorization = new Headers(headers);
    withAuthorization.set('authorization', `Bearer ${key}`);
    return withAuthorization;
  }

  async function attempt(url: URL, init: RequestInit): Promise<Outcome> {
    try {
      return { response: await withJson(await send(url.href, { ...init, redirect })) };
    } catch (error) {
      return { response: null, error };
    }
  }

  return async (request) => {
    const url = new URL(request.url);
    assertSecure(url, allowInsecure);
    const headers = headersOf(request);
    const bytes = await request.arrayBuffer();
    const body = bytes.byteLength > 0 ? bytes : undefined;
    const endsAtMs = Date.now() + timeoutMs;
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), timeoutMs);
    const signal = AbortSignal.any([request.signal, deadline.signal]);
    const failureOf = (error: unknown): TenureError =>
      failure(error, request, { deadline: deadline.signal, timeoutMs });
    const retries = isRepeatable(request, url) ? WAITS_MS.length : 0;
    try {
      for (let retry = 0; ; retry++) {
        const init = { method: request.method, headers: await withKey(headers, url), body, signal };
        const outcome = await attempt(url, init);
        const { response } = outcome;
        if (response !== null && !retriedStatuses.has(response.status)) return response;
        const waitMs = waitMsOf(response, retry);
        if (retry >= retries || signal.aborted || Date.now() + waitMs >= endsAtMs) {
          if (outcome.response === null) throw failureOf(outcome.error);
          return outcome.response;
        }
        await response?.body?.cancel();
        await pause(waitMs, signal).catch((error: unknown) => {
          throw failureOf(error);
        });
      }
    } finally {
      clearTimeout(timer);
    }
  };
}
