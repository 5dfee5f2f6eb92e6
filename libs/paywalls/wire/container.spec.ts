import { createHash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import {
  acceptedEncoding,
  type BlobEncoding,
  blobEncodings,
  blobRef,
  container,
  containerElement,
  isBlobRef,
} from './container.js';

interface ParsedElement {
  ref: string;
  payload: Buffer;
}

/** Reads a container as the iOS SDK does: every checksum must be that of the decoded payload. */
function parsed(bytes: Buffer): ParsedElement[] {
  if (bytes.toString('latin1', 0, 2) !== 'RC' || bytes[2] !== 1) throw new Error('No container');
  const elements: ParsedElement[] = [];
  for (let at = 8; at < bytes.length;) {
    const length = bytes.readUInt32LE(at + 24);
    const stored = bytes.subarray(at + 32, at + 32 + length);
    const payload = [stored, () => gunzipSync(stored), () => brotliDecompressSync(stored)][
      bytes[at + 28] ?? 9
    ];
    const decoded = typeof payload === 'function' ? payload() : payload;
    if (!decoded) throw new Error('Unknown encoding');
    const checksum = createHash('sha256').update(decoded).digest().subarray(0, 24);
    if (!checksum.equals(bytes.subarray(at, at + 24))) throw new Error('Wrong checksum');
    elements.push({ ref: checksum.toString('base64url'), payload: decoded });
    at += 32 + Math.ceil(length / 8) * 8;
  }
  return elements;
}

describe('the container of remote configuration', () => {
  it('writes the header, the length and the encoding of an element', () => {
    const payload = Buffer.from('{"colors":{},"fonts":{}}');
    const checksum = createHash('sha256').update(payload).digest('hex').slice(0, 48);
    const [none = '', gzip = '', br = ''] = blobEncodings.map((encoding) =>
      containerElement(payload, encoding).toString('hex'),
    );
    expect(none).toBe(`${checksum}1800000000000000${payload.toString('hex')}`);
    expect([gzip, br].map((element) => element.slice(0, 48))).toEqual([checksum, checksum]);
    expect([gzip, br].map((element) => element.slice(56, 64))).toEqual(['01000000', '02000000']);
    expect(container([]).toString('hex')).toBe('5243010000000000');
  });

  it('keeps every payload in every encoding', () => {
    const payloads = fc.array(
      fc.tuple(fc.uint8Array({ maxLength: 300 }), fc.constantFrom<BlobEncoding>(...blobEncodings)),
      { maxLength: 5 },
    );
    fc.assert(
      fc.property(payloads, (parts) => {
        const bytes = container(
          parts.map(([payload, encoding]) => containerElement(Buffer.from(payload), encoding)),
        );
        expect(bytes.length % 8).toBe(0);
        expect(parsed(bytes)).toEqual(
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
