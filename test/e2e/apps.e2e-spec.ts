import { credentialPlace } from '../../src/catalog/apps/secret-places.js';
import { SecretsService } from '../../src/platform/secrets/secrets.service.js';
import { createSecretKey } from '../support/arrange.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import type { Answer, Json } from '../support/api-client.js';
import { walkList } from '../support/walk-list.js';
import { otherShop, shop } from '../support/world.js';

const idOf = ({ id }: { id: string }): string => id;

/** The reason in an answer of status 400 to 422. */
const problem = ({ status, body }: Answer) => [status, body.type, body.param];

describe('apps', () => {
  const store = shop();
  let foreign: TestStore;

  beforeAll(async () => {
    foreign = await otherShop(store);
  });

  const post = (path: string, body?: unknown) => store.backend.post(store.path + path, body);
  const get = (path: string) => store.backend.get(store.path + path);

  /** Creates something and gives its body. */
  const made = async (path: string, body: object): Promise<Json> => {
    const answer = await post(path, body);
    expect(answer.status).toBe(201);
    return answer.body;
  };

  it('has a public key with the prefix of their store, for SDKs only', async () => {
    const { body } = await post('/apps', { name: 'Another', type: 'test_store' });
    expect(body).toEqual({
      object: 'app',
      id: expect.stringMatching(/^app[0-9a-z]{10}$/),
      name: 'Another',
      created_at: store.clock.nowMs(),
      type: 'test_store',
      project_id: store.projectId,
      custom_url_scheme: expect.stringMatching(/^rc-[0-9a-f]{10}$/),
      test_store: { renewal_mode: 'real', max_renewals: 5 },
    });
    expect((await get(`/apps/${body.id}`)).body).toEqual(body);
    const [key] = (await get(`/apps/${body.id}/public_api_keys`)).body.items;
    expect(key).toEqual({
      object: 'public_api_key',
      id: `pk_${body.id}`,
      key: expect.stringMatching(/^test_[A-Za-z0-9]{32}$/),
      environment: 'sandbox',
      app_id: body.id,
      created_at: store.clock.nowMs(),
    });
    expect((await store.server.http.withKey(key.key).get('/v1/subscribers/a/offerings')).status).toBe(200);
  });

  it.each([
    [{ type: 'test_store' }, 'name'],
    [{ name: '', type: 'test_store' }, 'name'],
    [{ name: 'x'.repeat(256), type: 'test_store' }, 'name'],
    [{ name: 'x\0', type: 'test_store' }, 'name'],
    [{ name: 5, type: 'test_store' }, 'name'],
    [{ name: 'x' }, 'type'],
    [{ name: 'x', type: 'moon_store' }, 'type'],
    [{ name: 'x', type: 'app_store' }, 'app_store'],
    [{ name: 'x', type: 'app_store', app_store: null }, 'app_store'],
    [{ name: 'x', type: 'app_store', app_store: {} }, 'app_store.bundle_id'],
    [{ name: 'x', type: 'mac_app_store', mac_app_store: {} }, 'mac_app_store.bundle_id'],
    [{ name: 'x', type: 'play_store', play_store: {} }, 'play_store.package_name'],
    [{ name: 'x', type: 'amazon', amazon: {} }, 'amazon.package_name'],
    [{ name: 'x', type: 'rc_billing', rc_billing: {} }, 'rc_billing.app_name'],
    [{ name: 'x', type: 'test_store', app_store: { bundle_id: 'a' } }, 'app_store'],
    [{ name: 'x', type: 'stripe', roku: {} }, 'roku'],
    [{ name: 'x', type: 'stripe', test_store: {} }, 'test_store'],
    [{ name: 'x', type: 'stripe', stripe: 'acct_1' }, 'stripe'],
  ])('refuses %j naming %s', async (body, param) => {
    expect(problem(await post('/apps', body))).toEqual([400, 'parameter_error', param]);
  });

  it.each([
    ['app_store', { shared_secret: 'x'.repeat(31) }, 'shared_secret'],
    ['app_store', { subscription_private_key: 'x'.repeat(4501) }, 'subscription_private_key'],
    ['app_store', { subscription_key_id: 'x'.repeat(33) }, 'subscription_key_id'],
    ['app_store', { subscription_key_issuer: 'x'.repeat(37) }, 'subscription_key_issuer'],
    ['app_store', { app_store_connect_vendor_number: '' }, 'app_store_connect_vendor_number'],
    ['app_store', { app_apple_id: 'six' }, 'app_apple_id'],
    ['app_store', { app_apple_id: 0.5 }, 'app_apple_id'],
    ['app_store', { track_new_purchases: 'yes' }, 'track_new_purchases'],
    ['app_store', { notification_forward_url: 'ftp://example.com' }, 'notification_forward_url'],
    ['play_store', { package_name: 'x'.repeat(257) }, 'package_name'],
    [
      'play_store',
      { play_service_account_credentials_json: 'no JSON' },
      'play_service_account_credentials_json',
    ],
    ['play_store', { play_service_account_credentials_json: ['a'] }, 'play_service_account_credentials_json'],
    ['rc_billing', { default_currency: 'XXX' }, 'default_currency'],
    ['roku', { roku_channel_id: '12345678901' }, 'roku_channel_id'],
    ['roku', { roku_channel_id: '12x' }, 'roku_channel_id'],
    ['roku', { roku_api_key: 'x'.repeat(31) }, 'roku_api_key'],
    ['roku', { roku_api_key: 'x'.repeat(65) }, 'roku_api_key'],
    ['roku', { roku_api_key: `${'x'.repeat(35)}/` }, 'roku_api_key'],
    ['roku', { allow_test_notifications: 'yes' }, 'allow_test_notifications'],
    ['paddle', { paddle_api_key: 'x'.repeat(49) }, 'paddle_api_key'],
    ['paddle', { paddle_is_sandbox: 1 }, 'paddle_is_sandbox'],
    [
      'paddle',
      { paddle_api_key: `pdl_live_${'p'.repeat(50)}`, paddle_is_sandbox: true },
      'paddle_is_sandbox',
    ],
    ['paddle', { app_user_id_source: 'metadata' }, 'app_user_id_source'],
    ['test_store', { renewal_mode: 'monthly' }, 'renewal_mode'],
    ['test_store', { max_renewals: 0 }, 'max_renewals'],
    ['test_store', { max_renewals: 101 }, 'max_renewals'],
    ['test_store', { max_renewals: 1.5 }, 'max_renewals'],
  ])('refuses for %s %j', async (type, change, field) => {
    const needed = { bundle_id: 'com.example', package_name: 'com.example', app_name: 'Example' };
    const body = { name: 'x', type, [type]: { ...needed, ...change } };
    expect(problem(await post('/apps', body))).toEqual([400, 'parameter_error', `${type}.${field}`]);
  });

  it.each([
    [
      'app_store',
      'appl_',
      { bundle_id: 'com.example.app', app_store_connect_vendor_number: '8765', app_apple_id: '6443' },
      { shared_secret: 's'.repeat(32), subscription_private_key: 'a PEM', xcode_certificate: 'a PEM' },
      {
        bundle_id: 'com.example.app',
        app_store_connect_api_key_configured: false,
        subscription_key_configured: false,
        app_store_connect_vendor_number: '8765',
      },
    ],
    [
      'mac_app_store',
      'mac_',
      { bundle_id: 'com.example.mac' },
      { shared_secret: 's'.repeat(32) },
      { bundle_id: 'com.example.mac' },
    ],
    [
      'play_store',
      'goog_',
      { package_name: 'com.example.app', pubsub_audience: 'tenure', track_new_purchases: true },
      { play_service_account_credentials_json: '{"client_email":"a@example.com"}' },
      { package_name: 'com.example.app', play_service_account_credentials_configured: true },
    ],
    [
      'amazon',
      'amzn_',
      { package_name: 'com.example.fire' },
      { shared_secret: 'amazon secret' },
      { package_name: 'com.example.fire' },
    ],
    [
      'stripe',
      'strp_',
      { stripe_account_id: 'acct_1' },
      { stripe_secret_key: 'rk_live_1', stripe_webhook_secret: 'whsec_1' },
      { stripe_account_id: 'acct_1', require_secret_key_for_receipts: false },
    ],
    [
      'rc_billing',
      'rcb_',
      { app_name: 'Shown', default_currency: 'EUR', support_email: 'help@example.com' },
      {},
      {
        stripe_account_id: null,
        seller_company_name: 'Shown',
        app_name: 'Shown',
        support_email: 'help@example.com',
        default_currency: 'EUR',
      },
    ],
    [
      'roku',
      'roku_',
      { roku_channel_id: '123456', roku_channel_name: 'History' },
      { roku_api_key: 'r'.repeat(36) },
      { roku_channel_id: '123456', roku_channel_name: 'History' },
    ],
    [
      'paddle',
      'pdl_',
      { app_user_id_source: 'anonymous', app_user_id_custom_data_key: 'user' },
      { paddle_api_key: `pdl_sdbx_${'p'.repeat(50)}`, paddle_webhook_secret: 'pdl_ntfset_1' },
      {
        paddle_is_sandbox: true,
        paddle_api_key: null,
        app_user_id_source: 'anonymous',
        app_user_id_custom_data_key: 'user',
        require_secret_key_for_receipts: false,
      },
    ],
  ])(
    'shows settings of type %s and encrypts its credentials',
    async (type, prefix, settings, credentials, shown) => {
      const app = await made('/apps', { name: 'Store app', type, [type]: { ...settings, ...credentials } });
      expect(app).toEqual({
        object: 'app',
        id: expect.any(String),
        name: 'Store app',
        created_at: store.clock.nowMs(),
        type,
        project_id: store.projectId,
        custom_url_scheme: expect.any(String),
        [type]: shown,
      });
      expect((await get(`/apps/${app.id}`)).body).toEqual(app);
      const [key] = (await get(`/apps/${app.id}/public_api_keys`)).body.items;
      expect([key.key.slice(0, prefix.length), key.environment]).toEqual([prefix, 'production']);
      const [row] = await store.server.dataSource.query(
        'SELECT store_settings, sealed_credentials FROM apps WHERE project_id = $1 AND id = $2',
        [store.projectId, app.id],
      );
      expect(row.store_settings).toMatchObject(settings);
      const opened = Object.entries(row.sealed_credentials as Record<string, string>).map(
        ([name, sealed]) => {
          expect(sealed).toMatch(/^v1\./);
          const place = credentialPlace(store.projectId, app.id, name as 'shared_secret');
          return [name, store.server.app.get(SecretsService).open(sealed, place)];
        },
      );
      expect(Object.fromEntries(opened)).toEqual(credentials);
    },
  );

  it('creates apps without an object for stores that need nothing', async () => {
    const shown = {
      stripe: { stripe_account_id: null },
      rc_billing: {
        stripe_account_id: null,
        seller_company_name: 'Bare',
        app_name: 'Bare',
        support_email: null,
        default_currency: 'USD',
      },
      roku: { roku_channel_id: null, roku_channel_name: null },
      paddle: {
        paddle_is_sandbox: false,
        paddle_api_key: null,
        app_user_id_source: 'custom_data',
        app_user_id_custom_data_key: 'app_user_id',
        require_secret_key_for_receipts: false,
      },
    };
    for (const [type, object] of Object.entries(shown)) {
      const nothing = type === 'stripe' ? {} : { [type]: null };
      expect(await made('/apps', { name: 'Bare', type, ...nothing })).toMatchObject({ [type]: object });
    }
  });

  it('stores how Test Store subscriptions renew; null restores the default', async () => {
    const object = { renewal_mode: 'accelerated', max_renewals: 100 };
    const app = await made('/apps', { name: 'Test', type: 'test_store', test_store: object });
    expect(app.test_store).toEqual(object);
    const change = async (test_store: object | null): Promise<Json> =>
      (await post(`/apps/${app.id}`, { test_store })).body.test_store;
    expect(await change({ max_renewals: 1 })).toEqual({ ...object, max_renewals: 1 });
    expect(await change(null)).toEqual({ ...object, max_renewals: 1 });
    store.clock.advanceMs(1);
    expect(await change({ renewal_mode: null, max_renewals: null })).toEqual({
      renewal_mode: 'real',
      max_renewals: 5,
    });
    expect((await get(`/apps/${app.id}`)).body.test_store.renewal_mode).toBe('real');
    const [row] = (await get('/audit_logs?limit=1')).body.items;
    expect(row.additional_data.changed_fields).toEqual([
      'store_settings.max_renewals',
      'store_settings.renewal_mode',
    ]);
  });

  it('changes what is given: null removes, the rest stays', async () => {
    const key = { subscription_private_key: 'k', subscription_key_id: 'i', subscription_key_issuer: 's' };
    const app = await made('/apps', {
      name: 'Before',
      type: 'app_store',
      app_store: { bundle_id: 'com.example.before', app_store_connect_vendor_number: '1', ...key },
    });
    expect(app.app_store.subscription_key_configured).toBe(true);
    const change = async (body: object): Promise<Json> => (await post(`/apps/${app.id}`, body)).body;
    expect(await change({})).toEqual(app);
    expect(await change({ name: 'After' })).toEqual({ ...app, name: 'After' });
    const bundle = await change({ app_store: { bundle_id: 'com.example.after' } });
    expect(bundle.app_store).toEqual({ ...app.app_store, bundle_id: 'com.example.after' });
    const removed = { subscription_key_id: null, app_store_connect_vendor_number: null };
    expect((await change({ app_store: removed })).app_store).toMatchObject({
      subscription_key_configured: false,
      app_store_connect_vendor_number: null,
    });
    const again = await change({ app_store: { subscription_key_id: 'j' } });
    expect(again.app_store.subscription_key_configured).toBe(true);
    for (const [body, param] of [
      [{ name: '' }, 'name'],
      [{ app_store: { bundle_id: null } }, 'app_store.bundle_id'],
      [{ play_store: { package_name: 'com.example' } }, 'play_store'],
    ] as const) {
      expect(problem(await post(`/apps/${app.id}`, body))).toEqual([400, 'parameter_error', param]);
    }
  });

  it.each([
    ['app_store', { bundle_id: 'com.example' }, 'small_business_since', 1_704_067_200_000, [-1, 1.5, '2024']],
    ['amazon', { package_name: 'com.example' }, 'small_business_since', 0, [true]],
    ['play_store', { package_name: 'com.example' }, 'one_time_rate', 0.3, [-0.1, 1.1, '0.3']],
    ['stripe', {}, 'commission_rate', 0.029, [2]],
    ['paddle', {}, 'commission_rate', 0, [-1]],
    ['roku', {}, 'commission_rate', 1, ['all']],
    ['rc_billing', { app_name: 'Web' }, 'commission_rate', 0.01, [100]],
  ])('stores the commission agreement of type %s', async (type, needed, name, value, refused) => {
    const app = await made('/apps', { name: 'Agreed', type, [type]: { ...needed, [name]: value } });
    const settings = async (): Promise<Json> => (await get(`/apps/${app.id}/store_settings`)).body;
    expect((await settings())[name]).toBe(value);
    for (const wrong of refused) {
      const answer = await post(`/apps/${app.id}`, { [type]: { [name]: wrong } });
      expect(problem(answer)).toEqual([400, 'parameter_error', `${type}.${name}`]);
    }
    expect((await post(`/apps/${app.id}`, { [type]: { [name]: null } })).status).toBe(200);
    expect((await settings())[name]).toBeNull();
  });

  it('forwards notifications until the URL is cleared', async () => {
    const app = await made('/apps', {
      name: 'Forwarding',
      type: 'play_store',
      play_store: {
        package_name: 'com.example',
        notification_forward_url: 'https://example.com/notifications',
        play_service_account_credentials_json: { client_email: 'a@example.com' },
      },
    });
    const settings = async (): Promise<Json> =>
      (await store.server.dataSource.query('SELECT store_settings AS s FROM apps WHERE id = $1', [app.id]))[0]
        .s;
    expect((await settings()).notification_forward_url).toBe('https://example.com/notifications');
    expect(app.play_store.play_service_account_credentials_configured).toBe(true);
    await post(`/apps/${app.id}`, { play_store: { notification_forward_url: '' } });
    expect(await settings()).toEqual({ package_name: 'com.example' });
  });

  it('refuses a field of the store object at the top level, and the other way round', async () => {
    const body = { name: 'Misplaced', type: 'play_store', play_store: { package_name: 'com.example' } };
    const app = await made('/apps', body);
    const url = 'https://example.com/notifications';
    const placed = { ...body, play_store: { ...body.play_store, name: 'Inside' } };
    for (const [path, sent, param] of [
      [`/apps/${app.id}`, { notification_forward_url: url }, 'notification_forward_url'],
      ['/apps', { ...body, notification_forward_url: url }, 'notification_forward_url'],
      [`/apps/${app.id}`, { track_new_purchases: null }, 'track_new_purchases'],
      ['/apps', placed, 'play_store.name'],
    ] as const) {
      const answer = await post(path, sent);
      expect(problem(answer)).toEqual([400, 'parameter_error', param]);
      expect(answer.body.message).toContain('it is a field of');
    }
    expect((await post(`/apps/${app.id}`, { name: 'Placed', unknown: 1 })).body.name).toBe('Placed');
  });

  describe('asked for without fields of our own', () => {
    let secret: Awaited<ReturnType<typeof createSecretKey>>;

    beforeAll(async () => {
      secret = await createSecretKey(store.session, store.projectId);
    });

    /** Past the client of the tests, which expects all fields. */
    const strict = async (method: string, path: string, body?: object, headers = {}) => {
      const answer = await fetch(`${store.server.baseUrl}${store.path}${path}`, {
        method,
        body: body && JSON.stringify(body),
        headers: {
          authorization: `Bearer ${secret.key}`,
          'content-type': 'application/json',
          'x-service-fields': 'vendor',
          ...headers,
        },
      });
      return { headers: answer.headers, body: (await answer.json()) as Json };
    };

    it('includes those of the vendor, also in an answer repeated for an idempotency key', async () => {
      const body = { name: 'Strict', type: 'app_store', app_store: { bundle_id: 'com.example' } };
      const repeated = { 'idempotency-key': 'strict' };
      const first = await secret.client.post(`${store.path}/apps`, body, repeated);
      expect(first.body).toHaveProperty('custom_url_scheme');
      expect(first.headers.vary).toContain('X-Service-Fields');
      const again = await strict('POST', '/apps', body, repeated);
      const { object, id, project_id, created_at } = first.body;
      const vendorFields = { object, id, project_id, created_at, ...body };
      expect(again.body).toEqual(vendorFields);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      expect(again.headers.get('vary')).toContain('X-Service-Fields');
      const { body: list } = await strict('GET', '/apps?limit=100');
      expect(list.items).toContainEqual(again.body);
      expect(list.items.filter((app: Json) => 'test_store' in app || 'custom_url_scheme' in app)).toEqual([]);
    });

    it('changes no answers of our own operations', async () => {
      const sent = { app_user_id: 'strict', product_id: store.products.monthly.id };
      // The client expects all fields.
      const own = store.backend.with({ 'x-service-fields': 'vendor' });
      const bought = await own.post(`${store.path}/test_purchases`, sent);
      expect(bought.headers.vary ?? '').not.toContain('X-Service-Fields');
      const { body: listed } = await strict('GET', '/customers/strict/subscriptions');
      expect(listed.items[0]).toMatchObject({ object: 'subscription', store: 'test_store' });
      for (const own of ['presented_placement_id', 'seats', 'bundle']) {
        expect(bought.body.subscription).toHaveProperty(own);
        expect(listed.items[0]).not.toHaveProperty(own);
      }
    });
  });

  it('loses nothing in two concurrent changes', async () => {
    const app = await made('/apps', { name: 'Raced', type: 'roku' });
    await Promise.all([
      post(`/apps/${app.id}`, { roku: { roku_channel_id: '111111' } }),
      post(`/apps/${app.id}`, { roku: { roku_channel_name: 'Both' } }),
    ]);
    expect((await get(`/apps/${app.id}`)).body.roku).toEqual({
      roku_channel_id: '111111',
      roku_channel_name: 'Both',
    });
  });

  it('deletes them with products and key, at once; purchases stay', async () => {
    const other = await createTestStore(store.server);
    const bought = await other.sdk.post('/v1/receipts', {
      app_user_id: 'buyer',
      fetch_token: `test_${store.clock.nowMs()}_before-delete`,
      product_id: 'pro_monthly',
    });
    expect(Object.keys(bought.body.subscriber.entitlements)).toEqual(['pro']);
    const gone = await other.backend.delete(`${other.path}/apps/${other.appId}`);
    expect([gone.status, gone.body]).toEqual([
      200,
      { object: 'app', id: other.appId, deleted_at: store.clock.nowMs() },
    ]);
    expect((await other.sdk.get('/v1/subscribers/buyer')).status).toBe(401);
    expect((await other.backend.get(`${other.path}/products`)).body.items).toEqual([]);
    const packages = `${other.path}/offerings/${other.offering.id}/packages?expand=items.product`;
    const { items } = (await other.backend.get(packages)).body;
    expect(items.map((item: Json) => item.products.items)).toEqual([[], []]);
    const subscriptions = (await other.backend.get(`${other.path}/customers/buyer/subscriptions`)).body;
    expect(subscriptions.items).toHaveLength(1);
    expect((await other.backend.delete(`${other.path}/apps/${other.appId}`)).status).toBe(404);
  });

  it('have an anchor until they are deleted', async () => {
    const { projectId, backend, path, appId } = await createTestStore(store.server);
    const anchors = async (): Promise<string[]> => {
      const rows = await store.server.dataSource.query<{ app_id: string }[]>(
        'SELECT app_id FROM project_anchors WHERE project_id = $1 ORDER BY app_id',
        [projectId],
      );
      return rows.map(({ app_id }) => app_id);
    };
    expect(await anchors()).toEqual(['', appId]);
    await backend.delete(`${path}/apps/${appId}`);
    expect(await anchors()).toEqual(['']);
  });

  it('lists page by page, and refuses the cursors of other lists', async () => {
    const all = (await get('/apps?limit=100')).body.items;
    expect((await walkList(store.backend, `${store.path}/apps`, 3)).map(idOf)).toEqual(all.map(idOf));
    const keys = `/apps/${store.appId}/public_api_keys`;
    expect((await get(`${keys}?starting_after=pk_${store.appId}`)).body.items).toEqual([]);
    for (const path of [`/apps?starting_after=${foreign.appId}`, `${keys}?starting_after=pk_other`]) {
      expect(problem(await get(path))).toEqual([400, 'parameter_error', 'starting_after']);
    }
  });
});
