import { CallError } from '../api/call-error.js';

/** Assigns an error about the two-factor code to the field `code`, which the server does not name. */
export function codeErrorOf(error: CallError | null): CallError | null {
  if (!error?.type.startsWith('two_factor_')) return error;
  return new CallError(error.message, { ...error, param: 'code' });
}
