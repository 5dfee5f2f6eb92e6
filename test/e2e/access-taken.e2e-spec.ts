import { ChartsRollupJob } from '../../src/insights/charts/rollup/charts-rollup.job.js';
import type { Answer, Json } from '../support/api-client.js';
import { createSecretKey } from '../support/arrange.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

describe('what takes access from customers', () => {
  let server: TestServer;
  let store: TestStore;
  let count = 0;

  beforeEach(async () => {
    server = await startTestServer();
    store = await createTestStore(server);
  });
  afterEach(() => server?.close());

  const buy = async (productId: string): Promise<string> => {
    const user = `buyer-${++count}`;
    const answer = await store.sdk.post('/v1/receipts', {
      app_user_id: user,
      fetch_token: `test_${server.clock.nowMs()}_taken-${count}`,
      product_id: productId,
    });
    expect(answer.status).toBe(200);
    return user;
  };
  const counted = (product: Json): Promise<Answer> =>
    store.backend.get(`${store.path}/products/${product.id}?expand=active_subscriptions`);
  const activeOf = async (product: Json): Promise<unknown> => {
    const answer = await counted(product);
    expect(answer.status).toBe(200);
    return answer.body.active_subscriptions;
  };
  /** The record of a call in the audit log. */
  const audited = async (call: () => Promise<Answer>): Promise<Json> => {
    server.clock.advanceMs(1_000);
    expect((await call()).status).toBe(200);
    return (await store.backend.get(`${store.path}/audit_logs?limit=1`)).body.items[0];
  };
  const entitlementOf = async (user: string): Promise<unknown> =>
    (await store.sdk.get(`/v1/subscribers/${user}`)).body.subscriber.entitlements.pro;

  it('shows running subscriptions before a product is deleted, and audits their number', async () => {
    const { monthly, yearly, lifetime } = store.products;
    const [user] = [await buy('pro_monthly'), await buy('pro_monthly'), await buy('pro_lifetime')];
    expect([await activeOf(monthly), await activeOf(yearly), await activeOf(lifetime)]).toEqual([2, 0, 0]);
    const plain = await store.backend.get(`${store.path}/products/${monthly.id}`);
    expect(plain.body).not.toHaveProperty('active_subscriptions');
    expect(await entitlementOf(user)).toBeDefined();

    const deleted = await audited(() => store.backend.delete(`${store.path}/products/${monthly.id}`));
    expect(deleted).toMatchObject({
      action_type: 'product_deleted',
      additional_data: { active_subscriptions: 2 },
    });
    expect(await entitlementOf(user)).toBeUndefined();
  });

  it('counts the same from the rollup, and none that are over', async () => {
    await buy('pro_monthly');
    await server.app.get(ChartsRollupJob).run();
    await buy('pro_monthly');
    expect(await activeOf(store.products.monthly)).toBe(2);
    server.clock.advanceMs(400 * 86_400_000);
    expect(await activeOf(store.products.monthly)).toBe(0);
  });

  it('needs the permission of the metrics for the number', async () => {
    const { client } = await createSecretKey(store.session, store.projectId, [
      'project_configuration:products:read',
    ]);
    const path = `${store.path}/products/${store.products.monthly.id}`;
    expect((await client.get(path)).status).toBe(200);
    expect((await client.get(`${path}?expand=active_subscriptions`)).status).toBe(403);
  });

  it('audits the number when products are detached, entitlements archived or deleted, and apps deleted', async () => {
    const { monthly, yearly } = store.products;
    for (const id of ['pro_monthly', 'pro_monthly', 'pro_yearly']) await buy(id);
    const entitlement = `${store.path}/entitlements/${store.entitlements.pro.id}`;
    const numberOf = async (call: () => Promise<Answer>): Promise<unknown> =>
      (await audited(call)).additional_data.active_subscriptions;
    const detach = (): Promise<Answer> =>
      store.backend.post(`${entitlement}/actions/detach_products`, { product_ids: [yearly.id] });
    expect(await numberOf(detach)).toBe(1);
    expect(await numberOf(detach)).toBe(0);
    expect(await numberOf(() => store.backend.post(`${entitlement}/actions/archive`))).toBe(2);
    expect(await numberOf(() => store.backend.delete(entitlement))).toBe(2);
    expect(await numberOf(() => store.backend.delete(`${store.path}/apps/${monthly.app_id}`))).toBe(3);
  });
});
