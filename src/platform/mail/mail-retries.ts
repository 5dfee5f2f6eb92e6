const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Counted from the creation of a mail. */
export const GIVE_UP_AFTER_MS = 24 * HOUR_MS;

const PAUSES_MS = [1, 5, 15, 30, 60, 120].map((minutes) => minutes * MINUTE_MS);
const LAST_PAUSE_MS = 4 * HOUR_MS;

/** Time to wait after a temporary failure. @param made attempts so far, including this one */
export function pauseAfter(made: number): number {
  return PAUSES_MS[made - 1] ?? LAST_PAUSE_MS;
}
