const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Fewer say nothing about how often notifications come. */
const MIN_NOTIFICATIONS = 10;
/** The longest pause so far, times this, is not unusual yet. */
const PATIENCE = 3;
/** Payments that a working store would have sent notifications about. */
export const MIN_PAYMENTS = 3;
/** A notification about a payment may still be under way. */
export const UNDER_WAY_MS = HOUR_MS;

/** `unclear`: too little to judge by. */
export type NotificationFlow = 'arriving' | 'overdue' | 'unclear';

/** @param heardAtMs when the last notifications arrived, newest first */
export function flowOf(heardAtMs: readonly number[], nowMs: number): NotificationFlow {
  const [last] = heardAtMs;
  if (last === undefined || heardAtMs.length < MIN_NOTIFICATIONS) return 'unclear';
  const pauses = heardAtMs.slice(1).map((atMs, index) => (heardAtMs[index] ?? atMs) - atMs);
  const patienceMs = Math.max(DAY_MS, PATIENCE * Math.max(...pauses));
  return nowMs - last > patienceMs ? 'overdue' : 'arriving';
}
