import { AppleCallFailed, keyFields } from '../../../libs/stores/index.js';
import { ApiError } from '../../platform/http/errors/api-error.js';

const RETRY_AFTER_S = 60;

/** Apple cannot be called without the in-app purchase key. `fields` names the missing parts of the key. */
export function keyMissing(fields = keyFields): ApiError {
  return new ApiError('impossible', `The app has no in-app purchase key (${fields}).`, { code: 7101 });
}

/** The credential problem that an error reports; null for any other error. */
export function refusalOf(error: unknown): string | null {
  return error instanceof AppleCallFailed && error.failure === 'credentials' ? error.message : null;
}

/** Converts a failed call: 503 if a retry may succeed, else 422. */
export function storeError(error: unknown): unknown {
  if (!(error instanceof AppleCallFailed)) return error;
  const { failure, message, retryAfterMs } = error;
  if (failure !== 'unavailable') return new ApiError('store_refused', message);
  const retryAfterS = Math.max(RETRY_AFTER_S, Math.ceil((retryAfterMs ?? 0) / 1000));
  return new ApiError('store_unreachable', message, { retryAfterS });
}
