import { hasLength } from '../../platform/http/bodies/text-length.js';

export const MAX_VALUE_LENGTH = 500;

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@.]+$/;

/** The problem with an attribute's value (null deletes it); null if it is valid. */
export function valueProblem(name: string, value: string | null): string | null {
  if (value === null) return null;
  if (!hasLength(value, 0, MAX_VALUE_LENGTH)) return 'Value is too long.';
  if (value.includes('\0') || !value.isWellFormed()) return 'Value holds a character that cannot be stored.';
  if (name === '$email' && !EMAIL.test(value)) return 'Value is not a valid email address.';
  return null;
}
