import { createHmac, createSign, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import type { ManualClock } from '../../../libs/kernel/index.js';
import { type FakeAnswer, type FakeCall, FakeHttp } from '../fake-http.js';
import type { RokuMessage } from './fake-roku-subscription.js';

export const ROKU_ISSUER = 'Roku, Inc. urn:roku:apps:partner-service.roku.com';

interface SigningKey {
  kid: string;
  privateKey: KeyObject;
  publicKey: KeyObject;
}

export interface PushOptions {
  signedBy?: SigningKey;
  messageKey?: string;
  header?: Record<string, unknown>;
  claims?: Record<string, unknown>;
  encoding?: 'base64' | 'base64url';
  algorithm?: 'RS256' | 'HS256' | 'none';
}

const HOUR_S = 3_600;

const keysById = new Map<string, SigningKey>();

/** Made once: that takes a while. */
function keyOf(kid: string): SigningKey {
  const key = keysById.get(kid) ?? { kid, ...generateKeyPairSync('rsa', { modulusLength: 2048 }) };
  keysById.set(kid, key);
  return key;
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** Who sends Roku's push notifications, for all developers with the same keys, and the addresses of these. */
export class FakeRokuPushes extends FakeHttp {
  readonly testKey = keyOf('test-1');
  readonly unpublished = keyOf('never-published');
  private keys = [keyOf('key-1')];

  constructor(readonly clock: ManualClock) {
    super();
  }

  get key(): SigningKey {
    return this.keys.at(-1) as SigningKey;
  }

  /** Signs messages with another key from now on. */
  rotate(): void {
    this.keys = [...this.keys, keyOf(`key-${this.keys.length + 1}`)];
  }

  /** The body of a push notification. */
  push(message: RokuMessage | string, options: PushOptions = {}): string {
    const {
      signedBy = this.key,
      encoding = 'base64',
      algorithm = 'RS256',
      messageKey = randomUUID(),
    } = options;
    const nowS = Math.floor(this.clock.nowMs() / 1_000);
    const text = typeof message === 'string' ? message : JSON.stringify(message);
    const header = { alg: algorithm, kid: signedBy.kid, typ: 'JWT', ...options.header };
    const claims = {
      iss: ROKU_ISSUER,
      exp: nowS + 24 * HOUR_S,
      nbf: nowS - HOUR_S,
      'x-Roku-message': Buffer.from(text).toString(encoding),
      'x-Roku-message-encoding': 'application/json',
      'x-Roku-message-key': messageKey,
      'x-Roku-message-type': 'roku.rpay.push',
      ...options.claims,
    };
    const signed = `${encoded(header)}.${encoded(claims)}`;
    return `${signed}.${this.signature(signed, signedBy, algorithm)}`;
  }

  protected answer({ path }: FakeCall): FakeAnswer {
    const published =
      path === '/keys/partner-jwks.json'
        ? this.keys
        : path === '/keys/partner-jwks-test.json'
          ? [this.testKey]
          : null;
    if (published === null) return { status: 404 };
    const keys = published.map(({ kid, publicKey }) => ({
      ...publicKey.export({ format: 'jwk' }),
      kid,
      alg: 'RS256',
      use: 'sig',
    }));
    return { status: 200, body: { keys } };
  }

  private signature(text: string, { privateKey, publicKey }: SigningKey, algorithm: string): string {
    if (algorithm === 'none') return 'AA';
    if (algorithm === 'RS256')
      return createSign('RSA-SHA256').update(text).sign(privateKey).toString('base64url');
    // The public key as a shared secret.
    const secret = publicKey.export({ format: 'pem', type: 'spki' });
    return createHmac('sha256', secret).update(text).digest('base64url');
  }
}
