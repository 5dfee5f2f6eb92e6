const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Fewer notifications do not show how often they arrive. */
const MIN_NOTIFICATIONS = 10;
/** Silence is unusual after this many times the longest pause so far. */
const PATIENCE = 3;
/** Number of payments that a working store would have sent notifications about. */
export const MIN_PAYMENTS = 3;
/** A notification about a more recent payment may still be on its way. */
export const UNDER_WAY_MS = HOUR_MS;

/** `unclear`: not enough data to judge. */
export type NotificationFlow = 'arriving' | 'overdue' | 'unclear';

/** @param heardAtMs arrival times of the last notifications, newest first */
export function flowOf(heardAtMs: readonly number[], nowMs: number): NotificationFlow {
  const [last] = heardAtMs;
  if (last === undefined || heardAtMs.length < MIN_NOTIFICATIONS) return 'unclear';
  const pauses = heardAtMs.slice(1).map((atMs, index) => (heardAtMs[index] ?? atMs) - atMs);
  const patienceMs = Math.max(DAY_MS, PATIENCE * Math.max(...pauses));
  return nowMs - last > patienceMs ? 'overdue' : 'arriving';
}
