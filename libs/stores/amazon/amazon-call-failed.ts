/**
 * What an answer of Amazon's receipt service means. `unknown`: it knows no such receipt (in that environment);
 * `gone`: the purchase was taken back; `user`: it knows no such user; `credentials`: it does not take our shared
 * secret; `unavailable`: it may answer, later.
 */
export type AmazonFailure = 'unknown' | 'gone' | 'user' | 'credentials' | 'unavailable';

/** Amazon did not show a receipt. */
export class AmazonCallFailed extends Error {
  constructor(
    readonly failure: AmazonFailure,
    message: string,
    /** Not before so many ms, where Amazon asks for that. */
    readonly retryAfterMs: number | null = null,
  ) {
    super(message);
    this.name = 'AmazonCallFailed';
  }
}

const meanings: Record<number, [failure: AmazonFailure, message: string]> = {
  400: ['unknown', 'Amazon knows no such receipt.'],
  410: ['gone', 'Amazon says that the purchase was cancelled and is not valid any more.'],
  496: ['credentials', 'Amazon does not take the shared secret (shared_secret).'],
  497: ['user', 'Amazon knows no such user.'],
};

const MAX_RETRY_AFTER_MS = 24 * 3_600_000;

/** Sorts an answer that is no receipt. */
export function amazonFailure(status: number, retryAfter: string | null): AmazonCallFailed {
  const known = meanings[status];
  if (known) return new AmazonCallFailed(...known);
  const seconds = Number(retryAfter ?? '');
  const waitMs = Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : null;
  const boundedMs = waitMs === null ? null : Math.min(waitMs, MAX_RETRY_AFTER_MS);
  return new AmazonCallFailed('unavailable', `Amazon answered ${status}.`, boundedMs);
}
