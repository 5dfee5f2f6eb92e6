import { createPublicKey, verify } from 'node:crypto';

/** The data that a client has of a request and its answer. */
export interface SeenAnswer {
  key: string;
  /** Value of `X-Nonce`, base64. */
  nonce?: string;
  path: string;
  paramsHash?: string;
  headersHash?: string;
  requestTime: string;
  etag?: string;
  body: Buffer;
}

function publicKeyOf(raw: Buffer) {
  return createPublicKey({
    format: 'jwk',
    key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') },
  });
}

/**
 * Verifies `X-Signature` as an SDK does that was built with the root key (base64 of 32 bytes); gives what is
 * wrong, or null. Written from the layout of the header alone, without the code that makes it.
 */
export function problemOfSignature(
  header: string,
  rootKey: string,
  seen: SeenAnswer,
  nowMs: number,
): string | null {
  const bytes = Buffer.from(header, 'base64');
  if (bytes.length !== 180) return `${bytes.length} bytes`;
  const [key, expiry, certificate, salt, signature] = [
    bytes.subarray(0, 32),
    bytes.subarray(32, 36),
    bytes.subarray(36, 100),
    bytes.subarray(100, 116),
    bytes.subarray(116),
  ] as [Buffer, Buffer, Buffer, Buffer, Buffer];
  const root = publicKeyOf(Buffer.from(rootKey, 'base64'));
  if (!verify(null, Buffer.concat([expiry, key]), root, certificate)) return 'certificate';
  if (expiry.readUInt32LE(0) * 86_400_000 < nowMs) return 'expired';
  const parts: Buffer[] = [salt, Buffer.from(seen.key, 'utf8')];
  if (seen.nonce !== undefined) parts.push(Buffer.from(seen.nonce, 'base64'));
  parts.push(Buffer.from(seen.path, 'utf8'));
  for (const text of [seen.paramsHash, seen.headersHash, seen.requestTime, seen.etag]) {
    if (text !== undefined) parts.push(Buffer.from(text, 'utf8'));
  }
  parts.push(seen.body);
  return verify(null, Buffer.concat(parts), publicKeyOf(key), signature) ? null : 'signature';
}

/** Days since 1970 on which the intermediate key of a signature expires. */
export function expiryDayOf(header: string): number {
  return Buffer.from(header, 'base64').readUInt32LE(32);
}
