import { isDotSegment } from '../../../../libs/kernel/index.js';
import { ApiError } from '../errors/api-error.js';
import { hasLength } from './text-length.js';

const MAX_LENGTH = 100;
const ANONYMOUS = /^\$RCAnonymousID:[a-f0-9]{32}$/;

/** Placeholders for "no user". A customer with such an id would collect everyone's purchases. */
const REFUSED = new Set([
  'no_user',
  'null',
  'none',
  'nil',
  '(null)',
  'NaN',
  '\\x00',
  'unidentified',
  'undefined',
  'unknown',
  'anonymous',
  'guest',
  '-1',
  '0',
  '[]',
  '{}',
  '[object Object]',
]);

function problemOf(id: string): string | null {
  if (!hasLength(id, 0, MAX_LENGTH)) return `The app user id is longer than ${MAX_LENGTH} characters.`;
  if (id.trim() === '') return 'The app user id is empty.';
  if (id.includes('/')) return 'The app user id must not contain a slash.';
  if (id.includes('\0') || !id.isWellFormed())
    return 'The app user id contains a character that cannot be stored.';
  if (REFUSED.has(id) || isDotSegment(id)) return `${JSON.stringify(id)} cannot be an app user id.`;
  return null;
}

/** Requires 1 to 100 characters, no slash, NUL or dot segment, no placeholder. @throws ApiError 400, code 7220 */
export function assertAppUserId(id: unknown, param = 'app_user_id'): asserts id is string {
  const problem = typeof id === 'string' ? problemOf(id) : 'The app user id is missing.';
  if (problem !== null) throw ApiError.invalidAppUserId(problem, param);
}

export function isAppUserId(id: string): boolean {
  return problemOf(id) === null;
}

/** True for ids that an SDK generates before sign-in. */
export function isAnonymousId(id: string): boolean {
  return ANONYMOUS.test(id);
}
