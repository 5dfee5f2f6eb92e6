import { credentialsHelp, PlayCallFailed } from '../../libs/stores/index.js';
import { ApiError } from '../http/api-error.js';

const RETRY_AFTER_S = 60;

/** What a failed call means to whoever asked for it: 503 when it may work later, else 422. */
export function storeError(error: unknown): unknown {
  if (!(error instanceof PlayCallFailed)) return error;
  const { failure, retryAfterMs, message } = error;
  if (failure === 'credentials') return new ApiError('impossible', credentialsHelp(error), { code: 7101 });
  if (failure === 'unavailable' || failure === 'quota') {
    const retryAfterS = Math.max(RETRY_AFTER_S, Math.ceil((retryAfterMs ?? 0) / 1000));
    return new ApiError('store_unreachable', message, { retryAfterS });
  }
  return new ApiError('store_refused', message);
}
