import fc from 'fast-check';
import { deepLink, isLinkToken, newLinkToken, obfuscatedEmail, statusOf } from './redemption-link.policy.js';

const at = (ms: number): Date => new Date(ms);
const open = { expiresAt: at(1000), replacedAt: null, revokedAt: null, redeemedAt: null };

describe('a redemption link', () => {
  it('has a token that cannot be guessed, in the form that the SDKs accept', () => {
    const tokens = new Set(Array.from({ length: 200 }, newLinkToken));
    expect(tokens.size).toBe(200);
    for (const token of tokens) {
      expect(isLinkToken(token)).toBe(true);
      const url = new URL(deepLink('rc-d458f1e3a2', token));
      expect(url.host).toBe('redeem_web_purchase');
      expect(url.searchParams.get('redemption_token')).toBe(token);
    }
  });

  it.each([
    undefined,
    null,
    7,
    '',
    'rdm_',
    `rdm_${'a'.repeat(42)}`,
    `rdm_${'a'.repeat(44)}`,
    `rdm_${'a'.repeat(42)}=`,
  ])('%j is no token', (text) => {
    expect(isLinkToken(text)).toBe(false);
  });

  it.each([
    ['active', open, 999],
    ['expired', open, 1000],
    ['replaced', { ...open, replacedAt: at(1) }, 5],
    ['revoked', { ...open, replacedAt: at(1), revokedAt: at(2) }, 5],
    ['redeemed', { ...open, redeemedAt: at(3) }, 5000],
  ])('has the status %s', (status, times, nowMs) => {
    expect(statusOf(times, nowMs)).toBe(status);
  });

  it.each([
    ['tester@example.com', 't***@e*****.com'],
    ['t@e.co.uk', 't***@e*****.uk'],
    ['root@localhost', 'r***@l*****'],
    ['😀x@example.com', '😀***@e*****.com'],
  ])('shows %s as %s', (email, shown) => {
    expect(obfuscatedEmail(email)).toBe(shown);
  });

  it('shows of an address no more than its first letters and its last label', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (email) => {
        const [name = '', domain = ''] = email.split('@');
        const label = domain.slice(domain.lastIndexOf('.'));
        expect(obfuscatedEmail(email)).toBe(`${name[0]}***@${domain[0]}*****${label}`);
      }),
    );
  });
});
