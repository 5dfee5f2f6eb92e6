import fc from 'fast-check';
import { isServerPage, nextPath } from './next-path.js';

const origin = 'https://tenure.example';
/** Paths of slashes and dots, which browsers normalize. */
const path = fc
  .array(fc.constantFrom('/', '.', '..', '%2e', 'x'), { minLength: 1 })
  .map((parts) => `/${parts.join('')}`);

describe('the path after a sign-in', () => {
  it.each(['/projects/p1/customer?id=a%2Fb', '/account#security', '/oauth/authorize?client_id=x'])(
    'returns %s',
    (next) => {
      expect(nextPath(next, origin)).toBe(next);
    },
  );

  it.each([
    undefined,
    '',
    'https://evil.example/',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\/evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/a\\..\\b',
    'javascript:alert(1)',
    'data:text/html,x',
    ' /projects',
    'projects',
    '?next=/',
    '@evil.example',
    '.evil.example',
    '/\u0000',
    '/\u007f',
    'http:/evil.example',
    '/.//evil.example',
    '/x/..//evil.example',
    '/%2e//evil.example',
    '/./..///evil.example',
    '/login',
    '/login?next=/account',
  ])('rejects %j', (next) => {
    expect(nextPath(next, origin)).toBe('/');
  });

  it('stays on this origin whatever is asked for', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webUrl(), fc.webPath(), path), (next) => {
        expect(new URL(nextPath(next, origin), origin).origin).toBe(origin);
      }),
    );
  });

  it('loads in the browser where the server renders the page', () => {
    expect(isServerPage('/oauth/authorize?x=1')).toBe(true);
    expect(isServerPage('/projects/oauth')).toBe(false);
  });
});
