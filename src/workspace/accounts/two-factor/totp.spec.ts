import fc from 'fast-check';
import { codeOfStep, isTotpCode, newTotpSecret, otpauthUrl, stepAt, stepOfCode } from './totp.js';

/** The SHA-1 secret of RFC 6238, appendix B, in base32. */
const RFC_SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

describe('codes by time', () => {
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('matches those of RFC 6238 at %d seconds', (second, code) => {
    expect(codeOfStep(RFC_SECRET, stepAt(second * 1000))).toBe(code);
  });

  it('accepts them one step either way, to the millisecond', () => {
    const fresh = { secret: RFC_SECRET, lastStep: null };
    const code = codeOfStep(RFC_SECRET, 100);
    const firstMs = 99 * 30_000;
    const lastMs = 102 * 30_000 - 1;
    const found = [firstMs - 1, firstMs, lastMs, lastMs + 1].map((ms) => stepOfCode(fresh, code, ms));
    expect(found).toEqual([null, 100, 100, null]);
  });

  it('accepts each once, and none from before the last used one', () => {
    const step = fc.integer({ min: 2, max: 2 ** 40 });
    const distance = fc.integer({ min: -3, max: 3 });
    fc.assert(
      fc.property(step, distance, fc.option(distance), fc.nat(29_999), (present, sent, used, ms) => {
        const lastStep = used === null ? null : present + used;
        const code = codeOfStep(RFC_SECRET, present + sent);
        const found = stepOfCode({ secret: RFC_SECRET, lastStep }, code, present * 30_000 + ms);
        // Another step may have the same code by chance.
        if (found !== null) {
          expect(codeOfStep(RFC_SECRET, found)).toBe(code);
          expect(Math.abs(found - present)).toBeLessThanOrEqual(1);
          expect(found).toBeGreaterThan(lastStep ?? -1);
          expect(stepOfCode({ secret: RFC_SECRET, lastStep: found }, code, present * 30_000 + ms)).not.toBe(
            found,
          );
        } else {
          expect(Math.abs(sent) > 1 || present + sent <= (lastStep ?? -1)).toBe(true);
        }
      }),
    );
  });

  it('uses six digits, including leading zeros', () => {
    expect(['000000', '123456'].map(isTotpCode)).toEqual([true, true]);
    expect(['', '12345', '1234567', '12345a', '１２３４５６', '123456\n'].map(isTotpCode)).toEqual(
      Array(6).fill(false),
    );
  });

  it('derives them from 160 random bits that an authenticator app reads from a link', () => {
    const secret = newTotpSecret();
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(newTotpSecret()).not.toBe(secret);
    const url = new URL(otpauthUrl(secret, 'ada+1@example.com'));
    expect([url.protocol, url.host, decodeURIComponent(url.pathname)]).toEqual([
      'otpauth:',
      'totp',
      '/Tenure:ada+1@example.com',
    ]);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      issuer: 'Tenure',
      secret,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    });
  });
});
