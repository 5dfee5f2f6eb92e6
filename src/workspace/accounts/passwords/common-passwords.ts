import { createRequire } from 'node:module';
import { PASSWORD_MIN } from './password.policy.js';

/** The most frequent passwords; shorter ones are refused anyway. */
const COUNTED = 10_000;

const require = createRequire(import.meta.url);
let common: ReadonlySet<string> | null = null;

/** The list takes 50 ms and some megabytes to load, so it is loaded with the first new password. */
function load(): ReadonlySet<string> {
  const { dictionary } = require('@zxcvbn-ts/language-common') as {
    dictionary: { 'passwords-common': string[] };
  };
  const longEnough = dictionary['passwords-common'].filter((password) => password.length >= PASSWORD_MIN);
  return new Set(longEnough.slice(0, COUNTED));
}

/** Whether a password, in any case, is one of the 10,000 most common (NIST SP 800-63B, 3.1.1.2). */
export function isCommonPassword(password: string): boolean {
  common ??= load();
  return common.has(password.toLowerCase());
}
