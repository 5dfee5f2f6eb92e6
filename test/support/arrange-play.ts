import { randomUUID } from 'node:crypto';
import { ManualClock } from '../../libs/kernel/index.js';
import { VoidedPurchasesJob } from '../../src/stores/play-store/voided-purchases.job.js';
import { StoreTasksService } from '../../src/purchases/store-tasks/store-tasks.service.js';
import { RefundAnswersJob } from '../../src/stores/refund-requests/refund-answers.job.js';
import { NotificationWorkerJob } from '../../src/stores/notifications/notification-worker.job.js';
import type { Answer, ApiClient, Json } from './api-client.js';
import { createSecretKey, signUp } from './arrange.js';
import { FakePlay, playProducts } from './fake-play/fake-play.js';
import type { FakePlayProduct } from './fake-play/google-values.js';
import { FakePlayServer } from './fake-play/fake-play-server.js';
import { startTestServer, TEST_START_MS, type TestServer, type TestServerOptions } from './test-server.js';
import { recordedEvents } from './recorded-events.js';

export const PACKAGE_NAME = 'com.example.app';
export const AUDIENCE = 'https://tenure.example.com/push';
export const PUSHER = 'pusher@example-project.iam.gserviceaccount.com';

/** A server, a Google Play of its own, and a project with an app in it. */
export interface PlayWorld {
  server: TestServer;
  /** Settings of the server, for another one on the same database. */
  env: Record<string, string>;
  play: FakePlay;
  google: FakePlayServer;
  clock: ManualClock;
  projectId: string;
  path: string;
  appId: string;
  backend: ApiClient;
  session: ApiClient;
  sdk: ApiClient;
  products: Record<keyof typeof playProducts, Json>;
  /** Changes the app's store settings. */
  configure(fields: object): Promise<void>;
  /** Posts a token as the Android SDK does. */
  post(appUserId: string, token: string, product?: FakePlayProduct, more?: object): Promise<Answer>;
  /** Sends a notification about a purchase, signed as Google would, and processes the inbox. */
  notify(purchaseToken: string, type: number, atMs?: number): Promise<Answer>;
  /** Sends any content of a notification. */
  deliver(content: object, more?: { messageId?: string; token?: string }): Promise<Answer>;
  /** Sends any content of a notification, and processes the inbox. */
  push(content: object, more?: { messageId?: string; token?: string }): Promise<Answer>;
  process(): Promise<void>;
  /** Does all tasks that are due. */
  tasks(): Promise<void>;
  /** Types of a customer's events, oldest first, with their reasons. */
  events(appUserId: string): Promise<string[]>;
  subscriptions(appUserId: string): Promise<Json[]>;
  close(): Promise<void>;
}

const types: Record<keyof typeof playProducts, string> = {
  monthly: 'subscription',
  yearly: 'subscription',
  basic: 'subscription',
  plus: 'subscription',
  hifi: 'subscription',
  podcasts: 'subscription',
  coins: 'consumable',
  lifetime: 'non_consumable',
};

function expected(answer: Answer, status: number): Json {
  if (answer.status !== status) throw new Error(`Expected ${status}, got ${answer.status}: ${answer.text}`);
  return answer.body;
}

/** The name of a product in a catalog. */
function nameOf({ id, basePlanId }: FakePlayProduct): string {
  return basePlanId === undefined ? id : `${id}:${basePlanId}`;
}

export async function startPlayWorld(
  more: NodeJS.ProcessEnv = {},
  logTo?: TestServerOptions['logTo'],
  clock = new ManualClock(TEST_START_MS),
): Promise<PlayWorld> {
  const play = new FakePlay(clock, PACKAGE_NAME);
  const google = new FakePlayServer(play);
  await google.start();
  const env = {
    SERVICE_TEST_STORES: 'true',
    SERVICE_PLAY_API_URL: google.url,
    SERVICE_GOOGLE_TOKEN_URL: `${google.url}/token`,
    SERVICE_GOOGLE_CERTS_URL: `${google.url}/certs`,
  };
  const server = await startTestServer({ clock, logTo, env: { ...env, ...more } });
  const { session, projectId } = await signUp(server);
  const { client: backend } = await createSecretKey(session, projectId);
  const path = `/v2/projects/${projectId}`;
  const app = expected(
    await backend.post(`${path}/apps`, {
      name: 'Android app',
      type: 'play_store',
      play_store: {
        package_name: PACKAGE_NAME,
        play_service_account_credentials_json: google.serviceAccount,
        pubsub_audience: AUDIENCE,
        pubsub_service_account: PUSHER,
      },
    }),
    201,
  );
  const keys = await backend.get(`${path}/apps/${app.id}/public_api_keys`);
  const sdk = server.http.withKey(keys.body.items[0].key).with({ 'x-platform': 'android' });
  const products: Record<string, Json> = {};
  for (const [name, product] of Object.entries(playProducts) as [
    keyof typeof playProducts,
    FakePlayProduct,
  ][]) {
    const duration = name === 'yearly' ? 'P1Y' : 'P1M';
    const subscription = types[name] === 'subscription' ? { duration } : undefined;
    const body = { store_identifier: nameOf(product), app_id: app.id, type: types[name], subscription };
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
  const deliver: PlayWorld['deliver'] = async (content, { messageId = randomUUID(), token } = {}) => {
    const data = {
      version: '1.0',
      packageName: PACKAGE_NAME,
      eventTimeMillis: String(clock.nowMs()),
      ...content,
    };
    const message = { data: Buffer.from(JSON.stringify(data)).toString('base64'), messageId };
    const body = JSON.stringify({ message, subscription: 'projects/example/subscriptions/play' });
    const bearer = token ?? (await google.pushToken({ aud: AUDIENCE, email: PUSHER, email_verified: true }));
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${bearer}` };
    return server.http.send('POST', `/v1/notifications/google/${app.id}`, body, headers);
  };
  const push: PlayWorld['push'] = async (content, message) => {
    const answer = await deliver(content, message);
    await process();
    return answer;
  };
  return {
    server,
    env,
    play,
    google,
    clock,
    projectId,
    path,
    appId: app.id,
    backend,
    session,
    sdk,
    products: products as PlayWorld['products'],
    async configure(fields) {
      expected(await backend.post(`${path}/apps/${app.id}`, { play_store: fields }), 200);
    },
    post: (appUserId, token, product = playProducts.monthly, more = {}) =>
      sdk.post('/v1/receipts', {
        app_user_id: appUserId,
        fetch_token: token,
        product_ids: [product.id],
        platform_product_ids: [{ product_id: product.id, base_plan_id: product.basePlanId }],
        price: product.priceMicros / 1_000_000,
        currency: 'USD',
        is_restore: false,
        ...more,
      }),
    notify: (purchaseToken, notificationType, atMs = clock.nowMs()) =>
      push({
        eventTimeMillis: String(atMs),
        subscriptionNotification: { version: '1.0', notificationType, purchaseToken },
      }),
    deliver,
    push,
    process,
    async tasks() {
      await server.app.get(VoidedPurchasesJob).schedule();
      await server.app.get(StoreTasksService).drain();
    },
    events: (appUserId) => recordedEvents(backend, path, appUserId),
    async subscriptions(appUserId) {
      const list = await backend.get(`${path}/customers/${encodeURIComponent(appUserId)}/subscriptions`);
      return expected(list, 200).items;
    },
    async close() {
      await server.close();
      await google.close();
    },
  };
}
