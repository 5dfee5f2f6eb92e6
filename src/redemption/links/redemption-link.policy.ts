import { randomBytes } from 'node:crypto';
import type { RedemptionLink } from './redemption-link.entity.js';

export const linkStatuses = ['active', 'expired', 'replaced', 'revoked', 'redeemed'] as const;
export type LinkStatus = (typeof linkStatuses)[number];

const TOKEN = /^rdm_[A-Za-z0-9_-]{43}$/;

type LinkTimes = Pick<RedemptionLink, 'expiresAt' | 'replacedAt' | 'revokedAt' | 'redeemedAt'>;

/** 256 random bits; only the hash is stored. */
export function newLinkToken(): string {
  return `rdm_${randomBytes(32).toString('base64url')}`;
}

export function isLinkToken(token: unknown): token is string {
  return typeof token === 'string' && TOKEN.test(token);
}

export function statusOf(link: LinkTimes, nowMs: number): LinkStatus {
  if (link.redeemedAt !== null) return 'redeemed';
  if (link.revokedAt !== null) return 'revoked';
  if (link.replacedAt !== null) return 'replaced';
  return link.expiresAt.getTime() <= nowMs ? 'expired' : 'active';
}

/** `t***@e*****.com`: the owner recognizes the address, but others cannot read it. */
export function obfuscatedEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const name = email.slice(0, at);
  const domain = email.slice(at + 1);
  const dot = domain.lastIndexOf('.');
  const ending = dot === -1 ? '' : domain.slice(dot);
  return `${first(name)}***@${first(domain)}*****${ending}`;
}

/** Returns the first character, never half of a surrogate pair. */
function first(text: string): string {
  return String.fromCodePoint(text.codePointAt(0) ?? 0x2a);
}

/** Builds the URL that the SDKs parse; they require exactly this host. */
export function deepLink(scheme: string, token: string): string {
  return `${scheme}://redeem_web_purchase?redemption_token=${token}`;
}

export function pageUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/redeem/${token}`;
}
