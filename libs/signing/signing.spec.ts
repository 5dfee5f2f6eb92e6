import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { deriveKey, sealerOf, signWebhook, verifyWebhook } from './index.js';

const nowMs = 1_767_323_045_000;
const nowS = nowMs / 1000;

describe('webhook signature', () => {
  it('is an HMAC over timestamp, dot and body, as anybody can compute it', () => {
    const v1 = createHmac('sha256', 'whsec_a').update(`${nowS}.{"a":1}`).digest('hex');
    expect(signWebhook(['whsec_a'], nowS, '{"a":1}')).toBe(`t=${nowS},v1=${v1}`);
  });

  it('verifies with each of several secrets and with no other', () => {
    const header = signWebhook(['old', 'new'], nowS, 'body');
    expect(['old', 'new', 'other'].map((secret) => verifyWebhook(header, secret, 'body', nowMs))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('refuses a changed body, a changed timestamp and a timestamp more than five minutes away', () => {
    const header = signWebhook(['secret'], nowS, 'body');
    expect(verifyWebhook(header, 'secret', 'body!', nowMs)).toBe(false);
    expect(verifyWebhook(header.replace(`t=${nowS}`, `t=${nowS + 1}`), 'secret', 'body', nowMs)).toBe(false);
    expect(verifyWebhook(header, 'secret', 'body', nowMs + 300_000)).toBe(true);
    expect(verifyWebhook(header, 'secret', 'body', nowMs + 301_000)).toBe(false);
    expect(verifyWebhook(header, 'secret', 'body', nowMs - 301_000)).toBe(false);
  });

  it.each(['', 't=', 'v1=00', 't=x,v1=00', 'nonsense'])('refuses the malformed header %j', (header) => {
    expect(verifyWebhook(header, 'secret', 'body', nowMs)).toBe(false);
  });
});

describe('sealed secrets', () => {
  const sealer = sealerOf(Buffer.alloc(32, 1));

  it('open to what was sealed, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (plain, place) => {
        expect(sealer.open(sealer.seal(plain, place), place)).toBe(plain);
      }),
    );
  });

  it('never look the same twice', () => {
    expect(sealer.seal('a', 'p')).not.toBe(sealer.seal('a', 'p'));
  });

  it('do not open at another place, with another key, or when one bit was changed', () => {
    const sealed = sealer.seal('secret', 'here');
    expect(() => sealer.open(sealed, 'there')).toThrow();
    expect(() => sealerOf(Buffer.alloc(32, 2)).open(sealed, 'here')).toThrow();
    const bytes = Buffer.from(sealed.slice(3), 'base64url');
    for (let index = 0; index < bytes.length; index++) {
      const changed = Buffer.from(bytes);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(() => sealer.open(`v1.${changed.toString('base64url')}`, 'here')).toThrow();
    }
  });

  it.each(['', 'v1.', 'v2.AAAA', 'plain text'])('refuse %j', (text) => {
    expect(() => sealer.open(text, 'here')).toThrow();
  });

  it('use keys of their own for each purpose', () => {
    const root = Buffer.alloc(32, 1);
    expect(deriveKey(root, 'a').equals(deriveKey(root, 'b'))).toBe(false);
    expect(deriveKey(root, 'a')).toHaveLength(32);
  });
});
