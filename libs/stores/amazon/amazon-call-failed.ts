import { isJsonObject } from '../../kernel/index.js';

/** `unknown`: no such receipt in that environment; `gone`: revoked; `unavailable`: a later call may succeed. */
export type AmazonFailure = 'unknown' | 'gone' | 'user' | 'credentials' | 'unavailable';

export class AmazonCallFailed extends Error {
  constructor(
    readonly failure: AmazonFailure,
    message: string,
    readonly retryAfterMs: number | null = null,
  ) {
    super(message);
    this.name = 'AmazonCallFailed';
  }
}

/** Statuses after which the purchase is not requested again. */
const refusals: Record<number, [failure: AmazonFailure, message: string]> = {
  400: ['unknown', 'Amazon knows no such receipt.'],
  410: ['gone', 'Amazon says that the purchase was cancelled and is not valid any more.'],
  497: ['user', 'Amazon knows no such user.'],
};
const SECRET_REFUSED = 496;

const MAX_RETRY_AFTER_MS = 24 * 3_600_000;

/** Detects `{"message":"Failed to parse receipt Id","status":false}`, which proxies do not send. */
function isAmazons(body: unknown): boolean {
  return isJsonObject(body) && body.status === false && typeof body.message === 'string';
}

/** Classifies an answer without a receipt. `body` is its JSON, or null. */
export function amazonFailure(status: number, body: unknown, retryAfter: string | null): AmazonCallFailed {
  if (status === SECRET_REFUSED) {
    return new AmazonCallFailed('credentials', 'Amazon rejects the shared secret (shared_secret).');
  }
  const refusal = refusals[status];
  if (refusal && isAmazons(body)) return new AmazonCallFailed(...refusal);
  if (refusal) {
    return new AmazonCallFailed(
      'unavailable',
      `Something else than Amazon's receipt service answered ${status}.`,
    );
  }
  const seconds = Number(retryAfter ?? '');
  const waitMs = Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : null;
  const boundedMs = waitMs === null ? null : Math.min(waitMs, MAX_RETRY_AFTER_MS);
  return new AmazonCallFailed('unavailable', `Amazon answered ${status}.`, boundedMs);
}
