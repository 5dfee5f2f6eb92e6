import { createDecipheriv } from 'node:crypto';
import fc from 'fast-check';
import { deriveKey, sealerOf } from './index.js';

const rootKey = Buffer.alloc(32, 1);
const sealer = sealerOf(rootKey);

describe('sealed secrets', () => {
  it('returns the original text, whatever the text and the place', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (plain, place) => {
        expect(sealer.open(sealer.seal(plain, place), place)).toBe(plain);
      }),
    );
  });

  it('starts with `v1.`, then base64url of nonce, ciphertext and tag, under a separate key', () => {
    const sealed = sealer.seal('secret', 'here');
    expect(sealed).toMatch(/^v1\.[A-Za-z0-9_-]+$/);
    const bytes = Buffer.from(sealed.slice(3), 'base64url');
    expect(bytes).toHaveLength(12 + 'secret'.length + 16);
    const key = deriveKey(rootKey, 'service/seal/v1');
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 })
      .setAAD(Buffer.from('here'))
      .setAuthTag(bytes.subarray(-16));
    expect(decipher.update(bytes.subarray(12, -16)).toString() + decipher.final().toString()).toBe('secret');
  });

  it('never repeat', () => {
    expect(new Set(Array.from({ length: 100 }, () => sealer.seal('a', 'p'))).size).toBe(100);
  });

  it('fails at another place or with another key', () => {
    const sealed = sealer.seal('secret', 'here');
    expect(() => sealer.open(sealed, 'there')).toThrow();
    expect(() => sealer.open(sealed, '')).toThrow();
    expect(() => sealerOf(Buffer.alloc(32, 2)).open(sealed, 'here')).toThrow();
  });

  it('fails if one bit of nonce, ciphertext or tag was changed', () => {
    const bytes = Buffer.from(sealer.seal('secret', 'here').slice(3), 'base64url');
    for (let index = 0; index < bytes.length; index++) {
      const changed = Buffer.from(bytes);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(() => sealer.open(`v1.${changed.toString('base64url')}`, 'here')).toThrow();
    }
  });

  it('fails if the text was shortened or extended, even if it decodes to the same bytes', () => {
    const sealed = sealer.seal('secret!', 'here');
    for (const changed of [sealed.slice(0, -1), `${sealed}=`, `${sealed}A`, `${sealed}!`, ` ${sealed}`]) {
      expect(() => sealer.open(changed, 'here')).toThrow();
    }
  });

  it.each(['', 'v1.', 'v2.AAAA', `v2.${'A'.repeat(80)}`, `v1.${'A'.repeat(36)}`, 'plain text'])(
    'refuses %j',
    (text) => {
      expect(() => sealer.open(text, 'here')).toThrow();
    },
  );

  it.each([0, 16, 31, 33])('refuses a root key of %i bytes', (length) => {
    expect(() => sealerOf(Buffer.alloc(length, 1))).toThrow(RangeError);
  });
});

describe('derived keys', () => {
  it('differs for each purpose and each root key, and stays the same', () => {
    expect(deriveKey(rootKey, 'a')).toHaveLength(32);
    expect(deriveKey(rootKey, 'a').equals(deriveKey(rootKey, 'a'))).toBe(true);
    expect(deriveKey(rootKey, 'a').equals(deriveKey(rootKey, 'b'))).toBe(false);
    expect(deriveKey(Buffer.alloc(32, 2), 'a').equals(deriveKey(rootKey, 'a'))).toBe(false);
  });

  it('matches HKDF-SHA256 with an empty salt (RFC 5869, test case 3)', () => {
    // The published output has 42 bytes; a 32-byte key is a prefix of it.
    expect(deriveKey(Buffer.alloc(22, 0x0b), '').toString('hex')).toBe(
      '8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d',
    );
  });
});
