import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const CHECKSUM_LENGTH = 24;
const ELEMENT_HEADER_LENGTH = 32;
const ALIGNMENT = 8;
/** `RC`, version 1, no flags. */
const containerHeader = Buffer.from([0x52, 0x43, 1, 0, 0, 0, 0, 0]);

export const blobEncodings = ['none', 'gzip', 'br'] as const;

/** Compression of an element; its number in the container is its place in `blobEncodings`. */
export type BlobEncoding = (typeof blobEncodings)[number];

/** An element as it is written, ready to be joined with others. */
export type ContainerElement = Buffer;

function checksum(payload: Buffer): Buffer {
  return createHash('sha256').update(payload).digest().subarray(0, CHECKSUM_LENGTH);
}

/** The name of a blob: the first 24 bytes of its SHA-256 in base64url, 32 characters. */
export function blobRef(payload: Buffer): string {
  return checksum(payload).toString('base64url');
}

const blobRefPattern = /^[A-Za-z0-9_-]{32}$/;

export function isBlobRef(value: unknown): value is string {
  return typeof value === 'string' && blobRefPattern.test(value);
}

/** Reads `Accept-RC-Element-Encoding`: Brotli if the client reads it, otherwise gzip, otherwise none. */
export function acceptedEncoding(header: string | undefined): BlobEncoding {
  const accepted = new Set((header ?? '').split(',').map((name) => name.trim().toLowerCase()));
  return accepted.has('br') ? 'br' : accepted.has('gzip') ? 'gzip' : 'none';
}

const gzipInThread = promisify(gzip);
const brotliInThread = promisify(brotliCompress);

/** Compresses outside the event loop: Brotli takes up to half a second for the largest documents. */
function compressed(payload: Buffer, encoding: BlobEncoding): Buffer | Promise<Buffer> {
  if (encoding === 'gzip') return gzipInThread(payload, { level: 9 });
  if (encoding === 'none') return payload;
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: payload.length };
  return brotliInThread(payload, { params });
}

/** A payload as an element in an encoding. */
export async function encodedElement(payload: Buffer, encoding: BlobEncoding): Promise<ContainerElement> {
  return elementOf(payload, encoding, await compressed(payload, encoding));
}

/** A payload as an element without compression. */
export function plainElement(payload: Buffer): ContainerElement {
  return elementOf(payload, 'none', payload);
}

/** Header, payload and padding to a multiple of 8. The checksum is that of the decoded payload. */
function elementOf(payload: Buffer, encoding: BlobEncoding, stored: Buffer): ContainerElement {
  const padding = (ALIGNMENT - (stored.length % ALIGNMENT)) % ALIGNMENT;
  const element = Buffer.alloc(ELEMENT_HEADER_LENGTH + stored.length + padding);
  checksum(payload).copy(element);
  element.writeUInt32LE(stored.length, CHECKSUM_LENGTH);
  element.writeUInt8(blobEncodings.indexOf(encoding), CHECKSUM_LENGTH + 4);
  stored.copy(element, ELEMENT_HEADER_LENGTH);
  return element;
}

/** The container in which mobile SDKs receive remote configuration. */
export function container(elements: readonly ContainerElement[]): Buffer {
  return Buffer.concat([containerHeader, ...elements]);
}
