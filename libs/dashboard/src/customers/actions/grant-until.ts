export const durations = ['day', 'week', 'month', 'quarter', 'year', 'lifetime', 'own'] as const;
export type Duration = (typeof durations)[number];

/** Far in the future, but readable by every client. */
const LIFETIME_MS = Date.UTC(2200, 0, 1);
const NEAR_MS = 2 * 3_600_000;

const months: Partial<Record<Duration, number>> = { month: 1, quarter: 3, year: 12 };
const days: Partial<Record<Duration, number>> = { day: 1, week: 7 };

/** Returns the same day of a later month, or that month's last day. */
function addMonths(ms: number, count: number): number {
  const date = new Date(ms);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + count);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
  return date.getTime();
}

/** Returns the end of a grant created at `nowMs`; null unless `own` is in the future. */
export function grantEnd(duration: Duration, ownMs: number | null, nowMs: number): number | null {
  if (duration === 'own') return ownMs !== null && ownMs > nowMs ? ownMs : null;
  if (duration === 'lifetime') return LIFETIME_MS;
  const count = months[duration];
  if (count !== undefined) return addMonths(nowMs, count);
  return nowMs + (days[duration] ?? 0) * 86_400_000;
}

/** The server changes nothing if an active grant ends within 2 hours of the new time. */
export const isNear = (endMs: number | null, existingEnds: readonly (number | null)[]): boolean =>
  endMs !== null && existingEnds.some((end) => end !== null && Math.abs(end - endMs) <= NEAR_MS);
