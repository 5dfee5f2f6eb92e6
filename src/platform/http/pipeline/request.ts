import type { IncomingHttpHeaders } from 'node:http';
import type { Request } from 'express';
import type { Principal } from '../../principal/principal.js';
import type { SignatureDone } from '../../../../libs/signing/index.js';
import type { ApiError } from '../errors/api-error.js';

/** The right to execute the request of an `Idempotency-Key`, until another attempt takes over. */
export interface IdempotencyClaim {
  readonly tenantId: string;
  readonly key: string;
  /** New for each attempt. */
  readonly claimId: string;
}

export interface ApiRequest extends Request {
  /** Returned as `X-Request-Id`. */
  id: string;
  /** Arrival time, epoch ms of the injected clock. */
  receivedAtMs: number;
  /** The path as sent, if it had a trailing slash that the route does not have. */
  slashedPath?: string;
  /** The time that the response refers to, if a test clock is set. */
  asOfMs?: number;
  /** Set by the access guard, except on routes that need no credential. */
  principal?: Principal;
  /** Why the body cannot be used. The access guard throws it once the caller is known to have access. */
  bodyError?: ApiError;
  idempotencyClaim?: IdempotencyClaim;
  /**
   * The agent's tool that the request calls, or on whose behalf the server creates the request. Never read from the
   * client.
   */
  tool?: string;
  /** The error in its response. */
  failure?: ApiError;
  /** The cause of a server failure, as in the log line with the stack. */
  failureCause?: string;
  /** Signs a response with these bytes and tag, now or later; set only if the response is to be signed. */
  signAnswer?: (body: Buffer | string, etag: string | null, done: SignatureDone) => void;
}

export type ApiFormat = 'v1' | 'v2' | 'account' | 'oauth' | 'scim';

const SDK_PREFIXES = ['/v1/', '/rcbilling/', '/.well-known/'];

/** The dashboard signs in at the same path; the `Authorization` header distinguishes them. */
const SHARED_LOGIN = '/auth/login';
const SDK_AUTH = new Set([SHARED_LOGIN, '/auth/token', '/auth/revoke']);

interface RequestHead {
  method: string;
  originalUrl: string;
  headers: IncomingHttpHeaders;
}

/** A preflight request lists the headers that the request will have. */
function hasAuthorization({ method, headers }: RequestHead): boolean {
  if (method !== 'OPTIONS') return headers.authorization !== undefined;
  const names = headers['access-control-request-headers']?.split(',') ?? [];
  return names.some((name) => name.trim().toLowerCase() === 'authorization');
}

/** Whether a path below `/auth` is called by an SDK for a customer. */
function isSdkAuth(request: RequestHead): boolean {
  const path = wirePath(request).toLowerCase();
  if (!SDK_AUTH.has(path)) return false;
  return (path !== SHARED_LOGIN && request.method !== 'OPTIONS') || hasAuthorization(request);
}

/** The error format of a path. */
export function apiFormat(request: RequestHead): ApiFormat {
  const path = request.originalUrl;
  if (SDK_PREFIXES.some((prefix) => path.startsWith(prefix)) || path === '/v1') return 'v1';
  if (path.startsWith('/auth/')) return isSdkAuth(request) ? 'v1' : 'account';
  if (/^\/scim(?:\/|$)/i.test(path)) return 'scim';
  return /^\/oauth2?\//.test(path) ? 'oauth' : 'v2';
}

/** Routes an SDK's login at the dashboard's path to its own route; otherwise leaves the URL unchanged. */
export function routeSdkLogin(request: ApiRequest): void {
  const isLogin = request.method === 'POST' && wirePath(request).toLowerCase() === SHARED_LOGIN;
  if (isLogin && hasAuthorization(request)) request.url = `/v1${request.url}`;
}

/** The path as received: percent-encoded, without the query. */
export function wirePath(request: { originalUrl: string }): string {
  const query = request.originalUrl.indexOf('?');
  return query === -1 ? request.originalUrl : request.originalUrl.slice(0, query);
}
