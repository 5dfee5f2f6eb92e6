import { isJsonObject } from '../../kernel/index.js';
import { privateKeyIn } from '../private-keys.js';

/** A service account that Google knows by its key. */
export interface ServiceAccount {
  clientEmail: string;
  privateKeyPem: string;
}

/** An app of Google Play, with what is needed to ask about it. */
export interface PlayApp {
  packageName: string;
  /** Null: none is saved, and Google cannot be asked. */
  serviceAccount: ServiceAccount | null;
}

const MIN_KEY_BITS = 2048;

function isRsaKey(pem: string): boolean {
  const key = privateKeyIn(pem);
  return key?.asymmetricKeyType === 'rsa' && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= MIN_KEY_BITS;
}

/**
 * Reads the key file of a service account. Addresses in it are ignored: only Google is ever asked.
 * @throws RangeError naming what is missing or wrong
 */
export function readServiceAccount(text: string): ServiceAccount {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    file = null;
  }
  if (!isJsonObject(file)) throw new RangeError('The service account credentials are no JSON object.');
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
