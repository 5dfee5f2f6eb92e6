import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { json } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { Registry } from 'prom-client';
import type { ApiClient, Json } from '../support/api-client.js';
import { signUp } from '../support/arrange.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const KIB = 1024;
const MIB = 1024 * KIB;

describe('large request bodies', () => {
  let server: TestServer;
  let store: TestStore;
  let tokens = 0;

  beforeAll(async () => {
    server = await startTestServer({
      env: {
        SERVICE_MAX_BODY_BYTES_IN_FLIGHT: String(10 * MIB),
        SERVICE_ALLOW_SIGNUP: 'true',
        SERVICE_BODY_TIMEOUT_MS: '120000',
      },
    });
    store = await createTestStore(server);
  });

  afterAll(() => server.close());

  const receipt = (padding = 0): Json => ({
    app_user_id: 'buyer',
    fetch_token: `test_${server.clock.nowMs()}_bodies-${++tokens}`,
    product_id: 'pro_monthly',
    padding: 'x'.repeat(padding),
  });
  const held = async (): Promise<number> => {
    const metric = server.app.get(Registry).getSingleMetric('tenure_http_body_bytes_in_flight')!;
    return (await metric.get()).values[0]!.value;
  };

  /** A request whose body the test sends. */
  function open(path: string, headers: Record<string, string | number>) {
    const call: ClientRequest = httpRequest(server.baseUrl + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
    });
    const answer = new Promise<{ status: number; retryAfter: string | undefined; body: Json }>(
      (resolve, reject) => {
        call.on('error', reject);
        call.on('response', (response: IncomingMessage) => {
          void json(response).then((body) => {
            resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'], body });
            call.destroy();
          }, reject);
        });
      },
    );
    call.flushHeaders();
    return { call, answer };
  }
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

  it.each([
    ['/v1/receipts', { 'content-length': 10 * MIB }],
    ['/v1/receipts', { 'content-length': 64 * KIB + 1, authorization: 'test_unknown' }],
    ['/v1/receipts', { 'transfer-encoding': 'chunked' }],
    ['/v1/receipts', { 'content-length': 100, 'content-encoding': 'gzip' }],
    ['/v2/projects', { 'content-length': MIB, authorization: 'Bearer sk_unknown' }],
    ['/v2/projects', { 'content-length': MIB, cookie: 'rd_session=unknown' }],
  ])('waits for none without a credential (%s, %j)', async (path, headers) => {
    const { status, body } = await open(path, headers).answer;
    expect([status, body.code ?? body.type]).toEqual([
      401,
      path === '/v1/receipts' ? 7225 : 'authentication_error',
    ]);
    expect(await held()).toBe(0);
  });

  it.each([
    ['is malformed', '{"name":', 'application/json', 'invalid_request'],
    ['has another type', 'name=x', 'text/plain', 'invalid_request'],
    ['has a forbidden name', '{"__proto__": {}}', 'application/json', 'parameter_error'],
  ])('checks access before a body that %s', async (_, body, type, refusal) => {
    const path = `${store.path}/products`;
    const foreign = await createTestStore(server);
    const answerTo = async (client: ApiClient, method = 'POST', at = path): Promise<unknown[]> => {
      const answer = await client.send(method, at, body, { 'content-type': type });
      return [answer.status, answer.body.type];
    };
    expect(await answerTo(server.http)).toEqual([401, 'authentication_error']);
    expect(await answerTo(foreign.backend)).toEqual([404, 'resource_missing']);
    expect(await answerTo(store.sdk)).toEqual([403, 'authorization_error']);
    expect(await answerTo(store.backend, 'PUT')).toEqual([405, 'invalid_request']);
    expect(await answerTo(store.backend, 'POST', '/v2/nothing')).toEqual([404, 'resource_missing']);
    expect(await answerTo(store.backend)).toEqual([400, refusal]);
    expect(await answerTo(server.http, 'POST', '/auth/login')).toEqual([400, refusal]);
  });

  it('waits for none where nothing takes them, and limits them where anyone may send them', async () => {
    expect((await open('/v1/nothing', { 'content-length': MIB }).answer).status).toBe(404);
    const login = open('/auth/login', { 'content-length': 64 * KIB + 1 });
    login.call.end('x'.repeat(64 * KIB + 1));
    expect((await login.answer).status).toBe(413);
  });

  it('accepts them from keys and sessions, up to the limit of the route', async () => {
    for (const size of [64 * KIB, MIB, 9 * MIB]) {
      expect((await store.sdk.post('/v1/receipts', receipt(size))).status).toBe(200);
    }
    const { cookie } = await signUp(server);
    const metadata = { note: 'x'.repeat(100 * KIB) };
    const project = { name: 'Large', metadata };
    expect((await server.http.withCookie(cookie).post('/v2/projects', project)).status).toBe(200);
    const tooLarge = open('/v2/projects', { cookie, 'content-length': MIB + 1 });
    tooLarge.call.end('x'.repeat(MIB + 1));
    const { status, body } = await tooLarge.answer;
    expect([status, body.type]).toEqual([413, 'invalid_request']);
    expect(await held()).toBe(0);
  });

  it('accepts them compressed and in pieces', async () => {
    const zipped = gzipSync(JSON.stringify(receipt(MIB)));
    const compressed = open('/v1/receipts', { ...bearer(store.publicKey), 'content-encoding': 'gzip' });
    compressed.call.end(zipped);
    expect((await compressed.answer).status).toBe(200);
    const chunked = open('/v1/receipts', { ...bearer(store.publicKey), 'transfer-encoding': 'chunked' });
    chunked.call.end(JSON.stringify(receipt(MIB)));
    expect((await chunked.answer).status).toBe(200);
    expect(await held()).toBe(0);
  });

  it('answers 503 with Retry-After when too many bytes are under way, while small ones continue', async () => {
    const key = bearer(store.publicKey);
    const slow = open('/v1/receipts', { ...key, 'content-length': 9 * MIB });
    slow.answer.catch(() => undefined);
    slow.call.write('{');
    while ((await held()) === 0) await new Promise(setImmediate);
    expect(await held()).toBe(9 * MIB);

    const announced = await open('/v1/receipts', { ...key, 'content-length': 2 * MIB }).answer;
    const chunked = open('/v1/receipts', { ...key, 'transfer-encoding': 'chunked' });
    chunked.call.end('x'.repeat(2 * MIB));
    const zipped = open('/v1/receipts', { ...key, 'content-encoding': 'gzip', 'content-length': 100 });
    for (const refused of [announced, await chunked.answer, await zipped.answer]) {
      expect([refused.status, refused.body.code]).toEqual([503, 7110]);
      expect(Number(refused.retryAfter)).toBeGreaterThanOrEqual(1);
    }
    for (let count = 0; count < 20; count++) {
      expect((await store.sdk.post('/v1/receipts', receipt(60 * KIB))).status).toBe(200);
    }
    const pieces = open('/v1/receipts', { ...key, 'transfer-encoding': 'chunked' });
    pieces.call.end(JSON.stringify(receipt(30 * KIB)));
    expect((await pieces.answer).status).toBe(200);

    slow.call.destroy();
    while ((await held()) > 0) await new Promise(setImmediate);
    expect((await store.sdk.post('/v1/receipts', receipt(2 * MIB))).status).toBe(200);
  });

  it('answers receipts over 10 MiB so that the phone keeps the purchase', async () => {
    const answer = await store.sdk.post('/v1/receipts', receipt(10 * MIB));
    expect([answer.status, answer.body.code, answer.headers['retry-after']]).toEqual([503, 7110, '3600']);
    expect((await server.http.post('/v1/receipts', receipt(10 * MIB))).status).toBe(401);
  });

  it.each([
    ['nested deeper than 64 levels', '['.repeat(MIB / 2) + ']'.repeat(MIB / 2)],
    ['of more values than a receipt has', `[${'[],'.repeat(MIB)}1]`],
    ['in another charset than UTF-8', '{}'],
  ])('%s are refused before they are parsed', async (what, body) => {
    const charset = what.includes('charset') ? '; charset=utf-16' : '';
    const headers = { 'content-type': `application/json${charset}` };
    const answer = await store.sdk.send('POST', '/v1/receipts', body, headers);
    expect([answer.status, answer.body.code]).toEqual([400, 7226]);
  });
});
