import type { ProjectAlert } from './project-alert.entity.js';

const DAY_MS = 24 * 3_600_000;

export type AlertNews = 'problem' | 'recovery';

function isDayAgo(at: Date | null, now: Date): boolean {
  return at === null || now.getTime() - at.getTime() >= DAY_MS;
}

/**
 * The mail to send now, or null. People hear of a problem once, and of its end once; each of the two at most once a
 * day, so a problem that comes and goes is reported again only if it is still there a day later.
 */
export function dueNews(
  alert: Pick<ProjectAlert, 'resolvedAt' | 'isReported' | 'problemMailedAt' | 'recoveryMailedAt'>,
  now: Date,
): AlertNews | null {
  const isOpen = alert.resolvedAt === null;
  if (isOpen === alert.isReported) return null;
  if (isOpen) return isDayAgo(alert.problemMailedAt, now) ? 'problem' : null;
  return isDayAgo(alert.recoveryMailedAt, now) ? 'recovery' : null;
}
