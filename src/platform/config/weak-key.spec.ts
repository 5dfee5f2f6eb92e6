import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { weaknessOf } from './weak-key.js';

describe('the check of keys', () => {
  it('lets random keys pass', () => {
    for (let n = 0; n < 2_000; n++) expect(weaknessOf(randomBytes(32))).toBeNull();
  });

  it('finds a byte that is repeated, and bytes that count up or down', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 255 }), fc.integer({ min: 0, max: 255 }), (first, step) => {
        const key = Buffer.from(Array.from({ length: 32 }, (_, index) => (first + index * step) & 0xff));
        expect(weaknessOf(key)).not.toBeNull();
      }),
    );
  });

  it('finds a short piece that is repeated', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 15 }), (piece) => {
        expect(weaknessOf(Buffer.alloc(32, piece))).not.toBeNull();
      }),
    );
  });

  it('finds text that was typed', () => {
    const typed = fc.string({ unit: 'grapheme-ascii', minLength: 32, maxLength: 32 });
    fc.assert(fc.property(typed, (text) => expect(weaknessOf(Buffer.from(text))).not.toBeNull()));
  });
});
