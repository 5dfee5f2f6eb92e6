import { type ManualClock } from '../../libs/kernel/index.js';
import { NotificationWorkerJob } from '../../src/stores/notifications/notification-worker.job.js';
import type { Answer, ApiClient, Json } from './api-client.js';
import { createSecretKey, signUp } from './arrange.js';
import type { TestServer } from './test-server.js';
import { recordedEvents } from './recorded-events.js';

/** A project with one app of some store, and what is asked of it over and over. */
export interface StoreWorld {
  server: TestServer;
  clock: ManualClock;
  projectId: string;
  path: string;
  appId: string;
  backend: ApiClient;
  session: ApiClient;
  sdk: ApiClient;
  /** Changes the app's store settings. */
  configure(fields: object): Promise<void>;
  post(appUserId: string, fetchToken: string, more?: object): Promise<Answer>;
  /** Processes the inbox. */
  process(): Promise<void>;
  /** Types of a customer's events, oldest first, with their reasons. */
  events(appUserId: string): Promise<string[]>;
  subscription(appUserId: string): Promise<Json>;
  /** The app in the project's setup health. */
  health(): Promise<Json>;
  /** Counts the rows of the purchase tables. */
  purchaseRows(): Promise<number>;
  close(): Promise<void>;
}

export interface StoreAppOptions {
  type: string;
  /** `X-Platform` of the caller. */
  platform: string;
  /** The store object. */
  fields: object;
  /** Types by store identifier. */
  products: Record<string, string>;
  /** Those that unlock `pro`. */
  unlocking: string[];
}

function expected(answer: Answer, status: number): Json {
  if (answer.status !== status) throw new Error(`Expected ${status}, got ${answer.status}: ${answer.text}`);
  return answer.body;
}

const purchaseTables = ['subscriptions', 'one_time_purchases', 'store_transactions', 'events'];

export async function arrangeStoreApp(
  server: TestServer,
  { type, platform, fields, products, unlocking }: StoreAppOptions,
): Promise<StoreWorld> {
  const { session, projectId } = await signUp(server);
  const { client: backend } = await createSecretKey(session, projectId);
  const path = `/v2/projects/${projectId}`;
  const made = async (place: string, body: object): Promise<Json> =>
    expected(await backend.post(`${path}/${place}`, body), 201);
  const app = await made('apps', { name: `App of ${type}`, type, [type]: fields });
  const keys = await backend.get(`${path}/apps/${app.id}/public_api_keys`);
  const ids: string[] = [];
  for (const [identifier, kind] of Object.entries(products)) {
    const subscription = kind === 'subscription' ? { duration: 'P1M' } : undefined;
    const body = { store_identifier: identifier, app_id: app.id, type: kind, subscription };
    const product = await made('products', body);
    if (unlocking.includes(identifier)) ids.push(product.id as string);
  }
  const pro = await made('entitlements', { lookup_key: 'pro', display_name: 'Pro' });
  await backend.post(`${path}/entitlements/${pro.id}/actions/attach_products`, { product_ids: ids });
  const sdk = server.http.withKey(keys.body.items[0].key).with({ 'x-platform': platform });
  const customer = (appUserId: string): string => `${path}/customers/${encodeURIComponent(appUserId)}`;
  return {
    server,
    clock: server.clock,
    projectId,
    path,
    appId: app.id,
    backend,
    session,
    sdk,
    async configure(changes) {
      expected(await backend.post(`${path}/apps/${app.id}`, { [type]: changes }), 200);
    },
    post: (appUserId, fetchToken, more = {}) =>
      sdk.post('/v1/receipts', { app_user_id: appUserId, fetch_token: fetchToken, ...more }),
    process: () => server.app.get(NotificationWorkerJob).drain(),
    events: (appUserId) => recordedEvents(backend, path, appUserId),
    async subscription(appUserId) {
      return expected(await backend.get(`${customer(appUserId)}/subscriptions`), 200).items[0];
    },
    async health() {
      return expected(await backend.get(`${path}/setup_health`), 200).apps[0];
    },
    async purchaseRows() {
      const counts = purchaseTables.map((table) => `(SELECT count(*) FROM ${table})`).join(' + ');
      const [row] = await server.dataSource.query<{ count: string }[]>(`SELECT (${counts}) AS count`);
      return Number(row?.count);
    },
    close: () => server.close(),
  };
}
