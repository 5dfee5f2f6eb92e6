import { jest } from '@jest/globals';
import { startTestServer, type TestServer } from '../support/test-server.js';

describe('the server', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer();
  });

  afterAll(() => server.close());

  it('tells its name, its health and its readiness without a credential', async () => {
    expect((await server.http.get('/')).body).toEqual({
      name: 'Tenure',
      docs: `${server.config.baseUrl}/docs`,
    });
    for (const path of ['/v1/health', '/v1/health/connectivity', '/healthz']) {
      const answer = await server.http.get(path);
      expect([answer.status, answer.body]).toEqual([200, { status: 'ok' }]);
    }
    const ready = await server.http.get('/readyz');
    expect([ready.status, ready.body]).toEqual([200, { status: 'ok', unable: [] }]);
  });

  it('answers an unknown path in the format of its API, with a request id', async () => {
    const v2 = await server.http.get('/v2/nothing');
    expect(v2.status).toBe(404);
    expect(v2.body).toMatchObject({ object: 'error', type: 'resource_missing', retryable: false });
    expect(v2.body.doc_url).toBe(`${server.config.baseUrl}/docs/errors/resource-missing`);
    expect(v2.headers['x-request-id']).toMatch(/^req_[0-9a-z]{16}$/);
    const v1 = await server.http.get('/v1/nothing');
    expect([v1.status, v1.body.code]).toEqual([404, 7259]);
    expect(v1.headers['access-control-allow-origin']).toBe('*');
    expect((await server.http.get('/auth/nothing')).body.type).toBe('resource_missing');
  });

  it('answers a wrong method on a known path with 405 and the right ones', async () => {
    const answer = await server.http.post('/healthz', {});
    expect([answer.status, answer.body.type, answer.headers.allow]).toEqual([405, 'invalid_request', 'GET']);
  });

  it('answers preflights of the web SDK with the asked headers', async () => {
    const answer = await server.http.send('OPTIONS', '/v1/anything', undefined, {
      'access-control-request-headers': 'authorization,content-type,x-is-sandbox,x-platform,x-version',
    });
    expect(answer.status).toBe(204);
    expect(answer.headers['access-control-allow-headers']).toBe(
      'authorization,content-type,x-is-sandbox,x-platform,x-version',
    );
    expect(answer.headers['access-control-allow-methods']).toBe('GET, POST, PATCH, DELETE, OPTIONS');
  });

  it('lets pages of any other site ask for nothing but what the SDKs ask', async () => {
    const headers = { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' };
    for (const path of ['/v2/projects', '/auth/me', '/auth/login', '/healthz', '/openapi.json', '/metrics']) {
      for (const method of ['GET', 'OPTIONS']) {
        const answer = await fetch(server.baseUrl + path, { method, headers });
        const allowed = [...answer.headers.keys()].filter((name) => name.startsWith('access-control-'));
        expect([method, path, allowed]).toEqual([method, path, []]);
      }
    }
    for (const path of ['/v1/health', '/rcbilling/v1/branding']) {
      const preflight = await fetch(server.baseUrl + path, { method: 'OPTIONS', headers });
      expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
      expect(preflight.headers.get('access-control-allow-credentials')).toBeNull();
    }
  });

  it('tells browsers to be careful, on every path but those of the SDKs', async () => {
    for (const path of ['/', '/docs', '/v2/projects', '/auth/me', '/nowhere']) {
      const { headers } = await fetch(server.baseUrl + path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    }
    const sdk = await fetch(`${server.baseUrl}/v1/health`);
    expect(sdk.headers.get('content-security-policy')).toBeNull();
  });

  it('serializes and compresses the OpenAPI document once, with an ETag', async () => {
    const url = `${server.baseUrl}/openapi.json`;
    const serialize = jest.spyOn(JSON, 'stringify');
    const plain = await fetch(url, { headers: { 'accept-encoding': 'identity' } });
    const text = await plain.text();
    serialize.mockClear();
    const compressed = await fetch(url, { headers: { 'accept-encoding': 'gzip' } });
    expect([plain.headers.get('content-encoding'), compressed.headers.get('content-encoding')]).toEqual([
      null,
      'gzip',
    ]);
    expect((await compressed.text()) === text).toBe(true);
    const etag = compressed.headers.get('etag') ?? '';
    expect(plain.headers.get('etag')).toBe(etag);
    const held = await fetch(url, { headers: { 'if-none-match': etag } });
    expect([held.status, held.headers.get('etag')]).toEqual([304, etag]);
    expect((await fetch(url, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
    expect(serialize.mock.calls.filter(([value]) => value === server.document)).toEqual([]);
    serialize.mockRestore();
  });

  it('serves neither the OpenAPI document nor Swagger UI if they are turned off', async () => {
    const closed = await startTestServer({
      databaseUrl: server.databaseUrl,
      env: { SERVICE_API_DOCS: 'false' },
    });
    try {
      for (const path of ['/openapi.json', '/docs', '/docs/', '/docs/swagger-ui.css', '/docs-yaml']) {
        expect([path, (await fetch(closed.baseUrl + path)).status]).toEqual([path, 404]);
      }
      expect((await fetch(`${closed.baseUrl}/docs/errors/parameter-error`)).status).toBe(200);
    } finally {
      await closed.close();
    }
  });

  it('serves the OpenAPI document, Swagger UI, metrics and a page for each error type', async () => {
    const document = await fetch(`${server.baseUrl}/openapi.json`);
    expect(await document.json()).toMatchObject({ openapi: '3.1.0', info: { title: 'Tenure' } });
    const page = await fetch(`${server.baseUrl}/docs`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('swagger-ui')]);
    const metrics = await fetch(`${server.baseUrl}/metrics`);
    expect(await metrics.text()).toContain('tenure_http_requests_total');
    const errorPage = await fetch(`${server.baseUrl}/docs/errors/parameter-error`);
    expect([errorPage.status, errorPage.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    expect((await fetch(`${server.baseUrl}/docs/errors/none`)).status).toBe(404);
  });
});
