import { randomUUID } from 'node:crypto';
import { buildWorld, call } from '../../bench/world.mjs';

const HOUR_MS = 3_600_000;

/**
 * A project with everything that people make through the API, and `customers` buyers. Its webhook goes to
 * `receiverUrl`. What an older version of the server has no route for is left out.
 */
export async function buildFullWorld(url, customers, receiverUrl) {
  const world = await buildWorld(url, customers, receiverUrl);
  const { path, backendHeaders, sdkHeaders } = world;
  const request = async (method, suffix, body, headers = backendHeaders) =>
    (await call(url, method, suffix, headers, body)).json;
  const post = (suffix, body, headers) => request('POST', path + suffix, body, headers);
  const ifKnown = (work) =>
    work().catch((error) => {
      if (!error.message.includes('There is no route')) throw error;
    });
  const buy = (appUserId, productId, more = {}) =>
    request(
      'POST',
      '/v1/receipts',
      {
        app_user_id: appUserId,
        fetch_token: `test_${Date.now()}_${randomUUID()}`,
        product_id: productId,
        currency: 'EUR',
        ...more,
      },
      sdkHeaders,
    );
  const entitlement = (await request('GET', `${path}/entitlements`)).items[0];
  const offering = (await request('GET', `${path}/offerings`)).items[0];
  const products = (await request('GET', `${path}/products`)).items;
  const coins = products.find((product) => product.store_identifier === 'coins');

  await post('/virtual_currencies', {
    code: 'GLD',
    name: 'Gold',
    product_grants: [{ product_ids: [coins.id], amount: 100 }],
  });
  await buy('collector', 'coins', { attributes: { $email: { value: 'ada@example.com', updated_at_ms: 1 } } });
  await post('/customers/collector/virtual_currencies/transactions', { adjustments: { GLD: -30 } });
  await post(
    '/customers',
    { id: 'made', attributes: [{ name: 'plan', value: 'gold' }] },
    { ...backendHeaders, 'idempotency-key': 'made' },
  );
  await post('/customers/made/actions/grant_entitlement', {
    entitlement_id: entitlement.id,
    expires_at: Date.now() + 1000 * HOUR_MS,
  });
  await post('/customers/made/actions/assign_offering', { offering_id: offering.id });
  await buy('giver', 'pro_annual');
  await post('/customers/giver/actions/transfer', { target_customer_id: 'taker' });
  await request(
    'POST',
    '/v1/subscribers/identify',
    { app_user_id: 'made', new_app_user_id: 'named' },
    sdkHeaders,
  );
  await post('/blocked_customers', { app_user_id: 'blocked' });
  await buy('refunded', 'coins');
  const purchase = (await request('GET', `${path}/customers/refunded/purchases`)).items[0];
  await ifKnown(() => post(`/purchases/${purchase.id}/actions/refund`));
  await buy('clocked', 'pro_monthly');
  await ifKnown(async () => {
    const clock = await post('/test_clocks', { name: 'Next year', frozen_time: Date.now() });
    await post('/customers', { id: 'timed' });
    await post(`/test_clocks/${clock.id}/actions/attach_customer`, { customer_id: 'timed' });
  });
  return world;
}
