import { isCommonPassword } from './common-passwords.js';
import { isPassword, PASSWORD_MAX, PASSWORD_MIN } from './password.policy.js';

/** Returns why a normalised password is not acceptable, or null if it is. */
export function newPasswordProblem(password: unknown): string | null {
  if (typeof password !== 'string' || !isPassword(password))
    return `must be ${PASSWORD_MIN} to ${PASSWORD_MAX} characters, none of them NUL`;
  return isCommonPassword(password) ? 'is one of the most common passwords; choose another' : null;
}
