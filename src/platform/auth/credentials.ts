import { createHash } from 'node:crypto';

/** Keys and tokens are stored and looked up as the SHA-256 of at least 128 random bits. */
export function credentialHash(value: string): Buffer {
  return createHash('sha256').update(value).digest();
}

export const SESSION_COOKIE = 'rd_session';
export const SESSION_LIFETIME_S = 30 * 24 * 60 * 60;
