import { AppleCallFailed, keyFields } from '../../../libs/stores/index.js';
import { ApiError } from '../../platform/http/api-error.js';

const RETRY_AFTER_S = 60;

/** Without the in-app purchase key nobody can be asked. `fields`: those of it that are missing. */
export function keyMissing(fields = keyFields): ApiError {
  return new ApiError('impossible', `The app has no in-app purchase key (${fields}).`, { code: 7101 });
}

/** What an error says against the credentials of the app; null for anything else. */
export function refusalOf(error: unknown): string | null {
  return error instanceof AppleCallFailed && error.failure === 'credentials' ? error.message : null;
}

/** What a failed call means to whoever asked for it: 503 when it may work later, else 422. */
export function storeError(error: unknown): unknown {
  if (!(error instanceof AppleCallFailed)) return error;
  const { failure, message, retryAfterMs } = error;
  if (failure !== 'unavailable') return new ApiError('store_refused', message);
  const retryAfterS = Math.max(RETRY_AFTER_S, Math.ceil((retryAfterMs ?? 0) / 1000));
  return new ApiError('store_unreachable', message, { retryAfterS });
}
