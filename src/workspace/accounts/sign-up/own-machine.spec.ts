import { isFromOwnMachine } from './own-machine.js';

describe('a request from the own machine', () => {
  const asked = (remoteAddress: string | undefined, headers: Record<string, string> = {}): boolean =>
    isFromOwnMachine({ socket: { remoteAddress }, headers: { host: 'localhost:8787', ...headers } });

  it.each(['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1'])(
    'comes over the loopback address %s',
    (ip) => {
      expect(asked(ip)).toBe(true);
    },
  );

  it.each(['10.0.0.1', '192.0.2.2', '::ffff:192.0.2.2', 'fe80::1', '0.0.0.0', undefined])(
    'never comes from %s',
    (ip) => {
      expect(asked(ip)).toBe(false);
      expect(asked(ip, { 'x-forwarded-for': '127.0.0.1' })).toBe(false);
    },
  );

  it.each([
    'forwarded',
    'via',
    'x-forwarded-for',
    'x-forwarded-host',
    'x-forwarded-proto',
    'x-real-ip',
    'x-client-ip',
    'x-cluster-client-ip',
    'x-original-forwarded-for',
    'x-envoy-external-address',
    'cf-connecting-ip',
    'true-client-ip',
    'fastly-client-ip',
    'fly-client-ip',
    'x-azure-clientip',
    'cdn-loop',
  ])('carries no %s, whatever it says', (name) => {
    expect(asked('127.0.0.1', { [name]: '127.0.0.1' })).toBe(false);
    expect(asked('127.0.0.1', { [name]: '' })).toBe(false);
  });

  it.each(['localhost', '127.0.0.1:8787', '[::1]:8787'])('accepts the host %s', (host) => {
    expect(asked('127.0.0.1', { host })).toBe(true);
  });

  it.each(['rebound.example.com:8787', 'localhost.example.com', '192.0.2.2', '127.0.0.1.nip.io', '', 'a b'])(
    'does not ask for "%s"',
    (host) => {
      expect(asked('127.0.0.1', { host })).toBe(false);
    },
  );

  it('accepts the headers of any client', () => {
    const usual = {
      'user-agent': 'curl/8',
      'x-request-id': '1',
      'sec-fetch-site': 'none',
      'x-platform': 'ios',
    };
    expect(asked('127.0.0.1', usual)).toBe(true);
  });
});
