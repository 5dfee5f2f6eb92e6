import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { parseContainer } from '../../../test/peers/config-container.js';
import {
  acceptedEncoding,
  type BlobEncoding,
  blobEncodings,
  blobRef,
  container,
  encodedElement,
  isBlobRef,
} from './container.js';

describe('the container of remote configuration', () => {
  it('writes the header, the length and the encoding of an element', async () => {
    const payload = Buffer.from('{"colors":{},"fonts":{}}');
    const checksum = createHash('sha256').update(payload).digest('hex').slice(0, 48);
    const elements = await Promise.all(blobEncodings.map((encoding) => encodedElement(payload, encoding)));
    const [none = '', gzip = '', br = ''] = elements.map((element) => element.toString('hex'));
    expect(none).toBe(`${checksum}1800000000000000${payload.toString('hex')}`);
    expect([gzip, br].map((element) => element.slice(0, 48))).toEqual([checksum, checksum]);
    expect([gzip, br].map((element) => element.slice(56, 64))).toEqual(['01000000', '02000000']);
    expect(container([]).toString('hex')).toBe('5243010000000000');
  });

  it('keeps every payload in every encoding', async () => {
    const payloads = fc.array(
      fc.tuple(fc.uint8Array({ maxLength: 300 }), fc.constantFrom<BlobEncoding>(...blobEncodings)),
      { maxLength: 5 },
    );
    await fc.assert(
      fc.asyncProperty(payloads, async (parts) => {
        const bytes = container(
          await Promise.all(
            parts.map(([payload, encoding]) => encodedElement(Buffer.from(payload), encoding)),
          ),
        );
        expect(bytes.length % 8).toBe(0);
        expect(parseContainer(bytes)).toEqual(
          parts.map(([payload]) => ({ ref: blobRef(Buffer.from(payload)), payload: Buffer.from(payload) })),
        );
      }),
    );
  });

  it.each([
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['gzip,BR', 'br'],
    ['zstd', 'none'],
    ['', 'none'],
    [undefined, 'none'],
  ])('reads the accepted encodings %p as %s', (header, encoding) => {
    expect(acceptedEncoding(header)).toBe(encoding);
  });

  it('names blobs by 32 characters of base64url', () => {
    expect(isBlobRef(blobRef(Buffer.from('x')))).toBe(true);
    for (const value of ['', 'a'.repeat(31), 'a'.repeat(33), `${'a'.repeat(31)}/`, 7, null]) {
      expect(isBlobRef(value)).toBe(false);
    }
  });
});
