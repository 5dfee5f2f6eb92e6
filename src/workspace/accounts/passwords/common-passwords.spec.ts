import { isCommonPassword } from './common-passwords.js';

describe('common passwords', () => {
  it.each(['password', '12345678', 'iloveyou', 'PASSWORD', 'Trustno1', '1qaz2wsx'])(
    '%s is one',
    (password) => {
      expect(isCommonPassword(password)).toBe(true);
    },
  );

  it.each(['correct horse battery', 'password of mine', 'ℓoveyou2day'])('%s is none', (password) => {
    expect(isCommonPassword(password)).toBe(false);
  });
});
