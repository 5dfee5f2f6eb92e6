import type { ApiClient, Json } from '../support/api-client.js';
import { createSecretKey } from '../support/arrange.js';
import { createTestStore } from '../support/arrange-store.js';
import { walkList } from '../support/walk-list.js';
import { shop } from '../support/world.js';

describe('blocked customers', () => {
  const store = shop();
  let path: string;

  beforeAll(() => {
    path = `${store.path}/blocked_customers`;
  });

  let made = 0;
  const newId = (): string => `blocked-${++made}`;
  const device = (): string => `$RCAnonymousID:${(++made).toString(16).padStart(32, '0')}`;
  const buy = (appUserId: string, productId = 'pro_monthly', client: ApiClient = store.sdk) =>
    client.post('/v1/receipts', {
      app_user_id: appUserId,
      fetch_token: `test_${store.clock.nowMs()}_b-${++made}`,
      product_id: productId,
    });
  const block = (appUserId: string, more: object = {}) =>
    store.backend.post(path, { app_user_id: appUserId, ...more });
  const unblock = (appUserId: string) => store.backend.delete(`${path}/${encodeURIComponent(appUserId)}`);
  const identify = (from: string, to: string) =>
    store.sdk.post('/v1/subscribers/identify', { app_user_id: from, new_app_user_id: to });
  const customerPath = (appUserId: string): string =>
    `${store.path}/customers/${encodeURIComponent(appUserId)}`;
  /** Lookup keys in customer info. */
  const held = async (appUserId: string): Promise<string[]> => {
    const { body } = await store.sdk.get(`/v1/subscribers/${encodeURIComponent(appUserId)}`);
    return Object.keys(body.subscriber.entitlements);
  };
  const eventTypes = async (appUserId: string): Promise<string[]> =>
    (await store.backend.get(`${customerPath(appUserId)}/events`)).body.items.map(
      ({ type }: Json) => type as string,
    );

  it("answers the vendor's paths like its own", async () => {
    const vendorPath = `${store.path}/customers/blocked_customers`;
    const id = newId();
    const first = await store.backend.post(`${vendorPath}/${id}`);
    expect([first.status, first.body]).toEqual([201, (await store.backend.get(`${path}/${id}`)).body]);
    const again = await store.backend.post(`${vendorPath}/${id}`, { note: 'Chargebacks' });
    expect([again.status, again.body]).toEqual([200, { ...first.body, note: 'Chargebacks' }]);
    const [own, vendors] = await Promise.all(
      [path, vendorPath].map((at) => store.backend.get(`${at}?limit=1`)),
    );
    expect(vendors?.body.items).toEqual(own?.body.items);
    expect(vendors?.body.items[0].id).toBe(id);

    const unblocked = await store.backend.delete(`${vendorPath}/${id}`);
    expect([unblocked.status, unblocked.body.id]).toEqual([200, id]);
    expect((await store.backend.delete(`${vendorPath}/${id}`)).status).toBe(404);
    const tooLong = await store.backend.post(`${vendorPath}/${id}`, { note: 'x'.repeat(1001) });
    expect([tooLong.status, tooLong.body.param]).toEqual([400, 'note']);
  });

  describe('the list', () => {
    it('keeps who blocked an id and why, and replaces the note of a second block', async () => {
      const id = newId();
      const first = await store.session.post(path, { app_user_id: id, note: 'Chargebacks' });
      expect(first.status).toBe(201);
      const me = (await store.session.get('/auth/me')).body.user;
      expect(first.body).toEqual({
        object: 'blocked_customer',
        id,
        app_user_id: id,
        note: 'Chargebacks',
        blocked_at: store.clock.nowMs(),
        blocked_by: { type: 'user', id: me.id, email: me.email },
        customer_exists: false,
      });
      store.clock.advanceMs(1000);
      await store.sdk.get(`/v1/subscribers/${id}`);
      const again = await block(id, { note: null });
      expect(again.status).toBe(200);
      expect(again.body).toEqual({ ...first.body, note: null, customer_exists: true });
      expect((await store.backend.get(`${path}/${id}`)).body).toEqual(again.body);
      const logs = (await store.backend.get(`${store.path}/audit_logs`)).body.items;
      expect(logs.slice(0, 2)).toMatchObject([
        {
          action_type: 'blocked_customer_updated',
          target_identifier: id,
          additional_data: { method: 'POST', status: 200 },
        },
        { action_type: 'blocked_customer_created', additional_data: { method: 'POST', status: 201 } },
      ]);
    });

    it('names the key that blocked an id', async () => {
      const { client, id: keyId } = await createSecretKey(store.session, store.projectId);
      const { body } = await client.post(path, { app_user_id: newId() });
      expect(body).toMatchObject({ note: null, blocked_by: { type: 'api_key', id: keyId, email: null } });
    });

    it('comes newest first in pages, each id once', async () => {
      const ids = Array.from({ length: 5 }, newId);
      for (const [index, id] of ids.entries()) {
        if (index > 1) store.clock.advanceMs(1);
        await block(id);
      }
      for (const limit of [1, 2, 3]) {
        const items = await walkList(store.backend, path, limit);
        const listed = items.map(({ id }) => id as string);
        expect(new Set(listed).size).toBe(listed.length);
        // Two were blocked in the same millisecond.
        expect(listed.slice(0, 3)).toEqual(ids.slice(2).reverse());
        expect(listed.slice(3, 5).sort()).toEqual(ids.slice(0, 2));
      }
    });

    it('forgets an id at once', async () => {
      const id = newId();
      await block(id);
      expect((await unblock(id)).body).toEqual({
        object: 'blocked_customer',
        id,
        deleted_at: store.clock.nowMs(),
      });
      for (const answer of [await unblock(id), await store.backend.get(`${path}/${id}`)]) {
        expect([answer.status, answer.body.type]).toEqual([404, 'resource_missing']);
      }
    });

    it.each([
      ['nothing', {}, 'app_user_id'],
      ['a number', { app_user_id: 5 }, 'app_user_id'],
      ['an impossible id', { app_user_id: 'null' }, 'app_user_id'],
      ['an id with a slash', { app_user_id: 'a/b' }, 'app_user_id'],
      ['an id that is too long', { app_user_id: 'x'.repeat(101) }, 'app_user_id'],
      ['an id with a NUL', { app_user_id: 'a\0' }, 'app_user_id'],
      ['a note that is too long', { app_user_id: 'fine', note: 'x'.repeat(1001) }, 'note'],
    ])('refuses %s', async (_, body, param) => {
      const answer = await store.backend.post(path, body);
      expect([answer.status, answer.body.type, answer.body.param]).toEqual([400, 'parameter_error', param]);
    });

    it('refuses cursors of unknown ids', async () => {
      const answer = await store.backend.get(`${path}?starting_after=nobody`);
      expect([answer.status, answer.body.param]).toEqual([400, 'starting_after']);
    });

    it('contains only one project', async () => {
      const other = await createTestStore(store.server);
      const id = newId();
      await block(id);
      expect((await other.backend.get(`${other.path}/blocked_customers`)).body.items).toEqual([]);
      expect((await other.backend.delete(`${other.path}/blocked_customers/${id}`)).status).toBe(404);
      await buy(id, 'pro_monthly', other.sdk);
      const { body } = await other.sdk.get(`/v1/subscribers/${id}`);
      expect(Object.keys(body.subscriber.entitlements)).toEqual(['pro']);
    });
  });

  describe('have no entitlements', () => {
    it('hides them in every answer, from the next read on, until they are unblocked', async () => {
      const id = newId();
      await buy(id);
      expect(await held(id)).toEqual(['pro']);
      const before = await store.sdk.get(`/v1/subscribers/${id}`);
      await block(id);
      const tag = before.headers['x-revenuecat-etag'] ?? '';
      const blocked = await store.sdk.get(`/v1/subscribers/${id}`, { 'x-revenuecat-etag': tag });
      expect([blocked.status, blocked.body.subscriber.entitlements]).toEqual([200, {}]);
      expect(Object.keys(blocked.body.subscriber.subscriptions)).toEqual(['pro_monthly']);
      expect((await store.backend.get(`${customerPath(id)}/active_entitlements`)).body.items).toEqual([]);
      expect((await store.backend.get(customerPath(id))).body.active_entitlements.items).toEqual([]);
      await unblock(id);
      expect(await held(id)).toEqual(['pro']);
      expect((await store.backend.get(`${customerPath(id)}/active_entitlements`)).body.items).toHaveLength(1);
    });

    it('costs nothing more: the first read prepares the answer again, and then it stays', async () => {
      const id = newId();
      await buy(id);
      const isPrepared = async (): Promise<boolean> => {
        const [row] = await store.server.dataSource.query<{ prepared: boolean }[]>(
          `SELECT s.customer_version = c.version AS prepared FROM customers c
           JOIN customer_snapshots s ON s.project_id = c.project_id AND s.customer_id = c.id
           WHERE c.project_id = $1 AND c.original_app_user_id = $2`,
          [store.projectId, id],
        );
        return row?.prepared ?? false;
      };
      for (const change of [block, unblock]) {
        await change(id);
        expect(await isPrepared()).toBe(false);
        await held(id);
        expect(await isPrepared()).toBe(true);
      }
    });

    it('blocks by any of their ids', async () => {
      const anonymous = device();
      await buy(anonymous);
      await identify(anonymous, `${newId()}-a`);
      const alias = `blocked-${made}-a`;
      await block(alias);
      for (const id of [anonymous, alias]) expect(await held(id)).toEqual([]);
      expect((await store.backend.get(`${path}/${alias}`)).body.customer_exists).toBe(true);
      await unblock(alias);
      expect(await held(anonymous)).toEqual(['pro']);
    });

    it('applies to unknown ids that still buy: purchase, event, money and webhook are recorded', async () => {
      const id = newId();
      const hook = await store.backend.post(`${store.path}/integrations/webhooks`, {
        name: 'Backend',
        url: 'http://127.0.0.1:9/hook',
      });
      await block(id);
      const bought = await buy(id);
      expect([bought.status, bought.body.subscriber.entitlements]).toEqual([200, {}]);
      expect(await held(id)).toEqual([]);
      const subscriptions = (await store.backend.get(`${customerPath(id)}/subscriptions`)).body.items;
      expect(subscriptions).toMatchObject([{ status: 'active', gives_access: true }]);
      expect(subscriptions[0].total_revenue_in_usd.gross).toBe(9.99);
      expect(await eventTypes(id)).toEqual(['INITIAL_PURCHASE']);
      const [{ count }] = await store.server.dataSource.query(
        `SELECT count(*)::int AS count FROM webhook_deliveries WHERE webhook_integration_id = $1`,
        [hook.body.id],
      );
      expect(count).toBe(1);
      await store.backend.delete(`${store.path}/integrations/webhooks/${hook.body.id}`);
    });

    it('credits no currency', async () => {
      const code = `B${++made}`;
      await store.backend.post(`${store.path}/virtual_currencies`, {
        code,
        name: 'Gold',
        product_grants: [{ product_ids: [store.products.coins.id], amount: 100 }],
      });
      const [blocked, other] = [newId(), newId()];
      await block(blocked);
      for (const id of [blocked, other]) await buy(id, 'coins_100');
      const balance = async (id: string): Promise<number> => {
        const { body } = await store.sdk.get(`/v1/subscribers/${id}/virtual_currencies`);
        return body.virtual_currencies[code].balance;
      };
      expect([await balance(blocked), await balance(other)]).toEqual([0, 100]);
      expect(await eventTypes(blocked)).toEqual(['NON_RENEWING_PURCHASE']);
    });

    it('applies after a blocked customer signs in: the block comes along', async () => {
      const [from, to] = [device(), newId()];
      await buy(from);
      await block(from);
      await identify(from, to);
      expect(await held(to)).toEqual([]);
      await unblock(from);
      expect(await held(to)).toEqual(['pro']);
    });

    it('applies after a merge with a blocked customer, in either direction', async () => {
      for (const whose of ['source', 'target']) {
        const [source, target] = [device(), newId()];
        await store.sdk.get(`/v1/subscribers/${target}`);
        await buy(source);
        await block(whose === 'source' ? source : target);
        expect((await identify(source, target)).body.subscriber.original_app_user_id).toBe(target);
        for (const id of [source, target]) expect(await held(id)).toEqual([]);
      }
    });

    it('applies to a new id that was blocked before it was used', async () => {
      const [from, to] = [device(), newId()];
      await buy(from);
      await block(to);
      expect(await held(from)).toEqual(['pro']);
      expect((await identify(from, to)).body.subscriber.entitlements).toEqual({});
      expect(await held(from)).toEqual([]);
    });
  });

  describe('at the same moment', () => {
    it.each([
      ['as the first purchase of an unknown customer', (id: string) => buy(id)],
      ['as the first read', (id: string) => store.sdk.get(`/v1/subscribers/${id}`)],
      ['as a sign-in under that id', (id: string) => identify(device(), id)],
    ])('%s', async (_, act) => {
      for (let round = 0; round < 6; round++) {
        const id = newId();
        const [acted, blocked] = await Promise.all([act(id), block(id)]);
        expect(acted.status).toBeLessThan(300);
        expect(blocked.status).toBe(201);
        expect(await held(id)).toEqual([]);
        await buy(id);
        expect(await held(id)).toEqual([]);
      }
    });

    it('handles purchases and reads of a customer, and an unblock', async () => {
      for (let round = 0; round < 6; round++) {
        const id = newId();
        await buy(id);
        await Promise.all([block(id), buy(id), held(id), buy(id)]);
        expect(await held(id)).toEqual([]);
        await Promise.all([unblock(id), held(id), buy(id)]);
        expect(await held(id)).toEqual(['pro']);
      }
    });

    it('creates one block from many of one id', async () => {
      const id = newId();
      const answers = await Promise.all(Array.from({ length: 8 }, () => block(id)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 200, 200, 201]);
    });
  });
});
