import { createPublicKey, sign, verify } from 'node:crypto';
import { isJsonObject } from '../kernel/index.js';
import { keyId, keyPair } from './ed25519.js';

const SIGNATURE_LENGTH = 64;

export interface JwtSigner {
  readonly kid: string;
  /** 32 bytes. */
  readonly publicKey: Buffer;
  sign(type: string, claims: object): string;
  /** Returns the claims if this signer created the token with this type. Times and other claims are not checked. */
  claimsOf(type: string, token: string): Record<string, unknown> | null;
}

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function signatureOf(text: string): Buffer | null {
  const signature = Buffer.from(text, 'base64url');
  const isCanonical = signature.length === SIGNATURE_LENGTH && signature.toString('base64url') === text;
  return isCanonical ? signature : null;
}

function parsed(part: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

/**
 * JSON Web Tokens signed with one Ed25519 key (RFC 8037). The header of a type is always the same text, so comparing
 * it checks algorithm, type and key at once.
 * @throws RangeError unless the seed has 32 bytes
 */
export function jwtSigner(seed: Buffer): JwtSigner {
  const { privateKey, publicKey } = keyPair(seed);
  const verificationKey = createPublicKey(privateKey);
  const kid = keyId(publicKey);
  const headers = new Map<string, string>();
  const headerOf = (type: string): string => {
    const header = headers.get(type) ?? base64url({ alg: 'EdDSA', typ: type, kid });
    headers.set(type, header);
    return header;
  };
  return {
    kid,
    publicKey,
    sign(type, claims) {
      const content = `${headerOf(type)}.${base64url(claims)}`;
      return `${content}.${sign(null, Buffer.from(content), privateKey).toString('base64url')}`;
    },
    claimsOf(type, token) {
      const [header, payload, last, ...more] = token.split('.');
      if (header !== headerOf(type) || payload === undefined || last === undefined || more.length > 0)
        return null;
      const signature = signatureOf(last);
      const content = Buffer.from(`${header}.${payload}`);
      if (signature === null || !verify(null, content, verificationKey, signature)) return null;
      return parsed(payload);
    },
  };
}
