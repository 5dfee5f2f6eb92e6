import { createPrivateKey, sign } from 'node:crypto';

/** Fields covered by Apple's signature of a promotional offer (StoreKit, version 1). */
export interface PromotionalOffer {
  bundleId: string;
  keyId: string;
  productId: string;
  offerId: string;
  /** The account token that the app passes to StoreKit; empty if there is none. */
  username: string;
  /** Lower-case UUID. */
  nonce: string;
  /** Epoch ms; the signature is valid for a day. */
  timestampMs: number;
}

/** Apple's separator between the parts. */
const SEPARATOR = '\u2063';

/**
 * ECDSA (P-256, SHA-256) over the parts, DER in base64.
 * @throws Error unless `privateKeyPem` is a P-256 private key
 */
export function signPromotionalOffer(privateKeyPem: string, offer: PromotionalOffer): string {
  const key = createPrivateKey(privateKeyPem);
  if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') throw new Error('The key is not on P-256');
  const { bundleId, keyId, productId, offerId, username, nonce, timestampMs } = offer;
  const parts = [bundleId, keyId, productId, offerId, username.toLowerCase(), nonce, String(timestampMs)];
  return sign('sha256', Buffer.from(parts.join(SEPARATOR)), key).toString('base64');
}
