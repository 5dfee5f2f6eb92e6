import { randomUUID } from 'node:crypto';
import { LastSeenRecorder } from '../../src/customers/customers/last-seen/last-seen.recorder.js';
import { NotificationWorkerJob } from '../../src/stores/notifications/notification-worker.job.js';
import { APPLE_ID, BUNDLE_ID } from './arrange-app-store.js';
import { AUDIENCE, PACKAGE_NAME, PUSHER } from './arrange-play.js';
import { createSecretKey, signUp } from './arrange.js';
import type { Answer, ApiClient } from './api-client.js';
import type { ChartsStores } from './charts-stores.js';
import type { FakeNotification } from './fake-app-store/fake-subscription.js';
import type { FakePlayProduct } from './fake-play/google-values.js';
import type { TestServer } from './test-server.js';

export interface ChartsWorld {
  projectId: string;
  path: string;
  client: ApiClient;
  session: ApiClient;
  key: string;
  appId: string;
  playAppId: string;
  /** Product ids by store identifier. */
  products: Record<string, string>;
  entitlementId: string;
  /** Clients that call like each store's SDKs. */
  ios: ApiClient;
  android: ApiClient;
}

function created({ status, body, text }: Answer) {
  if (status !== 201) throw new Error(`Expected 201, got ${status}: ${text}`);
  return body;
}

/** A project with the products of the fixture of the charts. */
export async function createChartsProject({ server, google }: ChartsStores): Promise<ChartsWorld> {
  const { session, projectId } = await signUp(server);
  const { client, key } = await createSecretKey(session, projectId);
  const path = `/v2/projects/${projectId}`;
  const app = created(
    await client.post(`${path}/apps`, {
      name: 'App',
      type: 'app_store',
      app_store: { bundle_id: BUNDLE_ID, app_apple_id: APPLE_ID },
    }),
  );
  const play = created(
    await client.post(`${path}/apps`, {
      name: 'Play',
      type: 'play_store',
      play_store: {
        package_name: PACKAGE_NAME,
        play_service_account_credentials_json: google.serviceAccount,
        pubsub_audience: AUDIENCE,
        pubsub_service_account: PUSHER,
      },
    }),
  );
  const products: Record<string, string> = {};
  for (const [name, appId, type, duration] of [
    ['m10', app.id, 'subscription', 'P1M'],
    ['y120', app.id, 'subscription', 'P1Y'],
    ['y180', app.id, 'subscription', 'P1Y'],
    ['w3', play.id, 'subscription', 'P1W'],
    ['coins5', play.id, 'consumable', undefined],
  ] as const) {
    const made = await client.post(`${path}/products`, {
      store_identifier: name === 'w3' ? 'w3:base' : name,
      app_id: appId,
      type,
      display_name: name,
      ...(duration === undefined ? {} : { subscription: { duration } }),
    });
    products[name] = created(made).id;
  }
  const pro = created(await client.post(`${path}/entitlements`, { lookup_key: 'pro', display_name: 'Pro' }));
  const sdk = async (appId: string, platform: string): Promise<ApiClient> => {
    const keys = await client.get(`${path}/apps/${appId}/public_api_keys`);
    return server.http.withKey(keys.body.items[0].key).with({ 'x-platform': platform });
  };
  return {
    projectId,
    path,
    client,
    session,
    key,
    appId: app.id,
    playAppId: play.id,
    products,
    entitlementId: pro.id,
    ios: await sdk(app.id, 'iOS'),
    android: await sdk(play.id, 'android'),
  };
}

/** A customer who was there before its first purchase. */
export async function addCustomer(
  { dataSource }: Pick<TestServer, 'dataSource'>,
  projectId: string,
  { id, seenMs, country }: { id: string; seenMs: number; country: string | null },
): Promise<void> {
  await dataSource.query(
    `INSERT INTO customers (project_id, id, original_app_user_id, first_seen_at, first_seen_country, created_at)
     VALUES ($1, $2, $2, $3, $4, $3)`,
    [projectId, id, new Date(seenMs), country],
  );
}

/** Requests of SDKs and stores about the purchases of a project. */
export class ChartsReports {
  constructor(
    readonly stores: ChartsStores,
    readonly world: ChartsWorld,
  ) {}

  private ok({ status, text }: Answer): void {
    if (status !== 200 && status !== 201) throw new Error(`Expected success, got ${status}: ${text}`);
  }

  /** The app opens. `country` is alpha-3, as iOS sends it. */
  async see(id: string, country: string): Promise<void> {
    this.ok(await this.world.ios.get(`/v1/subscribers/${id}`, { 'x-storefront': country }));
    await this.stores.server.app.get(LastSeenRecorder).flush();
  }

  async postApple(id: string, signed: string): Promise<void> {
    this.ok(await this.world.ios.post('/v1/receipts', { app_user_id: id, fetch_token: signed }));
  }

  async notifyApple({ body }: FakeNotification): Promise<void> {
    await this.notify(`apple/${this.world.appId}`, body, {});
  }

  async postPlay(id: string, token: string, product: FakePlayProduct): Promise<void> {
    this.ok(
      await this.world.android.post('/v1/receipts', {
        app_user_id: id,
        fetch_token: token,
        product_ids: [product.id],
        platform_product_ids: [{ product_id: product.id, base_plan_id: product.basePlanId }],
        price: product.priceMicros / 1_000_000,
        currency: 'USD',
        is_restore: false,
      }),
    );
  }

  notifyPlay(purchaseToken: string, notificationType: number): Promise<void> {
    return this.push({ subscriptionNotification: { version: '1.0', notificationType, purchaseToken } });
  }

  async push(content: object): Promise<void> {
    const { google, server } = this.stores;
    const eventTimeMillis = String(server.clock.nowMs());
    const data = { version: '1.0', packageName: PACKAGE_NAME, eventTimeMillis, ...content };
    const message = {
      data: Buffer.from(JSON.stringify(data)).toString('base64'),
      messageId: randomUUID(),
    };
    const token = await google.pushToken({ aud: AUDIENCE, email: PUSHER, email_verified: true });
    const body = JSON.stringify({ message, subscription: 'projects/example/subscriptions/play' });
    await this.notify(`google/${this.world.playAppId}`, body, { authorization: `Bearer ${token}` });
  }

  private async notify(path: string, body: string, headers: Record<string, string>): Promise<void> {
    const { server } = this.stores;
    const all = { 'content-type': 'application/json', ...headers };
    this.ok(await server.http.send('POST', `/v1/notifications/${path}`, body, all));
    await server.app.get(NotificationWorkerJob).drain();
  }
}
