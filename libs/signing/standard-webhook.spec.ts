import { Webhook } from 'standardwebhooks';
import { newWebhookSecret } from '../kernel/index.js';
import { signStandardWebhook } from './index.js';

// The public library uses the real time.
const nowS = Math.floor(Date.now() / 1000);
const id = 'A6F3D1C2-0000-4000-8000-000000000001';
const body = '{"api_version":"1.0","event":{"name":"Zoë"}}';

function headers(signature: string): Record<string, string> {
  return { 'webhook-id': id, 'webhook-timestamp': String(nowS), 'webhook-signature': signature };
}

describe('the Standard Webhooks signature', () => {
  it('matches the public library in both directions', () => {
    const secret = newWebhookSecret();
    const signature = signStandardWebhook([secret], id, nowS, body);
    const library = new Webhook(secret);
    expect(signature).toBe(library.sign(id, new Date(nowS * 1000), body));
    expect(library.verify(body, headers(signature))).toEqual(JSON.parse(body));
    expect(signStandardWebhook([secret], id, nowS, Buffer.from(body))).toBe(signature);
  });

  it('verifies with either secret during a rotation, and with no other', () => {
    const [fresh, old, other] = [newWebhookSecret(), newWebhookSecret(), newWebhookSecret()];
    const signature = signStandardWebhook([fresh, old], id, nowS, body);
    for (const secret of [fresh, old]) {
      expect(() => new Webhook(secret).verify(body, headers(signature))).not.toThrow();
    }
    expect(() => new Webhook(other).verify(body, headers(signature))).toThrow('No matching signature');
    expect(() => new Webhook(fresh).verify(`${body} `, headers(signature))).toThrow('No matching signature');
  });

  it('needs a secret', () => {
    expect(() => signStandardWebhook([], id, nowS, body)).toThrow(RangeError);
  });
});
