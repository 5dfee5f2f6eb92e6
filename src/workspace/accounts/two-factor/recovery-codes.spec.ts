import { newRecoveryCodes, normalizeCode, recoveryCodeHash } from './recovery-codes.js';

describe('recovery codes', () => {
  it('creates ten, all different, of 128 bits', () => {
    const codes = newRecoveryCodes();
    expect(new Set([...codes, ...newRecoveryCodes()]).size).toBe(20);
    for (const code of codes) expect(code).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{8}){3}$/);
  });

  it('accepts them however they are typed', () => {
    const typed = [' 0A1B2C3D 4e5f6071\t8293a4b5-c6d7e8f9\n', '0a1b2c3d-4e5f6071-8293a4b5-c6d7e8f9'];
    expect(new Set(typed.map(normalizeCode)).size).toBe(1);
    expect(new Set(typed.map((code) => recoveryCodeHash(code).toString('hex'))).size).toBe(1);
  });
});
