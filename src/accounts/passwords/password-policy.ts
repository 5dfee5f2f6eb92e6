export const PASSWORD_MIN = 8;
export const PASSWORD_MAX = 256;

/** Keyboards send the same character in different forms; one of them is hashed (NIST SP 800-63B, 3.1.1.2). */
export function normalizePassword(text: string): string {
  return text.normalize('NFC');
}

/** True for a normalised password of allowed length, in Unicode code points; what it is made of does not matter. */
export function isPassword(password: string): boolean {
  // A lone surrogate has no UTF-8 form: every one of them would hash alike.
  if (!password.isWellFormed()) return false;
  const { length } = [...password];
  return length >= PASSWORD_MIN && length <= PASSWORD_MAX;
}
