import type { ExportRun } from './exports.queries.js';

export type ErrorCode = NonNullable<ExportRun['error']>['code'];

/** Reasons of a failed run or test in a few words. */
const errorWords: Record<ErrorCode, string> = {
  access_denied: 'access denied',
  not_found: 'not found',
  wrong_region: 'wrong region',
  host_key_changed: 'the host key has changed',
  address_refused: 'the address is not allowed',
  timeout: 'no answer in time',
  unreachable: 'no connection',
  store_error: 'the store reported an error',
  no_space: 'no space left',
  already_exists: 'a file with this name exists',
  snapshot_expired: 'reading took too long',
  replica_conflict: 'the replica canceled the read',
  interrupted: 'interrupted',
  internal: 'internal error',
};

/** A newer server may know other codes. */
export const wordsOf = (code: string): string =>
  (errorWords as Partial<Record<string, string>>)[code] ?? code.replaceAll('_', ' ');

export const HOST_KEY_CHANGED =
  "The server's host key has changed. Nothing was sent. Trust the new key only if you know why it changed.";
