import { ChartsRollupJob } from '../../../src/insights/charts/rollup/charts-rollup.job.js';
import { DeliveryDispatcherService } from '../../../src/webhooks/deliveries/delivery-dispatcher.service.js';
import type { Json } from '../../support/api-client.js';
import type { Receiver } from '../../support/webhook-receiver.js';
import type { Dashboard } from './dashboard.js';

const FIRST_NAMES = ['anna', 'ben', 'chloe', 'david', 'emma', 'felix', 'grace', 'hugo', 'ines', 'jonas'];
const LAST_NAMES = ['meyer', 'smith', 'dubois', 'tanaka', 'rossi', 'silva', 'novak'];
const MARKETS = [
  { country_code: 'US', currency: 'USD' },
  { country_code: 'DE', currency: 'EUR' },
  { country_code: 'GB', currency: 'GBP' },
  { country_code: 'JP', currency: 'JPY' },
  { country_code: 'FR', currency: 'EUR' },
] as const;
/** Units of each currency for a dollar, about. */
const RATES = { USD: 1, EUR: 0.92, GBP: 0.79, JPY: 148 } as const;
const PLATFORMS = ['iOS', 'android', 'iOS', 'macOS', 'iOS'];
const SALES = [
  { product: 'pro_monthly', dollars: 9.99 },
  { product: 'pro_yearly', dollars: 79.99 },
  { product: 'pro_monthly', dollars: 9.99 },
  { product: 'coaching_monthly', dollars: 29.99 },
  { product: 'pro_monthly', dollars: 9.99 },
  { product: 'coins_100', dollars: 0.99 },
  { product: 'pro_yearly', dollars: 79.99 },
] as const;
const CUSTOMERS = 120;
const PER_DAY = 2;

/** Most purchases are paid; some are trials, refunded or cancelled. */
function scenarioOf(place: number, product: string): string {
  // Refunds are dated today, so few of them.
  if (place % 40 === 35) return 'refund';
  if (!product.startsWith('pro_')) return 'purchase';
  return place % 9 === 4 ? 'trial' : place % 13 === 7 ? 'cancel' : 'purchase';
}

/** Name and email of the customer with this number: the same in every run. */
export function shopCustomer(place: number): { id: string; email: string; name: string } {
  const first = FIRST_NAMES[place % FIRST_NAMES.length]!;
  const last = LAST_NAMES[place % LAST_NAMES.length]!;
  const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
  return {
    id: `user-${4700 + place}`,
    email: `${first}.${last}@example.com`,
    name: `${capital(first)} ${capital(last)}`,
  };
}

/**
 * A shop that looks like a real one: Acme Fitness with two months of customers in five countries, two entitlements, apps of
 * two stores, and two webhooks of which one fails. `receiver` takes the events of the one that works.
 */
export async function arrangeShop(dashboard: Dashboard, receiver: Receiver): Promise<void> {
  const { owner, store, server } = dashboard;
  const post = async (path: string, body: object): Promise<Json> => {
    const answer = await owner.session.post(`${store.path}${path}`, body);
    if (answer.status >= 300) throw new Error(`POST ${path} answered ${answer.status}: ${answer.text}`);
    return answer.body;
  };
  await owner.session.post(store.path, { name: 'Acme Fitness' });
  await post(`/apps/${store.appId}`, { name: 'Acme on the web' });
  await post('/apps', {
    name: 'Acme for iPhone',
    type: 'app_store',
    app_store: { bundle_id: 'com.acme.fitness' },
  });
  await post('/apps', {
    name: 'Acme for Android',
    type: 'play_store',
    play_store: { package_name: 'com.acme.fitness' },
  });
  const names = {
    monthly: 'Pro, monthly',
    yearly: 'Pro, yearly',
    coins: '100 coins',
    lifetime: 'Pro for life',
  };
  for (const [key, name] of Object.entries(names))
    await post(`/products/${store.products[key as keyof typeof names].id}`, { display_name: name });
  const coaching = await post('/products', {
    store_identifier: 'coaching_monthly',
    app_id: store.appId,
    type: 'subscription',
    display_name: 'Coaching, monthly',
    test_store_price: { amount_micros: 29_990_000, currency: 'USD' },
    subscription: { duration: 'P1M' },
  });
  const entitlement = await post('/entitlements', { lookup_key: 'coaching', display_name: 'Coaching' });
  await post(`/entitlements/${entitlement.id}/actions/attach_products`, { product_ids: [coaching.id] });
  await post('/integrations/webhooks', { name: 'Backend', url: receiver.url });
  await post('/integrations/webhooks', { name: 'Analytics', url: 'http://127.0.0.1:9/events' });

  for (let place = 0; place < CUSTOMERS; place += 1) {
    const { id, email, name } = shopCustomer(place);
    const market = MARKETS[place % MARKETS.length]!;
    const platform = PLATFORMS[place % PLATFORMS.length]!;
    await store.sdk
      .with({ 'x-platform': platform, 'x-client-version': '4.2.0', 'x-version': '5.86.0' })
      .get(`/v1/subscribers/${id}`);
    await store.sdk.post(`/v1/subscribers/${id}/attributes`, {
      attributes: { $email: { value: email }, $displayName: { value: name } },
    });
    const { product, dollars } = SALES[place % SALES.length]!;
    const price = dollars * RATES[market.currency];
    await post('/test_purchases', {
      app_user_id: id,
      product_id: product,
      offset_days: Math.floor((CUSTOMERS - place - 1) / PER_DAY),
      scenario: scenarioOf(place, product),
      presented_offering_id: 'default',
      price: market.currency === 'JPY' ? Math.round(price) : Number(price.toFixed(2)),
      ...market,
    });
  }
  await server.app.get(ChartsRollupJob).run();
  await server.app.get(DeliveryDispatcherService).drain();
}
