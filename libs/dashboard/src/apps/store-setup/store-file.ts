/** No store issues larger key files. */
export const LARGEST_KEY_FILE = 16 * 1024;

/** Reads the key id from Apple's file names, `SubscriptionKey_ABC123DEFG.p8` and `AuthKey_…`; null for other names. */
export function keyIdOfFile(name: string): string | null {
  return /_([A-Z0-9]{6,32})(?: ?\(\d+\))?\.p8$/i.exec(name)?.[1] ?? null;
}

export const isPrivateKey = (text: string): boolean =>
  /^-----BEGIN PRIVATE KEY-----[A-Za-z0-9+/=\s]+-----END PRIVATE KEY-----\s*$/.test(text.trim());

/** Reads a service account's email address from its key file; null if the text is not one. */
export function emailOfServiceAccount(text: string): string | null {
  try {
    const file: unknown = JSON.parse(text);
    if (typeof file !== 'object' || file === null) return null;
    const { client_email: email, private_key: key } = file as Record<string, unknown>;
    return typeof email === 'string' && typeof key === 'string' ? email : null;
  } catch {
    return null;
  }
}
