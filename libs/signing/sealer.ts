import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const VERSION = 'v1.';
const CIPHER = 'aes-256-gcm';
const PURPOSE = 'service/seal/v1';
const KEY_LENGTH = 32;
const NONCE_LENGTH = 12;
const TAG_LENGTH = 16;

/** HKDF-SHA256 (RFC 5869) with an empty salt: 32 bytes for one purpose. */
export function deriveKey(rootKey: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', rootKey, Buffer.alloc(0), purpose, KEY_LENGTH));
}

export interface Sealer {
  /** `place` identifies the location of the sealed text, which cannot be opened for any other. */
  seal(plain: string, place: string): string;
  /** @throws Error if the text was changed, moved, or sealed with another key */
  open(sealed: string, place: string): string;
}

/** Accepts only what `seal` writes, because other base64url texts decode to the same bytes. */
function bytesOf(sealed: string): Buffer {
  const bytes = Buffer.from(sealed.slice(VERSION.length), 'base64url');
  if (bytes.length < NONCE_LENGTH + TAG_LENGTH || VERSION + bytes.toString('base64url') !== sealed) {
    throw new Error('This is not a sealed secret.');
  }
  return bytes;
}

/**
 * AES-256-GCM: `v1.` + base64url(12-byte nonce, ciphertext, 16-byte tag), with the place as associated data.
 * @throws RangeError unless the root key has 32 bytes
 */
export function sealerOf(rootKey: Buffer): Sealer {
  if (rootKey.length !== KEY_LENGTH) throw new RangeError(`A root key has ${KEY_LENGTH} bytes`);
  return sealerWith(deriveKey(rootKey, PURPOSE));
}

/** Like `sealerOf`, with a key that is already derived. */
export function sealerWith(key: Buffer): Sealer {
  return {
    seal(plain, place) {
      const nonce = randomBytes(NONCE_LENGTH);
      const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_LENGTH }).setAAD(
        Buffer.from(place),
      );
      const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return VERSION + Buffer.concat([nonce, text, cipher.getAuthTag()]).toString('base64url');
    },
    open(sealed, place) {
      const bytes = bytesOf(sealed);
      const nonce = bytes.subarray(0, NONCE_LENGTH);
      const text = bytes.subarray(NONCE_LENGTH, -TAG_LENGTH);
      const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_LENGTH })
        .setAAD(Buffer.from(place))
        .setAuthTag(bytes.subarray(-TAG_LENGTH));
      return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
    },
  };
}
