import { ApiError } from '../../platform/http/errors/api-error.js';

const RETRY_AFTER_S = 60;

/** 503 with the wait that the store asked for, or a minute. */
export function unreachableError({
  message,
  retryAfterMs,
}: {
  message: string;
  retryAfterMs: number | null;
}): ApiError {
  const retryAfterS = retryAfterMs === null ? RETRY_AFTER_S : Math.max(1, Math.ceil(retryAfterMs / 1000));
  return new ApiError('store_unreachable', message, { retryAfterS });
}
