import { createHash } from 'node:crypto';

const MINUTE_MS = 60_000;
/** Pauses after the first, second, ... failed attempt. All later ones are as long as the last. */
const PAUSE_MINUTES = [1, 5, 15, 60];
/** No attempt starts later than this before the deadline, except the first. */
const LAST_TRY_MS = 5 * MINUTE_MS;
/** A pause is up to this share shorter, so that requests that failed together are not repeated together. */
const JITTER = 0.1;

/** A number from 0 to 1 that depends only on the request and the attempt. */
function spread(id: string, attempts: number): number {
  const hash = createHash('sha256').update(`${id}:${attempts}`).digest();
  return hash.readUInt32BE() / 2 ** 32;
}

export interface FailedAnswer {
  id: string;
  /** Number of attempts, including this one. */
  attempts: number;
  deadlineMs: number;
  /** The store's wish; null if it has none. */
  retryAfterMs: number | null;
}

/** When to try again. The last attempt is followed by the deadline, at which the request expires. */
export function nextAnswer({ id, attempts, deadlineMs, retryAfterMs }: FailedAnswer, nowMs: number): Date {
  const minutes = PAUSE_MINUTES[Math.min(attempts, PAUSE_MINUTES.length) - 1] ?? 0;
  const pauseMs = Math.floor(minutes * MINUTE_MS * (1 - JITTER * spread(id, attempts)));
  const lastMs = deadlineMs - LAST_TRY_MS;
  if (nowMs >= lastMs) return new Date(deadlineMs);
  const wishMs = nowMs + (retryAfterMs ?? 0);
  if (wishMs > lastMs) return new Date(Math.min(wishMs, deadlineMs));
  return new Date(Math.min(Math.max(nowMs + pauseMs, wishMs), lastMs));
}
