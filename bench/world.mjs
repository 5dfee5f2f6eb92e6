import { randomUUID } from 'node:crypto';

const CONCURRENT = 64;

export async function call(url, method, path, headers, body) {
  const response = await fetch(url + path, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return { json: JSON.parse(text), cookie: response.headers.getSetCookie()[0]?.split(';')[0] };
}

/**
 * A project with a Test Store app, a catalog like a real one, a webhook unless `receiverUrl` is
 * null, and `customers` customers who bought. Gives
 * the headers of a phone and of a backend, and where to find things.
 */
export async function buildWorld(url, customers, receiverUrl) {
  const signup = { email: 'bench@example.com', password: randomUUID() };
  const { cookie } = await call(url, 'POST', '/auth/signup', {}, signup);
  const projects = await call(url, 'GET', '/v2/projects', { cookie });
  const projectId = projects.json.items[0].id;
  const path = `/v2/projects/${projectId}`;
  const key = (await call(url, 'POST', `${path}/api_keys`, { cookie }, { name: 'bench' })).json.key;
  const backendHeaders = { authorization: `Bearer ${key}` };
  const post = async (suffix, body) => (await call(url, 'POST', path + suffix, backendHeaders, body)).json;
  // The run of due work is about ends, which come all at once.
  const app = await post('/apps', {
    name: 'Bench',
    type: 'test_store',
    test_store: { renewal_mode: 'none' },
  });
  const keys = await call(url, 'GET', `${path}/apps/${app.id}/public_api_keys`, backendHeaders);
  const publicKey = keys.json.items[0].key;
  const entitlement = await post('/entitlements', { lookup_key: 'pro', display_name: 'Pro' });
  const offering = await post('/offerings', { lookup_key: 'default', display_name: 'Default' });
  for (const [name, duration] of [
    ['monthly', 'P1M'],
    ['annual', 'P1Y'],
    ['weekly', 'P1W'],
  ]) {
    const product = await post('/products', {
      store_identifier: `pro_${name}`,
      app_id: app.id,
      type: 'subscription',
      display_name: `Pro ${name}`,
      subscription: { duration },
      test_store_price: { amount_micros: 9_990_000, currency: 'USD' },
    });
    await post(`/entitlements/${entitlement.id}/actions/attach_products`, { product_ids: [product.id] });
    const item = await post(`/offerings/${offering.id}/packages`, {
      lookup_key: `$rc_${name}`,
      display_name: name,
    });
    await post(`/packages/${item.id}/actions/attach_products`, { products: [{ product_id: product.id }] });
  }
  const coins = await post('/products', {
    store_identifier: 'coins',
    app_id: app.id,
    type: 'consumable',
    test_store_price: { amount_micros: 990_000, currency: 'USD' },
  });
  const sdkHeaders = { authorization: `Bearer ${publicKey}`, 'x-platform': 'web', 'x-version': '1.63.1' };
  let next = 0;
  const buy = async () => {
    while (next < customers) {
      const appUserId = `customer-${next++}`;
      await call(url, 'POST', '/v1/receipts', sdkHeaders, {
        app_user_id: appUserId,
        fetch_token: `test_${Date.now()}_${randomUUID()}`,
        product_id: 'pro_monthly',
        currency: 'USD',
      });
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT }, buy));
  // The webhook comes last: 10,000 deliveries of the set-up would be measured otherwise.
  if (receiverUrl !== null) await post('/integrations/webhooks', { name: 'bench', url: receiverUrl });
  return {
    sdkHeaders,
    backendHeaders,
    account: signup,
    projectId,
    path,
    key,
    appId: app.id,
    productPath: `${path}/products/${coins.id}`,
  };
}
