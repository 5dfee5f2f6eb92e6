import { createRequire } from 'node:module';
import { PASSWORD_MIN } from './password-policy.js';

/** By frequency; shorter ones are refused anyway. */
const COUNTED = 10_000;

const require = createRequire(import.meta.url);
let common: ReadonlySet<string> | null = null;

/** The list takes 50 ms and some megabytes, so only a process that is given a new password loads it. */
function load(): ReadonlySet<string> {
  const { dictionary } = require('@zxcvbn-ts/language-common') as {
    dictionary: { 'passwords-common': string[] };
  };
  const longEnough = dictionary['passwords-common'].filter((password) => password.length >= PASSWORD_MIN);
  return new Set(longEnough.slice(0, COUNTED));
}

/** Whether a password, in whatever case, is one of the 10,000 that people use most (NIST SP 800-63B, 3.1.1.2). */
export function isCommonPassword(password: string): boolean {
  common ??= load();
  return common.has(password.toLowerCase());
}
