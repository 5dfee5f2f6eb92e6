import fc from 'fast-check';
import { emailDomain, isEmail, normalizeEmail } from './email.js';

describe('email addresses', () => {
  it.each(['a@b.co', "o'brien+tag@mail.example.com", 'jürgen@bücher.example', 'root@localhost'])(
    'accepts %s',
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
  ])('refuses %j', (address) => {
    expect(isEmail(normalizeEmail(address))).toBe(false);
  });

  it('limits them to 254 characters', () => {
    expect(isEmail(`${'a'.repeat(242)}@example.com`)).toBe(true);
    expect(isEmail(`${'a'.repeat(243)}@example.com`)).toBe(false);
  });

  it('compares them trimmed, in lower case', () => {
    expect(normalizeEmail(' Ada@Example.COM\n')).toBe('ada@example.com');
  });

  it.each([
    ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
    ['Ada@BÜCHER.Example', 'ada@xn--bcher-kva.example'],
    // U with a combining diaeresis, an ideographic full stop, full-width letters, a soft hyphen.
    ['ada@bu\u0308cher.example', 'ada@xn--bcher-kva.example'],
    ['ada@bücher。example', 'ada@xn--bcher-kva.example'],
    ['ada@ｅxample.com', 'ada@example.com'],
    ['ada@exam\u00adple.com', 'ada@example.com'],
    ['jürgen@example.com', 'jürgen@example.com'],
  ])('uses one form, whatever the spelling of the domain: %j', (text, address) => {
    expect(normalizeEmail(text)).toBe(address);
    expect(isEmail(address)).toBe(true);
  });

  it.each(['ada@bücher.example/b.co', 'ada@bü cher.example', 'ada@b.co#ü', 'ada@ü%41.co'])(
    'refuses them instead of shortening: %j',
    (text) => {
      expect(normalizeEmail(text)).toBe(text);
      expect(isEmail(text)).toBe(false);
    },
  );

  it('normalises them once and for all, with a domain in DNS form', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (name, domain) => {
        const once = normalizeEmail(`${name}@${domain}.example`);
        expect(normalizeEmail(once)).toBe(once);
        if (isEmail(once)) expect(emailDomain(once)).toMatch(/^[!-~]+$/);
      }),
    );
  });

  it('refuses quickly, however they are built', () => {
    expect(isEmail(`a@${'a.'.repeat(120)}`)).toBe(false);
  });
});
