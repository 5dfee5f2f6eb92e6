import type { CallError } from '../api/call-error.js';

/** Returns the field of an error. The server names none in errors about the two-factor code. */
export const twoFactorParam = ({ type, param }: CallError): string | null =>
  type.startsWith('two_factor_') ? 'code' : param;

/** Returns the field of an error of a form with nothing but the code. */
export const wrongCodeParam = ({ type }: CallError): string | null =>
  type === 'two_factor_invalid' ? 'code' : null;
