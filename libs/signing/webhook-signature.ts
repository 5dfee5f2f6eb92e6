import { createHmac, timingSafeEqual } from 'node:crypto';

const TOLERANCE_S = 300;
const TIMESTAMP = /^t=(\d{1,12})$/;
const SIGNATURE = /^v1=([0-9a-f]{64})$/;

function hmac(secret: string, timestampS: number, body: string | Buffer): Buffer {
  return createHmac('sha256', secret).update(`${timestampS}.`).update(body).digest();
}

/**
 * Value of `X-Service-Webhook-Signature`: `t=<unix seconds>,v1=<hex>`, an HMAC-SHA256 over the timestamp, a dot and the
 * raw body, keyed with the secret's text including `whsec_`. Several secrets (during rotation) yield several `v1`.
 * @throws RangeError without a secret, with an empty one, or unless the timestamp is in whole seconds
 */
export function signWebhook(secrets: readonly string[], timestampS: number, body: string | Buffer): string {
  if (secrets.length === 0 || secrets.includes('')) throw new RangeError('A webhook needs a secret');
  if (!Number.isSafeInteger(timestampS) || timestampS < 0) {
    throw new RangeError(`${timestampS} is not a timestamp in whole seconds`);
  }
  const signatures = secrets.map((secret) => `v1=${hmac(secret, timestampS, body).toString('hex')}`);
  return [`t=${timestampS}`, ...signatures].join(',');
}

/** For receivers. `toleranceS` applies in both directions; compares in constant time; false for a malformed header. */
export function verifyWebhook(
  header: string,
  secret: string,
  body: string | Buffer,
  nowMs: number,
  toleranceS = TOLERANCE_S,
): boolean {
  const [first = '', ...others] = header.split(',');
  const timestampS = Number(TIMESTAMP.exec(first)?.[1] ?? Number.NaN);
  if (secret === '' || !(Math.abs(nowMs / 1000 - timestampS) <= toleranceS)) return false;
  const expected = hmac(secret, timestampS, body);
  return others.some((part) => {
    const hex = SIGNATURE.exec(part)?.[1];
    return hex !== undefined && timingSafeEqual(Buffer.from(hex, 'hex'), expected);
  });
}
