import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { signWebhook, verifyWebhook } from './index.js';

const nowMs = 1_767_323_045_000;
const nowS = nowMs / 1000;

describe('webhook signature', () => {
  it('equals an HMAC over timestamp, dot and body, keyed with the whole secret', () => {
    const v1 = createHmac('sha256', Buffer.from('whsec_a', 'utf8')).update(`${nowS}.{"a":1}`).digest('hex');
    expect(signWebhook(['whsec_a'], nowS, '{"a":1}')).toBe(`t=${nowS},v1=${v1}`);
  });

  it('does not change: compared with a recorded value', () => {
    expect(signWebhook(['whsec_test'], 1_700_000_000, '{"event":{"id":"é"}}')).toBe(
      't=1700000000,v1=02f75ec3ce0713382e98688e84982aca75f51faed6fc8b8149dbcda683a59270',
    );
  });

  it('equals that of the text for bytes', () => {
    const text = '{"name":"Zoë"}';
    expect(signWebhook(['s'], nowS, Buffer.from(text))).toBe(signWebhook(['s'], nowS, text));
    expect(verifyWebhook(signWebhook(['s'], nowS, text), 's', Buffer.from(text), nowMs)).toBe(true);
  });

  it('verifies with each of several secrets and with no other', () => {
    const header = signWebhook(['old', 'new'], nowS, 'body');
    expect(['old', 'new', 'other', ''].map((secret) => verifyWebhook(header, secret, 'body', nowMs))).toEqual(
      [true, true, false, false],
    );
  });

  it('verifies any body, and fails for a different one', () => {
    const bytes = fc.uint8Array().map((array) => Buffer.from(array));
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), bytes, bytes, (secret, body, other) => {
        const header = signWebhook([secret], nowS, body);
        expect(verifyWebhook(header, secret, body, nowMs)).toBe(true);
        expect(verifyWebhook(header, secret, other, nowMs)).toBe(body.equals(other));
      }),
    );
  });

  it('fails if any character of the header was changed', () => {
    const header = signWebhook(['secret'], nowS, 'body');
    for (let index = 0; index < header.length; index++) {
      const changed = header[index] === '0' ? '1' : '0';
      const tampered = header.slice(0, index) + changed + header.slice(index + 1);
      expect(verifyWebhook(tampered, 'secret', 'body', nowMs)).toBe(false);
    }
  });

  it('stays valid for five minutes either way, or for the given tolerance', () => {
    const header = signWebhook(['secret'], nowS, 'body');
    const accepts = (awayS: number, toleranceS?: number): boolean =>
      verifyWebhook(header, 'secret', 'body', nowMs + awayS * 1000, toleranceS);
    expect([300, -300, 301, -301].map((awayS) => accepts(awayS))).toEqual([true, true, false, false]);
    expect([10, -10, 11, -11].map((awayS) => accepts(awayS, 10))).toEqual([true, true, false, false]);
  });

  it('does not verify with a second timestamp inserted', () => {
    const stale = signWebhook(['secret'], nowS - 3600, 'body');
    expect(verifyWebhook(`t=${nowS},${stale}`, 'secret', 'body', nowMs)).toBe(false);
    expect(verifyWebhook(`${stale},t=${nowS}`, 'secret', 'body', nowMs)).toBe(false);
  });

  it.each([
    '',
    't=',
    `t=${nowS}`,
    `t=${nowS},v1=`,
    `t=${nowS},v1=zz`,
    'v1=00',
    't=x,v1=00',
    'nonsense',
    ',,,',
  ])('refuses the malformed header %j', (header) => {
    expect(verifyWebhook(header, 'secret', 'body', nowMs)).toBe(false);
  });

  it('needs a non-empty secret and a valid time', () => {
    expect(() => signWebhook([], nowS, 'body')).toThrow(RangeError);
    expect(() => signWebhook(['secret', ''], nowS, 'body')).toThrow(RangeError);
    expect(() => signWebhook(['secret'], nowS + 0.5, 'body')).toThrow(RangeError);
    expect(() => signWebhook(['secret'], Number.NaN, 'body')).toThrow(RangeError);
  });
});
