import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';

/**
 * The `webhook-signature` header of Standard Webhooks: `v1,<base64>`, an HMAC-SHA256 over message id, timestamp and
 * body joined by dots, keyed with the decoded bytes after `whsec_`. Several secrets (during rotation) yield several
 * signatures, separated by spaces.
 * @throws RangeError without a secret
 */
export function signStandardWebhook(
  secrets: readonly string[],
  messageId: string,
  timestampS: number,
  body: string | Buffer,
): string {
  if (secrets.length === 0) throw new RangeError('A webhook needs a secret');
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, 'base64');
      const hmac = createHmac('sha256', key).update(`${messageId}.${timestampS}.`).update(body);
      return `v1,${hmac.digest('base64')}`;
    })
    .join(' ');
}
