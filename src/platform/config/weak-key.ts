/** Random 32-byte keys have about 30 distinct bytes; fewer than 16 occur once in 10^17 keys. */
const MIN_DIFFERENT_BYTES = 16;

function isText(key: Buffer): boolean {
  return key.every((byte) => byte >= 0x20 && byte < 0x7f);
}

function isSequence(key: Buffer): boolean {
  const step = (key[1] ?? 0) - (key[0] ?? 0);
  return key.every((byte, index) => index === 0 || ((byte - (key[index - 1] ?? 0) - step) & 0xff) === 0);
}

/** Returns why a 32-byte key cannot be random (zeros, repeated bytes, a sequence, encoded text), or null. */
export function weaknessOf(key: Buffer): string | null {
  const different = new Set(key).size;
  if (different === 1) return 'is one byte repeated';
  if (isSequence(key)) return 'is a sequence';
  if (different < MIN_DIFFERENT_BYTES) return `has only ${different} different bytes`;
  if (isText(key)) return 'is readable text';
  return null;
}
