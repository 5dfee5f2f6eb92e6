import { isJsonObject, isStoreTime } from '../../kernel/index.js';
import type { Environment } from '../../engine/index.js';

/** Longer tokens are not Apple's. */
export const MAX_EXTERNAL_TOKEN = 8 * 1024;
const MAX_ID = 255;
const SANDBOX = 'SANDBOX';

/** Content of Apple's token for a purchase outside the App Store. It is not signed, so it proves nothing. */
export interface ExternalPurchaseToken {
  externalPurchaseId: string;
  appAppleId: number | null;
  bundleId: string | null;
  /** `ACQUISITION` or `SERVICES`; null in regions without these types. */
  type: 'ACQUISITION' | 'SERVICES' | null;
  environment: Environment;
  createdAtMs: number | null;
  expiresAtMs: number | null;
}

function timeIn(value: unknown): number | null {
  return typeof value === 'number' && isStoreTime(value) ? value : null;
}

/** Null if the text is not such a token. */
export function readExternalPurchaseToken(text: string): ExternalPurchaseToken | null {
  if (Buffer.byteLength(text) > MAX_EXTERNAL_TOKEN) return null;
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
  return externalTokenIn(value);
}

/** Null if the value is not the content of such a token. */
export function externalTokenIn(value: unknown): ExternalPurchaseToken | null {
  if (!isJsonObject(value)) return null;
  const { externalPurchaseId: id, appAppleId, bundleId, tokenType } = value;
  // PostgreSQL cannot store NUL.
  if (typeof id !== 'string' || id === '' || id.length > MAX_ID || id.includes('\0')) return null;
  return {
    externalPurchaseId: id,
    appAppleId: typeof appAppleId === 'number' ? appAppleId : null,
    bundleId: typeof bundleId === 'string' ? bundleId : null,
    type: tokenType === 'ACQUISITION' || tokenType === 'SERVICES' ? tokenType : null,
    environment: id.startsWith(SANDBOX) ? 'sandbox' : 'production',
    createdAtMs: timeIn(value.tokenCreationDate),
    expiresAtMs: timeIn(value.tokenExpirationDate),
  };
}
