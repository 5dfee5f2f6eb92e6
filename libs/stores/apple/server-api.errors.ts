import type { AnswerResult } from '../refunds/answer-result.js';

/** `unknown`: not in that environment; `refused`: will never succeed; `unavailable`: a later call may succeed. */
export type AppleFailure = 'unknown' | 'credentials' | 'refused' | 'unavailable';

export const keyFields = 'subscription_private_key, subscription_key_id, subscription_key_issuer';

export class AppleCallFailed extends Error {
  constructor(
    readonly failure: AppleFailure,
    message: string,
    readonly code: number | null = null,
    readonly retryAfterMs: number | null = null,
  ) {
    super(message);
    this.name = 'AppleCallFailed';
  }
}

/** The result of an answer to a refund request that failed. */
export function failedAnswer({ failure, code, message, retryAfterMs }: AppleCallFailed): AnswerResult {
  if (failure === 'credentials') return { result: 'credentials', message };
  if (failure === 'unavailable') return { result: 'busy', message, retryAfterMs };
  return { result: 'refused', code: code === null ? null : String(code), message };
}

/** Includes `TransactionIdNotFound`, which is also the answer for a transaction of the other environment. */
const RETRYABLE_NOT_FOUND = new Set([4040002, 4040004, 4040006]);
const RETRYABLE_SERVER = 5000001;
export const INVALID_TRANSACTION_ID = 4000006;
/** Includes `InvalidOriginalTransactionId`. */
const INVALID_ID = new Set([INVALID_TRANSACTION_ID, 4000008]);

export function failureOf(status: number, code: number | null): AppleFailure {
  if (status === 401) return 'credentials';
  // Without Apple's code, something else answered, so nothing is final.
  if (code === null) return 'unavailable';
  if (status === 404) return RETRYABLE_NOT_FOUND.has(code) ? 'unavailable' : 'unknown';
  if (status === 429 || status >= 500 || code === RETRYABLE_SERVER) return 'unavailable';
  return 'refused';
}

/** Whether Apple will never return this purchase. Any other refusal may be temporary. */
export function isInvalidId({ failure, code }: AppleCallFailed): boolean {
  return failure === 'refused' && INVALID_ID.has(code ?? 0);
}

/**
 * Whether Apple refused a report about outside purchases because of its token. Apple documents no code for that; its
 * text names the field.
 */
export function namesUnknownToken(message: string): boolean {
  return /externalPurchaseId/i.test(message);
}
