import { Agent, request as httpRequest } from 'node:http';
import fc from 'fast-check';
import { createSecretKey, PASSWORD, sessionCookie } from '../support/arrange.js';
import { signInAnonymously, turnSignInOn } from '../support/arrange-sign-in.js';
import { createTestStore } from '../support/arrange-store.js';
import { costlyShapes } from '../support/costly-bodies.js';
import { createTestDatabase, type TestDatabase } from '../support/database/index.js';
import { plausible } from '../support/fuzzed-bodies.js';
import { arrangeKnownObjects } from '../support/known-objects.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const KIB = 1024;
const MIB = 1024 * KIB;
const MAX_COST_MS = 20;
/** Another process may get in the way of any measurement, but not of each of many. */
const MOST_TRIES = 25;
const EMAIL = 'admin@example.com';
const PLACE = '@@place@@';

interface Route {
  method: string;
  path: string;
  headers: Record<string, string>;
  /** What it takes. */
  sound: Record<string, unknown>;
  /** How much it takes. */
  size: number;
}

interface Operation {
  security?: object[];
  requestBody?: { content?: Record<string, { schema?: object }> };
}

describe('what a body costs', () => {
  let database: TestDatabase;
  let server: TestServer;
  let routes: Route[];
  let requests = 0;
  const agent = new Agent({ keepAlive: true });

  beforeAll(async () => {
    // Requests that succeed leave audit rows that nobody counts.
    database = await createTestDatabase();
    server = await startTestServer({ databaseUrl: database.url, env: { SERVICE_ROLE: 'api' } });
    const store = await createTestStore(server, EMAIL);
    const known = await arrangeKnownObjects(store, server.clock.nowMs());
    const { key } = await createSecretKey(store.session, store.projectId);
    const cookie = sessionCookie(await server.http.post('/auth/login', { email: EMAIL, password: PASSWORD }));
    await turnSignInOn(server, store.projectId);
    const { access_token: token } = (await signInAnonymously(server, store)).tokens;
    const headersOf = (security: string[]): Record<string, string> => {
      if (security.includes('public_key')) return { authorization: `Bearer ${store.publicKey}` };
      if (security.includes('secret_key')) return { authorization: `Bearer ${key}` };
      if (security.includes('customer_token')) return { authorization: `Bearer ${token}` };
      return security.includes('session') ? { cookie } : {};
    };
    routes = Object.entries(server.document.paths).flatMap(([pattern, operations]) =>
      Object.entries(operations as Record<string, Operation>).flatMap(([method, operation]) => {
        const { security = [], requestBody } = operation;
        if (method === 'get' || method === 'delete') return [];
        const schema = requestBody?.content?.['application/json']?.schema ?? {};
        const sound = plausible(server.document, schema, known);
        return [
          {
            method: method.toUpperCase(),
            path: pattern.replace(/\{([^}]+)\}/g, (_, name: string) => known[name] ?? 'ada'),
            headers: headersOf(security.flatMap((entry) => Object.keys(entry))),
            sound: typeof sound === 'object' && sound !== null ? { ...sound } : {},
            size: (security.length > 0 ? MIB : 64 * KIB) - 3 * KIB,
          },
        ];
      }),
    );
  });

  afterAll(async () => {
    agent.destroy();
    await server.close();
    await database.drop();
  });

  /** CPU time of this process, client and server, until the answer is there. */
  function cpuOf({ method, path, headers }: Route, body: Buffer): Promise<{ ms: number; status: number }> {
    const { hostname, port } = new URL(server.baseUrl);
    const own = {
      ...headers,
      'content-type': 'application/json',
      'content-length': body.length,
      'idempotency-key': `cost-${++requests}`,
    };
    return new Promise((resolve, reject) => {
      const call = httpRequest({ hostname, port, method, path, headers: own, agent }, (response) => {
        response.resume();
        response.on('end', () => {
          const { user, system } = process.cpuUsage(before);
          resolve({ ms: (user + system) / 1000, status: response.statusCode ?? 0 });
        });
      });
      call.on('error', reject);
      const before = process.cpuUsage();
      call.end(body);
    });
  }

  /**
   * What a body costs more than the same request with as much plain text in a field that nobody reads: the rest is
   * transport, and the client. The least of some tries, each measured next to its own comparison.
   */
  async function costOf(route: Route, body: Buffer, enough: number): Promise<{ ms: number; status: number }> {
    const plain = bodyOf(route, 0, 'a long text');
    let least = { ms: Infinity, status: 0 };
    for (let tries = 0; tries < MOST_TRIES && least.ms > enough; tries++) {
      const floor = await cpuOf(route, plain);
      const { ms, status } = await cpuOf(route, body);
      if (ms - floor.ms < least.ms) least = { ms: ms - floor.ms, status };
    }
    return least;
  }

  /** A body with a costly value in one of the fields of a route, or in one that it does not know. */
  function bodyOf({ sound, size }: Route, place: number, shape: string): Buffer {
    const fields = ['unknown', ...Object.keys(sound)];
    const field = fields[place % fields.length]!;
    const text = JSON.stringify({ ...sound, [field]: PLACE });
    return Buffer.from(text.replace(`"${PLACE}"`, () => costlyShapes[shape]!(size - text.length)));
  }

  it('is at most 20 ms on any route, whatever it is', async () => {
    const work = fc.record({
      route: fc.nat(routes.length - 1),
      place: fc.nat(20),
      shape: fc.constantFrom(...Object.keys(costlyShapes)),
    });
    const seen = new Set<number>();
    await fc.assert(
      fc.asyncProperty(work, async ({ route: index, place, shape }) => {
        const route = routes[index]!;
        const { ms, status } = await costOf(route, bodyOf(route, place, shape), MAX_COST_MS);
        seen.add(status);
        expect(status === 503 ? 400 : status).toBeLessThan(500);
        expect(ms).toBeLessThanOrEqual(MAX_COST_MS);
      }),
      { numRuns: 150, endOnFailure: true },
    );
    expect([...seen]).toEqual(expect.arrayContaining([200, 400]));
  });

  it('grows in proportion on the route that takes 10 MiB', async () => {
    const receipts = { ...routes.find(({ path }) => path === '/v1/receipts')!, size: 10 * MIB - 3 * KIB };
    for (const shape of Object.keys(costlyShapes)) {
      const place = Object.keys(receipts.sound).indexOf('fetch_token') + 1;
      const { ms } = await costOf(receipts, bodyOf(receipts, place, shape), 10 * MAX_COST_MS);
      expect({ shape, isSlow: ms > 10 * MAX_COST_MS }).toEqual({ shape, isSlow: false });
    }
  });
});
