import { createHash, createPrivateKey, type KeyObject } from 'node:crypto';

const MAX_KEYS = 1_000;
const known = new Map<string, KeyObject | null>();

function read(pem: string): KeyObject | null {
  try {
    return createPrivateKey(pem);
  } catch {
    return null;
  }
}

/**
 * Parses the private key in a PEM text; null if there is none. Parsing costs more than signing, so the newest keys are
 * cached.
 */
export function privateKeyIn(pem: string): KeyObject | null {
  const name = createHash('sha256').update(pem).digest('base64');
  const found = known.get(name);
  if (found !== undefined) return found;
  const key = read(pem);
  const [oldest] = known.keys();
  if (known.size >= MAX_KEYS && oldest !== undefined) known.delete(oldest);
  known.set(name, key);
  return key;
}
