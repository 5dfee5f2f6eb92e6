/** Random keys of 32 bytes have about 30 different ones; fewer than this happen once in 10^17. */
const MIN_DIFFERENT_BYTES = 16;

function isText(key: Buffer): boolean {
  return key.every((byte) => byte >= 0x20 && byte < 0x7f);
}

function isSequence(key: Buffer): boolean {
  const step = (key[1] ?? 0) - (key[0] ?? 0);
  return key.every((byte, index) => index === 0 || ((byte - (key[index - 1] ?? 0) - step) & 0xff) === 0);
}

/**
 * Why nobody drew a key of 32 bytes at random, or null: zeros, a repeated byte or a few of them, bytes that count
 * up, something typed or another text that was encoded.
 */
export function weaknessOf(key: Buffer): string | null {
  const different = new Set(key).size;
  if (different === 1) return 'is one byte repeated';
  if (isSequence(key)) return 'is a sequence';
  if (different < MIN_DIFFERENT_BYTES) return `has only ${different} different bytes`;
  if (isText(key)) return 'is a text that somebody typed';
  return null;
}
