import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock } from '../../libs/kernel/index.js';
import { StoreTasksService } from '../../src/purchases/store-tasks/store-tasks.service.js';
import { NotificationWorkerJob } from '../../src/stores/notifications/notification-worker.job.js';
import { MissedNotificationsJob } from '../../src/stores/app-store/missed-notifications.job.js';
import { RefundAnswersJob } from '../../src/stores/refund-requests/refund-answers.job.js';
import { OverdueSubscriptionsJob } from '../../src/stores/shared/overdue-subscriptions.job.js';
import { StoreRefreshJob } from '../../src/stores/shared/store-refresh.job.js';
import type { Answer, ApiClient, Json } from './api-client.js';
import { createSecretKey, signUp } from './arrange.js';
import { FakeAppStore, type FakeProduct, fakeProducts } from './fake-app-store/fake-app-store.js';
import { FakeServerApi } from './fake-app-store/fake-server-api.js';
import type { FakeNotification } from './fake-app-store/fake-subscription.js';
import { startTestServer, TEST_START_MS, type TestServer, type TestServerOptions } from './test-server.js';
import { recordedEvents } from './recorded-events.js';

export const BUNDLE_ID = 'com.example.app';
export const APPLE_ID = 6443000000;

/** A server, an App Store of its own, and a project with an app in it. */
export interface AppStoreWorld {
  server: TestServer;
  /** Settings of the server, for another one on the same database. */
  env: Record<string, string>;
  store: FakeAppStore;
  api: FakeServerApi;
  clock: ManualClock;
  projectId: string;
  path: string;
  appId: string;
  backend: ApiClient;
  session: ApiClient;
  sdk: ApiClient;
  products: Record<keyof typeof fakeProducts, Json>;
  /** The in-app purchase key, as the app's settings take it. */
  keyFields: Record<string, string>;
  /** Changes the app's store settings. */
  configure(fields: object): Promise<void>;
  post(appUserId: string, fetchToken: string | null, more?: object): Promise<Answer>;
  /** Sends a notification. */
  deliver(notification: FakeNotification): Promise<Answer>;
  /** Sends a notification, processes the inbox and answers refund requests. */
  notify(notification: FakeNotification): Promise<Answer>;
  process(): Promise<void>;
  /** A notification that Apple sent, and that did not arrive. */
  miss(notification: FakeNotification, environment?: 'Production' | 'Sandbox'): void;
  /** Does what is due with stores, then what they were asked for, then the inbox. */
  upkeep(): Promise<void>;
  /** Types of a customer's events, oldest first, with their reasons. */
  events(appUserId: string): Promise<string[]>;
  subscription(appUserId: string): Promise<Json>;
  close(): Promise<void>;
}

const types: Record<keyof typeof fakeProducts, string> = {
  monthly: 'subscription',
  yearly: 'subscription',
  plus: 'subscription',
  coins: 'consumable',
  lifetime: 'non_consumable',
};

function expected(answer: Answer, status: number): Json {
  if (answer.status !== status) throw new Error(`Expected ${status}, got ${answer.status}: ${answer.text}`);
  return answer.body;
}

export async function startAppStoreWorld({
  databaseUrl,
  clock = new ManualClock(TEST_START_MS),
  env: more = {},
}: TestServerOptions = {}): Promise<AppStoreWorld> {
  const store = new FakeAppStore(clock, BUNDLE_ID, APPLE_ID);
  const api = new FakeServerApi(store);
  await api.start();
  const roots = mkdtempSync(join(tmpdir(), 'roots-'));
  writeFileSync(join(roots, 'fake-root.der'), store.chain.root.der);
  const env = {
    SERVICE_TEST_STORES: 'true',
    SERVICE_TEST_APPLE_ROOTS: roots,
    SERVICE_APPLE_API_URL: api.urls.Production,
    SERVICE_APPLE_SANDBOX_API_URL: api.urls.Sandbox,
  };
  const server = await startTestServer({ clock, databaseUrl, env: { ...env, ...more } });
  const { session, projectId } = await signUp(server);
  const { client: backend } = await createSecretKey(session, projectId);
  const path = `/v2/projects/${projectId}`;
  const app = expected(
    await backend.post(`${path}/apps`, {
      name: 'iOS app',
      type: 'app_store',
      app_store: { bundle_id: BUNDLE_ID, app_apple_id: APPLE_ID },
    }),
    201,
  );
  const keys = await backend.get(`${path}/apps/${app.id}/public_api_keys`);
  const sdk = server.http.withKey(keys.body.items[0].key).with({ 'x-platform': 'iOS' });
  const products: Record<string, Json> = {};
  for (const [name, product] of Object.entries(fakeProducts) as [keyof typeof fakeProducts, FakeProduct][]) {
    const subscription =
      types[name] === 'subscription' ? { duration: name === 'yearly' ? 'P1Y' : 'P1M' } : undefined;
    const body = { store_identifier: product.id, app_id: app.id, type: types[name], subscription };
    products[name] = expected(await backend.post(`${path}/products`, body), 201);
  }
  const pro = expected(
    await backend.post(`${path}/entitlements`, { lookup_key: 'pro', display_name: 'Pro' }),
    201,
  );
  await backend.post(`${path}/entitlements/${pro.id}/actions/attach_products`, {
    product_ids: [products.monthly.id, products.yearly.id, products.plus.id, products.lifetime.id],
  });
  const process = async (): Promise<void> => {
    await server.app.get(NotificationWorkerJob).drain();
    await server.app.get(RefundAnswersJob).drain();
  };
  const deliver: AppStoreWorld['deliver'] = ({ body }) => {
    const headers = { 'content-type': 'application/json' };
    return server.http.send('POST', `/v1/notifications/apple/${app.id}`, body, headers);
  };
  return {
    server,
    env,
    store,
    api,
    clock,
    projectId,
    path,
    appId: app.id,
    backend,
    session,
    sdk,
    products: products as AppStoreWorld['products'],
    keyFields: {
      subscription_private_key: api.key.privateKeyPem,
      subscription_key_id: api.key.keyId,
      subscription_key_issuer: api.key.issuerId,
    },
    async configure(fields) {
      expected(await backend.post(`${path}/apps/${app.id}`, { app_store: fields }), 200);
    },
    post: (appUserId, fetchToken, more = {}) =>
      sdk.post('/v1/receipts', {
        app_user_id: appUserId,
        ...(fetchToken !== null && { fetch_token: fetchToken }),
        ...more,
      }),
    deliver,
    async notify(notification) {
      const answer = await deliver(notification);
      await process();
      return answer;
    },
    process,
    miss({ body }, environment = 'Production') {
      api.missed.push({ environment, sentAtMs: clock.nowMs(), body });
    },
    async upkeep() {
      await server.app.get(MissedNotificationsJob).schedule();
      await server.app.get(OverdueSubscriptionsJob).schedule();
      await server.app.get(StoreTasksService).drain();
      await server.app.get(StoreRefreshJob).drain();
      await process();
    },
    events: (appUserId) => recordedEvents(backend, path, appUserId),
    async subscription(appUserId) {
      const list = await backend.get(`${path}/customers/${encodeURIComponent(appUserId)}/subscriptions`);
      return expected(list, 200).items[0];
    },
    async close() {
      await server.close();
      await api.close();
    },
  };
}
