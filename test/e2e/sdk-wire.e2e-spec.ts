import { readFileSync } from 'node:fs';
import { jest } from '@jest/globals';
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { CatalogRepository } from '../../src/catalog/snapshot/catalog.repository.js';
import { CatalogService } from '../../src/catalog/snapshot/catalog.service.js';
import { LastSeenRecorder } from '../../src/customers/customers/last-seen/last-seen.recorder.js';
import type { ApiClient, Json } from '../support/api-client.js';
import { signInAnonymously, turnSignInOn } from '../support/arrange-sign-in.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import { statementsOf } from '../support/query-count.js';
import { recordedRequests, type SdkRequest, sdkHeaders } from '../support/sdk-requests.js';
import { startTestServer, TEST_START_MS, type TestServer } from '../support/test-server.js';

interface CallRow {
  method: string;
  path: string;
  served: 'full' | 'minimal' | 'error' | 'none' | 'pending';
  etag?: boolean;
}

const calls = JSON.parse(
  readFileSync(new URL('../../docs/sdk-calls.json', import.meta.url), 'utf8'),
) as CallRow[];
const requests = recordedRequests(TEST_START_MS);
const nameOf = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`;

describe('the SDK wire', () => {
  let server: TestServer;
  let store: TestStore;
  const keys: Record<string, string> = {};
  const apps: Record<string, Json> = {};

  beforeAll(async () => {
    server = await startTestServer({ env: { SERVICE_ALLOW_SIGNUP: 'true' } });
    store = await createTestStore(server);
    keys.test = store.publicKey;
    await turnSignInOn(server, store.projectId);
    keys.token = (await signInAnonymously(server, store)).tokens.access_token;
    for (const [type, settings] of Object.entries({
      app_store: { bundle_id: 'com.example.app' },
      play_store: { package_name: 'com.example.app' },
      amazon: { package_name: 'com.example.fire' },
      rc_billing: { app_name: 'Shown name', support_email: 'help@example.com' },
    })) {
      const made = await store.backend.post(`${store.path}/apps`, {
        name: `The ${type} app`,
        type,
        [type]: settings,
      });
      apps[type] = made.body;
      keys[type] = (
        await store.backend.get(`${store.path}/apps/${made.body.id}/public_api_keys`)
      ).body.items[0].key;
    }
  });

  afterAll(() => server.close());

  const customer = (appUserId: string, suffix = '') =>
    store.backend.get(`${store.path}/customers/${encodeURIComponent(appUserId)}${suffix}`);
  let posted = 0;
  const buy = (appUserId: string, body: object = {}, headers: Record<string, string> = {}) =>
    store.sdk.post(
      '/v1/receipts',
      {
        app_user_id: appUserId,
        fetch_token: `test_${server.clock.nowMs()}_wire-${++posted}`,
        product_id: 'pro_monthly',
        ...body,
      },
      headers,
    );
  const product = async (type: string, storeIdentifier: string, more: object = {}): Promise<Json> => {
    const made = await store.backend.post(`${store.path}/products`, {
      store_identifier: storeIdentifier,
      app_id: apps[type].id,
      type: 'subscription',
      ...more,
    });
    expect(made.status).toBe(201);
    return made.body;
  };

  describe('a recorded request', () => {
    const send = async ({ sdk, method, url, body, headers, key = 'test' }: SdkRequest) =>
      fetch(server.baseUrl + url, {
        method,
        headers: {
          ...sdkHeaders[sdk],
          ...(key === 'none' ? {} : { authorization: `Bearer ${keys[key]}` }),
          ...headers,
        },
        body: body === undefined ? undefined : JSON.stringify(body),
      });

    it.each(
      requests.map(
        (request) =>
          [
            request.sdk,
            nameOf({ method: request.method, path: request.call }),
            request.when,
            request,
          ] as const,
      ),
    )('gets for %s, %s at %s, the answer that its SDK needs', async (_, __, ___, request) => {
      const answer = await send(request);
      const text = await answer.text();
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([
        request.status,
        '*',
      ]);
      expect(answer.headers.get('x-revenuecat-request-time')).toBe(String(server.clock.nowMs()));
      expect(answer.headers.get('x-signature')).toBeNull();
      const call = calls.find(
        (row) => nameOf(row) === nameOf({ method: request.method, path: request.call }),
      );
      expect(answer.headers.has('x-revenuecat-etag')).toBe(call?.etag === true);
      if (answer.headers.get('content-type')?.startsWith('application/json')) {
        const body = JSON.parse(text);
        if (request.answer !== undefined) expect(body).toEqual(request.answer);
        if (request.code !== undefined)
          expect(body).toEqual({ code: request.code, message: expect.any(String) });
      } else {
        const isEmpty = answer.status === 204 || request.call.startsWith('/v1/blobs/');
        expect([text === '', answer.status]).toEqual([isEmpty, answer.status]);
      }
    });

    it('exists for every call in the table of calls', () => {
      const recorded = new Set(requests.map(({ method, call }) => `${method} ${call}`));
      const served = calls.filter(({ served }) => served !== 'pending').map(nameOf);
      expect(served.filter((name) => !recorded.has(name))).toEqual([]);
      expect([...recorded].filter((name) => !served.includes(name))).toEqual([]);
    });

    it('belongs to a route in the OpenAPI document, and every SDK route there is in the table of calls', () => {
      const documented = Object.entries(server.document.paths).flatMap(([path, operations]) =>
        Object.entries(operations as Record<string, { tags?: string[] }>)
          .filter(([, { tags }]) => tags?.some((tag) => ['SDK', 'Signed-in customers'].includes(tag)))
          .map(([method]) => nameOf({ method: method.toUpperCase(), path })),
      );
      const names = calls.map(nameOf);
      expect(documented.filter((name) => !names.includes(name))).toEqual([]);
      const expected = calls.filter(
        ({ served, path }) => served !== 'pending' && served !== 'none' && !path.startsWith('/.'),
      );
      expect(expected.map(nameOf).filter((name) => !documented.includes(name))).toEqual([]);
    });

    it('has a preflight that lets its headers through', async () => {
      const asked = 'authorization,content-type,x-is-sandbox,x-platform,x-version';
      for (const { method, url } of requests) {
        const answer = await fetch(server.baseUrl + url, {
          method: 'OPTIONS',
          headers: { 'access-control-request-headers': asked, 'access-control-request-method': method },
        });
        expect([url, answer.status, answer.headers.get('access-control-allow-headers')]).toEqual([
          url,
          204,
          asked,
        ]);
      }
    });
  });

  it('serves the published container of the remote configuration, byte for byte', async () => {
    const answer = await fetch(`${server.baseUrl}/v1/config/app`, {
      method: 'POST',
      headers: { ...sdkHeaders.iOS, authorization: `Bearer ${store.publicKey}` },
      body: '{}',
    });
    expect(answer.headers.get('content-type')).toBe('application/x-rc-format');
    expect(Buffer.from(await answer.arrayBuffer()).toString('base64')).toBe(
      'UkMBAAAAAAAouSKTk1q/ylWZVoPb8+x++48VRGAdM2hZAAAAAAAAAHsiZG9tYWluIjoiYXBwIiwibWFuaWZlc3QiOiJ2MS5lbXB0eSIsImFjdGl2' +
        'ZV90b3BpY3MiOltdLCJwcmVmZXRjaF9ibG9icyI6W10sInRvcGljcyI6e319AAAAAAAAAA==',
    );
    const other = await store.sdk.post('/v1/config/other', {});
    expect([other.status, other.body.code]).toEqual([404, 7259]);
  });

  it('tags of cacheable answers differ between apps that get the same answer', async () => {
    const app = { name: 'Twin', type: 'test_store' };
    const { body: twin } = await store.backend.post(`${store.path}/apps`, app);
    const { body: keys } = await store.backend.get(`${store.path}/apps/${twin.id}/public_api_keys`);
    const other = server.http.withKey(keys.items[0].key);
    for (const path of ['/v1/customercenter/tagged', '/v1/subscribers/tagged/virtual_currencies']) {
      const [one, two] = [await store.sdk.get(path), await other.get(path)];
      expect([path, one.text]).toEqual([path, two.text]);
      const tag = one.headers['x-revenuecat-etag'] ?? '';
      expect(tag).toMatch(/^[0-9a-f]{16}$/);
      expect(two.headers['x-revenuecat-etag']).not.toBe(tag);
      const held = { 'x-revenuecat-etag': tag };
      expect([(await store.sdk.get(path, held)).status, (await other.get(path, held)).status]).toEqual([
        304, 200,
      ]);
    }
  });

  describe('customer info', () => {
    it('keeps the device of the receipt that created the customer, and later news of it', async () => {
      await buy('device', {}, { ...sdkHeaders.iOS });
      expect((await customer('device')).body).toMatchObject({
        last_seen_platform: 'iOS',
        last_seen_platform_version: 'Version 18.1 (Build 22B83)',
        last_seen_app_version: '2.4.0',
        last_seen_country: 'DE',
      });
      await buy('device', {}, { ...sdkHeaders.iOS, 'x-client-version': '2.5.0', 'x-storefront': 'nowhere' });
      await server.app.get(LastSeenRecorder).flush();
      expect((await customer('device')).body).toMatchObject({
        last_seen_app_version: '2.5.0',
        last_seen_country: 'DE',
      });
    });

    it.each([
      ['attributes', { attributes: { level: { value: '3', updated_at_ms: 6 } } }],
      ['attribution', { network: 1, data: { campaign: 'May' } }],
      ['adservices_attribution', { aad_attribution_token: 'token-3' }],
    ])(
      'keeps the device of %s that are the first word of a customer, and later news of it',
      async (call, body) => {
        const [seen, hideFromPlanner] = [`first-${call}`, `backend-${call}`];
        const path = (id: string): string => `/v1/subscribers/${id}/${call}`;
        const device = { 'x-platform': 'iOS', 'x-client-version': '1.0', 'x-storefront': 'DEU' };
        await store.sdk.post(path(seen), body, device);
        expect((await customer(seen)).body).toMatchObject({
          last_seen_at: server.clock.nowMs(),
          last_seen_platform: 'iOS',
          last_seen_app_version: '1.0',
          last_seen_country: 'DE',
        });
        await store.sdk.post(path(seen), body, { ...device, 'x-client-version': '1.1' });
        await server.app.get(LastSeenRecorder).flush();
        expect((await customer(seen)).body.last_seen_app_version).toBe('1.1');
        expect((await store.backend.post(path(hideFromPlanner), body, device)).status).toBe(200);
        expect((await customer(hideFromPlanner)).body).toMatchObject({
          last_seen_at: null,
          last_seen_platform: null,
        });
      },
    );

    it('keeps the attribution token of a receipt, whether the receipt is taken or not', async () => {
      const tokenOf = async (appUserId: string): Promise<unknown> => {
        const rows = await server.dataSource.query<{ token: string | null }[]>(
          `SELECT c.adservices_token AS token FROM customers c
           JOIN customer_aliases a ON a.project_id = c.project_id AND a.customer_id = c.id
           WHERE a.project_id = $1 AND a.app_user_id = $2`,
          [store.projectId, appUserId],
        );
        return rows[0]?.token;
      };
      expect((await buy('attributed', { aad_attribution_token: 'token-1' })).status).toBe(200);
      expect(await tokenOf('attributed')).toBe('token-1');
      const forged = { fetch_token: 'forged', aad_attribution_token: 'token-2' };
      expect((await buy('refused', forged)).status).toBe(400);
      expect(await tokenOf('refused')).toBe('token-2');
      for (const none of [null, 7, '', 'a\0b', 'x'.repeat(10_001)]) {
        expect((await buy('attributed', { aad_attribution_token: none })).status).toBe(200);
      }
      expect(await tokenOf('attributed')).toBe('token-1');
    });

    it('takes the country of a purchase from the receipt, else from the storefront, in two letters', async () => {
      const countryOf = async (appUserId: string) =>
        (await customer(appUserId, '/subscriptions')).body.items[0].country;
      await buy('alpha-3', { store_country: 'USA' }, { 'x-storefront': 'DEU' });
      await buy('storefront', {}, { 'x-storefront': 'DEU' });
      await buy('amazon-device', {}, { marketplace: 'GB' });
      await buy('no-country', { store_country: 'Atlantis' });
      expect([
        await countryOf('alpha-3'),
        await countryOf('storefront'),
        await countryOf('amazon-device'),
      ]).toEqual(['US', 'DE', 'GB']);
      expect(await countryOf('no-country')).toBeNull();
    });

    it('marks every Test Store purchase as sandbox, whatever X-Is-Sandbox and X-Platform say', async () => {
      const answer = await buy('sandbox', {}, { 'x-is-sandbox': 'false', 'x-platform': 'android' });
      expect(answer.body.subscriber.subscriptions.pro_monthly).toMatchObject({
        is_sandbox: true,
        store: 'test_store',
      });
    });

    it('shows no price in a currency that does not exist', async () => {
      const known = await buy('known-currency', { price: '9.99', currency: 'chf' });
      expect(known.body.subscriber.subscriptions.pro_monthly.price).toEqual({
        amount: 9.99,
        currency: 'CHF',
      });
      const unknown = await buy('unknown-currency', { price: '1.11', currency: 'QQQ' });
      expect(unknown.body.subscriber.subscriptions.pro_monthly.price).toEqual({
        amount: 9.99,
        currency: 'USD',
      });
    });

    it.each([
      ['store_country', 5],
      ['store_country', 'x'.repeat(2000)],
      ['currency', 7],
      ['currency', ['USD']],
      ['presented_offering_identifier', 7],
      ['presented_offering_identifier', 'x'.repeat(2000)],
      ['store_user_id', {}],
      ['app_transaction', 1],
      ['price', {}],
      ['price', 'dear'],
      ['attributes', 'none'],
      ['is_restore', 'no'],
      ['product_ids', 'pro'],
      ['product_ids', [5]],
    ])('records a purchase whose %s is %j', async (field, value) => {
      const answer = await buy(`hint ${field} ${JSON.stringify(value).slice(0, 9)}`, { [field]: value });
      expect(answer.status).toBe(200);
      expect(Object.keys(answer.body.subscriber.subscriptions)).toEqual(['pro_monthly']);
    });

    it('takes what costs up to a thousand million units for that, and more for unknown', async () => {
      const prices: unknown[] = [];
      for (const price of [10_000_000.01, '25000000', 999_999_999.99, 1e9, 1_000_000_001, '1e300']) {
        const { body } = await buy(`dear ${price}`, { price, currency: 'IDR' });
        prices.push(body.subscriber.subscriptions.pro_monthly.price);
      }
      expect(prices).toEqual([
        { amount: 10_000_000.01, currency: 'IDR' },
        { amount: 25_000_000, currency: 'IDR' },
        { amount: 999_999_999.99, currency: 'IDR' },
        { amount: 1_000_000_000, currency: 'IDR' },
        null,
        null,
      ]);
    });

    it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
      'lists one-time purchases of a product called %s',
      async (productId) => {
        const answer = await buy(`named-${productId}`, { product_id: productId });
        const parsed = JSON.parse(answer.text);
        expect(Object.keys(parsed.subscriber.non_subscriptions)).toEqual([productId]);
        expect(Object.keys(parsed.purchased_products)).toEqual([productId]);
      },
    );

    it('lists one-time purchases oldest first, whatever the order they came in', async () => {
      const nowMs = server.clock.nowMs();
      for (const ageMs of [2000, 9000, 5000]) {
        await buy('collector', {
          product_id: 'coins_100',
          fetch_token: `test_${nowMs - ageMs}_age-${ageMs}`,
        });
      }
      const info = await store.sdk.get('/v1/subscribers/collector');
      const tokens = info.body.subscriber.non_subscriptions.coins_100.map(
        (item: Json) => item.store_transaction_id,
      );
      expect(tokens).toEqual([
        `test_${nowMs - 9000}_age-9000`,
        `test_${nowMs - 5000}_age-5000`,
        `test_${nowMs - 2000}_age-2000`,
      ]);
    });

    it.each([
      ['app_store', 'https://apps.apple.com/account/subscriptions'],
      [
        'play_store',
        'https://play.google.com/store/account/subscriptions?sku=pro_monthly&package=com.example.app',
      ],
      ['amazon', 'https://www.amazon.com/gp/mas/your-account/myapps/yoursubscriptions/ref=mas_ya_subs'],
      ['roku', 'https://my.roku.com/account/subscriptions'],
      ['paddle', null],
    ])('leads to the page of %s where the subscription is managed', async (storeName, url) => {
      const id = `manages-${storeName}`;
      await buy(id);
      await server.dataSource.query(
        `UPDATE subscriptions s SET store = $3, app_id = coalesce($4, app_id) FROM customer_aliases a
         WHERE a.project_id = $1 AND a.app_user_id = $2 AND s.project_id = $1 AND s.customer_id = a.customer_id`,
        [store.projectId, id, storeName, apps[storeName]?.id ?? null],
      );
      const changed = `UPDATE customers SET version = version + 1 WHERE project_id = $1 AND original_app_user_id = $2`;
      await server.dataSource.query(changed, [store.projectId, id]);
      const { subscriber } = (await store.sdk.get(`/v1/subscribers/${id}`)).body;
      expect([subscriber.management_url, subscriber.subscriptions.pro_monthly.management_url]).toEqual([
        url,
        url,
      ]);
      server.clock.advanceMs(60 * 86_400_000);
      await server.dataSource.query(changed, [store.projectId, id]);
      expect((await store.sdk.get(`/v1/subscribers/${id}`)).body.subscriber.management_url).toBeNull();
      server.clock.setMs(TEST_START_MS);
    });
  });

  it('leads a customer of several stores to the page of the reader’s store, else of what lasts longest', async () => {
    const id = 'manages-two';
    await buy(id);
    await buy(id, { product_id: 'pro_yearly' });
    const stores = { pro_monthly: 'app_store', pro_yearly: 'play_store' };
    for (const [product, storeName] of Object.entries(stores)) {
      await server.dataSource.query(
        `UPDATE subscriptions SET store = $3, app_id = $4 WHERE project_id = $1 AND store_product_id = $2
           AND customer_id = (SELECT customer_id FROM customer_aliases WHERE project_id = $1 AND app_user_id = $5)`,
        [store.projectId, product, storeName, apps[storeName]?.id, id],
      );
    }
    await server.dataSource.query(
      `UPDATE customers SET version = version + 1 WHERE project_id = $1 AND original_app_user_id = $2`,
      [store.projectId, id],
    );
    const read = async (client: ApiClient, platform: string) => {
      const headers: Record<string, string> = platform === '' ? {} : { 'x-platform': platform };
      const answer = await client.get(`/v1/subscribers/${id}`, headers);
      const { subscriber } = answer.body;
      const urls = ['pro_monthly', 'pro_yearly'].map((name) => subscriber.subscriptions[name].management_url);
      expect(urls).toEqual([apple, google]);
      return { url: subscriber.management_url, etag: answer.headers['x-revenuecat-etag'] };
    };
    const apple = 'https://apps.apple.com/account/subscriptions';
    const google =
      'https://play.google.com/store/account/subscriptions?sku=pro_yearly&package=com.example.app';
    const { backend, sdk } = store;
    const keyOf = (name: string) => server.http.withKey(keys[name] ?? '');
    // Twice: once prepared anew, once as it was kept.
    for (let round = 0; round < 2; round++) {
      expect((await read(backend, 'iOS')).url).toBe(apple);
      expect((await read(backend, 'android')).url).toBe(google);
      expect((await read(backend, 'roku')).url).toBe(google);
      expect((await read(backend, '')).url).toBe(google);
      expect((await read(backend, 'constructor')).url).toBe(google);
      // The key says which store an SDK is of, whatever its header says.
      expect((await read(keyOf('app_store'), 'android')).url).toBe(apple);
      expect((await read(keyOf('play_store'), 'iOS')).url).toBe(google);
      expect((await read(sdk, 'iOS')).url).toBe(google);
    }
    const tags = [await read(backend, 'iOS'), await read(backend, 'android')].map(({ etag }) => etag);
    expect(new Set(tags).size).toBe(2);
  });

  describe('offerings', () => {
    const offerings = async (key: string, headers: Record<string, string> = {}) =>
      (await server.http.withKey(key).get('/v1/subscribers/shopper/offerings', headers)).body;
    let play: Json;

    beforeAll(async () => {
      const old = await product('play_store', 'pro:legacy');
      server.clock.advanceMs(1);
      const newer = await product('play_store', 'pro:monthly');
      play = { old, new: newer, ios: await product('app_store', 'pro_ios') };
      const offering = await store.backend.post(`${store.path}/offerings`, {
        lookup_key: 'stores',
        display_name: 'In the stores',
        metadata: { headline: 'Hi', nested: { list: [1, null, true] } },
      });
      const item = await store.backend.post(`${store.path}/offerings/${offering.body.id}/packages`, {
        lookup_key: '$rc_monthly',
        display_name: 'Monthly',
      });
      const attached = await store.backend.post(
        `${store.path}/packages/${item.body.id}/actions/attach_products`,
        {
          products: [
            { product_id: play.old.id, eligibility_criteria: 'google_sdk_lt_6' },
            { product_id: play.new.id, eligibility_criteria: 'google_sdk_ge_6' },
            { product_id: play.ios.id, eligibility_criteria: 'all' },
          ],
        },
      );
      server.clock.setMs(TEST_START_MS);
      expect(attached.status).toBe(200);
    });

    it('returns exactly the documented fields, with the metadata as it was given', async () => {
      expect(await offerings(keys.app_store ?? '')).toEqual({
        current_offering_id: 'default',
        placements: { fallback_offering_id: 'default', offering_ids_by_placement: {} },
        offerings: [
          { identifier: 'default', description: 'The default', metadata: null, packages: [] },
          {
            identifier: 'stores',
            description: 'In the stores',
            metadata: { headline: 'Hi', nested: { list: [1, null, true] } },
            packages: [{ identifier: '$rc_monthly', platform_product_identifier: 'pro_ios' }],
          },
        ],
      });
    });

    it.each([
      ['5.9.0', 'legacy'],
      ['6.0.0', 'monthly'],
      ['10.17.0', 'monthly'],
    ])('returns the Android SDK %s the base plan %s', async (version, plan) => {
      const body = await offerings(keys.play_store ?? '', { 'x-platform': 'android', 'x-version': version });
      expect(body.offerings[1].packages).toEqual([
        {
          identifier: '$rc_monthly',
          platform_product_identifier: 'pro',
          platform_product_plan_identifier: plan,
        },
      ]);
    });

    it('returns those of the app that X-Platform names, for a secret key', async () => {
      const path = '/v1/subscribers/shopper/offerings';
      const ios = await store.backend.get(path, { 'x-platform': 'iOS' });
      expect(ios.body.offerings[1].packages[0].platform_product_identifier).toBe('pro_ios');
      for (const platform of [undefined, 'toaster']) {
        const refused = await store.backend.get(path, platform ? { 'x-platform': platform } : {});
        expect([refused.status, refused.body.code]).toEqual([400, 7000]);
      }
    });

    it('tells different apps apart by their tags', async () => {
      const tag = async (key: string, held = '') =>
        server.http.withKey(key).get('/v1/subscribers/shopper/offerings', { 'x-revenuecat-etag': held });
      const first = await tag(keys.app_store ?? '');
      const held = first.headers['x-revenuecat-etag'] ?? '';
      expect((await tag(keys.app_store ?? '', held)).status).toBe(304);
      expect((await tag(keys.play_store ?? '', held)).status).toBe(200);
    });

    it('includes what each product unlocks, for times without a connection', async () => {
      await store.backend.post(
        `${store.path}/entitlements/${store.entitlements.pro.id}/actions/attach_products`,
        {
          product_ids: [play.new.id, play.ios.id],
        },
      );
      const mapping = async (key: string) =>
        (await server.http.withKey(key).get('/v1/product_entitlement_mapping')).body
          .product_entitlement_mapping;
      const legacy = { product_identifier: 'pro', base_plan_id: 'legacy', entitlements: [] };
      expect(await mapping(keys.play_store ?? '')).toEqual({
        pro: legacy,
        'pro:legacy': legacy,
        'pro:monthly': { product_identifier: 'pro', base_plan_id: 'monthly', entitlements: ['pro'] },
      });
      expect(await mapping(keys.app_store ?? '')).toEqual({
        pro_ios: { product_identifier: 'pro_ios', entitlements: ['pro'] },
      });
      expect(await mapping(keys.amazon ?? '')).toEqual({});
    });

    it("accepts an app that is newer than a replica's catalog", async () => {
      const old = await server.app.get(CatalogService).get(store.projectId);
      const made = await store.backend.post(`${store.path}/apps`, { name: 'New', type: 'test_store' });
      const shown = await store.backend.get(`${store.path}/apps/${made.body.id}/public_api_keys`);
      const sdk = server.http.withKey(shown.body.items[0].key);
      const load = jest.spyOn(server.app.get(CatalogRepository), 'load').mockResolvedValueOnce(old);
      const answer = await sdk.post('/v1/receipts', {
        app_user_id: 'early-bird',
        fetch_token: `test_${server.clock.nowMs()}_early`,
        product_id: 'coins',
      });
      expect([answer.status, load.mock.calls.length]).toEqual([200, 2]);
      load.mockRestore();
      expect((await offerings(shown.body.items[0].key)).offerings).toHaveLength(2);
    });
  });

  describe('offers of the App Store', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const sign = (appUserId: string, headers: Record<string, string> = {}, key = keys.app_store ?? '') =>
      server.http
        .withKey(key)
        .post(
          '/v1/offers',
          { app_user_id: appUserId, generate_offers: [{ offer_id: 'winter', product_id: 'pro_ios' }] },
          headers,
        );
    const subscriber = async (appUserId: string, body: object = {}) => {
      await buy(appUserId, body);
      await server.dataSource.query(
        `UPDATE subscriptions s SET app_id = $3 FROM customer_aliases a
         WHERE a.project_id = $1 AND a.app_user_id = $2 AND s.project_id = $1 AND s.customer_id = a.customer_id`,
        [store.projectId, appUserId, apps.app_store.id],
      );
    };
    const setKey = (pem: string) =>
      store.backend.post(`${store.path}/apps/${apps.app_store.id}`, {
        app_store: { subscription_private_key: pem, subscription_key_id: 'KEY1234567' },
      });

    it('needs a usable key, a subscription of the customer, and an app of that store', async () => {
      const codeOf = async (...args: Parameters<typeof sign>) => {
        const answer = await sign(...args);
        return [answer.status, answer.body.code];
      };
      expect(await codeOf('offered', {}, store.publicKey)).toEqual([400, 7000]);
      expect(await codeOf('offered')).toEqual([400, 7234]);
      await setKey('a PEM');
      expect(await codeOf('offered')).toEqual([400, 7232]);
      await subscriber('offered');
      expect(await codeOf('offered')).toEqual([400, 7234]);
    });

    it.each([
      ['offered', '1', 'offered'],
      ['offered', '2', ''],
      ['8F14E45F-CEEA-467F-A8F5-5F1C3F9D3B11', '2', '8f14e45f-ceea-467f-a8f5-5f1c3f9d3b11'],
    ])('signs them for %s of StoreKit %s, to be bought as %j', async (appUserId, version, username) => {
      await setKey(privateKey.export({ format: 'pem', type: 'pkcs8' }).toString());
      await subscriber(appUserId);
      const answer = await sign(appUserId, { 'x-storekit-version': version });
      const [offer] = answer.body.offers;
      expect(offer).toEqual({
        key_id: 'KEY1234567',
        offer_id: 'winter',
        product_id: 'pro_ios',
        signature_data: {
          nonce: expect.stringMatching(/^[0-9a-f-]{36}$/),
          signature: expect.any(String),
          timestamp: server.clock.nowMs(),
        },
        signature_error: null,
      });
      const { nonce, timestamp, signature } = offer.signature_data;
      const parts = ['com.example.app', 'KEY1234567', 'pro_ios', 'winter', username, nonce, timestamp];
      expect(
        verify(
          'sha256',
          Buffer.from(parts.join('\u2063')),
          createPublicKey(privateKey),
          Buffer.from(signature, 'base64'),
        ),
      ).toBe(true);
    });

    it('offers them first to customers who had none, and as unknown where the group may be used up', async () => {
      await product('app_store', 'other_ios');
      await store.backend.post(`${store.path}/products`, {
        store_identifier: 'tried',
        app_id: store.appId,
        type: 'subscription',
        subscription: { duration: 'P1M', trial_duration: 'P1W' },
      });
      await subscriber('tried', { product_id: 'tried' });
      await product('app_store', 'tried');
      const eligible = async (appUserId: string) =>
        (
          await server.http
            .withKey(keys.app_store ?? '')
            .post(`/v1/subscribers/${appUserId}/intro_eligibility`, {
              product_identifiers: ['tried', 'other_ios', 'unknown'],
              fetch_token: 'MIIT',
            })
        ).body;
      expect(await eligible('tried')).toEqual({ tried: false, other_ios: null, unknown: null });
      expect(await eligible('fresh')).toEqual({ tried: true, other_ios: true, unknown: null });
      const nowMs = server.clock.nowMs();
      const imported = {
        app_id: apps.app_store.id,
        store: 'app_store',
        product_identifier: 'tried',
        status: 'trialing',
        starts_at: nowMs - 1000,
        current_period_starts_at: nowMs - 1000,
        current_period_ends_at: nowMs + 1000,
        original_transaction_id: '4711',
      };
      const customers = [{ id: 'moved', subscriptions: [imported] }];
      expect((await store.backend.post(`${store.path}/import/customers`, { customers })).status).toBe(200);
      expect(await eligible('moved')).toEqual({ tried: false, other_ios: null, unknown: null });
    });

    const tooMany = Array.from({ length: 51 }, () => ({ offer_id: 'x', product_id: 'y' }));

    it.each([
      ['/v1/offers', { app_user_id: 'a', generate_offers: 'x' }, 7226],
      ['/v1/offers', { app_user_id: 'a', generate_offers: [{ offer_id: 'x' }] }, 7226],
      ['/v1/offers', { app_user_id: 'a', generate_offers: tooMany }, 7226],
      ['/v1/offers', { app_user_id: '', generate_offers: [] }, 7220],
      ['/v1/offers', [], 7226],
      ['/v1/subscribers/a/intro_eligibility', { product_identifiers: [5] }, 7226],
      ['/v1/subscribers/a/intro_eligibility', {}, 7226],
      ['/v1/subscribers/null/intro_eligibility', { product_identifiers: [] }, 7220],
    ])('refuses unreadable input for %s (%#)', async (path, body, code) => {
      const answer = await server.http.withKey(keys.app_store ?? '').post(path, body);
      expect([answer.status, answer.body.code]).toEqual([400, code]);
    });
  });

  describe('support calls', () => {
    it('accepts any events up to 1 MiB, even invalid JSON, and refuses more for good', async () => {
      const post = (path: string, body: string) =>
        store.sdk.send('POST', path, body, { 'content-type': 'application/json' });
      for (const path of ['/v1/events', '/v1/diagnostics']) {
        for (const body of ['', '{', '[]', '"x"', 'x'.repeat(1024 * 1024)]) {
          const answer = await post(path, body);
          expect([answer.status, answer.text]).toEqual([200, '{}']);
        }
        const large = await post(path, 'x'.repeat(1024 * 1024 + 1));
        expect([large.status, large.body.code]).toEqual([413, 7226]);
      }
    });

    it('names the app in the checkout dialog and in the health report', async () => {
      const branding = async (key: string) =>
        (await server.http.withKey(key).get('/rcbilling/v1/branding')).body;
      expect(await branding(keys.rc_billing ?? '')).toEqual({
        id: apps.rc_billing.id,
        app_name: 'Shown name',
        app_icon: null,
        app_icon_webp: null,
        app_wordmark: null,
        app_wordmark_webp: null,
        appearance: null,
        support_email: 'help@example.com',
        gateway_tax_collection_enabled: false,
        brand_font_config: null,
      });
      expect(await branding(store.publicKey)).toMatchObject({ app_name: 'Test app', support_email: null });
      expect((await store.sdk.get('/v1/subscribers/anybody/health_report')).body).toEqual({
        status: 'passed',
        project_id: store.projectId,
        app_id: store.appId,
        checks: [],
      });
    });

    it('says which part is missing for an Amazon receipt', async () => {
      const get = (key: string) => server.http.withKey(key).get('/v1/receipts/amazon/user/receipt');
      expect((await get(store.publicKey)).body.code).toBe(7000);
      expect((await get(keys.amazon ?? '')).body.code).toBe(7104);
    });
  });

  describe('the database is asked', () => {
    const get = (path: string, headers: Record<string, string> = {}) => store.sdk.get(path, headers);

    it('runs once for customer info, even if the answer is a 304', async () => {
      const path = '/v1/subscribers/counted';
      await get(path);
      const first = await get(path);
      const held = { 'x-revenuecat-etag': first.headers['x-revenuecat-etag'] ?? '' };
      expect(await statementsOf(server, () => get(path))).toEqual(['snapshots.read_many']);
      expect(await statementsOf(server, () => get(path, held))).toEqual(['snapshots.read_many']);
      const together = await statementsOf(server, () =>
        Promise.all(Array.from({ length: 20 }, () => get(path))),
      );
      expect(new Set(together)).toEqual(new Set(['snapshots.read_many']));
      expect(together.length).toBeLessThanOrEqual(20);
    });

    it.each([
      '/v1/subscribers/counted/offerings',
      '/rcbilling/v1/subscribers/counted/products?id=pro_monthly',
      '/v1/product_entitlement_mapping',
      '/v1/health',
    ])('never for %s once the catalog is known', async (path) => {
      const first = await get(path);
      const held = { 'x-revenuecat-etag': first.headers['x-revenuecat-etag'] ?? '' };
      expect(await statementsOf(server, () => get(path))).toEqual([]);
      expect(await statementsOf(server, () => get(path, held))).toEqual([]);
    });

    it("reads the support address of a customer center by the project's id", async () => {
      const statements = await statementsOf(server, () => get('/v1/customercenter/counted'));
      expect(statements).toEqual([expect.stringContaining('"redemption_settings"')]);
    });

    it('writes last_seen at most every five minutes', async () => {
      const WRITE = 'customers.update_last_seen';
      const flush = () => server.app.get(LastSeenRecorder).flush();
      await flush();
      const reads = async () => {
        await get('/v1/subscribers/counted');
        await flush();
      };
      expect(await statementsOf(server, reads, [WRITE])).toEqual(['snapshots.read_many']);
      server.clock.advanceMs(5 * 60_000);
      expect(await statementsOf(server, reads, [WRITE])).toEqual(['snapshots.read_many', WRITE]);
      expect(await statementsOf(server, reads, [WRITE])).toEqual(['snapshots.read_many']);
      expect((await customer('counted')).body.last_seen_at).toBe(server.clock.nowMs());
      server.clock.setMs(TEST_START_MS);
    });
  });
});
