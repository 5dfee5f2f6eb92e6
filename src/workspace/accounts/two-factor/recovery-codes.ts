import { randomBytes } from 'node:crypto';
import { credentialHash } from '../../../platform/auth/credentials.js';

const COUNT = 10;
const BYTES = 16;
const GROUP = /.{8}/g;

/** 128 random bits each, in groups that are easy to copy from paper. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: COUNT }, () => {
    const digits = randomBytes(BYTES).toString('hex');
    return (digits.match(GROUP) ?? []).join('-');
  });
}

/** Normalizes a code typed with spaces, without dashes or in upper case. */
export function normalizeCode(code: string): string {
  return code.replace(/[\s-]/g, '').toLowerCase();
}

export function recoveryCodeHash(code: string): Buffer {
  return credentialHash(normalizeCode(code));
}
