const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Pauses after each failed attempt to process a notification: 20 attempts in three days. */
const processing = [
  ...[10, 30, 60, 120].map((seconds) => seconds * SECOND),
  ...[5, 10, 20, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 4, 6, 6, 8, 8, 8, 9, 9, 9].map((hours) => hours * HOUR),
];

/** Pauses after each failed attempt to forward one: five attempts. */
const forwarding = [1, 5, 30, 120].map((minutes) => minutes * MINUTE);

const MAX_PAUSE_MS = 24 * HOUR;

function nextAt(pauses: number[], attempts: number, nowMs: number, atLeastMs: number): Date | null {
  const pauseMs = pauses[attempts - 1];
  return pauseMs === undefined
    ? null
    : new Date(nowMs + Math.min(Math.max(pauseMs, atLeastMs), MAX_PAUSE_MS));
}

/**
 * When to process a notification again after `attempts` failures, no earlier than the store asked; null means never.
 */
export function nextProcessing(attempts: number, nowMs: number, retryAfterMs: number | null): Date | null {
  return nextAt(processing, attempts, nowMs, retryAfterMs ?? 0);
}

export function nextForwarding(attempts: number, nowMs: number): Date | null {
  return nextAt(forwarding, attempts, nowMs, 0);
}
