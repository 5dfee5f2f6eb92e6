import fc from 'fast-check';
import { createSecretKey } from '../support/arrange.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import { createTestDatabase, type TestDatabase } from '../support/database/index.js';
import { type Fuzzed, type FuzzedAnswer, PATH_SEGMENTS, sendAll } from '../support/fuzz.js';
import { fuzzedBodies } from '../support/fuzzed-bodies.js';
import { arrangeKnownObjects, type KnownObjects } from '../support/known-objects.js';
import { isNightly } from '../support/nightly.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const SEED = 20_260_103;
const REQUESTS = isNightly ? 10_000 : 3_000;

/** 503 that say what is missing, so that an SDK keeps its purchase, or that only so many exports run at once. */
const MEANT: [RegExp, (number | string)[]][] = [
  [/^\/v2\/projects\/[^/]+\/customers\/[^/]+\/export$/, ['server_error']],
  [/^\/v1\/receipts$/, [7101]],
  [/^\/v1\/receipts\/amazon\//, [7101, 7104]],
];

interface Operation {
  parameters?: { name: string; in: string }[];
  requestBody?: { content?: Record<string, { schema?: object }> };
}

const QUERY_VALUES = [
  '',
  'x',
  '-1',
  '0',
  '101',
  '1e3',
  '9'.repeat(30),
  '%00',
  '%',
  '%ED%A0%80',
  'null',
  'a,b',
  '%F0%9F%98%80',
  '2026-13-45',
  'x'.repeat(3_000),
];
const HEADERS: [string, string[]][] = [
  ['idempotency-key', ['', ' ', 'a', 'x'.repeat(300), 'ü', 'once', 'once']],
  [
    'content-type',
    [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/json; charset=utf-16',
      'application/json; charset=klingon',
      'multipart/form-data',
      '',
      'application/json',
    ],
  ],
  ['content-encoding', ['gzip', 'br', 'identity', 'nothing']],
  ['x-request-id', ['x'.repeat(500), 'ü', 'abcdefgh']],
  ['accept', ['text/html', '*/*;q=0']],
  ['origin', ['null', 'https://evil.example']],
  ['x-forwarded-for', ['x', '1.2.3.4, 5.6.7.8', '::1']],
  ['x-platform', ['', 'ios', '\u00ff']],
  ['x-huge', ['x'.repeat(8_000), 'x'.repeat(30_000)]],
  ['cookie', ['rd_session=', 'rd_session=%', '=;=;', 'rd_session=x; rd_session=y']],
];

describe('every documented route, with malformed requests', () => {
  let database: TestDatabase;
  let server: TestServer;
  let store: TestStore;
  let known: KnownObjects;
  let credentials: Record<string, string>[];

  beforeAll(async () => {
    // Successful requests leave audit rows, which are not counted.
    database = await createTestDatabase();
    server = await startTestServer({ databaseUrl: database.url, env: { SERVICE_ROLE: 'api' } });
    store = await createTestStore(server);
    known = await arrangeKnownObjects(store, server.clock.nowMs());
    const { key } = await createSecretKey(store.session, store.projectId);
    const bearer = (text: string) => ({ authorization: `Bearer ${text}` });
    credentials = [
      ...Array<object>(8).fill(bearer(key)),
      bearer(store.publicKey),
      bearer('sk_x'),
      {},
      bearer('\u00ff'),
    ] as Record<string, string>[];
  });

  afterAll(async () => {
    await server.close();
    await database.drop();
  });

  function pathsOf(method: string, route: string): fc.Arbitrary<string> {
    const bad = fc.constantFrom(...PATH_SEGMENTS);
    const names = [...route.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
    const values = names.map((name, index) => {
      const real = known[name];
      // A deleted object would make all that follows a 404.
      const isKept = method !== 'DELETE' || index < names.length - 1;
      return real !== undefined && isKept
        ? fc.oneof({ weight: 5, arbitrary: fc.constant(real) }, { weight: 1, arbitrary: bad })
        : bad;
    });
    return fc.tuple(...values).map((segments) => {
      const left = [...segments];
      return route.replaceAll(/\{[^}]+\}/g, () => left.shift() ?? '');
    });
  }

  function queriesOf({ parameters = [] }: Operation): fc.Arbitrary<string> {
    const names = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
    const pair = fc
      .tuple(
        fc.constantFrom(...names, 'limit', 'starting_after', 'expand', '__proto__'),
        fc.constantFrom('', '', '[]', '[a]', '[a][b]'),
        fc.constantFrom(...QUERY_VALUES),
      )
      .map(([name, form, value]) => `${name}${form}=${value}`);
    const some = fc
      .array(pair, { maxLength: 3 })
      .map((pairs) => (pairs.length > 0 ? `?${pairs.join('&')}` : ''));
    return fc.oneof(
      { weight: 5, arbitrary: fc.constant('') },
      { weight: 5, arbitrary: some },
      { weight: 1, arbitrary: fc.constantFrom('?', '?%', '?&&=&', `?${'a=1&'.repeat(2_000)}`) },
    );
  }

  function headersOf(): fc.Arbitrary<Record<string, string>> {
    const odd = fc
      .constantFrom(...HEADERS)
      .chain(([name, values]) => fc.constantFrom(...values).map((value) => ({ [name]: value })));
    const more = fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: odd });
    return fc
      .tuple(fc.constantFrom(...credentials), more)
      .map(([credential, header]) => ({ 'content-type': 'application/json', ...credential, ...header }));
  }

  function requestsTo(method: string, path: string, operation: Operation): fc.Arbitrary<Fuzzed> {
    const schema = operation.requestBody?.content?.['application/json']?.schema ?? null;
    return fc.tuple(pathsOf(method, path), queriesOf(operation)).chain(([address, query]) =>
      fc.record({
        method: fc.constant(method),
        path: fc.constant(address + query),
        headers: headersOf(),
        body: fuzzedBodies(server.document, schema, known),
      }),
    );
  }

  function problemOf({ path }: Fuzzed, { status, text }: FuzzedAnswer): string | null {
    if (status < 500) return status === 0 ? 'no answer' : null;
    const plain = path.split('?')[0] ?? '';
    // Returns the error code in the format of the API: a code of the SDKs, or the error type of REST v2.
    const { code, type } = JSON.parse(text) as { code?: number; type?: string };
    const isMeant = MEANT.some(
      ([pattern, errors]) =>
        pattern.test(plain) && errors.includes(plain.startsWith('/v1/') ? (code ?? 0) : (type ?? '')),
    );
    return isMeant && status !== 500 ? null : 'an answer of 5xx';
  }

  it(`${REQUESTS} of them get no 5xx`, async () => {
    const operations = Object.entries(server.document.paths).flatMap(([path, methods]) =>
      Object.entries(methods as Record<string, Operation>).map(
        ([method, operation]) => [method.toUpperCase(), path, operation] as const,
      ),
    );
    expect(operations.length).toBeGreaterThan(150);
    const each = operations.map(([method, path, operation]) => requestsTo(method, path, operation));
    const fuzzed = fc.sample(fc.oneof(...each), { seed: SEED, numRuns: REQUESTS });
    const { problems, statuses } = await sendAll(server.baseUrl, fuzzed, problemOf);
    expect(problems.slice(0, 5)).toEqual([]);
    // A fuzzer that is refused at the door finds nothing.
    expect(statuses.get(400)).toBeGreaterThan(REQUESTS / 10);
    expect((statuses.get(200) ?? 0) + (statuses.get(201) ?? 0)).toBeGreaterThan(REQUESTS / 20);
    expect((await store.backend.get(store.path)).status).toBe(200);
  });
});
