import { randomBytes } from 'node:crypto';
import { credentialHash } from '../../platform/auth/credentials.js';

const PREFIX = 'rdrf_';
const SECRET_BYTES = 16;
const FORM = /^rdrf_([0-9a-f]{32})([0-9a-f]{32})$/;

/**
 * A refresh token: `rdrf_`, 32 hexadecimal digits shared by all tokens of its session, and 32 digits of its own. This
 * allows a replaced token to identify its session without storing every token ever issued.
 */
export interface RefreshToken {
  text: string;
  family: string;
  familyHash: Buffer;
  hash: Buffer;
}

function tokenOf(family: string, own: string): RefreshToken {
  const text = PREFIX + family + own;
  return { text, family, familyHash: credentialHash(family), hash: credentialHash(text) };
}

const secret = (): string => randomBytes(SECRET_BYTES).toString('hex');

/** The first token of a session, or the next one of a family. */
export function newRefreshToken(family = secret()): RefreshToken {
  return tokenOf(family, secret());
}

/** Null if the text is not one of our refresh tokens. */
export function parseRefreshToken(text: string): RefreshToken | null {
  const [, family, own] = FORM.exec(text) ?? [];
  return family === undefined || own === undefined ? null : tokenOf(family, own);
}
