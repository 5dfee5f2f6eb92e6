import { isJsonObject } from '../../kernel/index.js';
import { privateKeyIn } from '../private-keys.js';

export interface ServiceAccount {
  clientEmail: string;
  privateKeyPem: string;
}

export interface PlayApp {
  packageName: string;
  /** Null if none is saved; then Google cannot be called. */
  serviceAccount: ServiceAccount | null;
}

const MIN_KEY_BITS = 2048;

function isRsaKey(pem: string): boolean {
  const key = privateKeyIn(pem);
  return key?.asymmetricKeyType === 'rsa' && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= MIN_KEY_BITS;
}

/** Ignores URLs in the text: only Google is ever called. @throws RangeError naming what is missing or wrong */
export function readServiceAccount(text: string): ServiceAccount {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    file = null;
  }
  if (!isJsonObject(file)) throw new RangeError('The service account credentials are not a JSON object.');
  const { client_email: clientEmail, private_key: privateKeyPem } = file;
  if (typeof clientEmail !== 'string' || !clientEmail.includes('@')) {
    throw new RangeError('The service account credentials have no client_email.');
  }
  if (typeof privateKeyPem !== 'string' || !isRsaKey(privateKeyPem)) {
    throw new RangeError(
      'The service account credentials have no private_key that is an RSA key of 2048 bits or more.',
    );
  }
  return { clientEmail, privateKeyPem };
}
