import type { VerificationFailure } from '../../../libs/stores/index.js';
import { ApiError } from '../../platform/http/errors/api-error.js';

const CREDENTIALS_RETRY_S = 60;
const MIN_RETRY_S = 30;

/** The SDK finishes a receipt refused with a 4xx, so send that only for receipts that can never be accepted. */
export function verificationError(result: VerificationFailure): ApiError {
  const { failure, code, message } = result;
  if (failure === 'permanent') return new ApiError('invalid_request', message, { code });
  if (failure === 'credentials') {
    return new ApiError('store_unreachable', message, { code, retryAfterS: CREDENTIALS_RETRY_S });
  }
  const retryAfterS = Math.max(MIN_RETRY_S, Math.ceil((result.retryAfterMs ?? 0) / 1000));
  return new ApiError('store_unreachable', message, { code, retryAfterS });
}
