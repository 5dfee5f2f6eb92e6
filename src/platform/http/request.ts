import type { Request } from 'express';
import type { Principal } from '../principal/principal.js';
import type { SignatureDone } from '../../../libs/signing/index.js';
import type { ApiError } from './api-error.js';

/** The right to carry out the request of an `Idempotency-Key`, until another attempt takes it over. */
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
  /** The time for which the answer holds, if a test clock sets another. */
  asOfMs?: number;
  /** Set by the access guard, except on routes that need no credential. */
  principal?: Principal;
  idempotencyClaim?: IdempotencyClaim;
  /** The error it was answered with. */
  failure?: ApiError;
  /** The cause of a server failure, as in the log line with the stack. */
  failureCause?: string;
  /** Signs a response with these bytes and tag, now or later; set only if the response is to be signed. */
  signAnswer?: (body: Buffer | string, etag: string | null, done: SignatureDone) => void;
}

export type ApiFormat = 'v1' | 'v2' | 'account';

const SDK_PREFIXES = ['/v1/', '/rcbilling/', '/.well-known/'];

const TOKEN_LOGIN = new Set(['/auth/login', '/auth/token', '/auth/revoke']);

/** The error format of a path. With an Authorization header, three `/auth` paths are the SDK's token login. */
export function apiFormat(request: { originalUrl: string; headers: { authorization?: string } }): ApiFormat {
  const path = request.originalUrl;
  if (SDK_PREFIXES.some((prefix) => path.startsWith(prefix)) || path === '/v1') return 'v1';
  if (path.startsWith('/auth/')) {
    return request.headers.authorization !== undefined && TOKEN_LOGIN.has(wirePath(request))
      ? 'v1'
      : 'account';
  }
  return 'v2';
}

/** The path as received: percent-encoded, without the query. */
export function wirePath(request: { originalUrl: string }): string {
  const query = request.originalUrl.indexOf('?');
  return query === -1 ? request.originalUrl : request.originalUrl.slice(0, query);
}
