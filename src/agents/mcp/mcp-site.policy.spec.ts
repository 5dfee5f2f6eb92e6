import { isAllowedOrigin, isOwnHost } from './mcp-site.policy.js';

const config = { baseUrl: 'https://iap.example.com', mcpOrigins: ['https://inspector.example.org'] };

describe('the name that a request was sent to', () => {
  it.each([
    'iap.example.com',
    'iap.example.com:443',
    'IAP.example.com',
    'localhost:8787',
    '127.0.0.1',
    '[::1]:8787',
  ])('accepts %s', (host) => expect(isOwnHost(host, config)).toBe(true));

  it.each([
    'evil.example',
    'iap.example.com.evil.example',
    'localhost.evil.example',
    'iap.example.com@evil.example',
    'evil.example/iap.example.com',
    'iap.example.com/evil',
    '192.168.1.5:8787',
    '',
    undefined,
  ])('refuses %s', (host) => expect(isOwnHost(host, config)).toBe(false));
});

describe('the site of a page that calls', () => {
  it.each([
    'https://iap.example.com',
    'https://inspector.example.org',
    'http://localhost:6274',
    'http://127.0.0.1:3000',
    'http://[::1]:3000',
  ])('accepts %s', (origin) => expect(isAllowedOrigin(origin, config)).toBe(true));

  it.each([
    'https://evil.example',
    'http://iap.example.com',
    'https://iap.example.com:8443',
    'https://localhost.evil.example',
    'null',
    'file:///home/page.html',
    '',
  ])('refuses %j', (origin) => expect(isAllowedOrigin(origin, config)).toBe(false));
});
