import { Injectable } from '@nestjs/common';
import { deriveKey, type JwtSigner, jwtSigner } from '../../../../libs/signing/index.js';
import { Config } from '../../config/config.js';

const PURPOSE = 'service/customer-tokens/v1';
const ACCESS_TOKEN = 'at+jwt';
const ID_TOKEN = 'JWT';

interface CommonClaims {
  /** URL of the server that issued it. */
  iss: string;
  /** App user id. */
  sub: string;
  'rc.app_user_id': string;
  /** App id. */
  aud: string;
  iat: number;
  exp: number;
  /** Id of the session. */
  sid: string;
  /** Number of the session's refresh token that it was issued with, from 1. Absent in tokens of earlier versions. */
  gen?: number;
  /** The sign-in method, as SDKs name it. */
  amr: [string];
}

export interface AccessTokenClaims extends CommonClaims {
  jti: string;
  client_id: string;
  scope: string;
}

export interface IdTokenClaims extends CommonClaims {
  /** Time of sign-in. */
  auth_time: number;
}

/** The key that signs customers' tokens. It differs from the key that signs SDK responses. */
@Injectable()
export class CustomerTokenKeyService {
  private readonly signer: JwtSigner;

  constructor({ signingKey, encryptionKey }: Config) {
    const rootKey = signingKey ?? encryptionKey;
    if (rootKey === null) throw new Error('The encryption key must be known before the application starts');
    this.signer = jwtSigner(deriveKey(rootKey, PURPOSE));
  }

  get kid(): string {
    return this.signer.kid;
  }

  /** 32 bytes. */
  get publicKey(): Buffer {
    return this.signer.publicKey;
  }

  signAccessToken(claims: AccessTokenClaims): string {
    return this.signer.sign(ACCESS_TOKEN, claims);
  }

  signIdToken(claims: IdTokenClaims): string {
    return this.signer.sign(ID_TOKEN, claims);
  }

  /** Verifies type and signature, and that the token has an expiration time. */
  accessTokenClaims(token: string): AccessTokenClaims | null {
    const claims = this.signer.claimsOf(ACCESS_TOKEN, token) as unknown as AccessTokenClaims | null;
    return Number.isFinite(claims?.exp) ? claims : null;
  }

  /** Verifies type and signature only. */
  idTokenClaims(token: string): IdTokenClaims | null {
    return this.signer.claimsOf(ID_TOKEN, token) as unknown as IdTokenClaims | null;
  }
}
