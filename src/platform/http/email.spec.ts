import { isEmail, normalizeEmail } from './email.js';

describe('e-mail addresses', () => {
  it.each(['a@b.co', "o'brien+tag@mail.example.com", 'jürgen@bücher.example', 'root@localhost'])(
    'accept %s',
    (address) => {
      expect(isEmail(normalizeEmail(address))).toBe(true);
    },
  );

  it.each([
    '',
    'a',
    '@b.co',
    'a@',
    'a@b',
    'a@b.',
    'a@.b.co',
    'a@b..co',
    'a b@c.co',
    'a@b@c.co',
    'a@b.co,c@d.co',
    'Ada <a@b.co>',
    'a@b.co\nBcc: c@d.co',
    'a\u0000@b.co',
    'a\u200b@b.co',
    '\ud800@b.co',
  ])('refuse %j', (address) => {
    expect(isEmail(normalizeEmail(address))).toBe(false);
  });

  it('are at most 254 characters long', () => {
    expect(isEmail(`${'a'.repeat(242)}@example.com`)).toBe(true);
    expect(isEmail(`${'a'.repeat(243)}@example.com`)).toBe(false);
  });

  it('are compared trimmed and in lower case', () => {
    expect(normalizeEmail(' Ada@Example.COM\n')).toBe('ada@example.com');
  });

  it('do not take long to refuse, however they are made', () => {
    expect(isEmail(`a@${'a.'.repeat(120)}`)).toBe(false);
  });
});
