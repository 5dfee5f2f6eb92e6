import { createHash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

export interface ParsedElement {
  ref: string;
  payload: Buffer;
}

/** Reads a container as the iOS SDK does: every checksum must be that of the decoded payload. */
export function parseContainer(bytes: Buffer): ParsedElement[] {
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
