import { isPublicAddress } from './public-address.js';

describe('isPublicAddress', () => {
  it.each([
    'http://localhost:8787/v1/notifications/apple/app1',
    'http://tenure.localhost/x',
    'http://127.0.0.1:8787/x',
    'http://10.1.2.3/x',
    'http://172.16.0.1/x',
    'http://192.168.1.20:8787/x',
    'http://169.254.1.1/x',
    'http://[::1]:8787/x',
    'http://[fd00::1]/x',
    'http://server.local/x',
    'http://tenure.tenure.svc.cluster.local/x',
  ])('marks %s as unreachable', (url) => {
    expect(isPublicAddress(url)).toBe(false);
  });

  it.each([
    'https://tenure.example.com/x',
    'https://localhost.example.com/x',
    'https://172.32.0.1/x',
    'https://[2001:db8::1]/x',
    'https://local.example/x',
  ])('accepts %s', (url) => {
    expect(isPublicAddress(url)).toBe(true);
  });
});
