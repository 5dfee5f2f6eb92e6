import { createHash } from 'node:crypto';

/** Minutes to wait after the first, second, ... failed attempt. After the sixth attempt there are no more. */
const WAIT_MINUTES = [5, 10, 20, 40, 80];

/** The longest accepted `Retry-After`. */
const MAX_RETRY_AFTER_MS = 2 * 3_600_000;

/** A wait is up to this share longer, so that deliveries that failed together are not retried together. */
const JITTER = 0.05;

/** A number from 0 to 1 that depends only on the delivery and the attempt. */
function spread(deliveryId: string, attempts: number): number {
  const hash = createHash('sha256').update(`${deliveryId}:${attempts}`).digest();
  return hash.readUInt32BE() / 2 ** 32;
}

export interface FailedAttempt {
  deliveryId: string;
  /** Number of attempts, including this one. */
  attempts: number;
  /** The endpoint's `Retry-After`; null if it sent none. */
  retryAfterMs: number | null;
}

/** When to retry; null after the last attempt. `Retry-After` can delay an attempt by up to 2 hours. */
export function nextAttempt(
  { deliveryId, attempts, retryAfterMs }: FailedAttempt,
  nowMs: number,
): Date | null {
  const minutes = WAIT_MINUTES[attempts - 1];
  if (minutes === undefined) return null;
  const planned = minutes * 60_000 * (1 + JITTER * spread(deliveryId, attempts));
  const asked = Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS);
  return new Date(nowMs + Math.floor(Math.max(planned, asked)));
}

/** Milliseconds that a `Retry-After` header (seconds or an HTTP date) asks to wait; null if absent or invalid. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | null {
  const value = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  // HTTP dates start with a weekday; `Date.parse` accepts almost anything.
  const atMs = /^[A-Z][a-z]{2}/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}
