import { createSecretKey, signUp } from './arrange.js';
import type { ApiClient, Json } from './api-client.js';
import { TEST_START_MS, type TestServer } from './test-server.js';

/** A project with a Test Store app and a small catalog, made through the public API. */
export interface TestStore {
  projectId: string;
  /** Path of the project below /v2. */
  path: string;
  appId: string;
  publicKey: string;
  /** The SDK's side: public key, JSON. */
  sdk: ApiClient;
  /** A backend with every permission. */
  backend: ApiClient;
  session: ApiClient;
  products: { monthly: Json; yearly: Json; coins: Json; lifetime: Json };
  entitlements: { pro: Json };
  offering: Json;
}

async function created(client: ApiClient, path: string, body: object): Promise<Json> {
  const answer = await client.post(path, body);
  if (answer.status !== 201) throw new Error(`POST ${path} answered ${answer.status}: ${answer.text}`);
  return answer.body;
}

/**
 * `pro_monthly` and `pro_yearly` (subscriptions) and `pro_lifetime` (non-consumable) unlock `pro`; `coins_100` is
 * a consumable. The current offering `default` holds a monthly and an annual package.
 */
export async function createTestStore(server: Pick<TestServer, 'http'>, email?: string): Promise<TestStore> {
  const { session, projectId } = await signUp(server, email ? { email } : {});
  const { client: backend } = await createSecretKey(session, projectId);
  const path = `/v2/projects/${projectId}`;
  // Most tests are about what a purchase and its end bring; those about renewals turn them on.
  const app = await created(backend, `${path}/apps`, {
    name: 'Test app',
    type: 'test_store',
    test_store: { renewal_mode: 'none' },
  });
  const keys = await backend.get(`${path}/apps/${app.id}/public_api_keys`);
  const publicKey: string = keys.body.items[0].key;
  const product = (storeIdentifier: string, type: string, price: number, duration?: string) =>
    created(backend, `${path}/products`, {
      store_identifier: storeIdentifier,
      app_id: app.id,
      type,
      display_name: `Name of ${storeIdentifier}`,
      test_store_price: { amount_micros: price * 1_000_000, currency: 'USD' },
      ...(duration ? { subscription: { duration } } : {}),
    });
  const products = {
    monthly: await product('pro_monthly', 'subscription', 9.99, 'P1M'),
    yearly: await product('pro_yearly', 'subscription', 79.99, 'P1Y'),
    coins: await product('coins_100', 'consumable', 0.99),
    lifetime: await product('pro_lifetime', 'non_consumable', 199),
  };
  const pro = await created(backend, `${path}/entitlements`, { lookup_key: 'pro', display_name: 'Pro' });
  await backend.post(`${path}/entitlements/${pro.id}/actions/attach_products`, {
    product_ids: [products.monthly.id, products.yearly.id, products.lifetime.id],
  });
  const offering = await created(backend, `${path}/offerings`, {
    lookup_key: 'default',
    display_name: 'The default',
  });
  for (const [lookupKey, productId] of [
    ['$rc_monthly', products.monthly.id],
    ['$rc_annual', products.yearly.id],
  ]) {
    const item = await created(backend, `${path}/offerings/${offering.id}/packages`, {
      lookup_key: lookupKey,
      display_name: lookupKey,
    });
    await backend.post(`${path}/packages/${item.id}/actions/attach_products`, {
      products: [{ product_id: productId, eligibility_criteria: 'all' }],
    });
  }
  return {
    projectId,
    path,
    appId: app.id,
    publicKey,
    sdk: server.http.withKey(publicKey),
    backend,
    session,
    products,
    entitlements: { pro },
    offering,
  };
}

/** A purchase of `pro_monthly` in the Test Store, as an SDK posts it. */
export function testReceipt(customer: string, atMs = TEST_START_MS) {
  return {
    app_user_id: customer,
    fetch_token: `test_${atMs}_${customer}`,
    product_id: 'pro_monthly',
    currency: 'USD',
  };
}
