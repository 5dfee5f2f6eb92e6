import { isPassword, normalizePassword } from './password.policy.js';

describe('the password policy', () => {
  it('counts characters, not UTF-16 units', () => {
    expect(isPassword('a'.repeat(7))).toBe(false);
    expect(isPassword('a'.repeat(8))).toBe(true);
    expect(isPassword('😀'.repeat(7))).toBe(false);
    expect(isPassword('😀'.repeat(256))).toBe(true);
    expect(isPassword('😀'.repeat(257))).toBe(false);
  });

  it('counts after normalisation, which joins letters and their accents', () => {
    expect(normalizePassword('e\u0301')).toBe('\u00e9');
    expect(isPassword(normalizePassword('e\u0301'.repeat(7)))).toBe(false);
    expect(isPassword(normalizePassword('e\u0301'.repeat(256)))).toBe(true);
  });

  it('refuses text that has no UTF-8 form', () => {
    expect(isPassword('\udc00'.repeat(8))).toBe(false);
  });
});
