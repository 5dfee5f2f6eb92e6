import type { AccountLink, LinkPurpose } from './account-link.entity.js';

const HOUR_MS = 60 * 60_000;

export const linkLifetimeMs: Record<LinkPurpose, number> = {
  reset_password: HOUR_MS,
  verify_email: 24 * HOUR_MS,
  change_email: 24 * HOUR_MS,
};

/** Pages of the dashboard. The token is in the fragment, which reaches neither server logs nor other sites. */
const pages: Record<LinkPurpose, string> = {
  reset_password: '/reset-password',
  verify_email: '/verify-email',
  change_email: '/change-email',
};

export function linkUrl(baseUrl: string, purpose: LinkPurpose, token: string): string {
  return `${baseUrl}${pages[purpose]}#token=${token}`;
}

export const linkProblems = ['not_found', 'expired', 'used', 'replaced'] as const;
export type LinkProblem = (typeof linkProblems)[number];

export const linkMessages: Record<LinkProblem, string> = {
  not_found: 'This link is not valid.',
  expired: 'This link has expired.',
  used: 'This link has been used.',
  replaced: 'This link no longer works; a newer one may have replaced it.',
};

/** Returns why a link does not work, or null if it does. */
export function linkProblem(
  link: Pick<AccountLink, 'expiresAt' | 'endedAt' | 'endedBy'> | null,
  now: Date,
): LinkProblem | null {
  if (link === null) return 'not_found';
  if (link.endedBy === 'used') return 'used';
  // It had expired before another link replaced it.
  if (link.expiresAt <= (link.endedAt ?? now)) return 'expired';
  return link.endedBy;
}
