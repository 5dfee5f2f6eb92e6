import { hkdfSync, timingSafeEqual } from 'node:crypto';
import { credentialHash } from '../../../platform/auth/credentials.js';
import type { Config } from '../../../platform/config/config.js';

const PURPOSE = 'service/setup-token/v1';
const BYTES = 32;

type TokenSource = Pick<Config, 'setupToken' | 'encryptionKey'>;

/** Derived from the key, so that all processes share one token across restarts without storing it. */
function derivedToken(encryptionKey: Buffer): string {
  return Buffer.from(hkdfSync('sha256', encryptionKey, '', PURPOSE, BYTES)).toString('base64url');
}

/**
 * Proves that the creator of the first account can read the server's output or settings. Null if there is neither a
 * token nor a key to derive it from.
 */
export function setupTokenOf({ setupToken, encryptionKey }: TokenSource): string | null {
  return setupToken ?? (encryptionKey && derivedToken(encryptionKey));
}

/** Compares in constant time. */
export function isSetupToken(given: string | null, source: TokenSource): boolean {
  const token = setupTokenOf(source);
  if (given === null || token === null) return false;
  return timingSafeEqual(credentialHash(given), credentialHash(token));
}
