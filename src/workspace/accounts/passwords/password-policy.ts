import { hasLength } from '../../../platform/http/text-length.js';

export const PASSWORD_MIN = 8;
export const PASSWORD_MAX = 256;
/** Nothing longer becomes a password; long runs of accents take quadratic time to normalise. */
const LONGEST = 16 * PASSWORD_MAX;

/** Keyboards send the same character in different forms; one of them is hashed (NIST SP 800-63B, 3.1.1.2). */
export function normalizePassword(text: string): string {
  return text.length > LONGEST ? text : text.normalize('NFC');
}

/** True for a normalised password of allowed length, in Unicode code points; what it is made of does not matter. */
export function isPassword(password: string): boolean {
  // A lone surrogate has no UTF-8 form: every one of them would hash alike. Sign-in refuses NUL, as every text does.
  if (!password.isWellFormed() || password.includes('\0')) return false;
  return hasLength(password, PASSWORD_MIN, PASSWORD_MAX);
}
