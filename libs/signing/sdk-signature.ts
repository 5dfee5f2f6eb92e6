import { createHash, type KeyObject, sign } from 'node:crypto';
import { fewRandomBytes } from '../kernel/index.js';
import { keyPair } from './ed25519.js';
import { deriveKey } from './sealer.js';

const SALT_LENGTH = 16;
const NONCE_LENGTH = 12;
const NO_BYTES = Buffer.alloc(0);
const DAY_MS = 86_400_000;
/** An intermediate key signs for this long, and expires after the same time again. */
const ROTATION_DAYS = 30;
const PARAMS_HASH = /^([^:]*):sha256:([0-9a-f]{64})$/;

export interface SdkAnswer {
  /** The bearer token of the request; null if it had none. */
  key: string | null;
  /** 12 bytes; null if the request had none. */
  nonce: Buffer | null;
  /** The path as received, percent-encoded, without the query. */
  path: string;
  /** The full `X-Post-Params-Hash` and `X-Headers-Hash` of the request; null if absent. */
  paramsHash: string | null;
  headersHash: string | null;
  /** Epoch ms, as sent in `X-RevenueCat-Request-Time`. */
  requestTimeMs: number;
  /** `X-RevenueCat-ETag` of the response; null if it has none. */
  etag: string | null;
  /** UTF-8 if a string; empty for 304 and 204. */
  body: Buffer | string;
}

/** A key that signs responses, with its 100-byte certificate from the root key. */
export interface IntermediateKey {
  privateKey: KeyObject;
  certificate: Buffer;
}

/** Certificate: public key (32), expiry day since 1970 (4, little-endian), root signature over expiry and key (64). */
export function intermediateKey(rootSeed: Buffer, seed: Buffer, expiryDay: number): IntermediateKey {
  const { privateKey, publicKey } = keyPair(seed);
  const expiry = Buffer.alloc(4);
  expiry.writeUInt32LE(expiryDay);
  const signature = sign(null, Buffer.concat([expiry, publicKey]), keyPair(rootSeed).privateKey);
  return { privateKey, certificate: Buffer.concat([publicKey, expiry, signature]) };
}

/** Builds one buffer without intermediate copies, because this runs for every response. */
function messageOf(answer: SdkAnswer, salt: Buffer): Buffer {
  const key = answer.key ?? '';
  const nonce = answer.nonce ?? NO_BYTES;
  const text =
    answer.path +
    (answer.paramsHash ?? '') +
    (answer.headersHash ?? '') +
    String(answer.requestTimeMs) +
    (answer.etag ?? '');
  const { body } = answer;
  const lengths = [salt.length, Buffer.byteLength(key), nonce.length, Buffer.byteLength(text)];
  const bodyAt = lengths.reduce((sum, length) => sum + length);
  const message = Buffer.allocUnsafe(bodyAt + Buffer.byteLength(body));
  let end = salt.copy(message);
  end += message.write(key, end);
  end += nonce.copy(message, end);
  message.write(text, end);
  if (typeof body === 'string') message.write(body, bodyAt);
  else body.copy(message, bodyAt);
  return message;
}

const headerValue = ({ certificate }: IntermediateKey, salt: Buffer, signature: Buffer): string =>
  Buffer.concat([certificate, salt, signature]).toString('base64');

/** Value of `X-Signature`: base64 of certificate (100), salt (16) and the signature of the response (64). */
export function signSdkAnswer(intermediate: IntermediateKey, answer: SdkAnswer, salt: Buffer): string {
  return headerValue(intermediate, salt, sign(null, messageOf(answer, salt), intermediate.privateKey));
}

export interface SdkSigner {
  /** Base64 of the raw root public key, which is built into apps that verify responses. */
  readonly publicKey: string;
  /** `nowMs` (epoch ms) selects the intermediate key. */
  sign(answer: SdkAnswer, nowMs: number): string;
  /** Signs on a thread of Node's pool, which moves four fifths of the time off the event loop. */
  signOnThread(answer: SdkAnswer, nowMs: number, done: SignatureDone): void;
}

/** `error` is null on success. */
export type SignatureDone = (error: Error | null, signature: string) => void;

/**
 * The intermediate keys are derived from the root seed and the date, so that all replicas use the same one without
 * communicating. Each signs for 30 days and expires 30 to 60 days after any signature.
 * @throws RangeError unless the seed has 32 bytes
 */
export function sdkSigner(rootSeed: Buffer): SdkSigner {
  const root = keyPair(rootSeed);
  let current: { window: number; key: IntermediateKey } | null = null;
  const keyOf = (nowMs: number): IntermediateKey => {
    const window = Math.floor(nowMs / (ROTATION_DAYS * DAY_MS));
    if (current?.window !== window) {
      const seed = deriveKey(rootSeed, `service/sdk-answers/v1/${window}`);
      current = { window, key: intermediateKey(rootSeed, seed, (window + 2) * ROTATION_DAYS) };
    }
    return current.key;
  };
  return {
    publicKey: root.publicKey.toString('base64'),
    sign: (answer, nowMs) => signSdkAnswer(keyOf(nowMs), answer, fewRandomBytes(SALT_LENGTH)),
    signOnThread: (answer, nowMs, done) => {
      const intermediate = keyOf(nowMs);
      const salt = fewRandomBytes(SALT_LENGTH);
      sign(null, messageOf(answer, salt), intermediate.privateKey, (error, signature) => {
        if (error) done(error, '');
        else done(null, headerValue(intermediate, salt, signature));
      });
    },
  };
}

/** Returns null unless the header contains exactly 12 bytes. */
export function nonceOf(header: string): Buffer | null {
  const nonce = Buffer.from(header, 'base64');
  return nonce.length === NONCE_LENGTH && nonce.toString('base64') === header ? nonce : null;
}

export function isParamsHash(header: string): boolean {
  return PARAMS_HASH.test(header);
}

/**
 * Whether the request's own values give the claimed hash: `<name>,<name>:sha256:<hex>` over the values joined by a
 * zero byte. An absent value (null) contributes nothing, not even a zero byte.
 */
export function paramsHashHolds(header: string, valueOf: (name: string) => string | null): boolean {
  const [, names, hex] = PARAMS_HASH.exec(header) ?? [];
  if (names === undefined || hex === undefined) return false;
  const values = names.split(',').flatMap((name) => valueOf(name) ?? []);
  return createHash('sha256').update(values.join('\0')).digest('hex') === hex;
}
