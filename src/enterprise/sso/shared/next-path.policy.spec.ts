import fc from 'fast-check';
import { safeNext } from './next-path.policy.js';

const ORIGIN = 'https://tenure.example';

describe('the path after a sign-in', () => {
  it.each([
    ['/', '/'],
    ['/projects/proj1?tab=apps#list', '/projects/proj1?tab=apps#list'],
    ['/a/../b', '/b'],
    ['/ü', '/%C3%BC'],
    ['/login?next=https://evil.example', '/login?next=https://evil.example'],
  ])('%j is a path of this server: %j', (next, path) => {
    expect(safeNext(next)).toBe(path);
  });

  it.each([
    undefined,
    null,
    7,
    ['/a'],
    '',
    'projects',
    'https://evil.example/',
    'javascript:alert(1)',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '/a\\b',
    '/\t/evil.example',
    '/\n/evil.example',
    '/a\u0000b',
    '/a\u0085b',
    ' /a',
    '/.//evil.example',
    '/..//evil.example',
    '/a/..//evil.example',
    '/%2e//evil.example',
    `/${'a'.repeat(2_000)}`,
  ])('%j is not: it goes to the start', (next) => {
    expect(safeNext(next)).toBe('/');
  });

  it('never leads to another site, whatever is sent', () => {
    const part = fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      '%2e',
      '%2f',
      '@',
      ':',
      '?',
      '#',
      '\t',
      '\n',
      'a',
      'evil.example',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(part).map((parts) => parts.join('')),
          fc.string(),
        ),
        (text) => {
          const next = safeNext(`/${text}`);
          expect(new URL(next, ORIGIN).origin).toBe(ORIGIN);
          // A browser would read these as the start of a host.
          expect(next).toMatch(/^\/(?![/\\])/);
          expect(safeNext(next)).toBe(next);
        },
      ),
    );
  });
});
