import { isEmail, normalizeEmail } from '../../../platform/http/email.js';
import { type RefusalContext, SsoRefused } from './sso-reasons.js';

const MAX_GROUPS = 1_000;
const MAX_GROUP = 255;
const MAX_NAME = 100;

/** A person as the identity provider describes them. */
export interface SsoIdentity {
  /** Normalised. */
  email: string;
  name: string | null;
  groups: string[];
  /** The provider's id of the person, if the member must keep it; else null. */
  subject: string | null;
  /** Why there are no groups, for the audit log; else null. */
  note: 'groups_overage' | 'userinfo_sub' | null;
}

/**
 * One address, or none: with two different ones, which of them the person is would be a guess.
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

/** Null if neither part is there. */
export function nameOf(first: unknown, last: unknown): string | null {
  const parts = [first, last].map((part) => (typeof part === 'string' ? cleanText(part) : ''));
  const name = parts.filter((part) => part !== '').join(' ');
  return name === '' ? null : [...name].slice(0, MAX_NAME).join('');
}

/** At most 1000 names of at most 255 characters, each once. */
export function groupsOf(values: unknown): string[] {
  const list: unknown[] = Array.isArray(values) ? values : [values];
  const names = list
    .filter((value) => typeof value === 'string')
    .map(cleanText)
    .filter((name) => name !== '' && [...name].length <= MAX_GROUP);
  return [...new Set(names)].slice(0, MAX_GROUPS);
}

/** Neither control characters nor half of a surrogate pair: the one is not shown, the other cannot be stored. */
function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\p{Cc}/gu, ' ')
    .trim();
}
