import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const VERSION = 'v1.';
const NONCE_LENGTH = 12;
const TAG_LENGTH = 16;

/** 32 bytes for one purpose, from a root key (HKDF-SHA256, RFC 5869, empty salt). */
export function deriveKey(rootKey: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', rootKey, Buffer.alloc(0), purpose, 32));
}

/** Seals secrets that must be read back. */
export interface Sealer {
  /** `place` names where the sealed text belongs; it only opens there. */
  seal(plain: string, place: string): string;
  /** @throws Error when the text was changed, moved, or sealed with another key */
  open(sealed: string, place: string): string;
}

/** AES-256-GCM: `v1.` + base64url(nonce, ciphertext, tag), the place as associated data. */
export function sealerOf(rootKey: Buffer): Sealer {
  const key = deriveKey(rootKey, 'service/seal/v1');
  return {
    seal(plain, place) {
      const nonce = randomBytes(NONCE_LENGTH);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place));
      const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return VERSION + Buffer.concat([nonce, text, cipher.getAuthTag()]).toString('base64url');
    },
    open(sealed, place) {
      const bytes = Buffer.from(sealed.slice(VERSION.length), 'base64url');
      if (!sealed.startsWith(VERSION) || bytes.length < NONCE_LENGTH + TAG_LENGTH) {
        throw new Error('This is no sealed secret.');
      }
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_LENGTH), {
        authTagLength: TAG_LENGTH,
      })
        .setAAD(Buffer.from(place))
        .setAuthTag(bytes.subarray(-TAG_LENGTH));
      const text = bytes.subarray(NONCE_LENGTH, -TAG_LENGTH);
      return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
    },
  };
}
