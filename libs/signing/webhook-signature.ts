import { createHmac, timingSafeEqual } from 'node:crypto';

/** How old a signature may be before a consumer should refuse it. */
const TOLERANCE_S = 300;

function hmac(secret: string, timestampS: number, body: string): Buffer {
  return createHmac('sha256', secret).update(`${timestampS}.`).update(body).digest();
}

/**
 * Value of `X-Service-Webhook-Signature`: `t=<unix seconds>,v1=<hex>`, HMAC-SHA256 over the timestamp, a dot
 * and the raw body, keyed with the text of the secret. Several secrets (a rotation) give several `v1`.
 */
export function signWebhook(secrets: string[], timestampS: number, body: string): string {
  const signatures = secrets.map((secret) => `v1=${hmac(secret, timestampS, body).toString('hex')}`);
  return [`t=${timestampS}`, ...signatures].join(',');
}

/** What a consumer does: true when one `v1` is right and the timestamp is at most five minutes away. */
export function verifyWebhook(header: string, secret: string, body: string, nowMs: number): boolean {
  const parts = header.split(',').map((part) => part.split('='));
  const timestampS = Number(parts.find(([name]) => name === 't')?.[1] ?? Number.NaN);
  if (!(Math.abs(nowMs / 1000 - timestampS) <= TOLERANCE_S)) return false;
  const expected = hmac(secret, timestampS, body);
  return parts.some(([name, hex]) => {
    const given = Buffer.from(hex ?? '', 'hex');
    return name === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}
