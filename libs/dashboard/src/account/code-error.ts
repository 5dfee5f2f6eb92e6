import { CallError } from '../api/call-error.js';

/** A wrong or missing two-factor code belongs to the field `code`, which the server's answer does not name. */
export function codeErrorOf(error: CallError | null): CallError | null {
  if (!error?.type.startsWith('two_factor_')) return error;
  return new CallError(error.message, { ...error, param: 'code' });
}
