import {
  formTarget,
  isLoopback,
  matchesRedirectUri,
  redirectHost,
  redirectTo,
  redirectUriProblem,
} from './redirect-uri.policy.js';

describe('a redirect URI', () => {
  it.each([
    'https://agent.example.com/callback',
    'https://agent.example.com/callback?client=1',
    'https://agent.example.com:8443/',
    'http://localhost/callback',
    'http://localhost:3118/callback',
    'http://127.0.0.1:33418',
    'http://127.0.0.1/a/b?x=1',
    'http://[::1]:8080/callback',
    'cursor://anysphere.cursor-deeplink/mcp/auth',
    'vscode://vscode.github-authentication/did-authenticate',
    'com.example.app:/oauth2redirect',
  ])('accepts %s', (uri) => {
    expect(redirectUriProblem(uri)).toBeNull();
  });

  it.each([
    [''],
    [7],
    [null],
    ['callback'],
    ['/callback'],
    ['//evil.example/callback'],
    [`https://agent.example.com/${'a'.repeat(2000)}`],
    ['https://agent.example.com/callback#fragment'],
    ['https://agent.example.com/callback#'],
    ['https://user@agent.example.com/'],
    ['https://user:password@agent.example.com/'],
    ['https://agent.example.com\\@evil.example/'],
    ['https://agent.example.com/a b'],
    ['https://agent.example.com/\r\nX: y'],
    [' https://agent.example.com/'],
    ['https://agënt.example.com/'],
    ['https://'],
    ['http://agent.example.com/callback'],
    ['http://localhost.evil.example/callback'],
    ['http://127.0.0.1.evil.example/'],
    ['http://127.0.0.1:80@evil.example/'],
    ['http://localhost:80:81/'],
    ['http://localhost:99999999/'],
    ['http://127.0.0.2/callback'],
    ['http://2130706433/callback'],
    ['http://0x7f.1/callback'],
    ['http://LOCALHOST/callback'],
    ['http://0.0.0.0/callback'],
    ['http://10.0.0.1/callback'],
    ['http:localhost/callback'],
    ['javascript:alert(1)'],
    ['JavaScript:alert(1)'],
    ['java\nscript:alert(1)'],
    ['livescript:x'],
    ['vbscript:x'],
    ['data:text/html,x'],
    ['file:///etc/passwd'],
    ['blob:https://evil.example/1'],
    ['about:blank'],
    ['ws://localhost/'],
    ['wss://agent.example.com/'],
    ['ftp://agent.example.com/'],
    ['mailto:ada@example.com'],
    ['intent://x'],
    ['view-source:https://evil.example/'],
    ['cursor://user@host/'],
  ])('refuses %j', (uri) => {
    expect(redirectUriProblem(uri)).not.toBeNull();
  });

  it.each([
    ['https://a.example/cb', 'https://a.example/cb', true],
    ['https://a.example/cb', 'https://a.example/cb/', false],
    ['https://a.example/cb', 'https://a.example/cb?x=1', false],
    ['https://a.example/cb', 'https://a.example/cb/../cb', false],
    ['https://a.example/cb', 'https://a.example:443/cb', false],
    ['https://a.example/cb', 'https://A.example/cb', false],
    ['https://a.example/cb', 'http://a.example/cb', false],
    ['https://a.example/cb', 'https://a.example.evil/cb', false],
    ['https://a.example:1/cb', 'https://a.example:2/cb', false],
    ['http://localhost/cb', 'http://localhost:50123/cb', true],
    ['http://localhost:1/cb', 'http://localhost:2/cb', true],
    ['http://127.0.0.1:1/cb', 'http://127.0.0.1/cb', true],
    ['http://[::1]/cb', 'http://[::1]:5/cb', true],
    ['http://localhost/cb', 'http://127.0.0.1/cb', false],
    ['http://localhost/cb', 'http://localhost:1/other', false],
    ['http://localhost/cb', 'http://localhost:1/cb?x=1', false],
    ['http://localhost/cb', 'http://localhost:1@evil.example/cb', false],
    ['http://localhost/cb', 'http://localhost:99999/cb', false],
    ['cursor://a/cb', 'cursor://a:1/cb', false],
  ])('matches %s against %s: %s', (registered, asked, matches) => {
    expect(matchesRedirectUri(registered, asked)).toBe(matches);
  });

  it('gets parameters without being rewritten', () => {
    expect(redirectTo('https://a.example', { code: 'x y', state: null })).toBe('https://a.example?code=x+y');
    expect(redirectTo('https://a.example/%7Ecb?a=%20', { code: '1' })).toBe(
      'https://a.example/%7Ecb?a=%20&code=1',
    );
    expect(redirectTo('https://a.example/?', { code: '1' })).toBe('https://a.example/?code=1');
    expect(redirectTo('com.example.app:/cb', { code: '1', state: 'a&b' })).toBe(
      'com.example.app:/cb?code=1&state=a%26b',
    );
  });

  it.each([
    ['https://a.example:8443/cb', 'a.example:8443', 'https://a.example:8443', false],
    ['http://localhost:1/cb', 'localhost:1', 'http://localhost:1', true],
    ['http://[::1]:1/cb', '[::1]:1', 'http:', true],
    ['cursor://x.y/cb', 'cursor://x.y', 'cursor:', false],
    ['com.example.app:/cb', 'com.example.app:', 'com.example.app:', false],
  ])('shows it to people and names it in the policy of the page: %s', (uri, shown, target, loopback) => {
    expect([redirectHost(uri), formTarget(uri), isLoopback(uri)]).toEqual([shown, target, loopback]);
  });
});
