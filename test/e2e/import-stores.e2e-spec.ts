import { ImportCountsJob } from '../../src/imports/status/import-counts.job.js';
import type { Answer, Json } from '../support/api-client.js';
import { describeAccess } from '../support/access-checks.js';
import { createSecretKey, joinAs, signUp } from '../support/arrange.js';
import { createTestStore, testReceipt, type TestStore } from '../support/arrange-store.js';
import { type AllStores, startAllStores, type StoreName } from '../support/arrange-all-stores.js';
import { fakeProducts } from '../support/fake-app-store/fake-app-store.js';
import { serverError, unauthorized } from '../support/fake-app-store/fake-server-api.js';
import type { FakeSubscription } from '../support/fake-app-store/fake-subscription.js';
import { paddlePrices } from '../support/fake-paddle/fake-paddle.js';
import { playProducts } from '../support/fake-play/fake-play.js';
import { googleError } from '../support/fake-play/play-answer.js';
import { rokuProducts } from '../support/fake-roku/fake-roku.js';
import { expireLeases } from '../support/leases.js';
import { until } from '../support/program.js';
import { refreshAll } from '../support/refresh-all.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { StoreTasksRepository } from '../../src/purchases/store-tasks/store-tasks.repository.js';
import { ImportResolveJob } from '../../src/imports/resolve/import-resolve.job.js';
import { DatabaseService } from '../../src/platform/database/database.service.js';
import { StoreTasksService } from '../../src/purchases/store-tasks/store-tasks.service.js';

const problem = ({ status, body }: Answer) => [status, body.type, body.param];

const DAY_MS = 86_400_000;

describe('what an import leaves to the stores', () => {
  let all: AllStores;
  let server: TestServer;
  let store: TestStore;
  const logged: string[] = [];

  beforeAll(async () => {
    const logTo = (line: string): void => void logged.push(line);
    all = await startAllStores({ logTo, env: { SERVICE_TRUST_PROXY: 'true' } });
    server = all.server;
    store = all.testStore;
  });

  afterAll(() => all.close());

  describe('the public key of a shipped app', () => {
    const replace = (appId: string, public_key: unknown, client = store.backend, path = store.path) =>
      client.post(`${path}/import/apps/${appId}/public_key`, { public_key });
    const worksWith = async (key: string): Promise<number> =>
      (await server.http.withKey(key).get('/v1/subscribers/a/offerings')).status;
    const created = async (name: string): Promise<Json> =>
      (await store.backend.post(`${store.path}/apps`, { name, type: 'test_store' })).body;

    describeAccess(
      () => server,
      'POST',
      (projectId) => `/v2/projects/${projectId}/import/apps/app1/public_key`,
      'project_configuration:apps:read_write',
    );

    it('replaces the key at once; the former one stops', async () => {
      const app = await created('Shipped');
      const [former] = (await store.backend.get(`${store.path}/apps/${app.id}/public_api_keys`)).body.items;
      expect(await worksWith(former.key)).toBe(200);
      const answer = await replace(app.id, 'test_oldKeyOfTheApp');
      expect([answer.status, answer.body]).toEqual([200, { ...former, key: 'test_oldKeyOfTheApp' }]);
      expect([await worksWith('test_oldKeyOfTheApp'), await worksWith(former.key)]).toEqual([200, 401]);
      const listed = (await store.backend.get(`${store.path}/apps/${app.id}/public_api_keys`)).body.items;
      expect(listed).toEqual([answer.body]);
      const log = `${store.path}/audit_logs?action_type=public_api_key_updated`;
      expect((await store.backend.get(log)).body.items).toMatchObject([{ target_identifier: former.id }]);

      expect((await replace(app.id, 'test_oldKeyOfTheApp')).body).toEqual(answer.body);
      expect(await worksWith('test_oldKeyOfTheApp')).toBe(200);
    });

    it("refuses a key that any app of the server has, also another project's", async () => {
      const taken = await replace(store.appId, 'test_takenBySomeApp').then(({ body }) => body.key);
      const own = await created('Second');
      expect(problem(await replace(own.id, taken))).toEqual([409, 'resource_already_exists', 'public_key']);
      const other = await createTestStore(server);
      const answer = await replace(other.appId, taken, other.backend, other.path);
      expect(problem(answer)).toEqual([409, 'resource_already_exists', 'public_key']);
      expect(await worksWith(other.publicKey)).toBe(200);
    });

    it('reserves a key that was used for its project, also when its app has another key or is deleted', async () => {
      const [replaced, deleted] = ['test_replacedByAnImport', 'test_ofADeletedApp'];
      const app = await created('Reserving');
      for (const key of [replaced, deleted]) expect((await replace(app.id, key)).status).toBe(200);
      const gone = await created('Deleted');
      const [generated] = (await store.backend.get(`${store.path}/apps/${gone.id}/public_api_keys`)).body
        .items;
      for (const { id } of [app, gone]) await store.backend.delete(`${store.path}/apps/${id}`);

      const other = await createTestStore(server);
      for (const key of [replaced, deleted, generated.key]) {
        const answer = await replace(other.appId, key, other.backend, other.path);
        expect(problem(answer)).toEqual([409, 'resource_already_exists', 'public_key']);
        expect(answer.body.message).toContain('tenure public-key reassign');
      }
      const own = await created('Again');
      expect((await replace(own.id, replaced)).status).toBe(200);
      expect(await worksWith(replaced)).toBe(200);
    });

    it('reserves the keys of a project that was deleted and purged', async () => {
      const former = await createTestStore(server);
      await former.session.delete(former.path);
      await server.dataSource.query('DELETE FROM credential_routes WHERE project_id = $1', [
        former.projectId,
      ]);
      const other = await createTestStore(server);
      const answer = await replace(other.appId, former.publicKey, other.backend, other.path);
      expect(problem(answer)).toEqual([409, 'resource_already_exists', 'public_key']);
    });

    it('has one owner when two projects import it at once', async () => {
      const projects = [await createTestStore(server), await createTestStore(server)];
      const answers = await Promise.all(
        projects.map(({ appId, backend, path }) => replace(appId, 'test_importedTwiceAtOnce', backend, path)),
      );
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    });

    it.each([
      undefined,
      5,
      '',
      'test_1234567',
      'test_',
      `test_${'x'.repeat(129)}`,
      'test_with space12',
      'goog_oldKeyOfTheApp',
      `sk_${'a'.repeat(40)}`,
      'oldKeyOfTheApp',
    ])('refuses %j', async (key) => {
      const answer = await replace(store.appId, key);
      expect(problem(answer)).toEqual([400, 'parameter_error', 'public_key']);
    });

    it('knows no app of another project, and viewers may not change it', async () => {
      const other = await createTestStore(server);
      expect(problem(await replace(other.appId, 'test_oldKeyOfAnother'))).toEqual([
        404,
        'resource_missing',
        undefined,
      ]);
      const viewer = await joinAs(server, 'viewer', store.projectId);
      expect((await replace(store.appId, 'test_keyOfAViewer', viewer.session)).status).toBe(403);
      expect((await replace(other.appId, 'test_keyOfAnSdk', other.sdk, other.path)).status).toBe(403);
    });
  });

  describe('the status', () => {
    const statusOf = async (at: TestStore, client = at.backend): Promise<Json> =>
      (await client.get(`${at.path}/import/status`)).body;

    describeAccess(
      () => server,
      'GET',
      (projectId) => `/v2/projects/${projectId}/import/status`,
      'customer_information:customers:read',
    );

    it('counts the customers and subscriptions of its project only', async () => {
      const fresh = await createTestStore(server);
      const nothing = {
        object: 'import_status',
        customers: 0,
        subscriptions: 0,
        needs_token_refresh: 0,
        needs_token_refresh_by_app: {},
        unconfirmed_original_ids: 0,
        held_open: 0,
        transactions_without_price: 0,
        periods_of_unknown_length: 0,
        resolving: 0,
        last_import_at: null,
      };
      expect(await statusOf(fresh)).toEqual(nothing);
      await fresh.sdk.post('/v1/receipts', testReceipt('payer'));
      await fresh.sdk.get('/v1/subscribers/visitor');
      expect(await statusOf(fresh)).toEqual({ ...nothing, customers: 2, subscriptions: 1 });
    });

    it('counts what waits for a store, what is held open, and what has no price', async () => {
      const { backend, path, products } = await createTestStore(server);
      const fields = { name: 'Android', type: 'play_store', play_store: { package_name: 'com.example' } };
      const { id: app_id } = (await backend.post(`${path}/apps`, fields)).body;
      const atMs = server.clock.nowMs();
      const subscription = {
        app_id,
        store: 'play_store',
        product_identifier: products.monthly.store_identifier,
        starts_at: atMs - 40 * DAY_MS,
        current_period_starts_at: atMs - 10 * DAY_MS,
        current_period_ends_at: atMs + 20 * DAY_MS,
        status: 'active',
        auto_renewal_status: 'will_renew',
        store_subscription_identifier: 'GPA.3312-0000-0000-00001..1',
      };
      const imported = await backend.post(`${path}/import/customers`, {
        customers: [{ id: 'ada', subscriptions: [subscription] }],
      });
      expect(imported.body.customers[0]).toMatchObject({ subscriptions: 1, needs_token_refresh: 1 });
      const waiting = {
        customers: 1,
        subscriptions: 1,
        needs_token_refresh: 1,
        needs_token_refresh_by_app: { [app_id]: 1 },
        held_open: 0,
        transactions_without_price: 1,
        last_import_at: atMs,
      };
      const { body } = await backend.get(`${path}/import/status`);
      expect(body).toMatchObject(waiting);
      server.clock.advanceMs(21 * DAY_MS);
      expect((await backend.get(`${path}/import/status`)).body.held_open).toBe(1);
      const named = { ...subscription, purchase_token: 'the-token', as_of: server.clock.nowMs() };
      await backend.post(`${path}/import/customers`, { customers: [{ id: 'ada', subscriptions: [named] }] });
      const after = { needs_token_refresh: 0, needs_token_refresh_by_app: {}, held_open: 0 };
      expect((await backend.get(`${path}/import/status`)).body).toMatchObject(after);
    });

    it('counts refunded periods of unknown length until something names it', async () => {
      const { backend, path } = await createTestStore(server);
      const fields = { name: 'iOS', type: 'app_store', app_store: { bundle_id: 'com.example' } };
      const { id: app_id } = (await backend.post(`${path}/apps`, fields)).body;
      const start = server.clock.nowMs() - 20 * DAY_MS;
      const item = {
        app_id,
        store: 'app_store',
        product_identifier: 'pro_unknown',
        starts_at: start,
        current_period_starts_at: start,
        current_period_ends_at: start + 2 * DAY_MS,
        status: 'expired',
        refunded_at: start + 2 * DAY_MS,
        store_subscription_identifier: '49703',
        original_transaction_id: '49701',
      };
      const unknownAfter = async (one: Json): Promise<number> => {
        server.clock.advanceMs(1);
        const customers = [{ id: 'ada', subscriptions: [one] }];
        await backend.post(`${path}/import/customers`, { customers });
        return (await backend.get(`${path}/import/status`)).body.periods_of_unknown_length;
      };
      expect(await unknownAfter(item)).toBe(1);
      expect(await unknownAfter(item)).toBe(1);
      const transactions = [{ id: '49703', purchased_at: start, expires_at: start + 7 * DAY_MS }];
      expect(await unknownAfter({ ...item, transactions })).toBe(0);
    });

    it('needs one permission to read, and refuses an SDK', async () => {
      const { session, projectId } = await signUp(server);
      const reader = await createSecretKey(session, projectId, ['customer_information:customers:read']);
      expect((await reader.client.get(`/v2/projects/${projectId}/import/status`)).status).toBe(200);
      const { sdk, path } = await createTestStore(server);
      expect((await sdk.get(`${path}/import/status`)).status).toBe(403);
    });

    it('counts a large project in the background, at most a minute old', async () => {
      const large = await createTestStore(server);
      await server.dataSource.query(
        `INSERT INTO customers (project_id, id, original_app_user_id, first_seen_at, created_at)
         SELECT $1, 'cust' || n, 'user' || n, $2, $2 FROM generate_series(1, 100001) n`,
        [large.projectId, new Date(server.clock.nowMs())],
      );
      expect((await statusOf(large)).customers).toBe(100_001);
      await large.sdk.get('/v1/subscribers/visitor');
      expect((await statusOf(large)).customers).toBe(100_001);
      server.clock.advanceMs(50_000);
      await server.app.get(ImportCountsJob).run();
      expect((await statusOf(large)).customers).toBe(100_002);
      await large.sdk.get('/v1/subscribers/another');
      server.clock.advanceMs(60_001);
      expect((await statusOf(large)).customers).toBe(100_003);
      server.clock.advanceMs(3_600_000);
      await server.app.get(ImportCountsJob).run();
      expect(await server.dataSource.query('SELECT 1 FROM import_counts')).toEqual([]);
    });
  });

  describe('stores', () => {
    const worldOf = (name: StoreName) => all.stores[name].world;
    let count = 0;
    const person = (): string => `imported-${++count}`;
    const nowMs = (): number => server.clock.nowMs();
    const send = async (name: StoreName, customers: Json[], more: Json = {}): Promise<Json[]> => {
      const { backend, path } = worldOf(name);
      const answer = await backend.post(`${path}/import/customers`, { customers, ...more });
      expect([answer.status, answer.body.message]).toEqual([200, undefined]);
      return answer.body.customers;
    };
    /** Imports one subscription of a new customer. */
    const one = async (name: StoreName, item: Json, more: Json = {}): Promise<Json> => {
      const id = person();
      const [row] = await send(
        name,
        [{ id, subscriptions: [{ ...item, app_id: worldOf(name).appId, store: name }] }],
        more,
      );
      return { ...row, notes: row?.notes, id };
    };
    const dated = (product_identifier: string, more: Json): Json => ({
      product_identifier,
      starts_at: nowMs() - 40 * DAY_MS,
      current_period_starts_at: nowMs() - 10 * DAY_MS,
      current_period_ends_at: nowMs() + 20 * DAY_MS,
      status: 'active',
      auto_renewal_status: 'will_renew',
      ...more,
    });
    const android = (orderId: string, more: Json = {}): Json =>
      dated('pro:monthly', { store_subscription_identifier: orderId, ...more });
    const ios = (transactionId: string, more: Json = {}): Json =>
      dated(fakeProducts.monthly.id, { store_subscription_identifier: transactionId, ...more });
    const status = async (name: StoreName): Promise<Json> => {
      const { backend, path } = worldOf(name);
      return (await backend.get(`${path}/import/status`)).body;
    };
    const stored = async (appUserId: string): Promise<Json> => {
      const rows = await server.dataSource.query<Json[]>(
        `SELECT s.store_key AS key, s.key_state AS state, s.environment, s.status FROM subscriptions s
         JOIN customer_aliases a ON a.project_id = s.project_id AND a.customer_id = s.customer_id
         WHERE a.app_user_id = $1`,
        [appUserId],
      );
      expect(rows).toHaveLength(1);
      return rows[0];
    };
    /** Does what is due for stores, also what waits for their budgets. */
    const background = async (): Promise<void> => {
      await server.app.get(StoreTasksService).drain();
      for (let left = 100; left > 0; left--) {
        const soon = new Date(nowMs() + 10_000);
        const due = await server.dataSource.query<unknown[]>(
          "SELECT 1 FROM store_tasks WHERE kind LIKE 'import%' AND due_at <= $1",
          [soon],
        );
        if (due.length === 0) break;
        server.clock.advanceMs(10_000);
        await server.app.get(StoreTasksService).drain();
      }
    };
    /** An import wakes the background itself: waits until that has met the fault. */
    const pausedBy = (error: string): Promise<void> =>
      until(async () => {
        const rows = await server.dataSource.query<unknown[]>(
          `SELECT 1 FROM store_tasks
           WHERE kind = 'import_resolve' AND lease_until IS NULL AND attempts = 1 AND last_error LIKE $1`,
          [`%${error}%`],
        );
        return rows.length > 0;
      });
    const renewed = (environment: 'Production' | 'Sandbox' = 'Production'): FakeSubscription => {
      const { apple } = all.fakes;
      const subscription = apple.subscribe(apple.account(environment), fakeProducts.monthly);
      subscription.renew();
      return subscription;
    };
    const latestOf = ({ latest }: FakeSubscription): string => String(latest.transactionId);

    beforeEach(() => {
      // The budgets of the apps are full again.
      server.clock.advanceMs(10_000);
      const { appleApi, google } = all.fakes;
      appleApi.interfere = () => undefined;
      google.interfere = () => undefined;
      google.hideOrders = false;
      appleApi.calls.length = 0;
      google.calls.length = 0;
    });

    describe('of Google Play', () => {
      it('fetches the tokens of 100 orders in one call, although one of them is unknown', async () => {
        const lives = Array.from({ length: 99 }, () => all.fakes.play.subscribe(playProducts.monthly));
        const orders = [...lives.map(({ latestOrderId }) => latestOrderId), 'GPA.0000-0000-0000-00000'];
        const { appId } = worldOf('play_store');
        const customers = orders.map((order) => ({
          id: person(),
          subscriptions: [{ ...android(order), app_id: appId, store: 'play_store' }],
        }));
        const rows = await send('play_store', customers);
        expect(rows.map((row) => row.needs_token_refresh)).toEqual([...lives.map(() => 0), 1]);
        expect(rows.at(-1)?.notes).toEqual([
          'subscriptions.0: its key stays open: the store knows no such order',
        ]);
        expect(await stored(customers[7]?.id ?? '')).toMatchObject({ key: lives[7]?.token, state: null });
        const alone = all.fakes.google.calls.filter(({ query }) => query.getAll('orderIds').length === 1);
        expect(alone.filter(({ query }) => query.get('orderIds') === orders.at(-1))).toHaveLength(1);
        const asked = all.fakes.google.calls.flatMap(({ query }) => query.getAll('orderIds'));
        const alreadyAsked = asked.filter((order) => order === orders.at(-1)).length;
        const { needs_token_refresh, needs_token_refresh_by_app } = await status('play_store');
        expect([needs_token_refresh, needs_token_refresh_by_app]).toEqual([1, { [appId]: 1 }]);

        // Known and missing orders are not asked about again, not even in the background.
        await background();
        const everAsked = all.fakes.google.calls.flatMap(({ query }) => query.getAll('orderIds'));
        expect(everAsked.filter((order) => order === orders.at(-1)).length).toBe(alreadyAsked);
        all.fakes.google.calls.length = 0;
        await send('play_store', customers);
        // Orders of other tests may be asked for meanwhile.
        const askedAgain = all.fakes.google.calls.flatMap(({ query }) => query.getAll('orderIds'));
        expect(askedAgain.filter((order) => orders.includes(order))).toEqual([]);
        expect((await status('play_store')).resolving).toBe(0);
        server.clock.advanceMs(8 * DAY_MS);
        await server.app.get(ImportResolveJob).schedule();
        await server.app.get(StoreTasksService).drain();
        expect(all.fakes.google.calls.some(({ path }) => path.includes('orders'))).toBe(true);
      });

      it('skips orders of purchases that are not subscriptions here for a week', async () => {
        const { appId } = worldOf('play_store');
        const life = all.fakes.play.subscribe(playProducts.monthly);
        const unknown = 'GPA.0000-0000-0000-11111';
        const bought = (order: string): Json => ({
          app_id: appId,
          store: 'play_store',
          product_identifier: 'coins',
          purchased_at: nowMs() - DAY_MS,
          store_purchase_identifier: order,
          status: 'owned',
        });
        const raw = 'GPA.0000-0000-0000-22222';
        const customers = [
          { id: person(), purchases: [bought(unknown), bought(life.latestOrderId)] },
          {
            id: person(),
            subscriptions: [{ app_id: appId, store: 'play_store', store_subscription_identifier: raw }],
          },
        ];
        const asked = async (): Promise<string[]> => {
          all.fakes.google.calls.length = 0;
          await send('play_store', customers);
          const orders = all.fakes.google.calls.flatMap(({ query }) => query.getAll('orderIds'));
          return [unknown, life.latestOrderId, raw].filter((order) => orders.includes(order));
        };
        expect(await asked()).toEqual([unknown, life.latestOrderId, raw]);
        expect(await asked()).toEqual([]);
        server.clock.advanceMs(8 * DAY_MS);
        expect(await asked()).toEqual([unknown, raw]);
      });

      it('reports a missing permission for orders once, and tries again when it may be there', async () => {
        const lives = [1, 2].map(() => all.fakes.play.subscribe(playProducts.monthly));
        all.fakes.google.hideOrders = true;
        const { appId, backend, path } = worldOf('play_store');
        const customers = lives.map(({ latestOrderId }) => ({
          id: person(),
          subscriptions: [{ ...android(latestOrderId), app_id: appId, store: 'play_store' }],
        }));
        const [first, second] = await send('play_store', customers);
        expect(first?.notes).toEqual([expect.stringContaining('View financial data')]);
        expect([second?.notes, second?.needs_token_refresh]).toEqual([[], 1]);
        const bare = all.fakes.play.subscribe(playProducts.monthly);
        const bareOwner = person();
        await send('play_store', [{ id: bareOwner }]);
        const detail = { appUserId: bareOwner, emits: false, storeUserId: null, isOrder: true };
        const task = {
          kind: 'import_purchase' as const,
          appId,
          key: bare.latestOrderId,
          detail,
          markAt: null,
        };
        await server.app.get(DatabaseService).transaction(async (tx) => {
          const projectId = path.split('/').at(-1) ?? '';
          const dueAt = new Date(nowMs());
          await server.app.get(StoreTasksService).addForLater(tx, projectId, { ...task, dueAt });
        });
        await background();
        expect(await stored(customers[0]?.id ?? '')).toMatchObject({ state: 'token_needed' });

        all.fakes.google.hideOrders = false;
        await backend.post(`${path}/apps/${appId}/actions/verify_credentials`, {});
        await background();
        for (const [index, { id }] of customers.entries())
          expect(await stored(id)).toMatchObject({ key: lives[index]?.token, state: null, status: 'active' });
        // Of the third one, the import left only its order to the background.
        server.clock.advanceMs(DAY_MS);
        await background();
        expect(await stored(bareOwner)).toMatchObject({ key: bare.token });
      });

      it('retries in the background when Google is down, even on another server', async () => {
        const life = all.fakes.play.subscribe(playProducts.monthly);
        const over = all.fakes.play.subscribe(playProducts.monthly);
        all.fakes.google.interfere = () => googleError(503, 'backendError');
        const ended = await one(
          'play_store',
          android(over.latestOrderId, {
            status: 'expired',
            current_period_ends_at: nowMs() - DAY_MS,
            auto_renewal_status: 'will_not_renew',
          }),
        );
        const open = await one('play_store', android(life.latestOrderId));
        expect(open.notes).toEqual([expect.stringContaining('no store was asked')]);
        await pausedBy('backendError');
        server.clock.advanceMs(10 * 60_000);

        let hanging = (): void => undefined;
        const asked = new Promise<void>((resolve) => (hanging = resolve));
        all.fakes.google.interfere = () => {
          hanging();
          return { status: 200, instead: 'hang' };
        };
        const dying = await startTestServer({
          databaseUrl: server.databaseUrl,
          clock: server.clock,
          env: { ...all.env, SERVICE_SHUTDOWN_GRACE_MS: '0' },
        });
        dying.app.get(StoreTasksService).wake();
        await asked;
        await dying.close();
        all.fakes.google.interfere = () => undefined;
        server.clock.advanceMs(2 * 60_000);
        await server.app.get(StoreTasksService).drain();
        expect(await stored(open.id)).toMatchObject({ state: 'token_needed' });
        await expireLeases(server, 'store_tasks');
        await server.app.get(StoreTasksService).drain();
        expect(await stored(open.id)).toMatchObject({ key: life.token, state: null, status: 'active' });
        // One that is over only gets its key.
        expect(await stored(ended.id)).toMatchObject({ key: over.token, state: null, status: 'expired' });
      });
    });

    describe('of Apple', () => {
      it.each(['Production', 'Sandbox'] as const)(
        'confirms the original id of a transaction of %s',
        async (where) => {
          const subscription = renewed(where);
          const row = await one('app_store', ios(latestOf(subscription)));
          expect([row.subscriptions, row.notes]).toEqual([1, []]);
          expect(await stored(row.id)).toMatchObject({
            key: subscription.originalTransactionId,
            state: null,
            environment: where === 'Production' ? 'production' : 'sandbox',
          });
        },
      );

      it('keeps a guessed key if Apple does not know the transaction', async () => {
        const row = await one('app_store', ios('999000111'));
        expect(row.notes).toEqual([expect.stringContaining('its key stays open')]);
        expect(await stored(row.id)).toMatchObject({ key: '999000111', state: 'guessed' });
        expect((await status('app_store')).unconfirmed_original_ids).toBe(1);
      });

      it('confirms later when Apple is down, with the state of the subscription', async () => {
        const subscription = renewed();
        all.fakes.appleApi.interfere = () => serverError;
        const row = await one('app_store', ios(latestOf(subscription)));
        expect([row.subscriptions, row.notes]).toEqual([1, [expect.stringContaining('no store was asked')]]);
        all.fakes.appleApi.interfere = () => undefined;
        subscription.cancel();
        server.clock.advanceMs(10 * 60_000);
        await background();
        await refreshAll(server);
        expect(await stored(row.id)).toMatchObject({ key: subscription.originalTransactionId, state: null });
        const { subscriptions } = { subscriptions: await worldOf('app_store').subscription(row.id) };
        expect(subscriptions.auto_renewal_status).toBe('will_not_renew');
      });

      it('skips refused credentials until new ones are saved', async () => {
        const subscription = renewed();
        all.fakes.appleApi.interfere = () => unauthorized;
        await one('app_store', ios(latestOf(subscription)));
        all.fakes.appleApi.calls.length = 0;
        const row = await one('app_store', ios(latestOf(renewed())));
        expect(row.notes).toEqual([expect.stringContaining("the store refuses the app's credentials")]);
        expect(all.fakes.appleApi.calls).toEqual([]);

        all.fakes.appleApi.interfere = () => undefined;
        const { backend, path, appId } = worldOf('app_store');
        await backend.post(`${path}/apps/${appId}/actions/verify_credentials`, {});
        await background();
        expect(await stored(row.id)).toMatchObject({ state: null });
      });
    });

    it('polls again if that was requested during a poll, even if it is done', async () => {
      const { appId } = worldOf('app_store');
      const [app] = await server.dataSource.query<{ projectId: string }[]>(
        'SELECT project_id AS "projectId" FROM apps WHERE id = $1',
        [appId],
      );
      const place = { projectId: app?.projectId ?? '', appId, kind: 'import_resolve', key: '' } as const;
      const task = { ...place, detail: {}, markAt: null, attempts: 0 };
      const tasks = server.app.get(StoreTasksRepository);
      const now = new Date(nowMs());
      const leaseUntil = new Date(nowMs() + DAY_MS);
      const lease = () =>
        server.dataSource.query(
          "UPDATE store_tasks SET lease_until = $2 WHERE app_id = $1 AND kind = 'import_resolve'",
          [appId, leaseUntil],
        );
      await tasks.request(place.projectId, place.kind, [appId], now);
      await lease();
      await tasks.request(place.projectId, place.kind, [appId], now);
      await tasks.done(task, leaseUntil, now);
      const [row] = await server.dataSource.query<Json[]>(
        `SELECT due_at AS due, lease_until AS lease, attempts FROM store_tasks
         WHERE app_id = $1 AND kind = 'import_resolve'`,
        [appId],
      );
      expect(row).toEqual({ due: now, lease: null, attempts: 0 });
      await lease();
      await tasks.done(task, leaseUntil, now);
      expect(await tasks.exists(task)).toBe(false);
    });

    describe('given nothing but an id', () => {
      it('fetches product, dates and history from the App Store, without events', async () => {
        const subscription = renewed();
        const { notes, subscriptions, id } = await one('app_store', {
          original_transaction_id: subscription.originalTransactionId,
        });
        expect([subscriptions, notes]).toEqual([1, []]);
        const world = worldOf('app_store');
        expect(await world.subscription(id)).toMatchObject({
          status: 'active',
          ends_at: subscription.latest.expiresDate,
        });
        expect(await world.events(id)).toEqual([]);
        const told = await one(
          'app_store',
          { store_subscription_identifier: latestOf(renewed()) },
          { emit_events: true },
        );
        expect(await world.events(told.id)).toEqual(['INITIAL_PURCHASE']);
      });

      it.each(['token', 'order'])('fetches the current state from Google Play, by %s', async (by) => {
        const life = all.fakes.play.subscribe(playProducts.monthly);
        const item =
          by === 'token'
            ? { purchase_token: life.token }
            : { store_subscription_identifier: life.latestOrderId };
        const row = await one('play_store', item);
        expect([row.subscriptions, row.notes]).toEqual([1, [expect.stringContaining('present state')]]);
        expect(await stored(row.id)).toMatchObject({ key: life.token, state: null, status: 'active' });
        expect(await worldOf('play_store').events(row.id)).toEqual([]);
      });

      it('fetches everything from Stripe, Paddle, Roku and Amazon; Amazon needs the buyer', async () => {
        const sold = all.fakes.stripe.subscribe();
        const stripe = await one('stripe', { store_subscription_identifier: sold.id });
        expect([stripe.subscriptions, stripe.notes]).toEqual([1, []]);
        const bought = all.fakes.amazon.subscribe();
        const amazon = await one('amazon', {
          store_subscription_identifier: bought.id,
          store_user_id: bought.userId,
        });
        expect([amazon.subscriptions, amazon.notes]).toEqual([1, []]);
        const nobody = await one('amazon', { store_subscription_identifier: bought.id });
        expect([nobody.subscriptions, nobody.notes]).toEqual([0, [expect.stringContaining('store_user_id')]]);
        const rented = all.fakes.roku.subscribe();
        const roku = await one('roku', { store_subscription_identifier: rented.id });
        expect([roku.subscriptions, roku.notes]).toEqual([1, []]);
        const subscribed = all.fakes.paddle.subscribe();
        const paddle = await one('paddle', { store_subscription_identifier: subscribed.id });
        expect([paddle.subscriptions, paddle.notes]).toEqual([1, []]);
        for (const [name, { id }] of [
          ['stripe', stripe],
          ['paddle', paddle],
          ['amazon', amazon],
          ['roku', roku],
        ] as const)
          expect(await worldOf(name).subscription(id)).toMatchObject({ status: 'active' });
      });

      it('leaves it out if the store does not know it, or is down', async () => {
        const unknown = await one('app_store', { original_transaction_id: '999000222' });
        expect([unknown.subscriptions, unknown.notes]).toEqual([0, [expect.stringContaining('left out')]]);
        all.fakes.google.interfere = () => googleError(503, 'backendError');
        const down = await one('play_store', { purchase_token: 'some-token' });
        expect([down.subscriptions, down.notes]).toEqual([0, [expect.stringContaining('try again')]]);
      });

      it('polls in the background beyond the budget of the app, but not for erased customers', async () => {
        const { appId, backend, path } = worldOf('play_store');
        const lives = Array.from({ length: 30 }, () => all.fakes.play.subscribe(playProducts.monthly));
        const customers = lives.map(({ token }) => ({
          id: person(),
          subscriptions: [{ app_id: appId, store: 'play_store', purchase_token: token }],
        }));
        const rows = await send('play_store', customers);
        const later = rows.filter((row) => row.subscriptions === 0);
        expect(later).toHaveLength(10);
        expect(later[0]?.notes).toEqual(['subscriptions.0: its store is asked about it in the background']);
        expect((await status('play_store')).resolving).toBe(10);
        const erased: string = later[9]?.id;
        await backend.delete(`${path}/customers/${erased}`);
        await background();
        expect((await status('play_store')).resolving).toBe(0);
        for (const row of later.slice(0, 9)) {
          expect(await stored(row.id)).toMatchObject({ status: 'active' });
          expect(await worldOf('play_store').events(row.id)).toEqual([]);
        }
        expect((await backend.get(`${path}/customers/${erased}`)).status).toBe(404);
      });
    });

    // Last: weeks pass.
    describe('of Paddle and Roku', () => {
      const named = {
        paddle: { product: paddlePrices.monthly.product, buy: () => all.fakes.paddle.subscribe() },
        roku: { product: rokuProducts.monthly.id, buy: () => all.fakes.roku.subscribe() },
      };
      const ledgerOf = async (appUserId: string): Promise<Json[]> =>
        server.dataSource.query<Json[]>(
          `SELECT t.kind, t.amount_micros::float8 AS micros FROM store_transactions t
           JOIN subscriptions s ON s.project_id = t.project_id AND s.id = t.subscription_id
           JOIN customer_aliases a ON a.project_id = s.project_id AND a.customer_id = s.customer_id
           WHERE a.app_user_id = $1 ORDER BY t.purchased_at, t.recorded_at, t.kind_seq`,
          [appUserId],
        );

      it.each(['paddle', 'roku'] as const)(
        'keeps the same %s subscription, with dates, when the app posts it and when it renews',
        async (name) => {
          const { product, buy } = named[name];
          const world = worldOf(name);
          const startsAt = nowMs();
          const life = buy();
          server.clock.advanceMs(5 * DAY_MS);
          const { id, subscriptions, notes } = await one(name, {
            store_subscription_identifier: life.id,
            product_identifier: product,
            starts_at: startsAt,
            current_period_starts_at: startsAt,
            current_period_ends_at: startsAt + 30 * DAY_MS,
            status: 'active',
            auto_renewal_status: 'will_renew',
            price: { amount: 9.99, currency: 'USD' },
          });
          expect([subscriptions, notes]).toEqual([1, []]);
          const before = await world.subscription(id);
          await refreshAll(server);
          server.clock.advanceMs(DAY_MS);
          expect((await world.post(id, life.id)).status).toBe(200);
          expect((await world.subscription(id)).id).toBe(before.id);
          expect(await world.events(id)).toEqual([]);
          // The import could not know the fee of Paddle.
          const withFee = [-9_990_000, 9_990_000].map((micros) => ({ kind: 'correction', micros }));
          const imported = [{ kind: 'purchase', micros: 9_990_000 }, ...(name === 'paddle' ? withFee : [])];
          expect(await ledgerOf(id)).toEqual(imported);
          server.clock.advanceMs(24 * DAY_MS + 60_000);
          life.renew();
          expect((await world.post(id, life.id)).status).toBe(200);
          expect(await world.events(id)).toEqual(['RENEWAL']);
          expect(await ledgerOf(id)).toEqual([...imported, { kind: 'renewal', micros: 9_990_000 }]);
          expect(await stored(id)).toMatchObject({ state: null, status: 'active' });
        },
      );

      it('recognizes one-time purchases when the app posts them', async () => {
        const rented = all.fakes.roku.buy(rokuProducts.lifetime);
        const world = worldOf('roku');
        const id = person();
        const purchase = {
          app_id: world.appId,
          store: 'roku',
          product_identifier: rokuProducts.lifetime.id,
          store_purchase_identifier: rented.id,
          purchased_at: nowMs(),
          status: 'owned',
        };
        await send('roku', [{ id, purchases: [purchase] }]);
        expect((await world.post(id, rented.id)).status).toBe(200);
        expect(await world.events(id)).toEqual([]);
        const [row] = await server.dataSource.query<Json[]>(
          `SELECT count(*)::int FROM one_time_purchases o
           JOIN customer_aliases a ON a.project_id = o.project_id AND a.customer_id = o.customer_id
           WHERE a.app_user_id = $1`,
          [id],
        );
        expect(row).toEqual({ count: 1 });
      });

      it('retries items with only an id when Paddle or Roku is down', async () => {
        const { paddle, roku } = all.stores;
        for (const [name, fake] of [
          ['paddle', paddle],
          ['roku', roku],
        ] as const) {
          fake.answerWith({ status: 500, body: {} });
          const { id } = named[name].buy();
          const down = await one(name, { store_subscription_identifier: id });
          expect([down.subscriptions, down.notes]).toEqual([0, [expect.stringContaining('try again')]]);
          fake.answerWith(null);
        }
      });
    });

    it('writes no key, token or credential to the log', () => {
      const { appleApi, google, stripe, amazon, paddle, roku, play } = all.fakes;
      const secrets = [
        appleApi.key.privateKeyPem.slice(40, 80),
        google.serviceAccount.private_key.slice(40, 80),
        stripe.secretKey,
        amazon.secret,
        roku.apiKey,
        paddle.apiKey,
        'test_takenBySomeApp',
        ...play.subscriptions.keys(),
      ];
      expect(logged.length).toBeGreaterThan(0);
      const leaked = logged.filter((line) => secrets.some((secret) => line.includes(secret)));
      expect(leaked).toEqual([]);
    });
  });
});
