/**
 * What an answer of the App Store Server API means.
 * `unknown`: it knows no such transaction (in that environment); `credentials`: it does not take our key;
 * `refused`: it will never do that; `unavailable`: it may, later.
 */
export type AppleFailure = 'unknown' | 'credentials' | 'refused' | 'unavailable';

/** Where the in-app purchase key of an app is kept. */
export const keyFields = 'subscription_private_key, subscription_key_id, subscription_key_issuer';

/** The App Store did not do what it was asked to. */
export class AppleCallFailed extends Error {
  constructor(
    readonly failure: AppleFailure,
    message: string,
    /** Apple's own code; null when it sent none. */
    readonly code: number | null = null,
    /** Not before so many ms, where Apple asks for that. */
    readonly retryAfterMs: number | null = null,
  ) {
    super(message);
    this.name = 'AppleCallFailed';
  }
}

/** `TransactionIdNotFound`: as all codes that begin with 404, but also what a foreign environment answers. */
const RETRYABLE_NOT_FOUND = new Set([4040002, 4040004, 4040006]);
const RETRYABLE_SERVER = 5000001;
export const INVALID_TRANSACTION_ID = 4000006;
/** With `InvalidOriginalTransactionId`. */
const INVALID_ID = new Set([INVALID_TRANSACTION_ID, 4000008]);

/** Sorts an answer by status and code of the App Store. */
export function failureOf(status: number, code: number | null): AppleFailure {
  if (status === 401) return 'credentials';
  // Without a code of Apple's it is something else that answers: nothing is final.
  if (code === null) return 'unavailable';
  if (status === 404) return RETRYABLE_NOT_FOUND.has(code) ? 'unavailable' : 'unknown';
  if (status === 429 || status >= 500 || code === RETRYABLE_SERVER) return 'unavailable';
  return 'refused';
}

/** Whether Apple will never show that purchase; any other refusal may be over tomorrow. */
export function isInvalidId({ failure, code }: AppleCallFailed): boolean {
  return failure === 'refused' && INVALID_ID.has(code ?? 0);
}
