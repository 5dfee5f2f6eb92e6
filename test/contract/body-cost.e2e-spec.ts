import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { csvRows } from '../../libs/importer/files/csv-file.js';
import { ManualClock, parseJson } from '../../libs/kernel/index.js';
import { readToken } from '../../libs/stores/apple/receipt-token.js';
import { receiptRoots } from '../../libs/stores/apple/roots.js';
import { readPush } from '../../libs/stores/google/developer-notification.js';
import { readRokuPush } from '../../libs/stores/roku/push-message.js';
import { parseFilter } from '../../src/enterprise/scim/protocol/filter-parser.js';
import { parsePatchPath } from '../../src/enterprise/scim/protocol/patch-path.js';
import { userType } from '../../src/enterprise/scim/protocol/resource-type.js';
import { checkCertificate } from '../../src/enterprise/sso/saml/certificate.policy.js';
import { parseIdpMetadata } from '../../src/enterprise/sso/saml/idp-metadata.policy.js';
import { verifiedResponse } from '../../src/enterprise/sso/saml/saml-response.js';
import { parseIdToken } from '../../src/sdk/auth-providers/id-tokens/id-token.policy.js';
import { createSecretKey, PASSWORD, sessionCookie } from '../support/arrange.js';
import { signInAnonymously, turnSignInOn } from '../support/arrange-sign-in.js';
import { createTestStore } from '../support/arrange-store.js';
import { costlyShapes } from '../support/costly-bodies.js';
import { createTestDatabase, type TestDatabase } from '../support/database/index.js';
import { plausible } from '../support/fuzzed-bodies.js';
import { FakeAppStore } from '../support/fake-app-store/fake-app-store.js';
import { arrangeKnownObjects } from '../support/known-objects.js';
import { idpMetadata, posted, samlIdp, signedResponse } from '../support/saml-idp.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const KIB = 1024;
const MIB = 1024 * KIB;
/** Every other cost is compared with the CPU time of parsing and writing this text. */
const YARDSTICK = JSON.stringify(Array.from({ length: 40_000 }, (_, n) => ({ n, text: 'text' })));
/** What a body of 1 MiB may cost: what a quadratic parser takes is far beyond it. */
const MOST_YARDSTICKS = 3;
/** Another process may get in the way of any measurement, but not of each of many. */
const MOST_TRIES = 25;
/** The cost of the worst document compared with that of a harmless one. */
const MOST_TIMES = 5;
const EMAIL = 'admin@example.com';
const PLACE = '@@place@@';

interface Route {
  method: string;
  path: string;
  headers: Record<string, string>;
  /** Its cost. */
  sound: Record<string, unknown>;
  /** Size of the body. */
  size: number;
}

/** CPU time of this process so far (ms). */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** CPU time (ms) of parsing and writing the yardstick. */
function yardstickMs(): number {
  const before = cpuMs();
  JSON.stringify(JSON.parse(YARDSTICK));
  return cpuMs() - before;
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
    // Successful requests leave audit rows, which are not counted.
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
          resolve({ ms: cpuMs() - before, status: response.statusCode ?? 0 });
        });
      });
      call.on('error', reject);
      const before = cpuMs();
      call.end(body);
    });
  }

  /**
   * The cost of a body beyond that of the same request with as much plain text in an unused field: the rest is
   * transport, and the client. In yardsticks, the least of some tries; stops when `enough` is reached.
   */
  async function costOf(
    route: Route,
    body: Buffer,
    enough: number,
  ): Promise<{ cost: number; status: number }> {
    const plain = bodyOf(route, 0, 'a long text');
    let [leastMs, leastYardstickMs, status] = [Infinity, yardstickMs(), 0];
    for (let tries = 0; tries < MOST_TRIES && leastMs > enough * leastYardstickMs; tries++) {
      leastYardstickMs = Math.min(leastYardstickMs, yardstickMs());
      const floor = await cpuOf(route, plain);
      const answer = await cpuOf(route, body);
      leastMs = Math.min(leastMs, answer.ms - floor.ms);
      ({ status } = answer);
    }
    return { cost: leastMs / leastYardstickMs, status };
  }

  /** A body with a costly value in one of the fields of a route, or in one that it does not know. */
  function bodyOf({ sound, size }: Route, place: number, shape: string): Buffer {
    const fields = ['unknown', ...Object.keys(sound)];
    const field = fields[place % fields.length]!;
    const text = JSON.stringify({ ...sound, [field]: PLACE });
    return Buffer.from(text.replace(`"${PLACE}"`, () => costlyShapes[shape]!(size - text.length)));
  }

  it('takes at most three times as long as 40,000 small objects on any route, whatever it is', async () => {
    const work = fc.record({
      route: fc.nat(routes.length - 1),
      place: fc.nat(20),
      shape: fc.constantFrom(...Object.keys(costlyShapes)),
    });
    const seen = new Set<number>();
    await fc.assert(
      fc.asyncProperty(work, async ({ route: index, place, shape }) => {
        const route = routes[index]!;
        const { cost, status } = await costOf(route, bodyOf(route, place, shape), MOST_YARDSTICKS);
        seen.add(status);
        expect(status === 503 ? 400 : status).toBeLessThan(500);
        expect(cost).toBeLessThanOrEqual(MOST_YARDSTICKS);
      }),
      { numRuns: 150, endOnFailure: true },
    );
    expect([...seen]).toEqual(expect.arrayContaining([200, 400]));
  });

  it('depends on the size limit, not on the decompressed size', async () => {
    const receipts = routes.find(({ path }) => path === '/v1/receipts')!;
    const zipped = { ...receipts, headers: { ...receipts.headers, 'content-encoding': 'gzip' } };
    const plain = gzipSync(JSON.stringify({ text: randomBytes(720 * KIB).toString('base64') }));
    const member = gzipSync(Buffer.alloc(100 * MIB, 0x20));
    const bomb = Buffer.concat(Array.from({ length: 10 }, () => member));
    const costs = async (body: Buffer): Promise<number> => {
      let least = Infinity;
      for (let tries = 0; tries < 5; tries++) least = Math.min(least, (await cpuOf(zipped, body)).ms);
      return least;
    };
    expect(await costs(bomb)).toBeLessThanOrEqual(MOST_TIMES * (await costs(plain)));
  });

  it('grows in proportion on the route that takes 10 MiB', async () => {
    const receipts = { ...routes.find(({ path }) => path === '/v1/receipts')!, size: 10 * MIB - 3 * KIB };
    for (const shape of Object.keys(costlyShapes)) {
      const place = Object.keys(receipts.sound).indexOf('fetch_token') + 1;
      const most = 10 * MOST_YARDSTICKS;
      const { cost } = await costOf(receipts, bodyOf(receipts, place, shape), most);
      expect({ shape, isSlow: cost > most }).toEqual({ shape, isSlow: false });
    }
  });
});

describe('what a document costs its parser', () => {
  const NOW_MS = Date.UTC(2026, 0, 2);
  const idp = samlIdp('idp.example');
  const sp = { spEntityId: 'https://tenure.example/metadata', acsUrl: 'https://tenure.example/acs' };
  const store = new FakeAppStore(new ManualClock(NOW_MS), 'com.example.app', 1);
  const roots = receiptRoots([store.receiptChain.root.der]);
  const app = { bundleId: store.bundleId, xcodeCertificate: null, allowUnsignedReceipts: false };
  const folder = mkdtempSync(join(tmpdir(), 'parser-cost-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  const fill = (size: number, part: (index: number) => string): string => {
    const parts: string[] = [];
    for (let length = 0; length < size;) length += parts[parts.push(part(parts.length)) - 1]!.length;
    return parts.join('');
  };
  const base64 = (text: string | Buffer): string => Buffer.from(text).toString('base64');
  const base64url = (text: string | Buffer): string => Buffer.from(text).toString('base64url');
  const jws = (header: string, payload: string): string => `${base64url(header)}.${base64url(payload)}.AAAA`;

  /** Within `root`, elements that are costly to parse or to canonicalize. */
  const costlyXml = (size: number): string[] => [
    fill(size, (index) => `<a xmlns:a${index}="a">`),
    fill(size, (index) => `<a xmlns:a${index}="a"/>`),
    fill(size / 2, () => '<a>') + fill(size / 2, () => '</a>').slice(0, size / 2),
    fill(size, () => '<a/>'),
    `<a ${fill(size, (index) => `a${index}="" `)}/>`,
    fill(size, () => '<a b="" c="" d=""/>'),
    fill(size, () => '<!---->'),
    fill(size, () => '<![CDATA[]]>'),
    fill(size, () => '&amp;'),
    fill(size, () => '\r'),
    `<a b='${' '.repeat(size)}`,
    '<'.repeat(size),
    '<!--'.repeat(size / 4),
  ];
  const metadata = (inner: string): string =>
    idpMetadata(idp).replace('<md:KeyDescriptor', `${inner}<md:KeyDescriptor`);
  const response = (inner: string): string => {
    const signed = signedResponse(idp, sp, {
      nowMs: NOW_MS,
      inResponseTo: '_r',
      attributes: { groups: ['x'] },
    });
    return posted(signed.replace('<saml:AttributeStatement>', `<saml:AttributeStatement>${inner}`));
  };
  const groupsOf = (size: number): string[] =>
    Array.from({ length: Math.floor(size / 200) }, (_, index) => String(index).padEnd(150, 'g'));
  const receiptOf = (count: number): string =>
    store.appReceipt({
      purchases: Array.from({ length: count }, (_, index) => ({
        transactionId: String(index),
        originalTransactionId: String(index),
        productId: 'coins',
        purchasedAtMs: NOW_MS,
      })),
    });
  const allShapes = (size: number): string[] => Object.values(costlyShapes).map((shape) => shape(size));
  const text = (size: number): string => JSON.stringify({ text: 'x'.repeat(size) });

  const file = (content: string): string => {
    const path = join(folder, `${base64url(randomBytes(9))}.csv`);
    writeFileSync(path, content);
    return path;
  };
  const readCsv = async (path: string): Promise<void> => {
    for await (const row of csvRows(path)) void row;
  };

  /** Rows are read one by one, so the costs of a part are those of the whole. */
  const CSV_SIZE = 64 * KIB;

  interface Parser {
    parse: (document: string) => unknown;
    harmless: string;
    costly: string[];
  }
  const parsers: Record<string, () => Parser> = {
    'SAML responses': () => ({
      parse: (document) => verifiedResponse(document, { certificates: [idp.certificate], allowSha1: false }),
      harmless: posted(
        signedResponse(idp, sp, {
          nowMs: NOW_MS,
          inResponseTo: '_r',
          attributes: { groups: groupsOf(180 * KIB) },
        }),
      ),
      costly: [180 * KIB, MIB].flatMap(costlyXml).map(response),
    }),
    'metadata of identity providers': () => ({
      parse: parseIdpMetadata,
      harmless: metadata(`<md:Extensions>${'text '.repeat(MIB / 5)}</md:Extensions>`),
      costly: costlyXml(MIB).map(metadata),
    }),
    certificates: () => ({
      parse: checkCertificate,
      harmless: base64(Buffer.alloc(0.75 * MIB, 7)),
      costly: [
        `-----BEGIN CERTIFICATE-----${' '.repeat(MIB)}`,
        `-----BEGIN CERTIFICATE-----${fill(MIB, () => 'A ')}-----END`,
        fill(MIB, () => '-----BEGIN CERTIFICATE-----'),
      ],
    }),
    'JSON of strangers': () => ({
      parse: (document) => parseJson(document),
      harmless: text(MIB),
      costly: allShapes(MIB),
    }),
    'signed data of the App Store': () => ({
      parse: (document) => readToken(document, app, roots, NOW_MS),
      harmless: jws('{"alg":"ES256"}', text(90 * KIB)),
      costly: [90 * KIB, MIB]
        .flatMap(allShapes)
        .flatMap((shape) => [jws(shape, '{}'), jws('{"alg":"ES256"}', shape)]),
    }),
    'app receipts': () => ({
      parse: (document) => readToken(document, app, roots, NOW_MS),
      harmless: receiptOf(2_000),
      costly: [
        base64(Buffer.alloc(MIB, Buffer.from([0x30, 0x80]))),
        base64(Buffer.concat([Buffer.from([0x30, 0x80]), Buffer.alloc(MIB, Buffer.from([0x05, 0x00]))])),
        base64(
          Buffer.concat([
            Buffer.from([0x30, 0x84, 0, 16, 0, 0]),
            Buffer.alloc(MIB, Buffer.from([0x30, 0x00])),
          ]),
        ),
        fill(MIB, () => 'A\n'),
      ],
    }),
    'receipts of Xcode': () => ({
      parse: (document) => readToken(document, app, roots, NOW_MS),
      harmless: base64(JSON.stringify({ transactions: [], text: 'x'.repeat(0.75 * MIB) })),
      costly: allShapes(0.75 * MIB).map((shape) => base64(`{"transactions":${shape}}`)),
    }),
    'notifications of Google': () => ({
      parse: (document) => readPush(Buffer.from(document), null),
      harmless: JSON.stringify({ message: { messageId: '1', data: base64(text(0.7 * MIB)) } }),
      costly: allShapes(0.7 * MIB).map((shape) =>
        JSON.stringify({ message: { messageId: '1', data: base64(shape) } }),
      ),
    }),
    'notifications of Roku': () => ({
      parse: (document) => readRokuPush(Buffer.from(document)),
      harmless: jws(
        '{"alg":"RS256"}',
        JSON.stringify({
          'x-Roku-message': base64(text(0.5 * MIB)),
          'x-Roku-message-key': 'k',
          'x-Roku-message-type': 'roku.rpay.push',
        }),
      ),
      costly: allShapes(0.7 * MIB).map((shape) => jws(shape, '{}')),
    }),
    'ID tokens': () => ({
      parse: parseIdToken,
      harmless: jws('{"alg":"RS256"}', text(11 * KIB)),
      costly: [11 * KIB, MIB]
        .flatMap(allShapes)
        .flatMap((shape) => [jws(shape, '{}'), jws('{"alg":"RS256"}', shape)]),
    }),
    'filters and paths of provisioning': () => ({
      parse: (document) => {
        expect(() => parseFilter(userType, document)).toThrow();
        parsePatchPath(userType, document, {});
      },
      harmless: `urn:${'x'.repeat(MIB)}`,
      costly: [
        'a.'.repeat(MIB / 2),
        '['.repeat(MIB),
        'emails['.repeat(MIB / 7),
        `emails[${'('.repeat(MIB)}]`,
        `emails[${'type eq "'.repeat(MIB / 9)}]`,
        ':'.repeat(MIB),
        ' '.repeat(MIB),
      ],
    }),
    'CSV files': () => ({
      parse: readCsv,
      harmless: file(`a,b\n${fill(CSV_SIZE, (index) => `${index},text of an ordinary length\n`)}`),
      costly: [
        `a,b\n"${fill(CSV_SIZE, () => 'x,')}`,
        '"'.repeat(CSV_SIZE),
        ','.repeat(CSV_SIZE),
        `a\n${'\n'.repeat(CSV_SIZE)}`,
        `a,b\n${fill(CSV_SIZE, () => '"",""\n')}`,
        `${'"a",'.repeat(CSV_SIZE / 4)}\n`,
        `a\n${fill(CSV_SIZE, () => '"\n')}`,
      ].map(file),
    }),
  };

  async function attempt({ parse }: Parser, document: string): Promise<void> {
    try {
      await parse(document);
    } catch (error) {
      // Refused.
      if (error instanceof RangeError) throw error;
    }
  }

  /**
   * The least of some measurements (ms), each of enough calls for the clock's resolution: other processes may
   * slow down any of them. Stops as soon as one is at most `enough`.
   */
  async function costOf(
    parser: Parser,
    document: string,
    { maxTries, enough }: { maxTries: number; enough: number },
  ): Promise<number> {
    let least = Infinity;
    for (let tries = 0, calls = 1; tries < maxTries && least > enough;) {
      const before = cpuMs();
      for (let call = 0; call < calls; call++) await attempt(parser, document);
      const ms = cpuMs() - before;
      if (ms < 2 && calls < 1_000) {
        calls *= 4;
        continue;
      }
      least = Math.min(least, ms / calls);
      tries++;
    }
    return least;
  }

  it.each(Object.entries(parsers))(
    'takes at most five times that of a harmless one as large: %s',
    async (_name, parserOf) => {
      const parser = parserOf();
      // Some harmless documents cost next to nothing; a multiple of that is not an attack.
      const harmless = await costOf(parser, parser.harmless, { maxTries: 5, enough: 0 });
      const most = Math.max(MOST_TIMES * harmless, yardstickMs());
      for (const [index, document] of parser.costly.entries()) {
        const cost = await costOf(parser, document, { maxTries: MOST_TRIES, enough: most });
        const what = { index, start: document.slice(0, 60) };
        expect({ ...what, isSlow: cost > most }).toEqual({ ...what, isSlow: false });
      }
    },
  );
});
