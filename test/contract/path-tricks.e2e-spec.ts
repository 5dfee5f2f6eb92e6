import { spawn, spawnSync } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { createSecretKey, PASSWORD, sessionCookie } from '../support/arrange.js';
import { signInAnonymously, turnSignInOn } from '../support/arrange-sign-in.js';
import { createTestStore, testReceipt, type TestStore } from '../support/arrange-store.js';
import { contentChanges, databaseContents } from '../support/database-contents.js';
import { arrangeKnownObjects } from '../support/known-objects.js';
import { NEW_CUSTOMER_TABLES, type PathTrick, pathTricksOf } from '../support/path-tricks.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const EMAIL = 'admin@example.com';
/** `.ci/run` installs curl; where it is missing, only its rows are left out. */
const hasCurl = spawnSync('curl', ['--version']).status === 0;
const DOT_SEGMENTS = ['.', '..', '%2e', '%2E%2e', '%2E.'];

type Send = (tricks: PathTrick[]) => Promise<{ trick: PathTrick; status: number }[]>;

describe('paths that URL libraries fold', () => {
  let server: TestServer;
  let store: TestStore;
  let tricks: PathTrick[];
  let credentials: Record<'v1' | 'v2' | 'customer', Record<string, string>>;

  beforeAll(async () => {
    server = await startTestServer({ env: { SERVICE_ROLE: 'api' } });
    store = await createTestStore(server, EMAIL);
    tricks = pathTricksOf(server.document, await arrangeKnownObjects(store, server.clock.nowMs()));
    const { key } = await createSecretKey(store.session, store.projectId);
    const login = await server.http.post('/auth/login', { email: EMAIL, password: PASSWORD });
    await turnSignInOn(server, store.projectId);
    const { access_token: token } = (await signInAnonymously(server, store)).tokens;
    credentials = {
      v1: { authorization: `Bearer ${key}` },
      v2: { cookie: sessionCookie(login) },
      customer: { authorization: `Bearer ${token}` },
    };
  });

  afterAll(() => server.close());

  const headersOf = ({ path }: PathTrick): Record<string, string> => ({
    ...(path.includes('/v2')
      ? credentials.v2
      : path.includes('/v1/customer/')
        ? credentials.customer
        : credentials.v1),
    'content-type': 'application/json',
  });
  const takesBody = ({ method }: PathTrick): boolean => method !== 'GET' && method !== 'DELETE';

  const byFetch: Send = async (all) => {
    const answers = [];
    for (const trick of all) {
      const { method, path } = trick;
      const body = takesBody(trick) ? '{}' : undefined;
      const answer = await fetch(server.baseUrl + path, { method, headers: headersOf(trick), body });
      await answer.arrayBuffer();
      answers.push({ trick, status: answer.status });
    }
    return answers;
  };

  const byCurl =
    (...options: string[]): Send =>
    async (all) => {
      const quoted = (value: string): string => JSON.stringify(value);
      const transfers = all.map((trick) =>
        [
          ...options,
          'silent',
          `request = ${trick.method}`,
          `url = ${quoted(server.baseUrl + trick.path)}`,
          ...Object.entries(headersOf(trick)).map(
            ([name, value]) => `header = ${quoted(`${name}: ${value}`)}`,
          ),
          ...(takesBody(trick) ? ['data = "{}"'] : []),
          'output = /dev/null',
          'write-out = "%{http_code}\\n"',
        ].join('\n'),
      );
      const curl = spawn('curl', ['--globoff', '--config', '-'], { stdio: ['pipe', 'pipe', 'inherit'] });
      curl.stdin.end(transfers.join('\nnext\n'));
      const statuses = (await text(curl.stdout)).trim().split('\n').map(Number);
      return all.map((trick, index) => ({ trick, status: statuses[index] ?? 0 }));
    };

  const senders: [string, Send, boolean][] = [
    ['fetch', byFetch, true],
    ['curl', byCurl(), hasCurl],
    ['curl --path-as-is', byCurl('path-as-is'), hasCurl],
  ];

  it.each(senders.filter(([, , isThere]) => isThere))('changes nothing when sent by %s', async (_, send) => {
    const before = await databaseContents(server.dataSource);
    const answers = await send(tricks);
    const { lost, added } = contentChanges(before, await databaseContents(server.dataSource));
    expect(lost).toEqual({});
    // `GET /v1/subscribers/./offerings` asks for a customer of that name.
    expect(Object.keys(added).filter((table) => !NEW_CUSTOMER_TABLES.has(table))).toEqual([]);
    expect(answers.filter(({ status }) => status === 0 || status >= 500)).toEqual([]);
    const slashes = answers.filter(({ trick: { path } }) => path.endsWith('/') || path.includes('//'));
    const served = slashes.filter(({ status }) => status < 400).map(({ trick }) => trick);
    expect(
      served.filter(({ method, path }) => method !== 'GET' || !/^\/v2(?:\/[^/]+)+\/$/.test(path)),
    ).toEqual([]);
    const names = /\/(?:customers|blocked_customers|virtual_currencies|identities)\/$/;
    expect(served.filter(({ path }) => names.test(path) && !path.includes('/customers/'))).toEqual([]);
  });

  it('does not take a project for what is below it', async () => {
    for (const path of [`${store.path}/`, `${store.path}/customers/..`, `${store.path}/customers/%2e%2e`]) {
      const answer = await fetch(server.baseUrl + path, { method: 'DELETE', headers: credentials.v2 });
      expect(answer.status).toBe(404);
    }
    const project = await fetch(server.baseUrl + store.path, { headers: credentials.v2 });
    expect(project.status).toBe(200);
  });

  it('serves lists with one slash at the end, as if it were not there', async () => {
    const get = (path: string) => fetch(server.baseUrl + path, { headers: credentials.v2 });
    const { path } = store;
    for (const list of [
      '/v2/projects',
      `${path}/apps`,
      `${path}/products`,
      `${path}/customers/ada/aliases`,
    ]) {
      const plain = (await (await get(`${list}?limit=1`)).json()) as object;
      const slashed = await get(`${list}/?limit=1`);
      expect([list, slashed.status, await slashed.json()]).toEqual([list, 200, plain]);
    }
    const created = await fetch(`${server.baseUrl}${path}/entitlements/`, {
      method: 'POST',
      headers: { ...credentials.v2, 'content-type': 'application/json; charset=utf8' },
      body: '{}',
    });
    expect([created.status, await created.json()]).toMatchObject([400, { param: 'lookup_key' }]);
    for (const [method, refused] of [
      ['GET', `${path}/customers/`],
      ['POST', `${path}/customers/`],
      ['GET', `${path}/blocked_customers/`],
      ['GET', `${path}/virtual_currencies/`],
      ['POST', `${path}/virtual_currencies/`],
      ['GET', `${path}/apps//`],
      ['GET', `${path}/apps%2F`],
      ['GET', `${path}/products/${store.products.monthly.id}/`],
      ['GET', `${path}/setup_health/`],
      ['DELETE', `${path}/apps/`],
      ['PUT', `${path}/apps/`],
      ['PATCH', `${path}/entitlements/`],
      ['POST', '/auth/login/'],
      ['POST', '/v1/receipts/'],
    ] as const) {
      const answer = await fetch(server.baseUrl + refused, { method, headers: credentials.v2 });
      expect([method, refused, answer.status]).toEqual([method, refused, 404]);
    }
  });

  describe.each(DOT_SEGMENTS)('%s', (id) => {
    it('rejects it as app user id everywhere', async () => {
      const { sdk, backend, path, products } = store;
      const purchase = { app_user_id: id, product_id: products.monthly.id };
      const calls = [
        sdk.post('/v1/receipts', { ...testReceipt(id) }),
        sdk.post('/v1/subscribers/identify', { app_user_id: 'ada', new_app_user_id: id }),
        sdk.post('/v1/subscribers/identify', { app_user_id: id, new_app_user_id: 'ada' }),
        sdk.post('/v1/subscribers/ada/alias', { new_app_user_id: id }),
        backend.post(`${path}/customers`, { id }),
        backend.post(`${path}/blocked_customers`, { app_user_id: id }),
        backend.post(`${path}/customers/ada/actions/transfer`, { target_customer_id: id }),
        backend.post(`${path}/test_purchases`, purchase),
      ];
      for (const { status, body } of await Promise.all(calls)) {
        expect([status, body.code ?? body.type]).toEqual([400, body.code ? 7220 : 'parameter_error']);
      }
    });

    it('rejects it as a key that clients choose', async () => {
      const { sdk, backend, path, appId, offering } = store;
      const named = { lookup_key: id, display_name: 'Dots' };
      const attributes = { attributes: [{ name: id, value: 'x' }] };
      const calls = [
        backend.post(`${path}/entitlements`, named),
        backend.post(`${path}/offerings`, named),
        backend.post(`${path}/offerings/${offering.id}/packages`, named),
        backend.post(`${path}/products`, { store_identifier: id, app_id: appId, type: 'consumable' }),
        backend.post(`${path}/virtual_currencies`, { code: id, name: 'Dots' }),
        backend.post(`${path}/customers/ada/attributes`, attributes),
      ];
      const statuses = (await Promise.all(calls)).map(({ status, body }) => [status, body.type]);
      expect(statuses).toEqual(calls.map(() => [400, 'parameter_error']));
      const attribute = { attributes: { [id]: { value: 'x', updated_at_ms: server.clock.nowMs() } } };
      const answer = await sdk.post('/v1/subscribers/ada/attributes', attribute);
      expect([answer.status, answer.body.attribute_errors]).toEqual([
        400,
        [expect.objectContaining({ key_name: id })],
      ]);
    });
  });
});
