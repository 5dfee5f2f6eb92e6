import { createHash } from 'node:crypto';
import { createTestStore } from '../support/arrange-store.js';
import { expiryDayOf, problemOfSignature } from '../support/sdk-signature.js';
import { startTestServer } from '../support/test-server.js';
import { shop } from '../support/world.js';

const SEED = Buffer.alloc(32, 7).toString('base64');
const NONCE = Buffer.from('123456789012').toString('base64');
const DAY_MS = 86_400_000;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hashOf = (names: string, ...values: string[]): string => `${names}:sha256:${sha256(values.join('\0'))}`;
const SANDBOX = hashOf('X-Is-Sandbox', 'true');

/** Headers of a call that the iOS SDK verifies with a nonce. */
const nonceHeaders = { 'x-nonce': NONCE, 'x-headers-hash': SANDBOX, 'x-is-sandbox': 'true' };

interface Verified {
  status: number;
  etag: string | undefined;
  body: Buffer;
  problem: string | null;
  signature: string;
}

describe('signed answers', () => {
  const store = shop({ env: { SERVICE_SIGNING_KEY: SEED } });
  let rootKey: string;

  beforeAll(async () => {
    rootKey = (await store.server.http.get('/.well-known/service-signing-key')).body.public_key;
  });

  /** Calls as an SDK does, and verifies the answer as one that was built with the root key. */
  async function call(
    method: string,
    url: string,
    options: {
      headers?: Record<string, string>;
      body?: unknown;
      key?: string | null;
      /** The bytes that a signature covers when it is not the whole body. */
      signed?: (body: Buffer) => Buffer;
      baseUrl?: string;
      rootKey?: string;
    } = {},
  ): Promise<Verified> {
    const { headers = {}, body, key = store.publicKey, signed = (bytes) => bytes } = options;
    const answer = await fetch((options.baseUrl ?? store.server.baseUrl) + url, {
      method,
      headers: { ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const etag = answer.headers.get('x-revenuecat-etag') ?? undefined;
    const signature = answer.headers.get('x-signature') ?? '';
    const seen = {
      key: key ?? '',
      nonce: headers['x-nonce'],
      path: url.split('?')[0] ?? url,
      paramsHash: headers['x-post-params-hash'],
      headersHash: headers['x-headers-hash'],
      requestTime: answer.headers.get('x-revenuecat-request-time') ?? '',
      etag,
      body: signed(bytes),
    };
    const problem = problemOfSignature(signature, options.rootKey ?? rootKey, seen, store.clock.nowMs());
    return { status: answer.status, etag, body: bytes, problem, signature };
  }

  it('announces them with the root key', async () => {
    const { body } = await store.server.http.get('/.well-known/service-signing-key');
    expect(body).toEqual({
      algorithm: 'Ed25519',
      public_key: expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/),
      encoding: 'base64',
      header: 'X-Signature',
      docs: `${store.server.config.baseUrl}/docs`,
    });
  });

  it.each([
    ['customer info of a new customer', '/v1/subscribers/%24RCAnonymousID%3Aab', 201],
    ['customer info in the other spelling', '/v1/subscribers/$RCAnonymousID%3Aab', 200],
    ['customer info of a name in another script', '/v1/subscribers/%C3%BC%20%F0%9F%98%80', 201],
    ['currencies', '/v1/subscribers/someone/virtual_currencies', 200],
    ['a rewarded ad', '/v1/subscribers/someone/ads/reward_verifications/1', 200],
    ['an unknown path', '/v1/nothing?x=1', 404],
    ['a malformed path', '/v1/subscribers/%E0%A4%A', 400],
    ['a refused id', '/v1/subscribers/null', 400],
  ])('verifies with a nonce: %s', async (_, url, status) => {
    const answer = await call('GET', url, { headers: nonceHeaders });
    expect([answer.status, answer.problem]).toEqual([status, null]);
  });

  it.each([
    '/v1/subscribers/someone/offerings',
    '/v1/product_entitlement_mapping',
    '/v1/subscribers/someone/health_report',
    '/v1/config/app',
  ])('verifies without a nonce: %s', async (url) => {
    expect((await call('GET', url)).problem).toBeNull();
  });

  it.each(['/v1/health', '/v1/subscribers/someone/health_report_availability'])(
    'verifies without a key: %s',
    async (url) => {
      const answer = await call('GET', url, { key: null, headers: nonceHeaders });
      expect([answer.status, answer.problem]).toEqual([200, null]);
    },
  );

  it('verifies when the key came without the word Bearer', async () => {
    const headers = { authorization: store.publicKey };
    const answer = await fetch(`${store.server.baseUrl}/v1/subscribers/bare`, { headers });
    const seen = {
      key: store.publicKey,
      path: '/v1/subscribers/bare',
      requestTime: answer.headers.get('x-revenuecat-request-time') ?? '',
      etag: answer.headers.get('x-revenuecat-etag') ?? '',
      body: Buffer.from(await answer.arrayBuffer()),
    };
    const signature = answer.headers.get('x-signature') ?? '';
    expect(problemOfSignature(signature, rootKey, seen, store.clock.nowMs())).toBeNull();
  });

  it.each(['/v1/subscribers/cached', '/v1/subscribers/cached/offerings', '/v1/product_entitlement_mapping'])(
    'verifies as a 304 without a body, with its tag and a later time: %s',
    async (url) => {
      const first = await call('GET', url, { headers: nonceHeaders });
      store.clock.advanceMs(1234);
      const held = { ...nonceHeaders, 'x-revenuecat-etag': first.etag ?? '' };
      const again = await call('GET', url, { headers: held });
      expect([again.status, again.body.length, again.etag, again.problem]).toEqual([
        304,
        0,
        first.etag,
        null,
      ]);
      expect(again.signature).not.toBe(first.signature);
    },
  );

  it('verifies with the hash of the posted parameters: identify, receipts of both platforms, eligibility', async () => {
    const identify = await call('POST', '/v1/subscribers/identify', {
      headers: {
        ...nonceHeaders,
        'x-post-params-hash': hashOf('app_user_id,new_app_user_id', 'alice', 'bob'),
      },
      body: { app_user_id: 'alice', new_app_user_id: 'bob' },
    });
    expect([identify.status, identify.problem]).toEqual([201, null]);
    const fetchToken = `test_${store.clock.nowMs()}_signed`;
    const receipt = { app_user_id: 'bob', fetch_token: fetchToken, product_id: 'pro_monthly' };
    for (const [names, more] of [
      ['app_user_id,fetch_token,app_transaction', { app_transaction: null }],
      ['app_user_id,fetch_token', {}],
    ] as const) {
      const posted = await call('POST', '/v1/receipts', {
        headers: { ...nonceHeaders, 'x-post-params-hash': hashOf(names, 'bob', fetchToken) },
        body: { ...receipt, ...more },
      });
      expect([posted.status, posted.problem]).toEqual([200, null]);
    }
    const withTransaction = hashOf('app_user_id,fetch_token,app_transaction', 'bob', fetchToken, 'a.b.c');
    const both = await call('POST', '/v1/receipts', {
      headers: { 'x-post-params-hash': withTransaction },
      body: { ...receipt, app_transaction: 'a.b.c' },
    });
    expect([both.status, both.problem]).toEqual([200, null]);
    const eligibility = await call('POST', '/v1/subscribers/bob/restore/eligibility', {
      headers: { ...nonceHeaders, 'x-post-params-hash': hashOf('fetch_token', fetchToken) },
      body: { fetch_token: fetchToken },
    });
    expect([eligibility.status, eligibility.problem]).toEqual([200, null]);
  });

  it('covers what the SDK decodes of the remote configuration, and nothing if nothing is new', async () => {
    const signed = (body: Buffer) => body.subarray(40, 40 + body.readUInt32LE(32));
    const full = await call('POST', '/v1/config/app', { headers: nonceHeaders, body: {}, signed });
    expect([full.status, full.problem]).toEqual([200, null]);
    expect(JSON.parse(signed(full.body).toString())).toMatchObject({ domain: 'app', active_topics: [] });
    const held = { manifest: 'v1.empty' };
    const none = await call('POST', '/v1/config/app', { headers: nonceHeaders, body: held });
    expect([none.status, none.body.length, none.problem]).toEqual([204, 0, null]);
  });

  it('covers the published paywalls in the remote configuration', async () => {
    const other = await createTestStore(store.server);
    const { body } = await other.backend.post(`${other.path}/paywalls`, {
      offering_id: other.offering.id,
      template_id: 'simple',
    });
    expect((await other.backend.post(`${other.path}/paywalls/${body.id}/actions/publish`)).status).toBe(200);
    const signed = (bytes: Buffer) => bytes.subarray(40, 40 + bytes.readUInt32LE(32));
    const asPhone = { headers: nonceHeaders, key: other.publicKey };
    const full = await call('POST', '/v1/config/app', { ...asPhone, body: {}, signed });
    expect([full.status, full.problem]).toEqual([200, null]);
    const { manifest, topics } = JSON.parse(signed(full.body).toString());
    expect(Object.keys(topics.workflows)).toEqual([`wf${body.id}`]);
    const none = await call('POST', '/v1/config/app', { ...asPhone, body: { manifest } });
    expect([none.status, none.problem]).toEqual([204, null]);
    const offerings = await call('GET', '/v1/subscribers/someone/offerings', { key: other.publicKey });
    expect([offerings.status, offerings.problem]).toEqual([200, null]);
  });

  it('verifies when they are errors, whatever the reason', async () => {
    const errors = [
      [401, await call('GET', '/v1/subscribers/x', { key: 'test_unknown', headers: nonceHeaders })],
      [400, await call('POST', '/v1/receipts', { body: { app_user_id: 'x' }, headers: nonceHeaders })],
      [400, await call('POST', '/v1/receipts', { body: '{', headers: nonceHeaders })],
      [405, await call('PUT', '/v1/receipts', { headers: nonceHeaders })],
    ] as const;
    for (const [status, answer] of errors) expect([answer.status, answer.problem]).toEqual([status, null]);
  });

  it('fails with another nonce, path or key', async () => {
    const answer = await call('GET', '/v1/subscribers/mine', { headers: nonceHeaders });
    const seen = { key: store.publicKey, path: '/v1/subscribers/mine', requestTime: '0', body: answer.body };
    expect(problemOfSignature(answer.signature, rootKey, seen, store.clock.nowMs())).toBe('signature');
    const otherRoot = Buffer.alloc(32, 3).toString('base64');
    expect((await call('GET', '/v1/subscribers/mine', { rootKey: otherRoot })).problem).toBe('certificate');
  });

  it('issues none for parameters that were changed on the way', async () => {
    const body = {
      app_user_id: 'alice',
      fetch_token: `test_${store.clock.nowMs()}_mallory`,
      product_id: 'pro_monthly',
    };
    const claimed = hashOf('app_user_id,fetch_token', 'alice', 'another token');
    const changes: [Record<string, string>, string][] = [
      [{ 'x-post-params-hash': claimed }, 'X-Post-Params-Hash'],
      [{ 'x-headers-hash': SANDBOX, 'x-is-sandbox': 'false' }, 'X-Headers-Hash'],
    ];
    for (const [headers, name] of changes) {
      const answer = await store.sdk.post('/v1/receipts', body, headers);
      expect([answer.status, answer.body.code]).toEqual([400, 7226]);
      expect(answer.body.message).toContain(name);
    }
    expect((await store.backend.get(`${store.path}/customers/alice`)).status).toBe(404);
    const read = await store.sdk.get('/v1/subscribers/alice', {
      'x-headers-hash': hashOf('X-Is-Sandbox', 'false'),
    });
    expect([read.status, read.body.code]).toEqual([400, 7226]);
  });

  it('refuses malformed headers, except on receipts, where they count as absent', async () => {
    const malformed = {
      'x-nonce': 'short',
      'x-post-params-hash': 'nonsense',
      'x-headers-hash': 'x:sha256:7',
    };
    for (const [name, value] of Object.entries(malformed)) {
      const read = await store.sdk.get('/v1/subscribers/bob', { [name]: value });
      expect([read.status, read.body.code]).toEqual([400, 7226]);
    }
    const body = {
      app_user_id: 'bob',
      fetch_token: `test_${store.clock.nowMs()}_bob`,
      product_id: 'pro_monthly',
    };
    expect((await store.sdk.post('/v1/receipts', body, malformed)).status).toBe(200);
  });

  it('shares the intermediate key on every replica, and renews it every month, before it expires', async () => {
    const replica = await startTestServer({
      env: { SERVICE_SIGNING_KEY: SEED },
      databaseUrl: store.server.databaseUrl,
      clock: store.clock,
    });
    const certificate = ({ signature }: Verified) =>
      Buffer.from(signature, 'base64').subarray(0, 100).toString('hex');
    const seen = new Set<string>();
    for (let month = 0; month < 4; month++) {
      const here = await call('GET', '/v1/subscribers/replicas');
      const there = await call('GET', '/v1/subscribers/replicas', { baseUrl: replica.baseUrl });
      expect([here.problem, there.problem, certificate(there)]).toEqual([null, null, certificate(here)]);
      expect(expiryDayOf(here.signature) * DAY_MS - store.clock.nowMs()).toBeGreaterThan(29 * DAY_MS);
      seen.add(certificate(here));
      store.clock.advanceMs(30 * DAY_MS);
    }
    expect(seen.size).toBe(4);
    await replica.close();
  });

  it('signs only below /v1, which is all that SDKs verify', async () => {
    for (const path of ['/rcbilling/v1/subscribers/x/products', '/.well-known/service-signing-key']) {
      const answer = await store.sdk.get(path);
      expect([answer.status, answer.headers['x-signature']]).toEqual([200, undefined]);
    }
    expect((await store.backend.get(store.path)).headers['x-signature']).toBeUndefined();
  });

  it('omits them on a server without a signing key, which does not check hashes either', async () => {
    const unsigned = await startTestServer();
    const other = await createTestStore(unsigned);
    const answer = await other.sdk.get('/v1/subscribers/x', {
      'x-nonce': 'short',
      'x-headers-hash': 'nonsense',
    });
    expect([answer.status, answer.headers['x-signature']]).toEqual([201, undefined]);
    const document = await unsigned.http.get('/.well-known/service-signing-key');
    expect([document.status, document.body.code]).toEqual([404, 7259]);
    await unsigned.close();
  });
});
