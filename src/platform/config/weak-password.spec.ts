import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { isGuessable } from './weak-password.js';

describe('the check of passwords', () => {
  it.each([
    'short',
    '12345678',
    '8402750183651',
    'postgres1',
    'Postgres2026!',
    'password',
    'P@ssw0rd',
    'mysecretpassword',
    'change-me-please',
    'adminadmin',
    'aaaaaaaaaaaa',
    'abababababab',
    'qwertyuiop',
    'abcdefgh1',
    'test1234',
  ])('refuses %s', (password) => {
    expect(isGuessable(password)).toBe(true);
  });

  it('refuses the names of user and database with a year behind them', () => {
    for (const password of ['purchases_db', 'purchasesdb2026', 'Billing-2026', 'billingPassword']) {
      expect(isGuessable(password, ['purchases_db', 'billing'])).toBe(true);
    }
  });

  it('takes what was drawn at random', () => {
    for (let count = 0; count < 5_000; count++) {
      for (const password of [randomBytes(24).toString('hex'), randomBytes(12).toString('base64url')]) {
        expect([password, isGuessable(password, ['tenure', 'a+(b'])]).toEqual([password, false]);
      }
    }
    expect(isGuessable('correct horse battery staple')).toBe(false);
  });

  it('takes any text without failing', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string()), (password, names) => {
        expect(typeof isGuessable(password, names)).toBe('boolean');
      }),
    );
  });
});
