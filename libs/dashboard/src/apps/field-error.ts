import { CallError } from '../api/call-error.js';

const byOriginal = new WeakMap<CallError, CallError>();

/** Renames the error's field: the server reports `app_store.bundle_id`, forms use `bundle_id`. */
export function fieldError(error: CallError | null): CallError | null {
  if (!error?.param?.includes('.')) return error;
  const known = byOriginal.get(error);
  if (known) return known;
  const renamed = new CallError(error.message, { ...error, param: error.param.split('.').at(-1) });
  byOriginal.set(error, renamed);
  return renamed;
}
