import { createHash, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';

interface PinnedRoot {
  file: URL;
  sha256: string;
}

/** Signs transactions, renewal information and notifications. */
const g3: PinnedRoot = {
  file: new URL('./roots/AppleRootCA-G3.cer', import.meta.url),
  sha256: '63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179',
};

/** Signs app receipts. */
const rsa: PinnedRoot = {
  file: new URL('./roots/AppleIncRootCertificate.cer', import.meta.url),
  sha256: 'b0b1730ecbc7ff4505142c49f1295e6eda6bcaed7e2c68c5be91b5a11001f024',
};

function read({ file, sha256 }: PinnedRoot): Buffer {
  const root = readFileSync(file);
  if (createHash('sha256').update(root).digest('hex') !== sha256) {
    throw new Error(`${file.pathname} is not Apple's root certificate`);
  }
  return root;
}

/** Returns DER. @throws Error if a file differs from the one that Apple published */
export function appleRoots(): Buffer[] {
  return [read(g3)];
}

export function receiptRoots(extraRoots: Buffer[] = []): X509Certificate[] {
  return [read(rsa), ...extraRoots].map((der) => new X509Certificate(der));
}
