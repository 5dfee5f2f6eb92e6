import { sign } from 'node:crypto';
import fc from 'fast-check';
import { keyPair } from './ed25519.js';
import { streamSigner } from './ed25519-stream.js';

const bytes = (range: fc.ArrayConstraints) => fc.uint8Array(range).map((array) => Buffer.from(array));

describe('a signature over a stream', () => {
  it('has the bytes that node:crypto makes of the whole message, however it is cut', async () => {
    const message = fc.array(bytes({ maxLength: 300 }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(bytes({ minLength: 32, maxLength: 32 }), message, async (seed, chunks) => {
        const signature = streamSigner(seed).begin();
        for (const chunk of chunks) signature.update(chunk);
        const whole = Buffer.concat(chunks);
        expect(await signature.finish([whole])).toEqual(sign(null, whole, keyPair(seed).privateKey));
      }),
      { numRuns: 50 },
    );
  });

  it('is not made if the second reading differs from the first', async () => {
    const signature = streamSigner(Buffer.alloc(32, 5)).begin();
    signature.update(Buffer.from('first'));
    await expect(signature.finish([Buffer.from('second')])).rejects.toThrow('changed');
  });

  it('refuses seeds of another length', () => {
    expect(() => streamSigner(Buffer.alloc(31))).toThrow(RangeError);
  });
});
