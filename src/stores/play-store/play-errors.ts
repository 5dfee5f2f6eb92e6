import { credentialsHelp, PlayCallFailed, refusesApp } from '../../../libs/stores/index.js';
import { ApiError } from '../../platform/http/errors/api-error.js';

const RETRY_AFTER_S = 60;

/** Refusals that are about the account or its project, not about a permission in the Play Console. */
const keyReasons = new Set([null, 'invalid_grant', 'accessNotConfigured', 'SERVICE_DISABLED']);

/** The credential problem that an error reports; null for any other error. */
export function refusalOf(error: unknown): string | null {
  return error instanceof PlayCallFailed && refusesApp(error) ? credentialsHelp(error) : null;
}

/** Converts a failed call: 503 if a retry may succeed, else 422. */
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

/** Converts a failed call of the catalog. Only this call needs "Manage store presence". */
export function listingError(error: unknown): unknown {
  const isPermission =
    error instanceof PlayCallFailed && error.failure === 'credentials' && !keyReasons.has(error.reason);
  if (!isPermission) return storeError(error);
  return new ApiError(
    'impossible',
    'The service account lacks a permission in the Play Console: "View app information" or "Manage store presence". ' +
      `New ones take up to 36 hours. ${error.message}`,
    { code: 7101 },
  );
}
