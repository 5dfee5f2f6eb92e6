import { paywallIconNames } from '../../libs/paywalls/index.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const signatures: [ending: string, contentType: string, start: string][] = [
  ['svg', 'image/svg+xml', '<!-- @license lucide-static'],
  ['png', 'image/png', '\x89PNG'],
  ['webp', 'image/webp', 'RIFF'],
];

describe('icons of paywalls', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer({ env: { SERVICE_PUBLIC_URL: 'https://tenure.example.com' } });
  });

  afterAll(() => server.close());

  const ask = async (path: string) => {
    const answer = await fetch(server.baseUrl + path);
    return {
      ...answer,
      headers: answer.headers,
      status: answer.status,
      bytes: Buffer.from(await answer.arrayBuffer()),
    };
  };

  it('lists the icons with the address that documents name', async () => {
    const { headers, bytes } = await ask('/paywall-icons');
    expect(JSON.parse(bytes.toString())).toEqual({
      base_url: 'https://tenure.example.com/paywall-icons',
      icon_names: paywallIconNames,
    });
    expect(headers.get('access-control-allow-origin')).toBe('*');
  });

  it('serves each format to any origin, for caches to store', async () => {
    for (const name of paywallIconNames) {
      for (const [ending, contentType, start] of signatures) {
        const { status, headers, bytes } = await ask(`/paywall-icons/${name}.${ending}`);
        expect([name, status, bytes.subarray(0, start.length).toString('latin1')]).toEqual([
          name,
          200,
          start,
        ]);
        expect(Object.fromEntries(headers)).toMatchObject({
          'access-control-allow-origin': '*',
          'cache-control': 'public, max-age=31536000, immutable',
          'content-security-policy': "default-src 'none'; sandbox",
          'content-type': expect.stringMatching(new RegExp(`^${contentType.replace('+', '\\+')}(;|$)`)),
          'cross-origin-resource-policy': 'cross-origin',
          'x-content-type-options': 'nosniff',
        });
      }
    }
  });

  it('serves their license, and no other file', async () => {
    expect((await ask('/paywall-icons/LICENSE')).bytes.toString()).toMatch(/^ISC License/);
    for (const path of ['.build-stamp', 'bell.heic', 'bell', '..%2fdashboard%2findex.html', '%00']) {
      expect([path, (await ask(`/paywall-icons/${path}`)).status]).toEqual([path, 404]);
    }
  });
});
