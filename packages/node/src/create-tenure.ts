import { createClient, createConfig, type Client } from './generated/client/index.js';
import { idempotentPosts, version } from './generated/facts.js';
import { TenureError } from './tenure-error.js';
import { type ApiKey, assertKey, assertSecure, createTransport } from './transport.js';

/** The `client` of every operation. */
export type TenureClient = Client;

export interface TenureOptions {
  /** URL of the server, such as `https://purchases.example.com`; may have a path. */
  baseUrl: string | URL;
  /** A secret key (`sk_…`), or a function that returns the current one. */
  apiKey: ApiKey;
  /** Limit of a call with all its retries, in milliseconds; default 30,000. */
  timeoutMs?: number;
  /** Allows http to hosts other than this machine. Anyone on the way can then read the key. */
  allowInsecure?: boolean;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch;
}

const TIMEOUT_MS = 30_000;

/** @throws TypeError for a URL that is not one of a server */
function serverUrl(given: string | URL): URL {
  const url = URL.canParse(String(given)) ? new URL(given) : null;
  if (url === null) throw new TypeError('baseUrl is not a URL.');
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new TypeError('baseUrl must not have a user, a password, a query or a fragment.');
  }
  return url;
}

/**
 * An id such as `..` would lead to another path.
 * @throws TypeError
 */
function assertPath(path: Record<string, unknown> | undefined): void {
  for (const [name, value] of Object.entries(path ?? {})) {
    const isId = typeof value === 'number' || (typeof value === 'string' && !['', '.', '..'].includes(value));
    if (!isId) throw new TypeError(`path.${name} must not be ${JSON.stringify(value ?? null)}.`);
  }
}

/** Creates a client of a server, for `listProducts({ client, path, query })` and the other operations. */
export function createTenure(options: TenureOptions): TenureClient {
  const { apiKey, timeoutMs = TIMEOUT_MS, allowInsecure = false } = options;
  const baseUrl = serverUrl(options.baseUrl);
  assertSecure(baseUrl, allowInsecure);
  if (typeof apiKey !== 'function') assertKey(apiKey);
  const send = createTransport({
    baseUrl,
    apiKey,
    timeoutMs,
    allowInsecure,
    fetch: options.fetch ?? ((...request) => fetch(...request)),
    clientName: `tenure-node/${version}`,
    idempotentPosts,
  });
  const client = createClient(
    createConfig({
      baseUrl: baseUrl.href.replace(/\/$/, ''),
      throwOnError: true,
      fetch: (request) => send(request as Request),
    }),
  );
  client.interceptors.request.use((request, { path }) => {
    assertPath(path);
    return request;
  });
  client.interceptors.error.use((error, response: Response | undefined) =>
    response === undefined ? error : TenureError.ofAnswer(response, error),
  );
  return client;
}
