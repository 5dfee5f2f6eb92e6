import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../libs/kernel/index.js';
import { callerOf, type Principal } from '../principal/principal.js';
import { ApiError } from '../http/errors/api-error.js';
import type { ApiRequest } from '../http/pipeline/request.js';

export const IDEMPOTENCY_KEY = 'Idempotency-Key';

const PRINTABLE = /^[\x20-\x7e]{1,255}$/;

/** Returns null if absent. @throws ApiError 400 */
export function idempotencyKeyOf({ method, headers }: ApiRequest): string | null {
  const key = headers['idempotency-key'];
  if (key === undefined || method !== 'POST') return null;
  if (typeof key === 'string' && PRINTABLE.test(key)) return key;
  throw ApiError.parameter(IDEMPOTENCY_KEY, `${IDEMPOTENCY_KEY} must be 1 to 255 printable characters.`);
}

function known(principal: Principal | undefined): Principal {
  if (principal) return principal;
  throw new ApiError('unauthenticated', 'The request has no credential.');
}

/** The owner of a request's key: the organization, the project, or the user who creates one. */
export function tenantOf({ params, principal }: Pick<ApiRequest, 'params' | 'principal'>): string {
  return ((params.org_id ?? params.project_id) as string | undefined) ?? callerOf(known(principal));
}

/** SHA-256. Includes the caller: a response may contain data that another credential must not see. */
export function fingerprintOf(
  request: Pick<ApiRequest, 'method' | 'originalUrl' | 'body' | 'principal'>,
): Buffer {
  const parts = [
    callerOf(known(request.principal)),
    request.method,
    request.originalUrl,
    canonicalJson(request.body ?? {}),
  ];
  return fingerprint(parts);
}

/** SHA-256 of the parts that distinguish requests with the same key. */
export function fingerprint(parts: readonly string[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}
