import type { Request } from 'express';
import type { Principal } from '../principal/principal.js';
import type { SignatureDone } from '../../../libs/signing/index.js';
import type { ApiError } from './api-error.js';

/** The right to carry out the one request of an `Idempotency-Key`, until another request takes it over. */
export interface IdempotencyClaim {
  readonly tenantId: string;
  readonly key: string;
  /** New for each attempt. */
  readonly claimId: string;
}

/** An Express request with what our own layers put on it. */
export interface ApiRequest extends Request {
  /** Sent back as `X-Request-Id`. */
  id: string;
  /** When the request arrived, epoch ms of the injected clock. */
  receivedAtMs: number;
  /** The time that the answer is as of, when a test clock says another. */
  asOfMs?: number;
  /** Set by the access guard, except on routes that need no credential. */
  principal?: Principal;
  /** Set on a write that came with an `Idempotency-Key`. */
  idempotencyClaim?: IdempotencyClaim;
  /** What it was answered with, when that is an error. */
  failure?: ApiError;
  /** What failed in the server, as the line with the stack names it. */
  failureCause?: string;
  /** Signs an answer with these bytes and this tag, now or soon; only there when the answer is to be signed. */
  signAnswer?: (body: Buffer | string, etag: string | null, done: SignatureDone) => void;
}

export type ApiFormat = 'v1' | 'v2' | 'account';

const SDK_PREFIXES = ['/v1/', '/rcbilling/', '/.well-known/'];

const TOKEN_LOGIN = new Set(['/auth/login', '/auth/token', '/auth/revoke']);

/** Which error format a path answers in. With an Authorization header, three `/auth` paths are the SDK's token login. */
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

/** Path as it came on the wire, percent-encoded, without the query. */
export function wirePath(request: { originalUrl: string }): string {
  const query = request.originalUrl.indexOf('?');
  return query === -1 ? request.originalUrl : request.originalUrl.slice(0, query);
}
