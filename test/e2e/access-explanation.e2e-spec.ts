import type { Answer, ApiClient, Json } from '../support/api-client.js';
import { createSecretKey } from '../support/arrange.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import { countQueries } from '../support/query-count.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const DAY_MS = 86_400_000;

describe('the explanation of access', () => {
  let server: TestServer;
  let store: TestStore;
  let limited: ApiClient;

  beforeAll(async () => {
    server = await startTestServer({ env: { SERVICE_ALLOW_SIGNUP: 'true' } });
    store = await createTestStore(server);
    const permissions = ['customer_information:customers:read'];
    ({ client: limited } = await createSecretKey(store.session, store.projectId, permissions));
  });

  afterAll(() => server.close());
  beforeEach(() => server.clock.advanceMs(1));

  let count = 0;
  const person = (): string => `explained-${++count}`;
  const device = (): string => `$RCAnonymousID:${(++count).toString(16).padStart(32, '0')}`;
  const path = (id: string, suffix = ''): string =>
    `${store.path}/customers/${encodeURIComponent(id)}${suffix}`;
  const buy = async (id: string, product = 'pro_monthly'): Promise<string> => {
    const token = `test_${server.clock.nowMs()}_explained-${++count}`;
    const body = { app_user_id: id, fetch_token: token, product_id: product };
    expect((await store.sdk.post('/v1/receipts', body)).status).toBe(200);
    return token;
  };
  /** Always compared with what the customer really has. */
  const explain = async (id: string): Promise<Json> => {
    const { status, body } = await store.backend.get(path(id, '/access_explanation'));
    expect(status).toBe(200);
    const { body: held } = await store.backend.get(path(id, '/active_entitlements'));
    const active = body.entitlements.filter((one: Json) => one.active);
    expect(
      active.map((one: Json) => ({
        object: 'customer.active_entitlement',
        entitlement_id: one.entitlement_id,
        expires_at: one.until,
      })),
    ).toEqual(held.items);
    return body;
  };
  const pro = async (id: string): Promise<Json> => (await explain(id)).entitlements[0];

  it('names the purchase, its known end, and the end when it is over', async () => {
    const [id, boughtAtMs] = [person(), server.clock.nowMs()];
    await buy(id);
    const explanation = await explain(id);
    const [entitlement] = explanation.entitlements;
    expect(explanation).toMatchObject({
      object: 'access_explanation',
      customer_id: id,
      explained_at: boughtAtMs,
      blocked_at: null,
      purchases: [{ kind: 'subscription', owned: true, ownership_history: { items: [], next_page: null } }],
    });
    expect(entitlement).toMatchObject({
      entitlement_id: store.entitlements.pro.id,
      lookup_key: 'pro',
      active: true,
      since: boughtAtMs,
      cause: { type: 'purchase', occurred_at: boughtAtMs },
    });
    expect(entitlement.sources).toEqual([
      {
        object: 'access_source',
        kind: 'subscription',
        id: explanation.purchases[0].id,
        store: 'test_store',
        environment: 'sandbox',
        product_id: store.products.monthly.id,
        store_product_identifier: 'pro_monthly',
        gives_access: true,
        since: boughtAtMs,
        until: entitlement.until,
        cause: { type: 'purchase', occurred_at: boughtAtMs },
        expiration_reason: null,
      },
    ]);
    server.clock.advanceMs(entitlement.until - boughtAtMs);
    expect(await pro(id)).toMatchObject({
      active: false,
      since: entitlement.until,
      until: null,
      cause: { type: 'expiry', occurred_at: entitlement.until },
      sources: [{ gives_access: false, expiration_reason: 'UNSUBSCRIBE' }],
    });
  });

  it('names grants, what they end with, and who decides among several', async () => {
    const id = person();
    await buy(id);
    const grantedAtMs = server.clock.nowMs();
    const grant = { entitlement_id: store.entitlements.pro.id, expires_at: grantedAtMs + 400 * DAY_MS };
    await store.backend.post(path(id, '/actions/grant_entitlement'), grant);
    const both = await pro(id);
    expect(both).toMatchObject({ active: true, until: grant.expires_at, cause: { type: 'grant' } });
    expect(both.sources.map(({ kind }: Json) => kind)).toEqual(['grant', 'subscription']);
    server.clock.advanceMs(DAY_MS);
    await store.backend.post(path(id, '/actions/revoke_granted_entitlement'), {
      entitlement_id: store.entitlements.pro.id,
    });
    const [first, second] = (await pro(id)).sources;
    expect(first).toMatchObject({ kind: 'subscription', gives_access: true });
    expect(second).toMatchObject({
      kind: 'grant',
      gives_access: false,
      since: server.clock.nowMs(),
      cause: { type: 'grant_revocation', occurred_at: server.clock.nowMs() },
    });
  });

  it('names a refund of what was bought once', async () => {
    const id = person();
    await buy(id, 'pro_lifetime');
    expect(await pro(id)).toMatchObject({ active: true, until: null, cause: { type: 'purchase' } });
    const [purchase] = (await store.backend.get(path(id, '/purchases'))).body.items;
    server.clock.advanceMs(DAY_MS);
    await store.backend.post(`${store.path}/purchases/${purchase.id}/actions/refund`);
    expect(await pro(id)).toMatchObject({
      active: false,
      cause: { type: 'refund', occurred_at: server.clock.nowMs() },
      sources: [{ kind: 'purchase', id: purchase.id, gives_access: false }],
    });
  });

  it('names a transfer on both sides, with the history of the owners', async () => {
    const [from, to] = [person(), person()];
    await buy(from);
    server.clock.advanceMs(DAY_MS);
    const movedAtMs = server.clock.nowMs();
    await store.backend.post(path(from, '/actions/transfer'), { target_customer_id: to });
    server.clock.advanceMs(DAY_MS);
    const history = [{ from_customer_id: from, to_customer_id: to, rule: 'transfer_action' }];
    expect(await explain(to)).toMatchObject({
      entitlements: [{ active: true, since: movedAtMs, cause: { type: 'transfer', occurred_at: movedAtMs } }],
      purchases: [{ owned: true, ownership_history: { items: history } }],
    });
    expect(await explain(from)).toMatchObject({
      entitlements: [
        {
          active: false,
          since: movedAtMs,
          until: null,
          cause: { type: 'transfer_away', occurred_at: movedAtMs },
        },
      ],
      purchases: [{ owned: false, ownership_history: { items: history } }],
    });
  });

  it('does not take two customers who became one for two owners', async () => {
    const [anonymous, id] = [device(), person()];
    await store.sdk.get(`/v1/subscribers/${id}`);
    const boughtAtMs = server.clock.nowMs();
    await buy(anonymous);
    server.clock.advanceMs(DAY_MS);
    await store.sdk.post('/v1/subscribers/identify', { app_user_id: anonymous, new_app_user_id: id });
    for (const name of [anonymous, id]) {
      expect(await explain(name)).toMatchObject({
        customer_id: id,
        entitlements: [{ active: true, since: boughtAtMs, cause: { type: 'purchase' } }],
        purchases: [{ owned: true, ownership_history: { items: [{ rule: 'sign_in' }] } }],
      });
    }
  });

  it('names a block, and shows what would give access without it', async () => {
    const id = person();
    await buy(id);
    server.clock.advanceMs(DAY_MS);
    await store.backend.post(`${store.path}/blocked_customers`, { app_user_id: id });
    const blockedAtMs = server.clock.nowMs();
    expect(await explain(id)).toMatchObject({
      blocked_at: blockedAtMs,
      entitlements: [
        {
          active: false,
          since: blockedAtMs,
          until: null,
          cause: { type: 'block', occurred_at: blockedAtMs },
          sources: [{ gives_access: true, cause: { type: 'purchase' } }],
        },
      ],
    });
  });

  it('is empty for who never had anything, and knows nobody of other projects and nobody who is gone', async () => {
    const id = person();
    await store.sdk.get(`/v1/subscribers/${id}`);
    expect(await explain(id)).toMatchObject({ entitlements: [], purchases: [] });
    const stranger = await createTestStore(server);
    const foreign = path(id, '/access_explanation').replace(store.projectId, stranger.projectId);
    const statuses = async (...answers: Promise<Answer>[]): Promise<number[]> =>
      (await Promise.all(answers)).map(({ status }) => status);
    await store.backend.delete(path(id));
    expect(
      await statuses(
        stranger.backend.get(foreign),
        store.backend.get(path(id, '/access_explanation')),
        limited.get(path(id, '/access_explanation')),
      ),
    ).toEqual([404, 404, 403]);
  });

  it('costs the same few queries however much there is', async () => {
    const id = person();
    const statementsOf = countQueries(server);
    const cost = async (): Promise<number> =>
      (await statementsOf(() => store.backend.get(path(id, '/access_explanation')))).length;
    await buy(id);
    const one = await cost();
    for (let n = 0; n < 5; n++) await buy(id, n % 2 ? 'pro_lifetime' : 'pro_yearly');
    expect([one, await cost()]).toEqual([one, one]);
    expect(one).toBeLessThanOrEqual(8);
  });
});
