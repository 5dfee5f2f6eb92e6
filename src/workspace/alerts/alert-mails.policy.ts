import type { AlertCause } from './project-alert.js';
import type { ProjectAlert } from './project-alert.entity.js';

const DAY_MS = 24 * 3_600_000;
const WEEK_MS = 7 * DAY_MS;

export type AlertNews = 'problem' | 'recovery';

/** Problems that users often leave unrepaired. Mailed weekly while they last; their end is not mailed. */
const weekly: ReadonlySet<AlertCause> = new Set(['experiment_warning']);

function isAgo(ms: number, at: Date | null, now: Date): boolean {
  return at === null || now.getTime() - at.getTime() >= ms;
}

/**
 * Returns the mail to send now, or null. The start and the end of a problem are mailed once each, and each at most once
 * a day: a problem that comes and goes is reported again only if it still exists a day later. Weekly ones are mailed
 * once a week.
 */
export function dueNews(
  alert: Pick<ProjectAlert, 'cause' | 'resolvedAt' | 'isReported' | 'problemMailedAt' | 'recoveryMailedAt'>,
  now: Date,
): AlertNews | null {
  const isOpen = alert.resolvedAt === null;
  if (weekly.has(alert.cause)) return isOpen && isAgo(WEEK_MS, alert.problemMailedAt, now) ? 'problem' : null;
  if (isOpen === alert.isReported) return null;
  if (isOpen) return isAgo(DAY_MS, alert.problemMailedAt, now) ? 'problem' : null;
  return isAgo(DAY_MS, alert.recoveryMailedAt, now) ? 'recovery' : null;
}
