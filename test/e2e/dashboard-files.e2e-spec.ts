import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { dashboardPaths } from '../../src/dashboard/pages/dashboard-paths.js';
import { dashboardRoutes } from '../browser/dashboard/routes.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

/** Headers that Chromium sends with a navigation. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
  "connect-src 'self'; frame-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; " +
  "require-trusted-types-for 'script'; trusted-types 'none'";
const PREVIEW_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src 'self' https: data:; " +
  "media-src https:; font-src 'self' https:; connect-src 'none'; frame-src 'none'; frame-ancestors 'self'; " +
  "base-uri 'none'; form-action 'none'; sandbox allow-scripts";
const assetsFolder = fileURLToPath(new URL('../../dist/dashboard/assets', import.meta.url));

interface Sent {
  status: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

/** A request with exactly this path and these headers: `fetch` folds the one and adds to the others. */
async function ask(
  server: TestServer,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Sent> {
  const { hostname, port } = new URL(server.baseUrl);
  const sent = httpRequest({ hostname, port, path, method, headers }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const body = Buffer.from(await text(response.setEncoding('latin1')), 'latin1');
  return { status: response.statusCode ?? 0, headers: response.headers, body };
}

const asBrowser = (server: TestServer, path: string, method = 'GET') =>
  ask(server, path, { accept: BROWSER }, method);
const isPage = ({ status, headers, body }: Sent): boolean =>
  status === 200 &&
  headers['content-type'] === 'text/html; charset=utf-8' &&
  body.toString().includes('<div id="app">');

describe('the files of the dashboard', () => {
  let server: TestServer;
  let script: string;

  beforeAll(async () => {
    server = await startTestServer();
    const { body } = await asBrowser(server, '/');
    script = /src="(\/assets\/[^"]+\.js)"/.exec(body.toString())?.[1] ?? '';
  });

  afterAll(() => server.close());

  it('serves index.html for every route of its router', () => {
    const first = dashboardRoutes.map(({ path }) => path.split('/').slice(0, 2).join('/'));
    // Organizations come with their pages.
    expect(new Set([...first, '/organizations'])).toEqual(new Set(dashboardPaths));
  });

  it('matches them after every route of the APIs, so that none becomes slower', () => {
    const { router } = server.app.getHttpAdapter().getInstance();
    const patterns = (router.stack as { route?: { path: unknown } }[]).map(({ route }) =>
      String(route?.path),
    );
    const own = [...dashboardPaths, '/assets', '/favicon.ico', '/paywall-preview', '/robots.txt'];
    const isOwn = (pattern: string): boolean =>
      pattern === '/' || own.some((path) => pattern === path || pattern.startsWith(`${path}/`));
    const first = patterns.findIndex(isOwn);
    expect(patterns.slice(first).filter((pattern) => !isOwn(pattern) && pattern !== 'undefined')).toEqual([]);
    expect(first).toBeGreaterThan(patterns.findLastIndex((pattern) => /^\/(v1|v2|auth)\b/.test(pattern)));
  });

  it('serves index.html at each path of the list and below', async () => {
    for (const path of dashboardPaths) {
      for (const below of ['', '/', '/x', '/x/customer?id=a%2Fb', '/a/b/c.d', '/%00']) {
        const answer = await asBrowser(server, path + below);
        expect([path + below, isPage(answer)]).toEqual([path + below, true]);
      }
    }
  });

  it('serves index.html with its own policy, revalidated each time', async () => {
    const { headers } = await asBrowser(server, '/projects/x/overview');
    expect(headers).toMatchObject({
      'content-security-policy': POLICY,
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
      'cache-control': 'no-cache',
      vary: 'Accept',
    });
    expect(headers['server']).toBeUndefined();
    expect(headers['set-cookie']).toBeUndefined();
    const again = await ask(server, '/login', {
      accept: BROWSER,
      'if-none-match': headers['etag'] ?? '',
    });
    expect([again.status, again.body.length, again.headers['content-security-policy']]).toEqual([
      304,
      0,
      POLICY,
    ]);
    const head = await asBrowser(server, '/login', 'HEAD');
    expect([head.status, head.headers['etag'], head.body.length]).toEqual([200, headers['etag'], 0]);
  });

  it('leaves the address of the server to scripts and probes, which do not prefer HTML', async () => {
    expect(isPage(await asBrowser(server, '/'))).toBe(true);
    for (const accept of ['*/*', 'application/json', 'application/json, text/html', 'text/html;q=0.5, */*']) {
      const { headers, body } = await ask(server, '/', { accept });
      expect([accept, JSON.parse(body.toString()), headers['vary']]).toEqual([
        accept,
        { name: 'Tenure', docs: `${server.config.baseUrl}/docs` },
        'Accept',
      ]);
    }
    const bare = await ask(server, '/');
    expect([bare.status, JSON.parse(bare.body.toString()).name]).toEqual([200, 'Tenure']);
  });

  it('refuses other paths, methods and clients', async () => {
    const paths = ['/v1', '/v2', '/auth', '/oauth', '/sso', '/scim', '/mcp', '/redeem', '/rcbilling', '/x'];
    const more = [
      '/.well-known/x',
      '/docs/x',
      '/.vite/manifest.json',
      '/index.html',
      '/loginx',
      '/src/main.tsx',
    ];
    for (const path of [
      ...paths,
      ...paths.map((path) => `${path}/login`),
      ...more,
      '//login',
      '/projects//x/..',
    ]) {
      const answer = await asBrowser(server, path);
      const isBelow = path.startsWith('/projects/');
      expect([path, isPage(answer), answer.body.includes('<div')]).toEqual([path, isBelow, isBelow]);
    }
    for (const path of ['/openapi.json', '/healthz', '/readyz', '/metrics', '/docs', '/robots.txt']) {
      const answer = await asBrowser(server, path);
      expect([path, answer.status, isPage(answer)]).toEqual([path, 200, false]);
    }
    const fetched = await ask(server, '/projects/x', { accept: '*/*' });
    expect([fetched.status, JSON.parse(fetched.body.toString()).type, fetched.headers['vary']]).toEqual([
      404,
      'resource_missing',
      'Accept',
    ]);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await asBrowser(server, '/login', method);
      expect([method, answer.status, answer.headers['allow'], isPage(answer)]).toEqual([
        method,
        405,
        'GET',
        false,
      ]);
    }
  });

  it('compresses files as the client can read them, cached for ever', async () => {
    const plain = await ask(server, script);
    expect(plain.headers['content-encoding']).toBeUndefined();
    for (const [accepted, encoding, decompress] of [
      ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
    ] as const) {
      const { status, headers, body } = await ask(server, script, { 'accept-encoding': accepted });
      expect(status).toBe(200);
      expect(headers).toMatchObject({
        'content-encoding': encoding,
        'content-type': 'text/javascript',
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        vary: 'Accept-Encoding',
      });
      expect(Number(headers['content-length'])).toBe(body.length);
      expect(decompress(body).equals(plain.body)).toBe(true);
    }
    const part = await ask(server, script, { range: 'bytes=9-2' });
    expect([part.status, part.body.length]).toEqual([200, plain.body.length]);
    const head = await ask(server, script, {}, 'HEAD');
    expect([head.status, head.body.length]).toEqual([200, 0]);
  });

  it('serves no source maps, and never the page for an unknown one', async () => {
    expect(readdirSync(assetsFolder).filter((name) => /\.map(\.|$)/.test(name))).toEqual([]);
    const unknown = [
      'none.js',
      `${script.slice(8)}.map`,
      '%2e%2e/index.html',
      '../index.html',
      '..%2f.vite/manifest.json',
    ];
    for (const name of unknown) {
      const { status, headers, body } = await asBrowser(server, `/assets/${name}`);
      expect([name, status, headers['content-type'], headers['cache-control'], body.toString()]).toEqual([
        name,
        404,
        'text/plain; charset=utf-8',
        'no-store',
        'Not found\n',
      ]);
    }
  });

  it('serves the page of the paywall preview for frames of the dashboard, with scripts for a page without an origin', async () => {
    const { status, headers, body } = await asBrowser(server, '/paywall-preview');
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': PREVIEW_POLICY,
      'x-frame-options': 'SAMEORIGIN',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-cache',
    });
    const scripts = [...body.toString().matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(
      ([, path]) => path,
    );
    const bundle = readdirSync(assetsFolder).find((name) => /^Purchases\.umd.*\.js$/.test(name));
    expect(scripts).toHaveLength(1);
    for (const path of [...scripts, `/assets/${bundle}`]) {
      const asset = await ask(server, path ?? '');
      expect([asset.status, asset.headers]).toEqual([
        200,
        expect.objectContaining({
          'access-control-allow-origin': '*',
          'cross-origin-resource-policy': 'cross-origin',
        }),
      ]);
    }
    const other = await ask(server, script);
    expect([
      other.headers['access-control-allow-origin'],
      other.headers['cross-origin-resource-policy'],
    ]).toEqual([undefined, 'same-origin']);
  });

  it('excludes search engines, and serves an icon', async () => {
    const robots = await ask(server, '/robots.txt');
    expect([robots.headers['content-type'], robots.body.toString()]).toEqual([
      'text/plain; charset=utf-8',
      'User-agent: *\nDisallow: /\n',
    ]);
    const { status, headers } = await ask(server, '/favicon.ico');
    expect(status).toBe(302);
    const icon = await ask(server, headers['location'] ?? '');
    expect([icon.status, icon.headers['content-type']]).toEqual([200, 'image/svg+xml']);
  });
});

describe('SERVICE_DASHBOARD=false', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer({ env: { SERVICE_DASHBOARD: 'false' } });
  });

  afterAll(() => server.close());

  it('leaves the dashboard out', async () => {
    const more = ['/projects/x', '/assets/x.js', '/favicon.ico', '/paywall-preview'];
    for (const path of [...dashboardPaths, ...more]) {
      const { status, body } = await asBrowser(server, path);
      expect([path, status, JSON.parse(body.toString()).type]).toEqual([path, 404, 'resource_missing']);
    }
    const { body } = await asBrowser(server, '/');
    expect(JSON.parse(body.toString()).name).toBe('Tenure');
  });
});
