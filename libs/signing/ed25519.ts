import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';

const signInThreadPool = promisify(sign);

/** The DER (PKCS#8) bytes that precede the 32 bytes of an Ed25519 seed (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const RAW_KEY_LENGTH = 32;
const KEY_ID_LENGTH = 16;

export interface KeyPair {
  privateKey: KeyObject;
  /** 32 bytes. */
  publicKey: Buffer;
}

/** @throws RangeError unless the seed has 32 bytes */
export function keyPair(seed: Buffer): KeyPair {
  if (seed.length !== RAW_KEY_LENGTH) throw new RangeError(`An Ed25519 seed has ${RAW_KEY_LENGTH} bytes`);
  const privateKey = createPrivateKey({
    key: Buffer.concat([PKCS8_PREFIX, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  return { privateKey, publicKey: spki.subarray(-RAW_KEY_LENGTH) };
}

/** The first 16 hexadecimal digits of the SHA-256 of the raw public key. */
export function keyId(publicKey: Buffer): string {
  return createHash('sha256').update(publicKey).digest('hex').slice(0, KEY_ID_LENGTH);
}

export interface FileSigner {
  /** First 16 hexadecimal digits of the SHA-256 of the raw public key. */
  readonly keyId: string;
  /** 32 bytes. */
  readonly publicKey: Buffer;
  /** Returns the 64 bytes of the signature without blocking the event loop. */
  sign(content: Buffer): Promise<Buffer>;
}

/** Ed25519 (RFC 8032) over whole files. @throws RangeError unless the seed has 32 bytes */
export function fileSigner(seed: Buffer): FileSigner {
  const { publicKey, privateKey } = keyPair(seed);
  return {
    keyId: keyId(publicKey),
    publicKey,
    sign: (content) => signInThreadPool(null, content, privateKey),
  };
}
