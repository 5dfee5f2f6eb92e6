import { hasLength } from '../../../platform/http/bodies/text-length.js';

export const PASSWORD_MIN = 8;
export const PASSWORD_MAX = 256;
/** Longer input is never a valid password, and normalising long runs of accents takes quadratic time. */
const LONGEST = 16 * PASSWORD_MAX;

/** Keyboards send the same character in different forms; only one form is hashed (NIST SP 800-63B, 3.1.1.2). */
export function normalizePassword(text: string): string {
  return text.length > LONGEST ? text : text.normalize('NFC');
}

/** True for a normalised password of allowed length in code points. There are no composition rules. */
export function isPassword(password: string): boolean {
  // Lone surrogates have no UTF-8 form, so they would all have the same hash. NUL is refused in all text fields.
  if (!password.isWellFormed() || password.includes('\0')) return false;
  return hasLength(password, PASSWORD_MIN, PASSWORD_MAX);
}
