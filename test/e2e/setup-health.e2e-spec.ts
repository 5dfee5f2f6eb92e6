import { generateKeyPairSync } from 'node:crypto';
import { LastSeenRecorder } from '../../src/customers/customers/last-seen/last-seen.recorder.js';
import { DeliveryDispatcherService } from '../../src/webhooks/deliveries/delivery-dispatcher.service.js';
import type { Json } from '../support/api-client.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import { ChartsRollupJob } from '../../src/insights/charts/rollup/charts-rollup.job.js';
import { startTestServer, TEST_START_MS, type TestServer } from '../support/test-server.js';
import { recordEvent } from '../support/webhook-outbox.js';
import { startReceiver, status } from '../support/webhook-receiver.js';

const DAY_MS = 86_400_000;
const BASE_URL = 'https://purchases.example.com';

const quiet = {
  last_notification_at: null,
  last_notification_received_at: null,
  last_notification_error: null,
  notification_status: 'waiting',
};
const usualCommission = { small_business_since: null, one_time_rate: null, commission_rate: null };
const nothingConfigured = {
  subscription_key: { configured: false, key_id: null, issuer_id: null },
  app_store_connect_api_key: { configured: false, key_id: null, issuer_id: null, vendor_number: null },
  shared_secret: { configured: false },
  play_service_account: { configured: false, client_email: null },
  xcode_certificate: { configured: false },
};

describe('the setup of a project', () => {
  let server: TestServer;
  let store: TestStore;

  beforeAll(async () => {
    server = await startTestServer({
      env: { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_TRUST_PROXY: 'true', SERVICE_PUBLIC_URL: BASE_URL },
    });
    store = await createTestStore(server);
  });

  afterAll(() => server.close());

  beforeEach(() => server.clock.advanceMs(1));

  const createApp = async (body: object): Promise<string> => {
    const made = await store.backend.post(`${store.path}/apps`, { name: 'App', ...body });
    expect(made.status).toBe(201);
    return made.body.id;
  };
  const settingsOf = async (appId: string): Promise<Json> =>
    (await store.backend.get(`${store.path}/apps/${appId}/store_settings`)).body;
  const health = async (): Promise<Json> => (await store.backend.get(`${store.path}/setup_health`)).body;
  const healthOfApp = async (appId: string): Promise<Json> =>
    (await health()).apps.find(({ id }: Json) => id === appId);

  describe('store settings', () => {
    it('shows no notification address for a Test Store app', async () => {
      expect(await settingsOf(store.appId)).toEqual({
        object: 'app_store_settings',
        app_id: store.appId,
        type: 'test_store',
        receipts: 'supported',
        api_origin: BASE_URL,
        notification_url: null,
        notification_forward_url: null,
        ...quiet,
        last_forward: null,
        track_new_purchases: false,
        allow_unsigned_receipts: false,
        allow_test_notifications: false,
        answer_retention_requests: true,
        refund_request_handling: 'do_not_handle',
        refund_data_consent: 'none',
        refund_attributes_from_sdk: false,
        refund_usage_evidence: 'none',
        sample_content_provided: false,
        external_purchase_reports: { enabled: false, bind: 'id', fallback_currency: 'EUR' },
        external_transaction_reports: { enabled: false, bind: 'id', link_type: null },
        ...usualCommission,
        sns_topic_arn: null,
        sns_confirmation_token: null,
        credentials: nothingConfigured,
      });
    });

    it('shows which settings an App Store app has, and never a secret', async () => {
      const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
      const appId = await createApp({
        type: 'app_store',
        app_store: {
          bundle_id: 'com.example.app',
          shared_secret: 'S3CRET'.padEnd(32, 'x'),
          subscription_private_key: pem,
          subscription_key_id: 'KEYID12345',
          subscription_key_issuer: '57246542-96fe-1a63-e053-0824d011072a',
          app_store_connect_vendor_number: '85000000',
          notification_forward_url: 'https://backend.example.com/apple',
          track_new_purchases: true,
          allow_unsigned_receipts: true,
          xcode_certificate: 'CERTIFICATE',
          small_business_since: 1_704_067_200_000,
        },
      });
      const settings = await settingsOf(appId);
      expect(settings).toEqual({
        object: 'app_store_settings',
        app_id: appId,
        type: 'app_store',
        receipts: 'supported',
        api_origin: BASE_URL,
        notification_url: `${BASE_URL}/v1/notifications/apple/${appId}`,
        notification_forward_url: 'https://backend.example.com/apple',
        ...quiet,
        last_forward: null,
        track_new_purchases: true,
        allow_unsigned_receipts: true,
        allow_test_notifications: false,
        answer_retention_requests: true,
        refund_request_handling: 'do_not_handle',
        refund_data_consent: 'none',
        refund_attributes_from_sdk: false,
        refund_usage_evidence: 'none',
        sample_content_provided: false,
        external_purchase_reports: { enabled: false, bind: 'id', fallback_currency: 'EUR' },
        external_transaction_reports: { enabled: false, bind: 'id', link_type: null },
        ...usualCommission,
        small_business_since: 1_704_067_200_000,
        sns_topic_arn: null,
        sns_confirmation_token: null,
        credentials: {
          ...nothingConfigured,
          subscription_key: {
            configured: true,
            key_id: 'KEYID12345',
            issuer_id: '57246542-96fe-1a63-e053-0824d011072a',
          },
          app_store_connect_api_key: {
            ...nothingConfigured.app_store_connect_api_key,
            vendor_number: '85000000',
          },
          shared_secret: { configured: true },
          xcode_certificate: { configured: true },
        },
      });
      const text = JSON.stringify(settings);
      for (const secret of ['PRIVATE KEY', 'S3CRET', 'CERTIFICATE']) expect(text).not.toContain(secret);
      await store.backend.post(`${store.path}/apps/${appId}`, {
        app_store: { subscription_private_key: null, notification_forward_url: '' },
      });
      expect(await settingsOf(appId)).toMatchObject({
        notification_forward_url: null,
        credentials: { subscription_key: { configured: false, key_id: 'KEYID12345' } },
      });
    });

    it('shows the service account of a Play Store app', async () => {
      const account = { type: 'service_account', client_email: 'bot@example.iam', private_key: 'S3CRET' };
      const appId = await createApp({
        type: 'play_store',
        play_store: { package_name: 'com.example.app', play_service_account_credentials_json: account },
      });
      const settings = await settingsOf(appId);
      expect(settings.credentials.play_service_account).toEqual({
        configured: true,
        client_email: 'bot@example.iam',
      });
      expect(JSON.stringify(settings)).not.toContain('S3CRET');
    });

    it.each([
      ['mac_app_store', { mac_app_store: { bundle_id: 'com.example.mac' } }, 'apple'],
      ['play_store', { play_store: { package_name: 'com.example.app' } }, 'google'],
      ['amazon', { amazon: { package_name: 'com.example.app' } }, 'amazon'],
      ['stripe', {}, 'stripe'],
      ['paddle', {}, 'paddle'],
      ['roku', {}, 'roku'],
      ['rc_billing', {}, null],
    ])('shows for %s the notification address', async (type, more, name) => {
      const appId = await createApp({ type, ...more });
      const url = name && `${BASE_URL}/v1/notifications/${name}/${appId}`;
      expect((await settingsOf(appId)).notification_url).toBe(url);
      expect((await healthOfApp(appId)).notification_url).toBe(url);
    });

    it.each([
      ['mac_app_store', { mac_app_store: { bundle_id: 'com.example.mac' } }],
      ['play_store', { play_store: { package_name: 'com.example.app' } }],
      ['amazon', { amazon: { package_name: 'com.example.app' } }],
      ['roku', {}],
      ['stripe', {}],
      ['paddle', {}],
    ])('shows for %s that receipts are accepted', async (type, more) => {
      expect((await settingsOf(await createApp({ type, ...more }))).receipts).toBe('supported');
    });

    it.each([['rc_billing', 7000]])(
      'shows for %s that receipts are refused, as receipts and credential checks do',
      async (type, code) => {
        const appId = await createApp({ type });
        expect((await settingsOf(appId)).receipts).toBe('unsupported');
        const path = `${store.path}/apps/${appId}`;
        const keys = await store.backend.get(`${path}/public_api_keys`);
        const receipt = { app_user_id: 'somebody', fetch_token: 'token', product_id: 'pro_monthly' };
        const posted = await server.http.withKey(keys.body.items[0].key).post('/v1/receipts', receipt);
        expect([posted.status, posted.body.code]).toEqual([400, code]);
        const checked = await store.backend.post(`${path}/actions/verify_credentials`, {});
        expect(checked.status).toBe(422);
      },
    );

    it('answers 404 for unknown apps, and those of other projects', async () => {
      const other = await createTestStore(server);
      for (const appId of ['appunknown', other.appId]) {
        const answer = await store.backend.get(`${store.path}/apps/${appId}/store_settings`);
        expect([answer.status, answer.body.type]).toEqual([404, 'resource_missing']);
      }
    });
  });

  describe('health', () => {
    it('shows an empty form with its apps for a new project', async () => {
      const other = await createTestStore(server);
      const { body } = await other.backend.get(`${other.path}/setup_health`);
      expect(body).toEqual({
        object: 'setup_health',
        project_id: other.projectId,
        checked_at: server.clock.nowMs(),
        apps: [
          {
            id: other.appId,
            name: 'Test app',
            type: 'test_store',
            notification_url: null,
            ...quiet,
            credentials_configured: true,
            credentials_error: null,
            refused_refund_answer: null,
            refund_hints: [],
            refused_external_report: null,
            external_report_hints: [],
            notifications_hint: null,
            receipts_hint: null,
          },
        ],
        webhooks: {
          total: 0,
          attempted_24h: 0,
          delivered_24h: 0,
          failed_24h: 0,
          pending: 0,
          delivered_percent_24h: null,
          failing: [],
        },
        sdk_versions: [],
        warnings: [],
        unknown_products: [],
        rentals_without_duration: [],
        unknown_store_values: [],
      });
    });

    it('tells whether an app has the credentials its store asks for', async () => {
      const amazon = await createApp({ type: 'amazon', amazon: { package_name: 'com.example.app' } });
      expect((await healthOfApp(amazon)).credentials_configured).toBe(false);
      await store.backend.post(`${store.path}/apps/${amazon}`, { amazon: { shared_secret: 'secret' } });
      expect((await healthOfApp(amazon)).credentials_configured).toBe(true);
    });

    it('counts the webhook deliveries of the last 24 hours and names endpoints that fail', async () => {
      const shared = store;
      store = await createTestStore(server);
      const [good, bad] = [await startReceiver(), await startReceiver()];
      bad.answerWith(status(503));
      const integrate = async (name: string, url: string): Promise<string> =>
        (await store.backend.post(`${store.path}/integrations/webhooks`, { name, url })).body.id;
      const drain = () => server.app.get(DeliveryDispatcherService).drain();
      await integrate('Good', good.url);
      await recordEvent(server, store.projectId);
      await drain();
      server.clock.advanceMs(DAY_MS + 1);
      const badId = await integrate('Bad', bad.url);
      for (let index = 0; index < 3; index++) {
        server.clock.advanceMs(1);
        await recordEvent(server, store.projectId);
        await drain();
      }
      const attemptedAt = server.clock.nowMs();
      expect((await health()).webhooks).toEqual({
        total: 2,
        attempted_24h: 6,
        delivered_24h: 3,
        failed_24h: 3,
        pending: 3,
        delivered_percent_24h: 50,
        failing: [
          {
            id: badId,
            name: 'Bad',
            url: bad.url,
            last_status: 503,
            last_error: expect.stringContaining('503'),
            last_attempt_at: attemptedAt,
            delivery_status: 'pending',
          },
        ],
      });
      bad.answerWith(status(200));
      server.clock.advanceMs(6 * 60_000);
      await drain();
      expect((await health()).webhooks).toMatchObject({
        delivered_24h: 6,
        failed_24h: 0,
        pending: 0,
        delivered_percent_24h: 100,
        failing: [],
      });
      await Promise.all([good.close(), bad.close()]);
      store = shared;
    });

    it('counts customers by the SDK they were last seen with', async () => {
      const see = (id: string, headers: Record<string, string>) =>
        store.sdk.get(`/v1/subscribers/${id}`, headers);
      const ios = { 'x-platform': 'iOS', 'x-version': '5.50.1' };
      const flutter = { 'x-platform': 'android', 'x-platform-flavor': 'flutter', 'x-version': '9.1.0' };
      await see('sdk-1', ios);
      await see('sdk-2', ios);
      await see('sdk-3', flutter);
      await store.backend.get('/v1/subscribers/sdk-4', { 'x-platform': 'ios' });
      const seenAt = server.clock.nowMs();
      expect((await health()).sdk_versions).toEqual([
        { platform: 'iOS', flavor: 'native', version: '5.50.1', customers: 2, last_seen_at: seenAt },
        { platform: 'android', flavor: 'flutter', version: '9.1.0', customers: 1, last_seen_at: seenAt },
      ]);
      server.clock.advanceMs(600_000);
      await see('sdk-3', ios);
      await see('sdk-1', { 'x-platform': 'iOS', 'x-platform-flavor': 'flutter', 'x-version': '5.50.1' });
      // A backend that looks at a customer knows nothing of their SDK.
      await store.backend.get('/v1/subscribers/sdk-2', { 'x-platform': 'iOS' });
      await server.app.get(LastSeenRecorder).flush();
      const versions = (await health()).sdk_versions;
      expect(versions.map(({ flavor, customers }: Json) => [flavor, customers])).toEqual([
        ['native', 2],
        ['flutter', 1],
      ]);
    });

    it('hints that the signer of pushes for an app of Google is not checked', async () => {
      const appId = await createApp({ type: 'play_store', play_store: { package_name: 'com.example.app' } });
      const configure = (fields: object) =>
        store.backend.post(`${store.path}/apps/${appId}`, { play_store: fields });
      const hint = async (): Promise<unknown> => (await healthOfApp(appId)).notifications_hint;
      expect(await hint()).toBeNull();
      await configure({ pubsub_audience: 'tenure' });
      expect(await hint()).toContain('pubsub_service_account');
      await configure({ pubsub_service_account: 'push@example.iam.gserviceaccount.com' });
      expect(await hint()).toBeNull();
    });

    it('names the products that customers bought and the catalog lacks, until it knows them', async () => {
      const other = await createTestStore(server);
      const buyAt = async (count: number, productId: string): Promise<void> => {
        const answer = await other.sdk.post('/v1/receipts', {
          app_user_id: `collector-${count}`,
          fetch_token: `test_${server.clock.nowMs()}_unknown-${count}`,
          product_id: productId,
        });
        expect(answer.status).toBe(200);
      };
      const unknown = async (): Promise<Json> =>
        (await other.backend.get(`${other.path}/setup_health`)).body.unknown_products;
      const startedAtMs = server.clock.nowMs();
      await buyAt(1, 'coins_900');
      await buyAt(2, 'gems');
      await buyAt(3, 'pro_monthly');
      await server.app.get(ChartsRollupJob).run();
      await buyAt(4, 'coins_900');
      const found = {
        app_id: other.appId,
        app_name: 'Test app',
        since: startedAtMs - (startedAtMs % 86_400_000),
      };
      expect(await unknown()).toEqual([
        { ...found, store_identifier: 'coins_900', transactions: 2 },
        { ...found, store_identifier: 'gems', transactions: 1 },
      ]);
      const metrics = await (await fetch(`${server.baseUrl}/metrics`)).text();
      expect(metrics).toMatch(/tenure_unknown_product_purchases_total\{[^}]*store="test_store"[^}]*\} [3-9]/);
      const body = { store_identifier: 'coins_900', app_id: other.appId, type: 'consumable' };
      expect((await other.backend.post(`${other.path}/products`, body)).status).toBe(201);
      expect((await unknown()).map((product: Json) => product.store_identifier)).toEqual(['gems']);
    });

    it('warns of money in a currency without an exchange rate', async () => {
      const answer = await store.sdk.post('/v1/receipts', {
        app_user_id: 'abroad',
        fetch_token: `test_${TEST_START_MS}_abroad`,
        product_id: 'pro_monthly',
        price: 5,
        currency: 'ZWL',
      });
      expect(answer.status).toBe(200);
      expect((await health()).warnings).toEqual([
        {
          type: 'unknown_currency',
          message: expect.stringContaining('ZWL'),
          currency: 'ZWL',
          transactions: 1,
          last_transaction_at: TEST_START_MS,
        },
      ]);
    });
  });
});
