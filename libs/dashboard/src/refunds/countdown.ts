const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export interface Countdown {
  text: string;
  /** Less than an hour is left. */
  isSoon: boolean;
}

/** Describes the time that is left: `in 3 h 20 min`; `expired` after the deadline. */
export function countdownTo(deadlineMs: number, nowMs: number): Countdown {
  const left = deadlineMs - nowMs;
  if (left <= 0) return { text: 'expired', isSoon: false };
  const hours = Math.floor(left / HOUR_MS);
  const minutes = Math.floor((left % HOUR_MS) / MINUTE_MS);
  if (hours === 0) return { text: minutes === 0 ? 'in less than 1 min' : `in ${minutes} min`, isSoon: true };
  return { text: minutes === 0 ? `in ${hours} h` : `in ${hours} h ${minutes} min`, isSoon: false };
}
