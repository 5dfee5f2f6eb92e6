import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { Strategy } from 'passport-http-bearer';
import { expandPermissions } from '../../principal/permissions.js';
import { KeyCredentials } from '../credential-lookups.js';
import { credentialHash } from '../credentials.js';
import type { KeyPrincipal } from './key-cache.service.js';

/** Longer credentials are never our keys and are not looked up. */
const MAX_KEY_LENGTH = 256;
const SECRET_KEY = /^sk_/i;

@Injectable()
export class KeyStrategy extends PassportStrategy(Strategy, 'key') {
  constructor(private readonly credentials: KeyCredentials) {
    super();
  }

  /** Returns false for an unknown key, and for a key of another kind than its prefix says. */
  async validate(key: string): Promise<KeyPrincipal | false> {
    const principal = await this.principalOf(key);
    const isSecret = principal?.kind === 'secret_key';
    return principal && isSecret === SECRET_KEY.test(key) ? principal : false;
  }

  private async principalOf(key: string): Promise<KeyPrincipal | null> {
    if (key.length > MAX_KEY_LENGTH) return null;
    const row = await this.credentials.find(credentialHash(key));
    if (row?.appType) {
      return { kind: 'public_key', projectId: row.projectId, appId: row.ownerId, appType: row.appType };
    }
    if (row?.permissions) {
      const permissions = expandPermissions(row.permissions) ?? new Set();
      return { kind: 'secret_key', projectId: row.projectId, keyId: row.ownerId, permissions };
    }
    return null;
  }
}
