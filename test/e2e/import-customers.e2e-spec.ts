import type { Answer, Json } from '../support/api-client.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe('importing customers', () => {
  let server: TestServer;
  let store: TestStore;
  let apple: Json;
  let play: Json;

  beforeAll(async () => {
    server = await startTestServer({ env: { SERVICE_ALLOW_SIGNUP: 'true' } });
    store = await createTestStore(server);
    const made = async (path: string, body: object): Promise<Json> =>
      (await store.backend.post(`${store.path}/${path}`, body)).body;
    apple = await made('apps', { name: 'iOS', type: 'app_store', app_store: { bundle_id: 'com.example.app' } });
    play = await made('apps', { name: 'Android', type: 'play_store', play_store: { package_name: 'com.example' } });
    const ids: string[] = [];
    for (const [app_id, store_identifier] of [
      [apple.id, 'pro_month'],
      [play.id, 'pro:monthly'],
    ]) {
      const body = { store_identifier, app_id, type: 'subscription', display_name: 'Pro' };
      ids.push((await made('products', body)).id);
    }
    await made(`entitlements/${store.entitlements.pro.id}/actions/attach_products`, { product_ids: ids });
  });

  beforeEach(() => server.clock.advanceMs(1));

  afterAll(async () => {
    await server.close();
  });

  let count = 0;
  const person = (): string => `imported-${++count}`;
  const post = (body: object): Promise<Answer> => store.backend.post(`${store.path}/import/customers`, body);
  const now = (): number => server.clock.nowMs();
  const v2 = (id: string, suffix = ''): string =>
    `${store.path}/customers/${encodeURIComponent(id)}${suffix}`;
  const active = async (id: string): Promise<Json[]> =>
    (await store.backend.get(v2(id, '/active_entitlements'))).body.items;
  const ios = (id: string, more: Json = {}): Json => ({
    app_id: apple.id,
    store: 'app_store',
    product_identifier: 'pro_month',
    starts_at: now() - 70 * DAY_MS,
    current_period_starts_at: now() - 10 * DAY_MS,
    current_period_ends_at: now() + 20 * DAY_MS,
    status: 'active',
    auto_renewal_status: 'will_renew',
    store_subscription_identifier: `${id}3`,
    original_transaction_id: `${id}1`,
    ...more,
  });

  it('creates them with what they own, and the same call again changes nothing', async () => {
    const id = person();
    const body = { customers: [{ id, first_seen_at: now() - 80 * DAY_MS, subscriptions: [ios('900')] }] };
    const first = await post(body);
    expect(first.text).toBe('');
    expect(first.body).toMatchObject({ customers: [{ id, status: 'created', subscriptions: 1, notes: [] }] });
    expect(await active(id)).toHaveLength(1);
    server.clock.advanceMs(1000);
    expect((await post(body)).body.customers).toMatchObject([{ id, status: 'updated', subscriptions: 1 }]);
  });
});
