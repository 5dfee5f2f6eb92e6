import { normalizeDomain, txtProblem } from './domain.policy.js';

describe('a domain', () => {
  it.each([
    ['example.com', 'example.com'],
    [' @Example.COM. ', 'example.com'],
    ['mail.example.co.uk', 'mail.example.co.uk'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['BÜCHER.example', 'xn--bcher-kva.example'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['a-b.example.dev', 'a-b.example.dev'],
  ])('%j is stored as %j', (text, domain) => {
    expect(normalizeDomain(text)).toEqual({ domain });
  });

  it.each([
    '',
    ' ',
    '@',
    '.',
    'com',
    'co.uk',
    'github.io',
    'localhost',
    '127.0.0.1',
    '[::1]',
    '2130706433',
    'ada@example.com',
    'https://example.com',
    'example.com/path',
    'example.com:443',
    'exa mple.com',
    'exa\nmple.com',
    'example..com',
    '-example.com',
    'example-.com',
    '*.example.com',
    '_sso.example.com',
    `${'a'.repeat(64)}.com`,
    `${'a.'.repeat(126)}com`,
    'gmail.com',
    'GMAIL.com',
    'mail.gmail.com',
    'ｇｍａｉｌ.com',
    'yahoo.co.uk',
  ])('%j is refused', (text) => {
    expect(normalizeDomain(text)).toHaveProperty('problem');
  });
});

it.each([
  [['service-sso-verification=a'], null],
  [['v=spf1 -all', 'service-sso-verification=a'], null],
  [[], 'no_record'],
  [['v=spf1 -all'], 'wrong_value'],
  [['service-sso-verification=A'], 'wrong_value'],
  [[' service-sso-verification=a'], 'wrong_value'],
])('returns for the records %j: %j', (found, problem) => {
  expect(txtProblem(found, 'service-sso-verification=a')).toBe(problem);
});
