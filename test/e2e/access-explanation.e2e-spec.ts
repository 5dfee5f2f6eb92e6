import fc from 'fast-check';
import type { Answer, ApiClient, Json } from '../support/api-client.js';
import { createSecretKey } from '../support/arrange.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import { countQueries } from '../support/query-count.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const DAY_MS = 86_400_000;

type ImportedStatus = 'trialing' | 'active' | 'in_grace_period' | 'in_billing_retry' | 'paused' | 'expired';

/** One step of a customer's history. Days are relative to the time of the step. */
type Step =
  | {
      do: 'import subscription';
      store: 'app_store' | 'play_store' | 'stripe' | 'promotional';
      product: 'pro_month' | 'plus_month' | 'unknown_month';
      status: ImportedStatus;
      starts: number;
      ends: number | null;
      refunded: boolean;
      hasToken: boolean;
      transactions: ('pro_month' | 'plus_month')[];
      environment: 'production' | 'sandbox';
    }
  | { do: 'import purchase'; product: 'pro_forever' | 'plus_month'; refunded: boolean }
  | { do: 'buy'; product: 'pro_monthly' | 'pro_yearly' | 'pro_lifetime' | 'coins_100' }
  | { do: 'grant'; days: number | null }
  | { do: 'revoke' | 'refund' | 'block' | 'unblock' | 'transfer' }
  | { do: 'wait'; days: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('import subscription' as const),
      store: fc.constantFrom('app_store', 'play_store', 'stripe', 'promotional'),
      product: fc.constantFrom('pro_month', 'plus_month', 'unknown_month'),
      status: fc.constantFrom<ImportedStatus[]>(
        'trialing',
        'active',
        'in_grace_period',
        'in_billing_retry',
        'paused',
        'expired',
      ),
      starts: fc.integer({ min: -80, max: 1 }),
      ends: fc.option(fc.integer({ min: 1, max: 60 }), { freq: 6 }),
      refunded: fc.boolean(),
      hasToken: fc.boolean(),
      transactions: fc.array(fc.constantFrom('pro_month', 'plus_month'), { maxLength: 2 }),
      environment: fc.constantFrom('production', 'sandbox'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('import purchase' as const),
      product: fc.constantFrom('pro_forever', 'plus_month'),
      refunded: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('buy' as const),
      product: fc.constantFrom('pro_monthly', 'pro_yearly', 'pro_lifetime', 'coins_100'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('grant' as const),
      days: fc.option(fc.integer({ min: 1, max: 90 })),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('revoke', 'refund', 'block', 'unblock', 'transfer') }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 45 }) }),
  },
);

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
    ).toEqual(expect.arrayContaining(held.items));
    expect(active).toHaveLength(held.items.length);
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
        imported_at: null,
        imported_as_of: null,
        needs_token_refresh: false,
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

  it('returns nothing for a customer without purchases, and 404 for deleted customers and those of other projects', async () => {
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

  describe('of imported customers', () => {
    const apps: Record<string, Json> = {};

    beforeAll(async () => {
      const made = async (suffix: string, body: object): Promise<Json> => {
        const answer = await store.backend.post(`${store.path}/${suffix}`, body);
        expect(answer.status).toBe(201);
        return answer.body;
      };
      for (const app of [
        { type: 'app_store', app_store: { bundle_id: 'com.example.app' } },
        { type: 'play_store', play_store: { package_name: 'com.example' } },
        { type: 'stripe', stripe: {} },
      ]) {
        apps[app.type] = await made('apps', { name: app.type, ...app });
      }
      const plus = await made('entitlements', { lookup_key: 'plus', display_name: 'Plus' });
      for (const [identifier, type, entitlements] of [
        ['pro_month', 'subscription', [store.entitlements.pro]],
        ['plus_month', 'subscription', [store.entitlements.pro, plus]],
        ['pro_forever', 'non_consumable', [store.entitlements.pro]],
      ] as const) {
        for (const { id: app_id, type: storeOfApp } of Object.values(apps)) {
          const suffix = storeOfApp === 'play_store' && type === 'subscription' ? ':base' : '';
          const product = await made('products', {
            store_identifier: `${identifier}${suffix}`,
            app_id,
            type,
            display_name: identifier,
          });
          for (const { id } of entitlements) {
            await store.backend.post(`${store.path}/entitlements/${id}/actions/attach_products`, {
              product_ids: [product.id],
            });
          }
        }
      }
    });

    const at = (days: number): number => server.clock.nowMs() + days * DAY_MS;
    const importOf = async (customer: Json): Promise<void> => {
      const answer = await store.backend.post(`${store.path}/import/customers`, { customers: [customer] });
      expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
    };
    const subscription = (key: string, one: Step & { do: 'import subscription' }): Json => {
      const { status, ends } = one;
      const isOver = status === 'expired' || status === 'in_billing_retry';
      const from = at(Math.min(one.starts, isOver ? -31 : one.starts));
      const to = isOver ? at(-1) : ends === null ? null : Math.max(from, at(ends));
      const suffix = one.store === 'play_store' ? ':base' : '';
      return {
        ...(one.store !== 'promotional' && { app_id: apps[one.store]?.id }),
        ...(one.store === 'promotional' && { entitlement_lookup_keys: ['pro', 'plus'] }),
        store: one.store,
        environment: one.environment,
        product_identifier: `${one.product}${suffix}`,
        starts_at: from - 60 * DAY_MS,
        current_period_starts_at: from,
        current_period_ends_at: to,
        status,
        auto_renewal_status: status === 'expired' ? 'will_not_renew' : 'will_renew',
        store_subscription_identifier: `${key}-last`,
        ...(one.store === 'app_store' && { original_transaction_id: `${key}-first` }),
        ...(one.store === 'play_store' && one.hasToken && { purchase_token: `${key}-token` }),
        ...(one.refunded && { refunded_at: Math.min(at(0), from + DAY_MS) }),
        transactions: one.transactions.map((product, index) => ({
          id: `${key}-${index}`,
          purchased_at: from - (30 - 10 * index) * DAY_MS,
          product_identifier: `${product}${suffix}`,
        })),
      };
    };

    const take = async (id: string, one: Step): Promise<void> => {
      const key = `history-${++count}`;
      const [owned] = (await store.backend.get(path(id, '/subscriptions'))).body.items;
      const entitlement_id = store.entitlements.pro.id;
      if (one.do === 'import subscription') await importOf({ id, subscriptions: [subscription(key, one)] });
      else if (one.do === 'import purchase')
        await importOf({
          id,
          purchases: [
            {
              app_id: apps.app_store?.id,
              store: 'app_store',
              product_identifier: one.product,
              purchased_at: at(-3),
              store_purchase_identifier: key,
              status: one.refunded ? 'refunded' : 'owned',
            },
          ],
        });
      else if (one.do === 'buy') await buy(id, one.product);
      else if (one.do === 'grant') {
        const expires_at = one.days === null ? null : at(one.days);
        await store.backend.post(path(id, '/actions/grant_entitlement'), { entitlement_id, expires_at });
      } else if (one.do === 'revoke')
        await store.backend.post(path(id, '/actions/revoke_granted_entitlement'), { entitlement_id });
      else if (one.do === 'refund') {
        if (owned) await store.backend.post(`${store.path}/subscriptions/${owned.id}/actions/refund`);
      } else if (one.do === 'block')
        await store.backend.post(`${store.path}/blocked_customers`, { app_user_id: id });
      else if (one.do === 'unblock') await store.backend.delete(`${store.path}/blocked_customers/${id}`);
      else if (one.do === 'transfer')
        await store.backend.post(path(id, '/actions/transfer'), { target_customer_id: `${id}-other` });
      else if (one.do === 'wait') server.clock.advanceMs(one.days * DAY_MS);
      server.clock.advanceMs(1);
    };

    /** Answers of the explanation, `active_entitlements`, v1 and the summary about one customer. */
    const compareAnswers = async (id: string): Promise<void> => {
      const { entitlements } = await explain(id);
      const explained = entitlements.map(({ lookup_key: key, active, until }: Json) => ({
        key,
        active,
        until,
      }));
      const held = explained.filter(({ active }: Json) => active);
      const { body: summaries } = await store.backend.get(`${store.path}/customer_summaries?ids=${id}`);
      expect(summaries.items[0].active_entitlements).toEqual(
        held.map(({ key, until }: Json) => ({ lookup_key: key, expires_at: until })),
      );
      const { body: info } = await store.backend.get(`/v1/subscribers/${id}`);
      const listed = Object.entries<Json>(info.subscriber.entitlements).map(([key, one]) => ({
        key,
        until: one.expires_date === null ? null : Date.parse(one.expires_date),
      }));
      const isActive = ({ until }: Json): boolean => until === null || until > info.request_date_ms;
      const toSeconds = (ms: number | null): number | null => ms && Math.floor(ms / 1000) * 1000;
      expect(listed.filter(isActive)).toEqual(
        held.map(({ key, until }: Json) => ({ key, until: toSeconds(until) })),
      );
      const keys = explained.map(({ key }: Json) => key);
      expect(keys).toEqual(expect.arrayContaining(listed.map(({ key }) => key)));
    };

    it.each(['app_store', 'play_store', 'stripe'] as const)(
      'names why customers imported from %s have or lack access, and the import',
      async (storeOfApp) => {
        const importedAtMs = server.clock.nowMs();
        const importedOf = async (more: Partial<Step>, fields: Json = {}): Promise<Json> => {
          const id = person();
          const one = subscription(`explained-${++count}`, {
            do: 'import subscription',
            store: storeOfApp,
            product: 'pro_month',
            status: 'active',
            starts: -10,
            ends: 20,
            refunded: false,
            hasToken: false,
            transactions: [],
            environment: 'production',
            ...more,
          } as Step & { do: 'import subscription' });
          const subscriptions = [{ ...one, ...fields }];
          const as_of = importedAtMs - DAY_MS;
          const body = { as_of, customers: [{ id, subscriptions }] };
          expect((await store.backend.post(`${store.path}/import/customers`, body)).status).toBe(200);
          await compareAnswers(id);
          return pro(id);
        };
        const origin = { imported_at: importedAtMs, imported_as_of: importedAtMs - DAY_MS };
        expect(await importedOf({})).toMatchObject({
          active: true,
          since: at(-10),
          until: storeOfApp === 'play_store' ? at(80) : at(20),
          cause: { type: 'renewal', occurred_at: at(-10) },
          sources: [{ ...origin, needs_token_refresh: storeOfApp === 'play_store' }],
        });
        expect(await importedOf({ refunded: true })).toMatchObject({
          active: false,
          since: at(-9),
          cause: { type: 'refund', occurred_at: at(-9) },
          sources: [origin],
        });
        const pausedAtMs = at(-2);
        const paused = { status: 'paused' as const };
        expect(await importedOf(paused, { current_period_ends_at: pausedAtMs })).toMatchObject({
          active: false,
          since: pausedAtMs,
          cause: { type: 'pause', occurred_at: pausedAtMs },
          sources: [origin],
        });
      },
    );

    it('names the import of a grant, but not of one that was given here', async () => {
      const id = person();
      await importOf({
        id,
        subscriptions: [
          {
            store: 'promotional',
            starts_at: at(-1),
            current_period_starts_at: at(-1),
            current_period_ends_at: at(1),
            status: 'active',
            entitlement_lookup_keys: ['pro'],
          },
        ],
      });
      const importedAt = server.clock.nowMs();
      server.clock.advanceMs(DAY_MS / 2);
      const grant = { entitlement_id: store.entitlements.pro.id, expires_at: at(2) };
      const customer = `${store.path}/customers/${id}`;
      expect((await store.backend.post(`${customer}/actions/grant_entitlement`, grant)).status).toBe(201);
      const { entitlements } = (await store.backend.get(`${customer}/access_explanation`)).body;
      const sources = (entitlements.items ?? entitlements)[0].sources as Json[];
      expect(sources.map((source) => [source.imported_at, source.imported_as_of])).toEqual([
        [null, null],
        [importedAt, importedAt],
      ]);
    });

    it('agrees with every other answer about the customer, whatever happened', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
          const id = person();
          await store.sdk.get(`/v1/subscribers/${id}`);
          await store.sdk.get(`/v1/subscribers/${id}-other`);
          for (const one of steps) {
            await take(id, one);
            await compareAnswers(id);
          }
          await compareAnswers(`${id}-other`);
        }),
        { numRuns: 15 },
      );
    });
  });
});
