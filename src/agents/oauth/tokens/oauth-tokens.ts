import { randomBytes } from 'node:crypto';
import { newToken } from '../../../../libs/kernel/index.js';
import { credentialHash } from '../../../platform/auth/credentials.js';

export const ACCESS_TOKEN_S = 3600;
export const REFRESH_TOKEN_MS = 30 * 24 * 60 * 60_000;
export const CODE_MS = 10 * 60_000;

const FAMILY_BYTES = 16;
const ACCESS = /^atk_[\w-]{43}$/;
const REFRESH = /^rtk_([\w-]{43})$/;

/** A code or an access token: 32 random bytes. */
export interface Secret {
  text: string;
  hash: Buffer;
}

/**
 * The first half of a refresh token is shared by all tokens of its grant, the second half is unique. A replaced token
 * thus still identifies the grant, without a row per issued token.
 */
export interface RefreshToken extends Secret {
  familyHash: Buffer;
}

function secret(text: string): Secret {
  return { text, hash: credentialHash(text) };
}

export const newCode = (): Secret => secret(newToken());
export const newAccessToken = (): Secret => secret(`atk_${newToken()}`);

function refreshToken(bytes: Buffer): RefreshToken {
  const family = bytes.subarray(0, FAMILY_BYTES).toString('hex');
  return { ...secret(`rtk_${bytes.toString('base64url')}`), familyHash: credentialHash(family) };
}

/** Creates the first token of a grant, or the replacement of `replaced`. */
export function newRefreshToken(replaced?: RefreshToken): RefreshToken {
  const bytes = randomBytes(2 * FAMILY_BYTES);
  if (replaced) bytesOf(replaced.text)?.copy(bytes, 0, 0, FAMILY_BYTES);
  return refreshToken(bytes);
}

function bytesOf(text: string): Buffer | null {
  const [, encoded] = REFRESH.exec(text) ?? [];
  return encoded === undefined ? null : Buffer.from(encoded, 'base64url');
}

/** Returns null if the text is not a refresh token. */
export function parseRefreshToken(text: string): RefreshToken | null {
  const bytes = bytesOf(text);
  if (bytes === null) return null;
  const token = refreshToken(bytes);
  // Base64url has several spellings for some bytes; only one is valid here.
  return token.text === text ? token : null;
}

export function isAccessToken(text: string): boolean {
  return ACCESS.test(text);
}
