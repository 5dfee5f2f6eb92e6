/** Minutes to wait after the first, second, ... failed attempt; after the sixth attempt nothing more is tried. */
const WAIT_MINUTES = [5, 10, 20, 40, 80];

/** When to try again after `attempts` failed attempts; null when that was the last. */
export function nextAttempt(attempts: number, nowMs: number): Date | null {
  const minutes = WAIT_MINUTES[attempts - 1];
  return minutes === undefined ? null : new Date(nowMs + minutes * 60_000);
}
