import fc from 'fast-check';
import { signInAnonymously, turnSignInOn } from '../support/arrange-sign-in.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import { createSecretKey } from '../support/arrange.js';
import { type Fuzzed, type FuzzedAnswer, NASTY_VALUES, PATH_SEGMENTS, sendAll } from '../support/fuzz.js';
import { isNightly } from '../support/nightly.js';
import { recordedRequests, sdkHeaders } from '../support/sdk-requests.js';
import { startTestServer, TEST_START_MS, type TestServer } from '../support/test-server.js';

const SEED = 20_260_102;
const REQUESTS = isNightly ? 5_000 : 2_000;

/** 5xx that say what is missing, by path: the SDK keeps its purchase and tries again. */
const MEANT: [RegExp, number[]][] = [
  [/^\/v1\/receipts$/, [7101, 7107]],
  [/^\/v1\/receipts\/amazon\//, [7101, 7104]],
];

const HEADER_VALUES = [
  '',
  ' ',
  'true',
  'TRUE',
  'ios',
  'Android',
  'amazon',
  'test',
  '5.9',
  'NaN',
  '-1',
  'x'.repeat(900),
  'ü',
  '%',
  ',',
];
const HASH = `app_user_id:sha256:${'0'.repeat(64)}`;

describe('every SDK route, fuzzed', () => {
  let server: TestServer;
  let store: TestStore;
  let credentials: string[];
  let token: string;

  beforeAll(async () => {
    server = await startTestServer({ env: { SERVICE_SIGNING_KEY: Buffer.alloc(32, 5).toString('base64') } });
    store = await createTestStore(server);
    const secret = await createSecretKey(store.session, store.projectId);
    await turnSignInOn(server, store.projectId);
    token = (await signInAnonymously(server, store)).tokens.access_token;
    credentials = [store.publicKey, store.publicKey, store.publicKey, secret.key, token, 'test_unknown', ''];
    for (const [type, settings] of Object.entries({
      app_store: { bundle_id: 'com.example.app' },
      play_store: { package_name: 'com.example.app' },
      amazon: { package_name: 'com.example.fire' },
      rc_billing: { app_name: 'Web' },
    })) {
      const app = await store.backend.post(`${store.path}/apps`, { name: type, type, [type]: settings });
      const keys = await store.backend.get(`${store.path}/apps/${app.body.id}/public_api_keys`);
      credentials.push(keys.body.items[0].key);
    }
  });

  afterAll(() => server.close());

  /** Bodies that SDKs send, to be damaged. */
  const sound = recordedRequests(TEST_START_MS).flatMap(({ call, body }) => (body ? [{ call, body }] : []));

  function bodies(route: string): fc.Arbitrary<string | undefined> {
    const fitting = sound
      .filter(({ call }) => call === route)
      .map(({ body }) => body as Record<string, unknown>);
    const base = fitting.length > 0 ? fitting : [{ app_user_id: 'x', attributes: {} }];
    const damaged = fc
      .tuple(fc.constantFrom(...base), fc.nat(), fc.constantFrom(...NASTY_VALUES), fc.boolean())
      .map(([body, index, value, drop]) => {
        const names = Object.keys(body);
        const name = names[index % names.length] ?? 'x';
        return JSON.stringify({ ...body, [name]: drop ? undefined : value });
      });
    const tokens = fc.nat(1_000_000).map((id) =>
      JSON.stringify({
        ...base[0],
        fetch_token: `test_${TEST_START_MS}_${id}`,
        product_ids: ['pro_monthly'],
      }),
    );
    return fc.oneof(
      { weight: 6, arbitrary: damaged },
      { weight: 3, arbitrary: tokens },
      { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value)) },
      { weight: 1, arbitrary: fc.string({ maxLength: 80 }) },
      { weight: 1, arbitrary: fc.constant('['.repeat(2_000)) },
      { weight: 1, arbitrary: fc.constant(undefined) },
    );
  }

  function headers(route: string): fc.Arbitrary<Record<string, string>> {
    const names = [...new Set(Object.values(sdkHeaders).flatMap((set) => Object.keys(set)))];
    const odd = fc.dictionary(
      fc.constantFrom(
        ...names,
        'x-nonce',
        'x-post-params-hash',
        'x-headers-hash',
        'marketplace',
        'content-encoding',
      ),
      fc.constantFrom(...HEADER_VALUES, HASH, 'MTIzNDU2Nzg5MDEy'),
      { maxKeys: 2 },
    );
    const authorization = fc
      .tuple(
        fc.constantFrom(
          ...credentials,
          ...(route.includes('/v1/customer') ? Array<string>(9).fill(token) : []),
        ),
        fc.constantFrom('Bearer ', 'Bearer ', 'Bearer ', '', 'Basic '),
      )
      .map(([key, scheme]): Record<string, string> => (key === '' ? {} : { authorization: scheme + key }));
    return fc
      .tuple(fc.constantFrom(...Object.values(sdkHeaders)), odd, authorization)
      .map(([common, more, credential]) => ({ ...common, ...more, ...credential }));
  }

  function requestsTo(method: string, route: string): fc.Arbitrary<Fuzzed> {
    const query = fc.constantFrom(
      '',
      '',
      '?',
      '?id=',
      '?id=pro_monthly&id=%00',
      '?id[]=x',
      '?type=paywall',
      '?%',
      '?id=a&id=b&currency=x',
    );
    const path = fc
      .tuple(fc.infiniteStream(fc.constantFrom(...PATH_SEGMENTS)), query)
      .map(
        ([segments, search]) => route.replaceAll(/\{[^}]+\}/g, () => segments.next().value ?? '') + search,
      );
    const methods = fc.oneof(
      { weight: 12, arbitrary: fc.constant(method) },
      { weight: 1, arbitrary: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS') },
    );
    return fc.record({ method: methods, path, headers: headers(route), body: bodies(route) });
  }

  /** Returns what an SDK could not decode; null if there is nothing. */
  function problemOf({ method, path }: Fuzzed, { status, headers: got, text }: FuzzedAnswer): string | null {
    if (got['access-control-allow-origin'] !== '*') return 'no CORS';
    if (got['x-revenuecat-request-time'] !== String(server.clock.nowMs())) return 'no request time';
    if (method === 'OPTIONS') return status === 204 ? null : 'a preflight that fails';
    // Content is checked against its name instead, and content that does not exist has no body.
    if (path.startsWith('/v1/blobs/') && [200, 404].includes(status)) return null;
    if (path.startsWith('/v1/') && !got['x-signature']) return 'no signature';
    if (status >= 400 && got['x-revenuecat-etag']) return 'an error that an SDK would keep';
    if (status < 400 || method === 'HEAD') return status < 500 ? null : 'an answer of 5xx';
    const body = JSON.parse(text) as { code?: unknown; message?: unknown };
    if (!Number.isInteger(body.code) || typeof body.message !== 'string')
      return 'an error without code and message';
    if (status < 500) return null;
    const plain = path.split('?')[0] ?? '';
    const meant = MEANT.some(([pattern, codes]) => pattern.test(plain) && codes.includes(Number(body.code)));
    return meant ? null : 'an answer of 5xx';
  }

  it(`answers ${REQUESTS} damaged requests without a fault`, async () => {
    const routes = Object.entries(server.document.paths).flatMap(([path, operations]) =>
      /^\/(v1|rcbilling)\//.test(path)
        ? Object.keys(operations as object).map((method) => [method.toUpperCase(), path] as const)
        : [],
    );
    expect(routes.length).toBeGreaterThan(35);
    const fuzzed = fc.sample(fc.oneof(...routes.map(([method, path]) => requestsTo(method, path))), {
      seed: SEED,
      numRuns: REQUESTS,
    });
    const { problems, statuses } = await sendAll(server.baseUrl, fuzzed, problemOf);
    expect(problems.slice(0, 5)).toEqual([]);
    // A fuzzer that is refused at the door finds nothing.
    expect(statuses.get(200)).toBeGreaterThan(REQUESTS / 10);
    expect(statuses.get(400)).toBeGreaterThan(REQUESTS / 10);
    expect((await store.sdk.get('/v1/subscribers/after-the-storm')).status).toBe(201);
  });
});
