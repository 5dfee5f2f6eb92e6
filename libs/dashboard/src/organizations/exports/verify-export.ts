/** The browser's verification of a downloaded file. */
export interface Verification {
  sha256: string | null;
  isHashRight: boolean | null;
  /** `unknown`: the browser does not support the algorithm, or the page is not a secure context. */
  signature: 'right' | 'wrong' | 'absent' | 'unknown';
}

interface Signed {
  bytes: ArrayBuffer;
  /** Headers of the response. */
  sha256: string | null;
  signature: string | null;
  /** The server's key, 32 bytes in base64. */
  publicKey: string | null;
}

const hexOf = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

async function checkSignature({ bytes, signature, publicKey }: Signed): Promise<Verification['signature']> {
  const value = /^ed25519=(.+)$/.exec(signature ?? '')?.[1];
  if (value === undefined || publicKey === null) return 'absent';
  try {
    const key = await crypto.subtle.importKey('raw', bytesOf(publicKey), 'Ed25519', false, ['verify']);
    return (await crypto.subtle.verify('Ed25519', key, bytesOf(value), bytes)) ? 'right' : 'wrong';
  } catch {
    return 'unknown';
  }
}

/** Verifies a file against the hash and signature in the response. */
export async function verifyExport(file: Signed): Promise<Verification> {
  // Available only in a secure context.
  if (!(globalThis.crypto as Crypto | undefined)?.subtle)
    return { sha256: null, isHashRight: null, signature: file.signature === null ? 'absent' : 'unknown' };
  const sha256 = hexOf(await crypto.subtle.digest('SHA-256', file.bytes));
  return {
    sha256,
    isHashRight: file.sha256 === null ? null : sha256 === file.sha256,
    signature: await checkSignature(file),
  };
}

/** SPKI prefix of a 32-byte Ed25519 key (RFC 8410), in base64. Its length needs no padding. */
const KEY_PREFIX = 'MCowBQYDK2VwAyEA';

/** Commands that verify the signature of a file. */
export function opensslCommands(file: string, signature: string, publicKey: string): string {
  return [
    `echo '${KEY_PREFIX}${publicKey}' | base64 -d > key.der`,
    `echo '${signature.replace(/^ed25519=/, '')}' | base64 -d > signature.bin`,
    `openssl pkeyutl -verify -pubin -keyform DER -inkey key.der -rawin -in '${file}' -sigfile signature.bin`,
  ].join('\n');
}
