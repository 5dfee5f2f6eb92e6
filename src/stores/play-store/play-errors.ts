import { credentialsHelp, PlayCallFailed, refusesApp } from '../../../libs/stores/index.js';
import { ApiError } from '../../platform/http/api-error.js';

const RETRY_AFTER_S = 60;

/** What an error says against the credentials of the app; null for anything else. */
export function refusalOf(error: unknown): string | null {
  return error instanceof PlayCallFailed && refusesApp(error) ? credentialsHelp(error) : null;
}

/** What a failed call means to whoever asked for it: 503 when it may work later, else 422. */
export function storeError(error: unknown): unknown {
  if (!(error instanceof PlayCallFailed)) return error;
  const { failure, retryAfterMs, message } = error;
  if (refusesApp(error)) return new ApiError('impossible', credentialsHelp(error), { code: 7101 });
  if (failure === 'unavailable' || failure === 'quota') {
    const retryAfterS = Math.max(RETRY_AFTER_S, Math.ceil((retryAfterMs ?? 0) / 1000));
    return new ApiError('store_unreachable', message, { retryAfterS });
  }
  return new ApiError('store_refused', message);
}
