import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const FILE = new URL('./roots/AppleRootCA-G3.cer', import.meta.url);
const SHA256 = '63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179';

/**
 * DER of the certificates that everything signed by the App Store leads to.
 * @throws Error when the file is not the one that Apple published
 */
export function appleRoots(): Buffer[] {
  const root = readFileSync(FILE);
  if (createHash('sha256').update(root).digest('hex') !== SHA256) {
    throw new Error(`${FILE.pathname} is not Apple's root certificate`);
  }
  return [root];
}
