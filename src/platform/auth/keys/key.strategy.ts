import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { Strategy } from 'passport-http-bearer';
import { KeyCredentials } from '../credential-lookups.js';
import { credentialHash } from '../credentials.js';
import type { KeyPrincipal } from './key-cache.service.js';
import { expandPermissions } from '../../principal/permissions.js';
import type { PublicKeyPrincipal, SecretKeyPrincipal } from '../../principal/principal.js';

/** Longer credentials are never our keys and are not looked up. */
const MAX_KEY_LENGTH = 256;

@Injectable()
export class KeyLookup {
  constructor(private readonly credentials: KeyCredentials) {}

  async principalOf(key: string): Promise<KeyPrincipal | null> {
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

@Injectable()
export class PublicKeyStrategy extends PassportStrategy(Strategy, 'public_key') {
  constructor(private readonly keys: KeyLookup) {
    super();
  }

  async validate(key: string): Promise<PublicKeyPrincipal | false> {
    const principal = await this.keys.principalOf(key);
    return principal?.kind === 'public_key' ? principal : false;
  }
}

@Injectable()
export class SecretKeyStrategy extends PassportStrategy(Strategy, 'secret_key') {
  constructor(private readonly keys: KeyLookup) {
    super();
  }

  async validate(key: string): Promise<SecretKeyPrincipal | false> {
    const principal = await this.keys.principalOf(key);
    return principal?.kind === 'secret_key' ? principal : false;
  }
}
