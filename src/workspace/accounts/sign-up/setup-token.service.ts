import { hkdfSync, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { credentialHash } from '../../../platform/auth/credentials.js';
import { Config } from '../../../platform/config/config.js';

const PURPOSE = 'service/setup-token/v1';
const BYTES = 32;

/** Derived from the key, so that all processes share one token across restarts without storing it. */
function derivedToken(encryptionKey: Buffer): string {
  return Buffer.from(hkdfSync('sha256', encryptionKey, '', PURPOSE, BYTES)).toString('base64url');
}

/** Proves that the creator of the first account can read the server's output or settings. */
@Injectable()
export class SetupTokenService {
  private readonly token: string | null;

  constructor({ setupToken, encryptionKey }: Config) {
    this.token = setupToken ?? (encryptionKey && derivedToken(encryptionKey));
  }

  /** Null if there is neither a token nor a key to derive it from. */
  get text(): string | null {
    return this.token;
  }

  /** Compares in constant time. */
  matches(given: string | null): boolean {
    if (given === null || this.token === null) return false;
    return timingSafeEqual(credentialHash(given), credentialHash(this.token));
  }
}
