import { regionAddresses } from './enterprise-settings.js';

describe('the addresses of other regions', () => {
  it('reads them from a list and from JSON', () => {
    const url = 'https://eu.example.com';
    expect([...regionAddresses(` eu=${url}/ `)]).toEqual([['eu', { apiUrl: url, appUrl: url }]]);
    const json = '{"eu": {"api_url": "https://eu.example.com", "app_url": "https://app.example.com"}}';
    expect([...regionAddresses(json)]).toEqual([['eu', { apiUrl: url, appUrl: 'https://app.example.com' }]]);
  });

  it.each([
    'mars=https://x.example.com',
    'eu',
    'eu=ftp://x',
    '{"eu": null}',
    '{"eu"',
    '{"eu": {"app_url": "x"}}',
  ])('refuses them as %s', (text) => {
    expect(() => regionAddresses(text)).toThrow('must be <region>=<address>');
  });
});
