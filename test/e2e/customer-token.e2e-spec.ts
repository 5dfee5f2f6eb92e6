import type { ApiClient } from '../support/api-client.js';
import {
  type AccessTokenClaims,
  CustomerTokenKeyService,
} from '../../src/platform/auth/customer-tokens/customer-token-key.service.js';
import {
  claimsOf,
  type SignedInCustomer,
  signInAnonymously,
  turnSignInOn,
} from '../support/arrange-sign-in.js';
import { createTestStore, testReceipt, type TestStore } from '../support/arrange-store.js';
import { contentChanges, databaseContents } from '../support/database-contents.js';
import { problemOfSignature } from '../support/sdk-signature.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const NONCE = Buffer.from('123456789012').toString('base64');
const DAY_MS = 86_400_000;
const ETAG = 'x-revenuecat-etag';

/** The form below /v1/customer, and the one below an app user id. */
const twins: [method: 'GET' | 'POST', own: string, named: string, body?: object][] = [
  ['GET', '/v1/customer', '/v1/subscribers/{id}'],
  ['GET', '/v1/customer/offerings', '/v1/subscribers/{id}/offerings'],
  ['GET', '/v1/customer/virtual_currencies', '/v1/subscribers/{id}/virtual_currencies'],
  ['GET', '/v1/customer/health_report', '/v1/subscribers/{id}/health_report'],
  ['GET', '/v1/customer/customercenter', '/v1/customercenter/{id}'],
  ['GET', '/v1/customer/ads/reward_verifications/5f1c', '/v1/subscribers/{id}/ads/reward_verifications/5f1c'],
  ['GET', '/rcbilling/v1/customer/offering_products', '/rcbilling/v1/subscribers/{id}/offering_products'],
  [
    'GET',
    '/rcbilling/v1/customer/products?id=pro_monthly&id=none',
    '/rcbilling/v1/subscribers/{id}/products?id=pro_monthly&id=none',
  ],
  [
    'POST',
    '/v1/customer/intro_eligibility',
    '/v1/subscribers/{id}/intro_eligibility',
    { product_identifiers: ['pro_monthly', 'none'] },
  ],
  [
    'POST',
    '/v1/customer/attributes',
    '/v1/subscribers/{id}/attributes',
    { attributes: { level: { value: '7' } } },
  ],
  [
    'POST',
    '/v1/customer/attributes',
    '/v1/subscribers/{id}/attributes',
    { attributes: { $bad: { value: 1 } } },
  ],
  ['POST', '/v1/customer/attributes', '/v1/subscribers/{id}/attributes', { attributes: 7 }],
  [
    'POST',
    '/v1/customer/attribution',
    '/v1/subscribers/{id}/attribution',
    { network: 2, data: { rc_idfa: 'x' } },
  ],
  ['POST', '/v1/customer/attribution', '/v1/subscribers/{id}/attribution', { network: 99 }],
  [
    'POST',
    '/v1/customer/adservices_attribution',
    '/v1/subscribers/{id}/adservices_attribution',
    { aad_attribution_token: 'a-token' },
  ],
  ['POST', '/v1/customer/adservices_attribution', '/v1/subscribers/{id}/adservices_attribution', {}],
  [
    'POST',
    '/v1/customer/restore/eligibility',
    '/v1/subscribers/{id}/restore/eligibility',
    { fetch_token: 'test_1_x' },
  ],
  [
    'POST',
    '/v1/customer/restore/eligibility',
    '/v1/subscribers/{id}/restore/eligibility',
    { fetch_token: 7 },
  ],
  [
    'POST',
    '/v1/customer/customercenter/support/create-ticket',
    '/v1/customercenter/support/create-ticket',
    { customer_email: 'a@example.com', issue_description: 'Help' },
  ],
];

describe('the routes of signed-in customers', () => {
  let server: TestServer;
  let store: TestStore;
  let customer: SignedInCustomer;
  /** The customer's path under the same id, for the public key. */
  let encoded: string;

  beforeAll(async () => {
    server = await startTestServer({ env: { SERVICE_SIGNING_KEY: Buffer.alloc(32, 7).toString('base64') } });
    store = await createTestStore(server);
    await turnSignInOn(server, store.projectId);
    await store.backend.post(`${store.path}/virtual_currencies`, { code: 'GLD', name: 'Gold' });
    customer = await signInAnonymously(server, store);
    encoded = encodeURIComponent(customer.appUserId);
    const receipt = testReceipt(customer.appUserId, server.clock.nowMs());
    expect((await customer.client.post('/v1/receipts', receipt)).status).toBe(200);
  });

  afterAll(() => server.close());

  it.each([undefined, null, '9999999999', true])('refuses a token whose exp is %j', async (exp) => {
    const claims = { ...claimsOf(customer.tokens.access_token as string), exp };
    const token = server.app.get(CustomerTokenKeyService).signAccessToken(claims as AccessTokenClaims);
    const answer = await server.http.withKey(token).get('/v1/customer');
    expect([answer.status, answer.body.code]).toEqual([401, 7224]);
  });

  const headersToCompare = ['content-type', 'cache-control', 'access-control-allow-origin', ETAG] as const;

  it.each(twins)('%s %s answers as %s', async (...[method, own, named, body]) => {
    const theirs = await store.sdk.send(method, named.replace('{id}', encoded), body);
    const answer = await customer.client.send(method, own, body);
    expect([answer.status, answer.body]).toEqual([theirs.status, theirs.body]);
    for (const name of headersToCompare) {
      // The tag says whose answer it is: an SDK holds one for each path.
      if (name === ETAG) expect(answer.headers[name] === undefined).toBe(theirs.headers[name] === undefined);
      else expect([name, answer.headers[name]]).toEqual([name, theirs.headers[name]]);
    }
    const etag = answer.headers[ETAG];
    if (etag === undefined) return;
    const again = await customer.client.get(own, { [ETAG]: etag });
    expect([again.status, again.text, again.headers[ETAG]]).toEqual([304, '', etag]);
    const authorization = `Bearer ${customer.tokens.access_token}`;
    const head = await fetch(server.baseUrl + own, { method: 'HEAD', headers: { authorization } });
    expect([head.status, head.headers.get(ETAG)]).toEqual([200, etag]);
  });

  it.each([
    ['GET', '/v1/customer', undefined, true],
    ['GET', '/v1/customer/offerings', undefined, false],
    ['GET', '/v1/customer/virtual_currencies', undefined, true],
    ['GET', '/v1/customer/attributes', undefined, false],
    ['POST', '/v1/customer/restore/eligibility', { fetch_token: 'test_1_x' }, true],
    ['POST', '/v1/customer/virtual_currencies/spend', { adjustments: { GLD: 1 } }, true],
    ['POST', '/v1/customer/attributes', { attributes: {} }, false],
  ] as const)(
    '%s %s is signed over this path and the access token',
    async (method, path, body, withNonce) => {
      const { public_key: rootKey } = (await server.http.get('/.well-known/service-signing-key')).body;
      const token: string = customer.tokens.access_token;
      const answer = await fetch(`${server.baseUrl}${path}?x=1`, {
        method,
        headers: { authorization: `Bearer ${token}`, ...(withNonce && { 'x-nonce': NONCE }) },
        body: body && JSON.stringify(body),
      });
      const seen = {
        key: token,
        nonce: withNonce ? NONCE : undefined,
        path,
        requestTime: answer.headers.get('x-revenuecat-request-time') ?? '',
        etag: answer.headers.get(ETAG) ?? undefined,
        body: Buffer.from(await answer.arrayBuffer()),
      };
      const signature = answer.headers.get('x-signature') ?? '';
      expect(problemOfSignature(signature, rootKey, seen, server.clock.nowMs())).toBeNull();
      const wrong = { ...seen, key: store.publicKey };
      expect(problemOfSignature(signature, rootKey, wrong, server.clock.nowMs())).toBe('signature');
    },
  );

  it('reads the attributes that were set, also below the app user id, but no one else reads them there', async () => {
    const { client } = customer;
    const updatedAt = server.clock.nowMs();
    await client.post('/v1/customer/attributes', {
      attributes: { color: { value: 'red', updated_at_ms: updatedAt } },
    });
    const own = await client.get('/v1/customer/attributes');
    expect(own.status).toBe(200);
    expect(own.body.subscriber_attributes.color).toEqual({ value: 'red', updated_at_ms: updatedAt });
    const path = `/v1/subscribers/${encoded}/attributes`;
    for (const reader of [client, store.backend]) {
      expect((await reader.get(path)).body).toEqual(own.body);
    }
    const byKey = await store.sdk.get(path);
    expect([byKey.status, byKey.body.code]).toEqual([403, 7225]);
    const stranger = await signInAnonymously(server, store);
    const foreign = await stranger.client.get(path);
    expect([foreign.status, foreign.body.code]).toEqual([401, 7224]);
  });

  it('shows a blocked customer no access', async () => {
    const { appUserId, client } = await signInAnonymously(server, store);
    await client.post('/v1/receipts', testReceipt(appUserId, server.clock.nowMs()));
    expect((await client.get('/v1/customer')).body.subscriber.entitlements).toHaveProperty('pro');
    await store.backend.post(`${store.path}/blocked_customers`, { app_user_id: appUserId });
    expect((await client.get('/v1/customer')).body.subscriber.entitlements).toEqual({});
  });

  it('answers for the time of the customer’s test clock', async () => {
    const { appUserId, client } = await signInAnonymously(server, store);
    const frozen = server.clock.nowMs() + 40 * DAY_MS;
    const clock = await store.backend.post(`${store.path}/test_clocks`, { name: 'x', frozen_time: frozen });
    const attach = `${store.path}/test_clocks/${clock.body.id}/actions/attach_customer`;
    expect((await store.backend.post(attach, { customer_id: appUserId })).status).toBe(200);
    const answer = await client.get('/v1/customer');
    expect([answer.headers['x-revenuecat-request-time'], answer.body.request_date_ms]).toEqual([
      String(frozen),
      frozen,
    ]);
  });

  it('uses the app of the token, whatever platform the device says', async () => {
    const answer = await customer.client.get('/v1/customer/health_report', { 'x-platform': 'android' });
    expect(answer.body).toMatchObject({ app_id: store.appId, project_id: store.projectId });
  });

  describe('that keep their name', () => {
    let stranger: SignedInCustomer;

    beforeAll(async () => {
      stranger = await signInAnonymously(server, store);
    });

    /** What SDKs send there, for an app user id. */
    const sent = (id: string): [method: string, path: string, body?: object][] => [
      ['POST', '/v1/receipts', { ...testReceipt(id), fetch_token: `test_${server.clock.nowMs()}_of-${id}` }],
      [
        'POST',
        '/v1/receipts',
        { ...testReceipt(id), attributes: { a: { value: 'b' } }, aad_attribution_token: 'x' },
      ],
      ['POST', '/v1/offers', { app_user_id: id, generate_offers: [] }],
      ['POST', '/v1/config/app', { app_user_id: id, fetch_context: 'app_start' }],
      ['POST', '/v1/subscribers/redeem_purchase', { app_user_id: id, redemption_token: 'x' }],
      ['POST', '/v1/customercenter/support/create-ticket', { app_user_id: id }],
      ['POST', '/v1/customer/customercenter/support/create-ticket', { app_user_id: id }],
      ['GET', `/v1/subscribers/${encodeURIComponent(id)}/ads/reward_verifications/1`],
      ['GET', `/v1/subscribers/${encodeURIComponent(id)}/attributes`],
      ['GET', `/rcbilling/v1/subscribers/${encodeURIComponent(id)}/products?id=pro_monthly`],
      ['GET', `/rcbilling/v1/subscribers/${encodeURIComponent(id)}/offering_products`],
    ];

    const statusesOf = async (client: ApiClient, id: string): Promise<unknown[]> => {
      const statuses: unknown[] = [];
      for (const [method, path, body] of sent(id)) {
        const { status, body: answer } = await client.send(method, path, body);
        statuses.push([path.split('?')[0], status, status < 400 ? undefined : answer.code]);
      }
      return statuses;
    };

    it('accepts the token for its own customer, under every one of the ids', async () => {
      const { appUserId, client } = await signInAnonymously(server, store);
      const names = { app_user_id: appUserId, new_app_user_id: 'ada lovelace' };
      expect((await store.sdk.post('/v1/subscribers/identify', names)).status).toBe(201);
      for (const id of [appUserId, 'ada lovelace']) {
        const refused = (await statusesOf(client, id)).filter((entry) =>
          [401, 403].includes((entry as [string, number])[1]),
        );
        expect(refused).toEqual([]);
      }
      const info = await client.get('/v1/customer');
      expect(info.body.subscriber.subscriptions).toHaveProperty('pro_monthly');
    });

    it.each(['', ' of an unknown customer'])(
      'answers 401 with code 7224 for another customer%s, and records nothing',
      async (suffix) => {
        const other = suffix === '' ? customer.appUserId : `somebody${suffix}`;
        const before = await databaseContents(server.dataSource);
        const statuses = await statusesOf(stranger.client, other);
        expect(statuses.map((entry) => (entry as unknown[]).slice(1))).toEqual(
          statuses.map(() => [401, 7224]),
        );
        const { lost, added } = contentChanges(before, await databaseContents(server.dataSource));
        expect({ lost, added }).toEqual({ lost: {}, added: {} });
        // The purchase is still the device's to post.
        const receipt = {
          ...testReceipt(other),
          app_user_id: stranger.appUserId,
          fetch_token: `test_${server.clock.nowMs()}_own`,
        };
        expect((await stranger.client.post('/v1/receipts', receipt)).status).toBe(200);
      },
    );

    it('compares whole ids, letter by letter', async () => {
      for (const id of [
        `${stranger.appUserId} `,
        stranger.appUserId.toUpperCase(),
        stranger.appUserId.slice(0, -1),
      ]) {
        const answer = await stranger.client.post('/v1/receipts', testReceipt(id));
        expect([answer.status, answer.body.code]).toEqual([401, 7224]);
      }
    });

    it.each([['null'], ['a/b'], ['x'.repeat(101)], ['a\0b'], ['']])(
      'answers 400, never 401, to %j, which no customer can have',
      async (id) => {
        const answers = [
          await stranger.client.post('/v1/receipts', testReceipt(id)),
          await stranger.client.post('/v1/offers', { app_user_id: id, generate_offers: [] }),
        ];
        for (const { status, body } of answers) expect([status, body.code]).toEqual([400, 7220]);
      },
    );

    it.each([[7], [null], [{ a: 1 }], [['x']]])('answers 400 to %j in place of an id', async (id) => {
      const answer = await stranger.client.post('/v1/receipts', { ...testReceipt('x'), app_user_id: id });
      expect([answer.status, answer.body.code]).toEqual([400, 7220]);
    });

    it.each([
      ['GET', '/v1/product_entitlement_mapping', undefined],
      ['POST', '/v1/config/app', { fetch_context: 'app_start' }],
      ['POST', '/v1/events', { events: [{ app_user_id: 'somebody' }] }],
      ['POST', '/v1/diagnostics', { entries: [] }],
      ['POST', '/v1/customercenter/support/create-ticket', { issue_description: 'x' }],
    ])('%s %s accepts a token when it names no customer', async (method, path, body) => {
      const answer = await customer.client.send(method, path, body);
      expect(answer.status).toBe(200);
    });

    it('treats the token as its app: receipts that need a secret key need it here, too', async () => {
      const made = await store.backend.post(`${store.path}/apps`, {
        name: 'Web',
        type: 'stripe',
        stripe: { require_secret_key_for_receipts: true },
      });
      const keys = await store.backend.get(`${store.path}/apps/${made.body.id}/public_api_keys`);
      const sdk = server.http.withKey(keys.body.items[0].key as string);
      const { appUserId, client } = await signInAnonymously(server, { sdk });
      const receipt = { app_user_id: appUserId, fetch_token: 'cs_test_1', product_id: 'price_1' };
      const [byToken, byKey] = [
        await client.post('/v1/receipts', receipt),
        await sdk.post('/v1/receipts', receipt),
      ];
      expect([byToken.status, byToken.body]).toEqual([403, byKey.body]);
      expect(byToken.body.code).toBe(7662);
    });

    it('excludes identify and alias, which token mode never calls', async () => {
      for (const path of ['/v1/subscribers/identify', `/v1/subscribers/${encoded}/alias`]) {
        const answer = await customer.client.post(path, { app_user_id: 'x', new_app_user_id: 'y' });
        expect([answer.status, answer.body.code]).toEqual([403, 7225]);
      }
    });
  });
});
