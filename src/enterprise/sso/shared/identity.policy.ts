import { isEmail, normalizeEmail } from '../../../platform/http/bodies/email.js';
import { type RefusalContext, SsoRefused } from './sso-reasons.js';

const MAX_GROUPS = 1_000;
const MAX_GROUP = 255;
const MAX_NAME = 100;

/** A person as the identity provider describes them. */
export interface SsoIdentity {
  /** Normalized. */
  email: string;
  name: string | null;
  groups: string[];
  /** The provider's id of the person, if it must not change; else null. */
  subject: string | null;
  /** Why groups are missing, for the audit log; else null. */
  note: 'groups_overage' | 'userinfo_sub' | null;
}

/**
 * Requires exactly one distinct address, because choosing between several would be a guess.
 * @throws SsoRefused
 */
export function emailOf(values: readonly unknown[], context: RefusalContext = {}): string {
  const addresses = new Set(values.map((value) => (typeof value === 'string' ? normalizeEmail(value) : '')));
  const [email] = addresses;
  if (addresses.size !== 1 || email === undefined || !isEmail(email)) {
    throw new SsoRefused('email', context);
  }
  return email;
}

export function looksLikeEmail(text: string): boolean {
  return isEmail(normalizeEmail(text));
}

/** Returns null if both parts are missing. */
export function nameOf(first: unknown, last: unknown): string | null {
  const parts = [first, last].map((part) => (typeof part === 'string' ? cleanText(part) : ''));
  const name = parts.filter((part) => part !== '').join(' ');
  return name === '' ? null : [...name].slice(0, MAX_NAME).join('');
}

/** Returns up to 1000 distinct names of up to 255 characters. */
export function groupsOf(values: unknown): string[] {
  const list: unknown[] = Array.isArray(values) ? values : [values];
  const names = list
    .filter((value) => typeof value === 'string')
    .map(cleanText)
    .filter((name) => name !== '' && [...name].length <= MAX_GROUP);
  return [...new Set(names)].slice(0, MAX_GROUPS);
}

/** Removes control characters, which are invisible, and lone surrogates, which cannot be stored. */
function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\p{Cc}/gu, ' ')
    .trim();
}
