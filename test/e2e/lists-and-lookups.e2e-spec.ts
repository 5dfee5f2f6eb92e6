import type { Json } from '../support/api-client.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import { startTestServer, TEST_START_MS, type TestServer } from '../support/test-server.js';
import { walkList } from '../support/walk-list.js';

const DAY_MS = 86_400_000;
/** One calendar month after the clock of the tests. */
const MONTH_LATER_MS = Date.UTC(2026, 1, 2, 3, 4, 5, 678);

describe('lists and look-ups of a project', () => {
  let server: TestServer;
  let store: TestStore;

  beforeAll(async () => {
    server = await startTestServer({ env: { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_TRUST_PROXY: 'true' } });
    store = await createTestStore(server);
  });

  afterAll(() => server.close());

  beforeEach(() => server.clock.setMs(TEST_START_MS));

  let made = 0;
  const device = (): string => `$RCAnonymousID:${(++made).toString(16).padStart(32, '0')}`;
  const buy = async (appUserId: string, productId = 'pro_monthly', more: object = {}): Promise<string> => {
    const token = `test_${server.clock.nowMs()}_l-${++made}`;
    const body = { app_user_id: appUserId, fetch_token: token, product_id: productId, ...more };
    expect((await store.sdk.post('/v1/receipts', body)).status).toBe(200);
    return token;
  };
  const see = (appUserId: string, headers = {}) =>
    store.sdk.get(`/v1/subscribers/${encodeURIComponent(appUserId)}`, headers);
  const identify = (from: string, to: string) =>
    store.sdk.post('/v1/subscribers/identify', { app_user_id: from, new_app_user_id: to });
  const get = (suffix: string) => store.backend.get(`${store.path}${suffix}`);
  const items = async (suffix: string): Promise<Json[]> => {
    const { status, body } = await get(suffix);
    expect(status).toBe(200);
    return body.items;
  };
  const ids = async (suffix: string): Promise<string[]> =>
    (await items(suffix)).map(({ id }) => id as string);
  const subscriptionOf = async (appUserId: string): Promise<Json> =>
    (await items(`/customers/${encodeURIComponent(appUserId)}/subscriptions`))[0];
  const purchaseOf = async (appUserId: string): Promise<Json> =>
    (await items(`/customers/${encodeURIComponent(appUserId)}/purchases`))[0];
  /** A project of its own, where nothing else is in the lists. */
  const fresh = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const shared = store;
    store = await createTestStore(server);
    try {
      return await work();
    } finally {
      store = shared;
    }
  };

  /** Behavior of every list with cursors and limits. */
  async function expectList(suffix: string): Promise<void> {
    const join = suffix.includes('?') ? '&' : '?';
    const foreign = await get(`${suffix}${join}starting_after=nobody%27s`);
    expect([suffix, foreign.status, foreign.body.param]).toEqual([suffix, 400, 'starting_after']);
    const limit = await get(`${suffix}${join}limit=x`);
    expect([suffix, limit.status, limit.body.param]).toEqual([suffix, 400, 'limit']);
    const nul = await get(`${suffix}${join}starting_after=%00`);
    expect([suffix, nul.status]).toEqual([suffix, 400]);
  }

  it('uses separate cursors and limits for each', async () => {
    await buy('cursors');
    await buy('cursors', 'pro_lifetime');
    const [subscription, purchase] = [await subscriptionOf('cursors'), await purchaseOf('cursors')];
    for (const suffix of [
      '/customers',
      '/customers/cursors/aliases',
      `/subscriptions?store_subscription_identifier=${subscription.store_subscription_identifier}`,
      `/subscriptions/${subscription.id}/entitlements`,
      `/subscriptions/${subscription.id}/transactions`,
      `/purchases?store_purchase_identifier=${purchase.store_purchase_identifier}`,
      `/purchases/${purchase.id}/entitlements`,
      '/events',
      '/transactions',
    ]) {
      await expectList(suffix);
    }
  });

  it('finds nothing of another project', async () => {
    const token = await buy('private');
    const coins = await buy('private', 'coins_100');
    const [subscription, purchase] = [await subscriptionOf('private'), await purchaseOf('private')];
    await fresh(async () => {
      for (const suffix of [
        '/customers',
        '/customers?search=private',
        `/customers?search=${token}`,
        `/subscriptions?store_subscription_identifier=${token}`,
        `/purchases?store_purchase_identifier=${coins}`,
        '/events',
        '/events?customer=private',
        '/transactions',
        '/transactions?customer=private',
        '/customer_summaries?ids=private',
      ]) {
        expect([suffix, await items(suffix)]).toEqual([suffix, []]);
      }
      for (const suffix of [
        `/subscriptions/${subscription.id}`,
        `/subscriptions/${subscription.id}/entitlements`,
        `/subscriptions/${subscription.id}/transactions`,
        `/subscriptions/${subscription.id}/authenticated_management_url`,
        `/purchases/${purchase.id}`,
        `/purchases/${purchase.id}/entitlements`,
        '/customers/private/aliases',
      ]) {
        const answer = await get(suffix);
        expect([suffix, answer.status, answer.body.type]).toEqual([suffix, 404, 'resource_missing']);
      }
    });
  });

  describe('customers', () => {
    it('returns the nine fields, the last to be first seen first', async () => {
      await fresh(async () => {
        await see('older', {
          'x-platform': 'iOS',
          'x-platform-version': '18.1',
          'x-client-version': '2.0',
          'x-storefront': 'DE',
        });
        server.clock.advanceMs(1);
        await see('newer');
        const [newer, older] = await items('/customers');
        expect(newer.id).toBe('newer');
        expect(older).toEqual({
          object: 'customer',
          id: 'older',
          project_id: store.projectId,
          first_seen_at: TEST_START_MS,
          last_seen_at: TEST_START_MS,
          last_seen_app_version: '2.0',
          last_seen_country: 'DE',
          last_seen_platform: 'iOS',
          last_seen_platform_version: '18.1',
        });
      });
    });

    it('lists each once while others appear, buy, are seen and merge', async () => {
      await fresh(async () => {
        const devices = Array.from({ length: 10 }, device);
        const steady = Array.from({ length: 20 }, (_, index) => `steady-${index}`);
        // Older and newer than those they will join: a merge takes over the earlier `first_seen_at`.
        const known = [...devices.slice(5), ...steady, ...devices.slice(0, 5)];
        for (const [index, id] of known.entries()) {
          // Three customers a millisecond: the id decides among them.
          if (index % 3 === 0) server.clock.advanceMs(1);
          await see(id);
        }
        server.clock.advanceMs(600_000);
        const listed: string[] = [];
        const unmerged = new Set(devices);
        let merged = 0;
        let next: string | null = `${store.path}/customers?limit=3`;
        while (next !== null) {
          const { body }: { body: Json } = await store.backend.get(next);
          listed.push(...body.items.map(({ id }: Json) => id));
          next = body.next_page;
          await see(`late-${made++}`);
          await buy('steady-3');
          await see('steady-7');
          const last = body.items.at(-1).id;
          // The one from which the next page continues joins another customer; so does one further down.
          const from = unmerged.has(last) ? last : [...unmerged].at(-1);
          if (from !== undefined) {
            unmerged.delete(from);
            merged++;
            await identify(from, `steady-${merged}`);
          }
        }
        expect(new Set(listed).size).toBe(listed.length);
        expect(listed.filter((id) => id.startsWith('steady')).sort()).toEqual(steady.sort());
        expect(listed.filter((id) => id.startsWith('late'))).toEqual([]);
        expect(merged).toBeGreaterThan(8);
      });
    });

    it("finds them by exactly one of their ids, their email address, and their stores' purchase ids", async () => {
      const anonymous = device();
      const token = await buy(anonymous);
      await identify(anonymous, 'searched');
      const coins = await buy('searched', 'coins_100');
      const [{ id: customerId }] = await server.dataSource.query<[{ id: string }]>(
        `SELECT id FROM customers WHERE original_app_user_id = $1`,
        [anonymous],
      );
      await server.dataSource.query(
        `INSERT INTO customer_attributes (project_id, customer_id, name, value, updated_at_ms, source, set_at)
         VALUES ($1, $2, '$email', 'Zoe@Example.com', 0, 'sdk', 'epoch'), ($1, $2, 'nick', 'zoe', 0, 'sdk', 'epoch')`,
        [store.projectId, customerId],
      );
      const search = (text: string) => ids(`/customers?search=${encodeURIComponent(text)}`);
      for (const text of [anonymous, 'searched', 'zoe@example.com', 'ZOE@EXAMPLE.COM', token, coins]) {
        expect([text, await search(text)]).toEqual([text, [anonymous]]);
      }
      for (const text of ['Searched', 'search', 'search%', 'zoe', '%', `${token}x`, ' searched']) {
        expect([text, await search(text)]).toEqual([text, []]);
      }
      for (const text of ['', 'x'.repeat(256)]) {
        const answer = await get(`/customers?search=${text}`);
        expect([answer.status, answer.body.param]).toEqual([400, 'search']);
      }
    });

    it('finds them after the purchase moved or the customers merged', async () => {
      const token = await buy('first-owner');
      await store.sdk.post('/v1/receipts', {
        app_user_id: 'second-owner',
        fetch_token: token,
        product_id: 'pro_monthly',
        is_restore: true,
      });
      expect(await ids(`/customers?search=${token}`)).toEqual(['second-owner']);
      const anonymous = device();
      const other = await buy(anonymous);
      await see('merged-into');
      await identify(anonymous, 'merged-into');
      expect(await ids(`/customers?search=${other}`)).toEqual(['merged-into']);
      expect(await ids(`/customers?search=${encodeURIComponent(anonymous)}`)).toEqual(['merged-into']);
    });

    it('pages customers who share an email address', async () => {
      for (let index = 0; index < 5; index++) {
        server.clock.advanceMs(1);
        await see(`family-${index}`);
      }
      await server.dataSource.query(
        `INSERT INTO customer_attributes (project_id, customer_id, name, value, updated_at_ms, source, set_at)
         SELECT project_id, id, '$email', 'family@example.com', 0, 'sdk', 'epoch' FROM customers
         WHERE original_app_user_id LIKE 'family-%'`,
      );
      const first = (await get('/customers?search=family%40example.com&limit=2')).body;
      expect(first.items.map(({ id }: Json) => id)).toEqual(['family-4', 'family-3']);
      expect(first.next_page).toMatch(
        `${store.path}/customers?search=family%40example.com&limit=2&starting_after=family-3/`,
      );
      const second = (await store.backend.get(first.next_page)).body;
      expect(second.items.map(({ id }: Json) => id)).toEqual(['family-2', 'family-1']);
      const third = (await store.backend.get(second.next_page)).body;
      expect([third.items.length, third.next_page]).toEqual([1, null]);
    });

    it('lists their ids, bytewise, none older than the customer', async () => {
      const anonymous = device();
      server.clock.advanceMs(-DAY_MS);
      await see('earlier');
      server.clock.advanceMs(DAY_MS);
      await see(anonymous);
      await identify(anonymous, 'earlier');
      const aliases = await walkList(store.backend, `${store.path}/customers/earlier/aliases`, 1);
      expect(aliases).toEqual([
        { object: 'customer.alias', id: anonymous, created_at: TEST_START_MS },
        { object: 'customer.alias', id: 'earlier', created_at: TEST_START_MS - DAY_MS },
      ]);
      expect(await items(`/customers/${encodeURIComponent(anonymous)}/aliases`)).toEqual(aliases);
      expect((await get('/customers/nobody/aliases')).status).toBe(404);
      const foreign = await get('/customers/earlier/aliases?starting_after=searched');
      expect([foreign.status, foreign.body.param]).toEqual([400, 'starting_after']);
    });
  });

  describe('pages', () => {
    /** Deletes each page as soon as it is read; gives what was read, by `key`. */
    const walkAndDelete = async (suffix: string, key: string, path = suffix): Promise<string[]> => {
      const seen: string[] = [];
      let next: string | null = `${store.path}${suffix}?limit=2`;
      while (next !== null) {
        const { status, body }: { status: number; body: Json } = await store.backend.get(next);
        expect([next, status]).toEqual([next, 200]);
        for (const item of body.items) {
          const deleted = await store.backend.delete(`${store.path}${path}/${item[key]}`);
          expect(deleted.status).toBe(200);
          seen.push(item[key]);
        }
        next = body.next_page;
      }
      expect(await items(suffix)).toEqual([]);
      return seen;
    };

    it('continues after customers of the last page are erased', () =>
      fresh(async () => {
        const made = ['first', 'one@example.com', 'a.b-c~d', 'ü $', 'last'];
        for (const id of made) await see(id);
        const shown = await ids('/customers');
        expect(shown.toSorted()).toEqual(made.toSorted());
        expect(await walkAndDelete('/customers', 'id')).toEqual(shown);
      }));

    it('continues after a deleted object of the catalog, keys, webhooks and blocked ids', () =>
      fresh(async () => {
        for (let index = 0; index < 5; index++) {
          const made = await store.backend.post(`${store.path}/products`, {
            app_id: store.appId,
            store_identifier: `page_${index}`,
            type: 'consumable',
            display_name: `Page ${index}`,
          });
          expect(made.status).toBe(201);
          const code = { code: `C${index}`, name: `Coin ${index}` };
          expect((await store.backend.post(`${store.path}/virtual_currencies`, code)).status).toBe(201);
          const blocked = { app_user_id: `blocked ${index}` };
          expect((await store.backend.post(`${store.path}/blocked_customers`, blocked)).status).toBe(201);
          const hook = { name: `hook ${index}`, url: `https://example.com/${index}` };
          const path = `${store.path}/integrations/webhooks`;
          expect((await store.backend.post(path, hook)).status).toBe(201);
          const clock = { name: `clock ${index}`, frozen_time: TEST_START_MS };
          expect((await store.backend.post(`${store.path}/test_clocks`, clock)).status).toBe(201);
        }
        const others = (await ids('/products?limit=100')).length - 5;
        expect(await walkAndDelete('/products', 'id')).toHaveLength(others + 5);
        expect(await walkAndDelete('/virtual_currencies', 'code')).toEqual(['C0', 'C1', 'C2', 'C3', 'C4']);
        expect(await walkAndDelete('/blocked_customers', 'app_user_id')).toHaveLength(5);
        expect(await walkAndDelete('/integrations/webhooks', 'id')).toHaveLength(5);
        expect(await walkAndDelete('/test_clocks', 'id')).toHaveLength(5);
      }));

    it('continues by position after a deleted package', () =>
      fresh(async () => {
        const path = `/offerings/${store.offering.id}/packages`;
        for (const position of [7, 5, 6]) {
          const body = { lookup_key: `at_${position}`, display_name: 'x', position };
          expect((await store.backend.post(`${store.path}${path}`, body)).status).toBe(201);
        }
        const shown = await ids(path);
        expect(await walkAndDelete(path, 'id', '/packages')).toEqual(shown);
      }));

    it('continues after events and transactions of an erased customer', () =>
      fresh(async () => {
        const buyers = ['e1', 'e2', 'e3', 'e4'];
        for (const id of buyers) {
          await buy(id);
          server.clock.advanceMs(1000);
        }
        const { body: events } = await get('/events?limit=1');
        const { body: feed } = await get('/transactions?limit=1');
        expect([events.items[0].customer_id, feed.items[0].customer_id]).toEqual(['e4', 'e4']);
        await server.dataSource.query(`DELETE FROM events WHERE id = $1`, [events.items[0].id]);
        await server.dataSource.query(`DELETE FROM store_transactions WHERE id = $1`, [feed.items[0].id]);
        for (const { next_page: next } of [events, feed]) {
          const second = (await store.backend.get(next)).body;
          const third = (await store.backend.get(second.next_page)).body;
          const owners = [...second.items, ...third.items].map(({ customer_id: id }: Json) => id);
          expect(owners).toEqual(['e3', 'e2']);
        }
      }));

    it('continues after deleted attributes and balances', () =>
      fresh(async () => {
        await see('holder');
        const path = `${store.path}/customers/holder`;
        const named = ['a', 'b', 'c'].map((name) => ({ name, value: name }));
        expect((await store.backend.post(`${path}/attributes`, { attributes: named })).status).toBe(200);
        const { body: first } = await get('/customers/holder/attributes?limit=2');
        const gone = { attributes: [{ name: 'b', value: null }] };
        expect((await store.backend.post(`${path}/attributes`, gone)).status).toBe(200);
        const { body: second } = await store.backend.get(first.next_page);
        expect(second.items.map(({ name }: Json) => name)).toEqual(['c']);
      }));

    it('accepts a cursor escaped twice, and refuses guessed, damaged and foreign ones', () =>
      fresh(async () => {
        for (const id of ['a', 'b', '$c@d:e']) {
          await see(id);
          server.clock.advanceMs(1);
        }
        const { body } = await get('/customers?limit=1');
        const cursor = String(body.next_page).split('starting_after=')[1] ?? '';
        const values = cursor.slice(cursor.lastIndexOf('/') + 1);
        const [time] = values.split('.');
        expect(await ids(`/customers?starting_after=${encodeURIComponent(cursor)}`)).toEqual(['b', 'a']);
        expect(await ids(`/customers?starting_after=$c@d:e/${time}`)).toEqual(['b', 'a']);
        expect(await ids('/customers?starting_after=$c@d:e')).toEqual(['b', 'a']);
        await store.backend.delete(`${store.path}/customers/$c@d:e`);
        expect(await ids(`/customers?starting_after=${cursor}`)).toEqual(['b', 'a']);
        const bad = [
          `x/${time}`,
          `x/${values}`,
          `$c@d:e/${time}`,
          `%25${cursor}`,
          'x/',
          'x/1.2.3',
          'x/é',
          '/',
        ];
        const paths = bad.map((text) => `/customers?starting_after=${text}`);
        for (const path of [...paths, `/customers/b/subscriptions?starting_after=${cursor}`]) {
          const answer = await get(path);
          expect([path, answer.status, answer.body.param]).toEqual([path, 400, 'starting_after']);
        }
        for (const suffix of ['/products', '/events', '/customers', '/audit_logs', '/transactions']) {
          const nul = await get(`${suffix}?starting_after=%00/1`);
          expect([suffix, nul.status]).toEqual([suffix, 400]);
        }
      }));
  });

  describe('subscriptions', () => {
    it('finds them by any id of their store, and reads them by their own', async () => {
      const token = await buy('subscriber');
      const found = await items(`/subscriptions?store_subscription_identifier=${token}`);
      expect(found).toEqual([await subscriptionOf('subscriber')]);
      expect((await get(`/subscriptions/${found[0].id}`)).body).toEqual(found[0]);
      expect(await items('/subscriptions?store_subscription_identifier=unknown')).toEqual([]);
      for (const suffix of ['/subscriptions', '/subscriptions?store_subscription_identifier=']) {
        const answer = await get(suffix);
        expect([answer.status, answer.body.param]).toEqual([400, 'store_subscription_identifier']);
      }
      const unlocked = await items(`/subscriptions/${found[0].id}/entitlements`);
      expect(unlocked).toEqual(found[0].entitlements.items);
      expect(unlocked).toMatchObject([{ object: 'entitlement', lookup_key: 'pro' }]);
    });

    it('reads them by the id of a merged one, too', async () => {
      const token = await buy('joined');
      const { id } = await subscriptionOf('joined');
      await server.dataSource.query(
        `INSERT INTO subscription_aliases (project_id, alias_id, subscription_id)
         SELECT project_id, 'sub_former', id FROM subscriptions WHERE id = $1`,
        [id],
      );
      for (const suffix of ['', '/entitlements', '/transactions', '/ownership_history']) {
        const [former, present] = [`/subscriptions/sub_former${suffix}`, `/subscriptions/${id}${suffix}`];
        const [byFormer, byPresent] = [await get(former), await get(present)];
        expect([suffix, byFormer.status]).toEqual([suffix, 200]);
        expect(byFormer.body.items ?? byFormer.body).toEqual(byPresent.body.items ?? byPresent.body);
      }
      const { status, body } = await store.backend.post(
        `${store.path}/subscriptions/sub_former/transactions/${token}/actions/refund`,
      );
      expect([status, body.id, body.refunded_at]).toEqual([200, token, TEST_START_MS]);
    });

    it('shows the charge', async () => {
      const token = await buy('payer', 'pro_monthly', { price: 8.5, currency: 'EUR' });
      const { id } = await subscriptionOf('payer');
      const [transaction] = await items(`/subscriptions/${id}/transactions`);
      expect(transaction).toEqual({
        object: 'subscription_transaction',
        id: token,
        purchased_at: TEST_START_MS,
        product_store_identifier: 'pro_monthly',
        revenue_in_local_currency: { currency: 'EUR', gross: 8.5, commission: 0, tax: 0, proceeds: 8.5 },
        revenue_in_usd: expect.objectContaining({ currency: 'USD' }),
        expiration_date: MONTH_LATER_MS,
        effective_expiration_date: MONTH_LATER_MS,
        refunded_at: null,
      });
      expect(transaction.revenue_in_usd.gross).toBeGreaterThan(8.5);
    });

    it('lists transactions by id or time, in either direction, and pages through them', async () => {
      const token = await buy('renewing');
      const { id } = await subscriptionOf('renewing');
      // Renewals whose ids sort against their times, two of them at the same time.
      for (const [index, name] of ['z', 'A', 'b', 'a'].entries()) {
        await server.dataSource.query(
          `INSERT INTO store_transactions (project_id, recorded_at, id, customer_id, subscription_id, store, environment,
             kind, kind_seq, period_key, owner_key, store_ids, commission_bps, tax_bps, quantity, price_source,
             purchased_at, period_type, ownership, store_product_id)
           SELECT project_id, recorded_at, id || $2, customer_id, subscription_id, store, environment, 'renewal', 0, $2,
             owner_key, ARRAY[$2::text], commission_bps, tax_bps, quantity, 'unknown',
             purchased_at + make_interval(days => $3), period_type, ownership, store_product_id
           FROM store_transactions WHERE subscription_id = $1 AND kind = 'purchase'`,
          [id, name, Math.min(index, 2) + 1],
        );
      }
      const path = `${store.path}/subscriptions/${id}/transactions`;
      const listed = async (query: string, limit = 2): Promise<string[]> => {
        const all: string[] = [];
        let next: string | null = `${path}?limit=${limit}&${query}`;
        while (next !== null) {
          const { body }: { body: Json } = await store.backend.get(next);
          all.push(...body.items.map((item: Json) => item.id));
          next = body.next_page;
        }
        return all;
      };
      const byId = ['A', 'a', 'b', token, 'z'];
      const byTime = [token, 'z', 'A', 'a', 'b'];
      expect(await listed('')).toEqual(byId);
      expect(await listed('sort=id&direction=desc')).toEqual(byId.toReversed());
      expect(await listed('sort=purchased_at', 1)).toEqual(byTime);
      expect(await listed('sort=purchased_at&direction=desc', 3)).toEqual(byTime.toReversed());
      const [unknown] = (await store.backend.get(path)).body.items;
      expect([unknown.revenue_in_local_currency, unknown.revenue_in_usd.gross]).toEqual([null, 0]);
      for (const query of ['sort=price', 'direction=up']) {
        const answer = await store.backend.get(`${path}?${query}`);
        expect([answer.status, answer.body.param]).toEqual([400, query.split('=')[0]]);
      }
    });

    it('shows the time of the refund as the end of a refunded period', async () => {
      const token = await buy('refunded');
      const { id } = await subscriptionOf('refunded');
      const refund = {
        at: TEST_START_MS,
        src: 'signed',
        value: { revokedAtMs: TEST_START_MS + DAY_MS, kind: 'full' },
      };
      await server.dataSource.query(
        `UPDATE subscriptions SET facts = jsonb_set(facts::jsonb, '{refunds}', $2::jsonb)::json WHERE id = $1`,
        [id, JSON.stringify({ [token]: refund })],
      );
      expect((await items(`/subscriptions/${id}/transactions`))[0]).toMatchObject({
        expiration_date: MONTH_LATER_MS,
        effective_expiration_date: TEST_START_MS + DAY_MS,
      });
    });

    it('links to the page of their store where there is one', async () => {
      const android = await store.backend.post(`${store.path}/apps`, {
        name: 'Android',
        type: 'play_store',
        play_store: { package_name: 'com.example.app' },
      });
      const pages = {
        app_store: 'https://apps.apple.com/account/subscriptions',
        mac_app_store: 'https://apps.apple.com/account/subscriptions',
        play_store:
          'https://play.google.com/store/account/subscriptions?sku=pro_monthly&package=com.example.app',
      };
      await buy('manager');
      const { id } = await subscriptionOf('manager');
      const path = `/subscriptions/${id}/authenticated_management_url`;
      expect((await get(path)).status).toBe(422);
      for (const [name, url] of Object.entries(pages)) {
        await server.dataSource.query(`UPDATE subscriptions SET store = $2, app_id = $3 WHERE id = $1`, [
          id,
          name,
          android.body.id,
        ]);
        expect((await get(path)).body).toEqual({
          object: 'authenticated_management_url',
          management_url: url,
        });
      }
    });

    it('refuses actions of a store without any, in every state', async () => {
      await buy('inactive');
      const { id } = await subscriptionOf('inactive');
      const call = (subscriptionId: string, action: string, body?: object) =>
        store.backend.post(`${store.path}/subscriptions/${subscriptionId}/${action}`, body);
      const calls = [
        ['actions/cancel', undefined],
        ['actions/extend', { extend_by_days: 3, extend_reason_code: 'other' }],
        ['actions/extend', { extend_until_ms: MONTH_LATER_MS + DAY_MS }],
      ] as const;
      for (const [action, body] of calls) {
        const refused = await call(id, action, body);
        expect([action, refused.status, refused.body.type]).toEqual([
          action,
          422,
          'unprocessable_entity_error',
        ]);
        const unknown = await call('sub_unknown', action, body);
        expect([action, unknown.status, unknown.body.type]).toEqual([action, 404, 'resource_missing']);
      }
      for (const body of [
        {},
        { extend_by_days: 1, extend_until_ms: MONTH_LATER_MS },
        { extend_by_days: 0 },
        { extend_by_days: 366 },
        { extend_until_ms: 'tomorrow' },
        { extend_by_days: 1, extend_reason_code: 'why not' },
      ]) {
        expect([body, (await call(id, 'actions/extend', body)).status]).toEqual([body, 400]);
      }
      expect(await subscriptionOf('inactive')).toMatchObject({ status: 'active' });
    });
  });

  describe('one-time purchases', () => {
    it('finds them by an id of their store, and reads them by their own', async () => {
      const token = await buy('owner', 'pro_lifetime');
      const found = await items(`/purchases?store_purchase_identifier=${token}`);
      expect(found).toEqual([await purchaseOf('owner')]);
      expect((await get(`/purchases/${found[0].id}`)).body).toEqual(found[0]);
      expect(await items(`/purchases/${found[0].id}/entitlements`)).toEqual(found[0].entitlements.items);
      expect(await items('/purchases?store_purchase_identifier=unknown')).toEqual([]);
      const missing = await get('/purchases');
      expect([missing.status, missing.body.param]).toEqual([400, 'store_purchase_identifier']);
    });

    it('refunds a Test Store purchase once, and ends what it unlocked', async () => {
      await buy('regretting', 'pro_lifetime');
      const { id } = await purchaseOf('regretting');
      const refund = () => store.backend.post(`${store.path}/purchases/${id}/actions/refund`);
      server.clock.advanceMs(1000);
      const answers = await Promise.all(Array.from({ length: 5 }, refund));
      const done = answers.filter(({ status }) => status === 200);
      expect(done).toHaveLength(1);
      expect(done[0]?.body).toMatchObject({ object: 'purchase', id, status: 'refunded' });
      for (const { status, body } of answers.filter((answer) => !done.includes(answer))) {
        expect([status, body.type]).toEqual([422, 'unprocessable_entity_error']);
      }
      expect((await get(`/purchases/${id}`)).body.status).toBe('refunded');
      const { body } = await see('regretting');
      expect([body.subscriber.entitlements, body.subscriber.non_subscriptions]).toEqual([{}, {}]);
      expect(await items('/customers/regretting/active_entitlements')).toEqual([]);
      // The backend refunded: no customer was seen.
      expect((await get('/customers/regretting')).body.last_seen_at).toBe(TEST_START_MS);
      const [log] = await items('/audit_logs');
      expect(log).toMatchObject({ action_type: 'purchase_refunded', target_identifier: id });
    });

    it('refuses refunds of other stores, and answers 404 for unknown ones', async () => {
      await buy('elsewhere', 'coins_100');
      const { id } = await purchaseOf('elsewhere');
      await server.dataSource.query(`UPDATE one_time_purchases SET store = 'app_store' WHERE id = $1`, [id]);
      const refused = await store.backend.post(`${store.path}/purchases/${id}/actions/refund`);
      expect([refused.status, refused.body.type]).toEqual([422, 'unprocessable_entity_error']);
      const unknown = await store.backend.post(`${store.path}/purchases/purch_unknown/actions/refund`);
      expect(unknown.status).toBe(404);
    });
  });

  describe('the event log', () => {
    it('holds every event of the project, newest first, and narrows to what is asked for', async () => {
      await fresh(async () => {
        await buy('one');
        server.clock.advanceMs(1000);
        await buy('two', 'coins_100');
        server.clock.advanceMs(1000);
        const late = `test_${TEST_START_MS - 60 * DAY_MS}_late-${++made}`;
        const body = { app_user_id: 'three', fetch_token: late, product_id: 'pro_monthly' };
        await store.sdk.post('/v1/receipts', body);
        const anonymous = device();
        server.clock.advanceMs(1000);
        await see(anonymous);
        await identify(anonymous, 'four');
        const all = await items('/events');
        expect(all.map(({ type }) => type)).toEqual([
          'SUBSCRIBER_ALIAS',
          'NON_RENEWING_PURCHASE',
          'INITIAL_PURCHASE',
          'EXPIRATION',
          'CANCELLATION',
          'INITIAL_PURCHASE',
        ]);
        const newest = all[2];
        expect(newest).toEqual({
          object: 'event',
          id: newest.body.id,
          type: 'INITIAL_PURCHASE',
          environment: 'sandbox',
          app_id: store.appId,
          customer_id: 'one',
          app_user_id: 'one',
          occurred_at: TEST_START_MS,
          created_at: TEST_START_MS,
          body: (await items('/customers/one/events'))[0].body,
        });
        expect(all[0]).toMatchObject({ environment: null, customer_id: anonymous, app_user_id: 'four' });
        const narrowed = async (query: string): Promise<string[]> =>
          (await items(`/events?${query}`)).map(({ type }) => type as string);
        expect(await narrowed('type=initial_purchase')).toEqual(['INITIAL_PURCHASE', 'INITIAL_PURCHASE']);
        expect(await narrowed('type=CANCELLATION,Expiration')).toEqual(['EXPIRATION', 'CANCELLATION']);
        expect(await narrowed('type=renewal')).toEqual([]);
        expect(await narrowed('customer=three&type=expiration')).toEqual(['EXPIRATION']);
        expect(await narrowed('customer=four')).toEqual(['SUBSCRIBER_ALIAS']);
        expect(await narrowed('customer=nobody')).toEqual([]);
        expect(await narrowed('environment=sandbox')).toHaveLength(5);
        expect(await narrowed('environment=production')).toEqual([]);
        expect(await narrowed(`app_id=${store.appId}&type=non_renewing_purchase`)).toEqual([
          'NON_RENEWING_PURCHASE',
        ]);
        expect(await narrowed('app_id=appunknown')).toEqual([]);
        const paged = await walkList(store.backend, `${store.path}/events`, 2);
        expect(paged).toEqual(all);
        const foreign = await get(`/events?type=expiration&starting_after=${newest.id}`);
        expect([foreign.status, foreign.body.param]).toEqual([400, 'starting_after']);
        for (const query of ['type=unknown', 'type=', 'environment=moon']) {
          const answer = await get(`/events?${query}`);
          expect([answer.status, answer.body.param]).toEqual([400, query.split('=')[0]]);
        }
      });
    });

    it('shows a transfer in the logs of both customers only', async () => {
      const token = await buy('giver');
      await store.sdk.post('/v1/receipts', {
        app_user_id: 'taker',
        fetch_token: token,
        product_id: 'pro_monthly',
        is_restore: true,
      });
      for (const customer of ['giver', 'taker']) {
        const [event] = await items(`/events?customer=${customer}&type=transfer`);
        expect(event).toMatchObject({ customer_id: 'taker', app_user_id: null });
      }
      expect(await items('/events?customer=owner&type=transfer')).toEqual([]);
    });

    it('outlives the customer', async () => {
      await buy('vanishing');
      await server.dataSource.query(`DELETE FROM customers WHERE original_app_user_id = 'vanishing'`);
      const event = (await items('/events?limit=100')).find((item) => item.app_user_id === 'vanishing');
      expect(event).toMatchObject({ customer_id: null, body: { app_user_id: 'vanishing' } });
      const feed = await items('/transactions?limit=100');
      expect(feed.some((item) => item.customer_id === null)).toBe(true);
    });

    it('shows one event as the list does, to its own project', async () => {
      await buy('single');
      const [event] = await items('/events?customer=single');
      const found = await get(`/events/${event?.id}`);
      expect([found.status, found.body]).toEqual([200, event]);
      const unknown = await get('/events/unknown');
      expect([unknown.status, unknown.body.type]).toEqual([404, 'resource_missing']);
      await fresh(async () => {
        const foreign = await get(`/events/${event?.id}`);
        expect([foreign.status, foreign.body.type]).toEqual([404, 'resource_missing']);
      });
    });

    it('stays complete while events are recorded', async () => {
      await fresh(async () => {
        for (let index = 0; index < 12; index++) {
          server.clock.advanceMs(index % 2);
          await buy(`logged-${index}`, index % 3 === 0 ? 'coins_100' : 'pro_monthly');
        }
        const known = await ids('/events');
        server.clock.advanceMs(1);
        const listed: string[] = [];
        let next: string | null = `${store.path}/events?limit=5`;
        while (next !== null) {
          const { body }: { body: Json } = await store.backend.get(next);
          listed.push(...body.items.map(({ id }: Json) => id));
          next = body.next_page;
          await buy(`later-${made}`);
        }
        expect(listed).toEqual(known);
      });
    });
  });

  describe('the transaction feed', () => {
    it('holds every movement of money, newest first', async () => {
      await fresh(async () => {
        const token = await buy('buyer', 'pro_monthly', { price: 8.5, currency: 'EUR', store_country: 'DE' });
        server.clock.advanceMs(1000);
        await buy('gamer', 'coins_100');
        const [coins, monthly] = await items('/transactions');
        expect(monthly).toEqual({
          object: 'transaction',
          id: expect.stringMatching(/^txn_[0-9a-z]{16}$/),
          customer_id: 'buyer',
          app_id: store.appId,
          store: 'test_store',
          store_transaction_id: token,
          product_identifier: 'pro_monthly',
          kind: 'purchase',
          environment: 'sandbox',
          purchased_at: TEST_START_MS,
          expires_at: MONTH_LATER_MS,
          revenue_in_usd: expect.objectContaining({ currency: 'USD', commission: 0 }),
          price: { amount: 8.5, currency: 'EUR' },
          price_source: 'device',
          country: 'DE',
        });
        expect(coins).toMatchObject({ kind: 'one_time', expires_at: null, price: { amount: 0.99 } });
        expect(await ids('/transactions?customer=gamer')).toEqual([coins.id]);
        expect(await ids('/transactions?environment=production')).toEqual([]);
        expect(await ids('/transactions?environment=sandbox&customer=buyer')).toEqual([monthly.id]);
        const foreign = await get(`/transactions?customer=gamer&starting_after=${monthly.id}`);
        expect([foreign.status, foreign.body.param]).toEqual([400, 'starting_after']);
      });
    });

    it('shows trials as trials, refunds with a minus, and unknown prices as unknown', async () => {
      await fresh(async () => {
        await store.backend.post(`${store.path}/products`, {
          store_identifier: 'trial_monthly',
          app_id: store.appId,
          type: 'subscription',
          subscription: { duration: 'P1M', trial_duration: 'P1W' },
        });
        await buy('tryer', 'trial_monthly');
        server.clock.advanceMs(1);
        await buy('tryer', 'pro_monthly');
        // Ledger rows that a refund of it would leave.
        await server.dataSource.query(
          `INSERT INTO store_transactions (project_id, recorded_at, id, customer_id, subscription_id, store, environment,
             kind, kind_seq, period_key, owner_key, store_ids, amount_micros, currency, usd_micros, commission_bps,
             tax_bps, quantity, price_source, purchased_at, period_type, ownership, store_product_id)
           SELECT project_id, recorded_at, id || 'r', customer_id, subscription_id, store, environment, 'refund', 0,
             period_key, owner_key, store_ids, -amount_micros, currency, -usd_micros, commission_bps, tax_bps, quantity,
             price_source, purchased_at + interval '1 day', period_type, ownership, store_product_id
           FROM store_transactions WHERE project_id = $1 AND kind = 'purchase'`,
          [store.projectId],
        );
        const feed = await items('/transactions');
        expect(feed.map(({ kind, price, revenue_in_usd: usd }) => [kind, price?.amount, usd.gross])).toEqual([
          ['refund', -9.99, -9.99],
          ['purchase', 9.99, 9.99],
          ['trial', undefined, 0],
        ]);
        expect(await walkList(store.backend, `${store.path}/transactions`, 1)).toEqual(feed);
      });
    });

    it('mixes both environments in the order of time', async () => {
      await fresh(async () => {
        for (let index = 0; index < 9; index++) {
          server.clock.advanceMs(1);
          await buy(`mixed-${index}`, 'coins_100');
        }
        await server.dataSource.query(
          `UPDATE store_transactions SET environment = 'production'
           WHERE project_id = $1 AND (extract(epoch FROM purchased_at) * 1000)::bigint % 2 = 0`,
          [store.projectId],
        );
        const feed = await walkList(store.backend, `${store.path}/transactions`, 2);
        const times = feed.map(({ purchased_at: at }) => at as number);
        expect(times).toEqual(times.toSorted((a, b) => b - a));
        expect(feed).toHaveLength(9);
        const [production, sandbox] = [
          await items('/transactions?environment=production'),
          await items('/transactions?environment=sandbox'),
        ];
        expect(production.length + sandbox.length).toBe(9);
        expect(new Set(production.map(({ environment }) => environment))).toEqual(new Set(['production']));
      });
    });
  });

  describe('customer summaries', () => {
    it('returns them in the order asked, once for each id, without the unknown', async () => {
      const anonymous = device();
      await see(anonymous, { 'x-platform': 'android', 'x-storefront': 'FR' });
      await identify(anonymous, 'summed');
      await buy('summed');
      await buy('summed', 'pro_lifetime');
      const { id: subscriptionId } = await subscriptionOf('summed');
      const { id: purchaseId } = await purchaseOf('summed');
      await see('plain');
      const { body } = await get(`/customer_summaries?ids=plain,unknown,summed,plain,${anonymous}`);
      expect([body.object, body.next_page]).toEqual(['list', null]);
      expect(body.items.map(({ id }: Json) => id)).toEqual(['plain', 'summed', anonymous]);
      const offering = { id: store.offering.id, lookup_key: 'default', display_name: 'The default' };
      const row = {
        app_id: store.appId,
        app_name: expect.any(String),
        store: 'test_store',
        environment: 'sandbox',
      };
      expect(body.items[1]).toEqual({
        object: 'customer_summary',
        id: 'summed',
        original_app_user_id: anonymous,
        aliases: [anonymous, 'summed'],
        total_revenue_in_usd: 0,
        sandbox_revenue_in_usd: 208.99,
        spent: { currency: 'USD', amount: 0, missing: null },
        sandbox_spent: { currency: 'USD', amount: 208.99, missing: null },
        note_count: 0,
        country: 'FR',
        country_source: 'device',
        platform: 'android',
        stores: ['test_store'],
        offering_override: null,
        current_offering: offering,
        blocked: false,
        active_entitlements: [{ lookup_key: 'pro', expires_at: null }],
        granted_entitlements: [],
        subscriptions: [
          {
            id: subscriptionId,
            product_identifier: 'pro_monthly',
            product_display_name: 'Name of pro_monthly',
            status: 'active',
            ends_at: MONTH_LATER_MS,
            spent: { currency: 'USD', amount: 9.99, missing: null },
            ...row,
          },
        ],
        purchases: [
          {
            id: purchaseId,
            product_identifier: 'pro_lifetime',
            product_display_name: 'Name of pro_lifetime',
            status: 'owned',
            ends_at: null,
            spent: { currency: 'USD', amount: 199, missing: null },
            ...row,
          },
        ],
      });
      expect(body.items[0]).toMatchObject({ active_entitlements: [], subscriptions: [], stores: [] });
    });

    it('converts amounts to a currency, and reports what has no rate', async () => {
      await buy('in-euros', 'pro_monthly', { price: 8.5, currency: 'EUR' });
      await buy('in-euros', 'pro_lifetime', { price: 100, currency: 'USD' });
      const [euros] = await items('/customer_summaries?ids=in-euros&currency=EUR');
      expect(euros.subscriptions[0].spent).toEqual({ currency: 'EUR', amount: 8.5, missing: null });
      const { amount } = euros.purchases[0].spent;
      expect(amount).toBeLessThan(100);
      expect(euros.sandbox_spent.amount).toBeCloseTo(8.5 + amount, 5);

      await server.dataSource.query(
        `UPDATE store_transactions SET usd_micros = NULL, fx_day = NULL, currency = 'XTS' WHERE project_id = $1
           AND purchase_id = $2`,
        [store.projectId, euros.purchases[0].id],
      );
      const [unknown] = await items('/customer_summaries?ids=in-euros&currency=EUR');
      const missing = { currency: 'EUR', amount: null, missing: 'no_exchange_rate' };
      expect([unknown.sandbox_spent, unknown.purchases[0].spent]).toEqual([missing, missing]);
      expect(unknown.subscriptions[0].spent.amount).toBe(8.5);
      const path = `/subscriptions/${euros.subscriptions[0].id}/transactions`;
      expect((await items(`${path}?currency=EUR`))[0].amount_in_currency).toMatchObject({ amount: 8.5 });
      expect((await items(path))[0]).not.toHaveProperty('amount_in_currency');
    });

    it('takes the country of the newest purchase if no device sent one, and counts notes', async () => {
      await buy('traveller', 'pro_monthly', { store_country: 'ITA' });
      server.clock.advanceMs(1);
      await buy('traveller', 'pro_lifetime', { store_country: 'PRT' });
      await store.backend.post(`${store.path}/customers/traveller/notes`, { text: 'Moved to Lisbon.' });
      expect((await items('/customer_summaries?ids=traveller'))[0]).toMatchObject({
        country: 'PT',
        country_source: 'purchase',
        note_count: 1,
      });
    });

    it('shows blocked customers and offering overrides', async () => {
      await buy('kept-out');
      const other = await store.backend.post(`${store.path}/offerings`, {
        lookup_key: 'special',
        display_name: 'Special',
      });
      await server.dataSource.query(
        `UPDATE customers SET current_offering_override = $1 WHERE original_app_user_id = 'kept-out'`,
        [other.body.id],
      );
      await store.backend.post(`${store.path}/blocked_customers`, { app_user_id: 'kept-out' });
      const special = { id: other.body.id, lookup_key: 'special', display_name: 'Special' };
      expect((await items('/customer_summaries?ids=kept-out'))[0]).toMatchObject({
        blocked: true,
        active_entitlements: [],
        subscriptions: [{ status: 'active' }],
        offering_override: special,
        current_offering: special,
      });
    });

    it.each([
      [''],
      ['?ids='],
      ['?ids=,'],
      [`?ids=${Array.from({ length: 101 }, (_, i) => i + 1).join(',')}`],
    ])('refuses %s', async (query) => {
      const answer = await get(`/customer_summaries${query}`);
      expect([answer.status, answer.body.param]).toEqual([400, 'ids']);
    });
  });
});
