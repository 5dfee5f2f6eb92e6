import { CustomersService } from '../../src/customers/customers/identity/customers.service.js';
import { CleanupsJob } from '../../src/platform/jobs/cleanups.job.js';
import { systemChange } from '../../src/platform/audit/project-write.js';
import { NotificationHealthService } from '../../src/stores/notifications/notification-health.service.js';
import { StoreRefreshJob } from '../../src/stores/shared/store-refresh.job.js';
import { SubscriptionExtensionsService } from '../../src/stores/actions/subscription-extensions.service.js';
import { type AppStoreWorld, APPLE_ID, BUNDLE_ID, startAppStoreWorld } from '../support/arrange-app-store.js';
import type { ApiClient } from '../support/api-client.js';
import { createSecretKey } from '../support/arrange.js';
import { appleChain, certificate } from '../support/fake-app-store/certificates.js';
import { fakeProducts } from '../support/fake-app-store/fake-app-store.js';
import { serverError, transactionNotFound, unauthorized } from '../support/fake-app-store/fake-server-api.js';
import type { FakeSubscription } from '../support/fake-app-store/fake-subscription.js';
import { Signer } from '../support/fake-app-store/signer.js';
import { startTestServer } from '../support/test-server.js';

const DAY_MS = 86_400_000;
const noKey = { subscription_private_key: null, subscription_key_id: null, subscription_key_issuer: null };
const { monthly, yearly, coins, lifetime } = fakeProducts;

describe('the App Store', () => {
  let world: AppStoreWorld;
  let reader: ApiClient;
  let count = 0;

  const newAppUserId = (): string => `user-${++count}`;
  const bought = (
    product = monthly,
    environment: 'Production' | 'Sandbox' = 'Production',
  ): FakeSubscription => world.store.subscribe(world.store.account(environment), product);
  const purchaseRows = async (): Promise<number> => {
    const tables = ['subscriptions', 'one_time_purchases', 'store_transactions', 'events'];
    const rows = await world.server.dataSource.query<{ count: string }[]>(
      `SELECT (${tables.map((table) => `(SELECT count(*) FROM ${table})`).join(' + ')}) AS count`,
    );
    return Number(rows[0]?.count);
  };

  beforeAll(async () => {
    world = await startAppStoreWorld();
    const permissions = ['customer_information:subscriptions:read'];
    reader = (await createSecretKey(world.session, world.projectId, permissions)).client;
  });
  beforeEach(async () => {
    world.api.interfere = () => undefined;
    world.api.calls.length = 0;
    await world.configure({ ...noKey, track_new_purchases: false, allow_unsigned_receipts: false });
  });
  afterAll(() => world.close());

  describe('receipts', () => {
    it('records a signed transaction; a repeat changes nothing', async () => {
      const user = newAppUserId();
      const subscription = bought();
      const jws = subscription.signed();
      const more = { product_id: 'pro_monthly', presented_offering_identifier: 'sale' };
      const first = await world.post(user, jws, more);
      expect(first.status).toBe(200);
      const end = new Date(Number(subscription.latest.expiresDate)).toISOString().replace(/\.\d+/, '');
      expect(first.body.subscriber.entitlements.pro).toMatchObject({ expires_date: end });
      expect(first.body.subscriber.subscriptions.pro_monthly).toMatchObject({
        store: 'app_store',
        is_sandbox: false,
        period_type: 'normal',
        price: { amount: 9.99, currency: 'USD' },
        store_transaction_id: subscription.latest.transactionId,
      });
      const rows = await purchaseRows();
      const again = await world.post(user, jws, more);
      expect(again.body.subscriber.subscriptions).toEqual(first.body.subscriber.subscriptions);
      expect(await purchaseRows()).toBe(rows);
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE']);
      expect(await world.subscription(user)).toMatchObject({
        status: 'active',
        store: 'app_store',
        environment: 'production',
        presented_offering_id: 'sale',
        total_revenue_in_usd: { gross: 9.99 },
      });
      expect(world.api.calls).toEqual([]);
    });

    it('keeps sandbox purchases sandbox, trials free, and other products one-time', async () => {
      const user = newAppUserId();
      const account = world.store.account('Sandbox');
      const trial = world.store.subscribe(account, monthly, { trial: true });
      const coinsBought = world.store.buy(account, coins, 'Consumable', 2);
      const forever = world.store.buy(account, lifetime, 'Non-Consumable');
      await world.post(user, trial.signed());
      await world.post(user, world.store.signed(coinsBought.transaction));
      const answer = await world.post(user, world.store.signed(forever.transaction));
      expect(answer.body.subscriber.entitlements.pro.expires_date).toBeNull();
      expect(answer.body.subscriber.subscriptions.pro_monthly).toMatchObject({
        period_type: 'trial',
        is_sandbox: true,
      });
      expect(Object.keys(answer.body.subscriber.non_subscriptions).sort()).toEqual([
        'coins_100',
        'pro_lifetime',
      ]);
      expect(await world.events(user)).toEqual([
        'INITIAL_PURCHASE',
        'NON_RENEWING_PURCHASE',
        'NON_RENEWING_PURCHASE',
      ]);
      expect((await world.subscription(user)).status).toBe('trialing');
    });

    it('fetches everything the account has with the key, in pages', async () => {
      await world.configure(world.keyFields);
      const user = newAppUserId();
      const account = world.store.account();
      const subscription = world.store.subscribe(account, monthly);
      for (let month = 0; month < 24; month++) {
        world.clock.advanceMs(30 * DAY_MS);
        subscription.renew();
      }
      subscription.cancel();
      world.store.buy(account, coins);
      const answer = await world.post(user, subscription.signed());
      expect(Object.keys(answer.body.subscriber.non_subscriptions)).toEqual(['coins_100']);
      const row = await world.subscription(user);
      expect(row).toMatchObject({ status: 'active', auto_renewal_status: 'will_not_renew' });
      expect(row.total_revenue_in_usd.gross).toBeCloseTo(25 * 9.99, 2);
      const recorded = await world.events(user);
      expect(recorded.filter((type) => type === 'RENEWAL')).toHaveLength(24);
      expect(recorded.filter((type) => type === 'CANCELLATION/UNSUBSCRIBE')).toHaveLength(1);
      expect(world.api.calls.every(({ environment }) => environment === 'Production')).toBe(true);
      expect(world.api.calls.filter(({ path }) => path.includes('/history/'))).toHaveLength(2);
    });

    it.each([
      ['does not know it yet', transactionNotFound],
      ['is down', serverError],
      ['refuses the key', unauthorized],
    ])('accepts the signature while Apple %s; what is missing follows', async (_, failure) => {
      await world.configure(world.keyFields);
      const user = newAppUserId();
      const subscription = bought();
      subscription.cancel();
      world.api.interfere = () => failure;
      const answer = await world.post(user, subscription.signed());
      expect([answer.status, answer.body.subscriber.entitlements.pro !== undefined]).toEqual([200, true]);
      expect(await world.subscription(user)).toMatchObject({ auto_renewal_status: 'will_renew' });
      world.api.interfere = () => undefined;
      const refreshes = world.server.app.get(StoreRefreshJob);
      await refreshes.drain();
      expect(await world.subscription(user)).toMatchObject({ auto_renewal_status: 'will_renew' });
      world.clock.advanceMs(60_000);
      await refreshes.drain();
      expect(await world.subscription(user)).toMatchObject({ auto_renewal_status: 'will_not_renew' });
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'CANCELLATION/UNSUBSCRIBE']);
      expect(await world.server.dataSource.query('SELECT * FROM store_refreshes')).toEqual([]);
    });

    it('polls Apple at growing intervals, and in the end no more', async () => {
      await world.configure(world.keyFields);
      const user = newAppUserId();
      world.api.interfere = () => serverError;
      await world.post(user, bought().signed());
      const refreshes = world.server.app.get(StoreRefreshJob);
      const asked: number[] = [];
      for (let hour = 0; hour < 100; hour++) {
        world.api.calls.length = 0;
        world.clock.advanceMs(3_600_000);
        await refreshes.drain();
        if (world.api.calls.length > 0) asked.push(hour);
      }
      expect(asked).toHaveLength(7);
      expect(await world.server.dataSource.query('SELECT * FROM store_refreshes')).toEqual([]);
    });

    it('accepts an app receipt without the key; with one Apple has to know the purchase', async () => {
      const user = newAppUserId();
      const nowMs = world.clock.nowMs();
      const receiptOf = (id: string): string =>
        world.store.appReceipt({
          purchases: [
            {
              transactionId: id,
              originalTransactionId: id,
              productId: 'pro_monthly',
              purchasedAtMs: nowMs,
              expiresAtMs: nowMs + 86_400_000,
            },
          ],
        });
      const signed = await world.post(user, receiptOf(bought().originalTransactionId));
      expect([signed.status, signed.body.subscriber.original_application_version]).toEqual([200, '7']);
      expect(signed.body.subscriber.subscriptions.pro_monthly).toMatchObject({
        is_sandbox: false,
        expires_date: new Date(nowMs + 86_400_000).toISOString().replace(/\.\d+/, ''),
      });
      expect(world.api.calls).toEqual([]);
      await world.configure(world.keyFields);
      const id = bought().originalTransactionId;
      world.api.interfere = () => serverError;
      const down = await world.post(user, receiptOf(id));
      expect([down.status, down.body.code, Number(down.headers['retry-after']) >= 30]).toEqual([
        503,
        7101,
        true,
      ]);
      world.api.interfere = () => unauthorized;
      expect((await world.post(user, receiptOf(id))).body.code).toBe(7234);
      expect(
        await world.server.dataSource.query('SELECT 1 FROM subscriptions WHERE store_key = $1', [id]),
      ).toEqual([]);
      world.api.interfere = () => undefined;
      const answer = await world.post(user, receiptOf(id));
      expect(Object.keys(answer.body.subscriber.entitlements)).toEqual(['pro']);
    });

    it('accepts only Xcode receipts unsigned, where the developer allows it, and only in the sandbox', async () => {
      const id = bought().originalTransactionId;
      const purchases = [
        {
          transactionId: id,
          originalTransactionId: id,
          productId: 'pro_lifetime',
          purchasedAtMs: world.clock.nowMs(),
        },
      ];
      const unsigned = (environment: string): string =>
        world.store.appReceipt({ environment, purchases }, { certificates: [], signers: stranger });
      const stranger = [
        { certificate: certificate({ commonName: 'x', issuer: world.store.chain.root, rsa: true }) },
      ];
      expect((await world.post(newAppUserId(), unsigned('Xcode'))).body.code).toBe(7103);
      await world.configure({ allow_unsigned_receipts: true });
      for (const environment of ['Production', 'ProductionSandbox', 'ProductionVPP', 'Sandbox', 'Moon', '']) {
        const { status, body } = await world.post(newAppUserId(), unsigned(environment));
        expect([environment, status, body.code]).toEqual([environment, 400, 7103]);
      }
      const { body } = await world.post(newAppUserId(), unsigned('Xcode'));
      expect(body.subscriber.non_subscriptions.pro_lifetime).toMatchObject([{ is_sandbox: true }]);
    });

    it('reads the installation from an app receipt, with and without purchases; the earliest date counts', async () => {
      const user = newAppUserId();
      const installed = async (originalPurchase?: number | string): Promise<[number, string | null]> => {
        const { status, body } = await world.post(
          user,
          world.store.appReceipt({ ...(originalPurchase !== undefined && { originalPurchase }) }),
        );
        return [status, body.subscriber.original_purchase_date];
      };
      expect(await installed()).toEqual([200, null]);
      for (const odd of ['', 'junk', '\u0016\u0004soon', '\u0016\u00ff'])
        expect(await installed(odd)).toEqual([200, null]);
      expect(await installed(Date.UTC(2020, 1, 3))).toEqual([200, '2020-02-03T00:00:00Z']);
      expect(await installed(Date.UTC(2013, 7, 1, 7))).toEqual([200, '2013-08-01T07:00:00Z']);
      expect(await installed(Date.UTC(2025, 0, 1))).toEqual([200, '2013-08-01T07:00:00Z']);
    });

    it('reads the installation from a receipt of StoreKit testing; without a date only the version', async () => {
      await world.configure({ allow_unsigned_receipts: true });
      const { original_purchase_date: _, ...undated } = {
        environment: 'xcode',
        bundle_id: BUNDLE_ID,
        original_application_version: '1.0',
        original_purchase_date: '2024-01-01T00:00:00Z',
        subscription_status: {},
        transactions: [
          world.store.signer.sign({
            transactionId: '0',
            originalTransactionId: '0',
            bundleId: BUNDLE_ID,
            productId: 'pro_monthly',
            subscriptionGroupIdentifier: 'G',
            purchaseDate: world.clock.nowMs() - 1000,
            originalPurchaseDate: world.clock.nowMs() - 1000,
            expiresDate: world.clock.nowMs() + 86_400_000,
            quantity: 1,
            type: 'Auto-Renewable Subscription',
            inAppOwnershipType: 'PURCHASED',
            signedDate: world.clock.nowMs(),
            environment: 'Xcode',
            transactionReason: 'PURCHASE',
            storefront: 'USA',
            storefrontId: '143441',
            webOrderLineItemId: '0',
          }),
        ],
      };
      const facts = async (receipt: object): Promise<unknown[]> => {
        const packed = Buffer.from(JSON.stringify(receipt)).toString('base64');
        const { status, body } = await world.post(newAppUserId(), packed);
        const { original_application_version: version, original_purchase_date: date } = body.subscriber;
        return [status, version, date];
      };
      expect(await facts({ ...undated, original_purchase_date: _ })).toEqual([200, '1.0', _]);
      expect(await facts(undated)).toEqual([200, '1.0', null]);
      expect(
        await facts({ ...undated, original_purchase_date: 5, original_application_version: {} }),
      ).toEqual([200, null, null]);
    });

    it('reads the installation from an app transaction, with or without a purchase, but not from a forged one', async () => {
      const user = newAppUserId();
      const subscription = bought();
      const forged = new Signer(appleChain()).sign({ receiptType: 'Production', bundleId: BUNDLE_ID });
      const nothing = await world.post(user, null, { app_transaction: forged });
      expect([nothing.status, nothing.body.subscriber.original_application_version]).toEqual([200, null]);
      const app = world.store.appTransaction(subscription.account);
      const alone = await world.post(user, null, { app_transaction: app });
      expect(alone.body.subscriber).toMatchObject({
        original_application_version: '7',
        original_purchase_date: new Date(world.clock.nowMs() - 1_000_000).toISOString().replace(/\.\d+/, ''),
      });
      const later = world.store.appTransaction(subscription.account, {
        originalApplicationVersion: '9',
        originalPurchaseDate: world.clock.nowMs() - 5,
      });
      const answer = await world.post(user, subscription.signed(), { app_transaction: later });
      expect(answer.body.subscriber.original_application_version).toBe('7');
      expect(
        (await world.post(newAppUserId(), subscription.signed(), { app_transaction: 'junk' })).status,
      ).toBe(200);
      const info = await world.sdk.get(`/v1/subscribers/${user}`);
      expect(info.body.subscriber.original_application_version).toBe('7');
    });

    it('forgeries are refused for good and leave no trace', async () => {
      const genuine = bought();
      const strangers = new Signer(appleChain());
      const payload = { ...genuine.latest, signedDate: world.clock.nowMs() };
      const before = await purchaseRows();
      for (const token of [
        strangers.sign(payload),
        world.store.signer.sign({ ...payload, bundleId: 'com.example.other' }),
        world.store.signer.sign({ ...payload, environment: 'Xcode' }),
        genuine.signedRenewal(),
        world.store.signer.sign(payload).slice(0, -4),
        world.store.appTransaction(genuine.account),
        'test_1767323045123_abc',
        '2000000123456789',
        Buffer.from('{}').toString('base64'),
      ]) {
        const answer = await world.post(newAppUserId(), token);
        expect([token.slice(0, 20), answer.status, answer.body.code]).toEqual([
          token.slice(0, 20),
          400,
          7103,
        ]);
      }
      expect(await purchaseRows()).toBe(before);
    });

    it("moves a purchase replayed under another name by the project's rule, and stores it once", async () => {
      const [owner, other] = [newAppUserId(), newAppUserId()];
      const jws = bought().signed();
      await world.post(owner, jws);
      await world.backend.post(world.path, { transfer_behavior: 'keep' });
      const refused = await world.post(other, jws);
      expect([refused.status, refused.body.code]).toEqual([400, 7102]);
      await world.backend.post(world.path, { transfer_behavior: 'transfer' });
      expect((await world.post(other, jws)).status).toBe(200);
      expect(await world.subscription(owner)).toBeUndefined();
      expect((await world.subscription(other)).original_customer_id).toBe(owner);
    });

    it('records twenty posts of one purchase at once as one purchase', async () => {
      const user = newAppUserId();
      const jws = bought().signed();
      const answers = await Promise.all(Array.from({ length: 20 }, () => world.post(user, jws)));
      expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE']);
    });

    it('trusts the test root only where tests are allowed', async () => {
      const strict = await startTestServer({
        databaseUrl: world.server.databaseUrl,
        clock: world.clock,
        env: { SERVICE_TEST_APPLE_ROOTS: world.server.config.testAppleRoots ?? '' },
      });
      try {
        const keys = await world.backend.get(`${world.path}/apps/${world.appId}/public_api_keys`);
        const sdk = strict.http.withKey(keys.body.items[0].key);
        const body = { app_user_id: newAppUserId(), fetch_token: bought().signed() };
        expect((await sdk.post('/v1/receipts', body)).body.code).toBe(7103);
      } finally {
        await strict.close();
      }
    });
  });

  describe('notifications', () => {
    it('renews a known purchase on its owner, once however often they come', async () => {
      const user = newAppUserId();
      const subscription = bought();
      await world.post(user, subscription.signed());
      world.clock.advanceMs(30 * DAY_MS);
      const renewed = subscription.renew();
      for (let time = 0; time < 3; time++) expect((await world.notify(renewed)).status).toBe(200);
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'RENEWAL']);
      const health = await world.server.app.get(NotificationHealthService).forProject(world.projectId);
      expect(health.get(world.appId)).toMatchObject({ status: 'ready', lastSentAtMs: world.clock.nowMs() });
    });

    it('row 9: notifications of purchases that were not posted are kept, and applied when one is posted', async () => {
      const user = newAppUserId();
      const subscription = bought();
      const jws = subscription.signed();
      await world.notify(subscription.subscribed());
      world.clock.advanceMs(1_000);
      const cancelled = subscription.cancel();
      await world.notify(cancelled);
      const [row] = await world.server.dataSource.query<{ state: string; subject: string; kind: string }[]>(
        'SELECT state, subject, kind, subkind FROM store_notifications WHERE dedupe_key = $1',
        [cancelled.uuid],
      );
      expect(row).toEqual({
        state: 'ignored_unknown_purchase',
        subject: subscription.originalTransactionId,
        kind: 'DID_CHANGE_RENEWAL_STATUS',
        subkind: 'AUTO_RENEW_DISABLED',
      });
      await world.post(user, jws);
      await world.process();
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'CANCELLATION/UNSUBSCRIBE']);
    });

    it('row 8: notifications of unknown purchases are recorded for the customer they name, if the app tracks new purchases', async () => {
      await world.configure({ track_new_purchases: true });
      const known = 'b0d3c5a4-9f2e-4c1d-8a7b-6e5f4d3c2b1a';
      await world.sdk.get(`/v1/subscribers/${known}`);
      const named = world.store.account('Production', { appAccountToken: known.toUpperCase() });
      await world.notify(world.store.subscribe(named, monthly).subscribed());
      expect(await world.events(known)).toEqual(['INITIAL_PURCHASE']);

      const user = newAppUserId();
      const account = world.store.account();
      await world.post(user, world.store.signed(world.store.buy(account, coins).transaction));
      await world.notify(world.store.subscribe(account, yearly).subscribed());
      expect(await world.events(user)).toEqual(['NON_RENEWING_PURCHASE', 'INITIAL_PURCHASE']);

      const unclaimed = bought();
      await world.notify(unclaimed.subscribed());
      world.clock.advanceMs(1_000);
      await world.notify(unclaimed.cancel());
      const [owner] = await world.server.dataSource.query<{ id: string }[]>(
        `SELECT c.original_app_user_id AS id FROM customers c JOIN subscriptions s ON s.customer_id = c.id
         WHERE s.store_key = $1`,
        [unclaimed.originalTransactionId],
      );
      expect(owner?.id).toMatch(/^\$RCAnonymousID:[0-9a-f]{32}$/);
      expect(await world.events(owner?.id ?? '')).toEqual(['INITIAL_PURCHASE', 'CANCELLATION/UNSUBSCRIBE']);
    });

    it('row 89: notifications never move a purchase to another customer', async () => {
      await world.configure({ track_new_purchases: true });
      const [owner, other] = [newAppUserId(), '5f1c3f9d-3b11-4a2b-9c3d-8f14e45fceea'];
      await world.sdk.get(`/v1/subscribers/${other}`);
      const subscription = world.store.subscribe(
        world.store.account('Production', { appAccountToken: other }),
        monthly,
      );
      await world.post(owner, subscription.signed());
      world.clock.advanceMs(1_000);
      await world.notify(subscription.cancel());
      expect((await world.subscription(owner)).auto_renewal_status).toBe('will_not_renew');
      expect(await world.subscription(other)).toBeUndefined();
    });

    it('row 100: notifications about a purchase of a deleted customer are handled as unknown', async () => {
      const user = newAppUserId();
      const subscription = bought();
      const before = await purchaseRows();
      await world.post(user, subscription.signed());
      expect((await world.backend.delete(`${world.path}/customers/${user}`)).status).toBe(200);
      expect(await purchaseRows()).toBe(before);
      world.clock.advanceMs(30 * DAY_MS);
      const renewed = subscription.renew();
      await world.notify(renewed);
      const rows = await world.server.dataSource.query<{ state: string }[]>(
        'SELECT state FROM store_notifications WHERE dedupe_key = $1',
        [renewed.uuid],
      );
      expect(rows).toEqual([{ state: 'ignored_unknown_purchase' }]);
      expect(await purchaseRows()).toBe(before);
      expect((await world.backend.get(`${world.path}/customers/${user}`)).status).toBe(404);
    });

    it('does not create a customer for old periods of a deleted one, but for later periods and new purchases', async () => {
      await world.configure({ track_new_purchases: true });
      const user = newAppUserId();
      const account = world.store.account();
      const subscription = world.store.subscribe(account, monthly);
      await world.post(user, subscription.signed());
      const customers = async (): Promise<number> => {
        const rows = await world.server.dataSource.query<{ count: number }[]>(
          'SELECT count(*)::int AS count FROM customers WHERE project_id = $1',
          [world.projectId],
        );
        return rows[0]?.count ?? -1;
      };
      expect((await world.backend.delete(`${world.path}/customers/${user}`)).status).toBe(200);
      const before = await customers();
      const purchases = await purchaseRows();
      world.clock.advanceMs(DAY_MS);
      await world.notify(subscription.cancel());
      world.clock.advanceMs(DAY_MS);
      await world.notify(subscription.refund());
      expect(await customers()).toBe(before);
      expect(await purchaseRows()).toBe(purchases);

      await world.notify(world.store.subscribe(account, yearly).subscribed());
      expect(await customers()).toBe(before + 1);
    });

    it('deletes the hashes of erased purchases after two years', async () => {
      const { app, dataSource } = world.server;
      const user = newAppUserId();
      await world.post(user, bought().signed());
      await world.backend.delete(`${world.path}/customers/${user}`);
      const countAfterRetention = async (): Promise<number | undefined> => {
        await app.get(CleanupsJob).run();
        const rows = await dataSource.query<{ count: number }[]>(
          'SELECT count(*)::int AS count FROM erased_purchases WHERE project_id = $1',
          [world.projectId],
        );
        return rows[0]?.count;
      };
      expect(await countAfterRetention()).toBeGreaterThan(0);
      const expired = new Date(world.clock.nowMs() - 730 * DAY_MS);
      await dataSource.query('UPDATE erased_purchases SET erased_at = $2 WHERE project_id = $1', [
        world.projectId,
        expired,
      ]);
      expect(await countAfterRetention()).toBe(0);
    });

    it('creates a customer for a period that starts after the deletion', async () => {
      await world.configure({ track_new_purchases: true });
      const user = newAppUserId();
      const subscription = bought();
      await world.post(user, subscription.signed());
      await world.backend.delete(`${world.path}/customers/${user}`);
      world.clock.advanceMs(30 * DAY_MS);
      await world.notify(subscription.renew());
      const [owner] = await world.server.dataSource.query<{ id: string }[]>(
        `SELECT c.original_app_user_id AS id FROM customers c JOIN subscriptions s ON s.customer_id = c.id
         WHERE s.store_key = $1`,
        [subscription.originalTransactionId],
      );
      expect(owner?.id).toMatch(/^\$RCAnonymousID:/);
    });

    it('refuses forged ones and those of another app or environment, and changes nothing', async () => {
      const user = newAppUserId();
      const subscription = bought();
      await world.post(user, subscription.signed());
      const before = await purchaseRows();
      const strangers = new Signer(appleChain());
      const data = {
        bundleId: BUNDLE_ID,
        appAppleId: APPLE_ID,
        environment: 'Production',
        signedTransactionInfo: subscription.signed(),
        signedRenewalInfo: subscription.signedRenewal(),
      };
      const payload = {
        notificationType: 'REFUND',
        notificationUUID: '8f14e45f-ceea-467f-a8f5-5f1c3f9d3b11',
        signedDate: world.clock.nowMs(),
        data,
      };
      const revoked = {
        ...subscription.latest,
        signedDate: world.clock.nowMs(),
        revocationDate: world.clock.nowMs(),
      };
      const sign = (content: object): string => world.store.signer.sign(content);
      for (const signedPayload of [
        strangers.sign(payload),
        sign({ ...payload, data: { ...data, bundleId: 'com.example.other' } }),
        sign({ ...payload, data: { ...data, appAppleId: 5 } }),
        sign({ ...payload, data: { ...data, environment: 'Sandbox' } }),
        sign({ ...payload, data: { ...data, signedTransactionInfo: strangers.sign(revoked) } }),
        sign({ ...payload, notificationUUID: 'x' }),
      ]) {
        const answer = await world.server.http.post(`/v1/notifications/apple/${world.appId}`, {
          signedPayload,
        });
        expect([answer.status, answer.body.code]).toEqual([400, 7103]);
      }
      await world.process();
      expect(await purchaseRows()).toBe(before);
      expect((await world.subscription(user)).status).toBe('active');
      const health = await world.server.app.get(NotificationHealthService).forProject(world.projectId);
      expect(health.get(world.appId)?.lastError?.type).toBe('rejected');
    });

    it('answers every type with 200, including future ones', async () => {
      const subscription = bought();
      for (const [type, subtype] of [
        ['TEST', null],
        ['REFUND_DECLINED', null],
        ['CONSUMPTION_REQUEST', null],
        ['OFFER_REDEEMED', 'UPGRADE'],
        ['METADATA_UPDATE', null],
        ['SOMETHING_NEW', 'UNHEARD_OF'],
      ] as const) {
        const notification = type === 'TEST' ? world.store.test() : subscription.notification(type, subtype);
        expect([type, (await world.notify(notification)).status]).toEqual([type, 200]);
      }
      const token = { externalPurchaseId: 'SANDBOX_1', bundleId: BUNDLE_ID, appAppleId: APPLE_ID };
      const external = world.store.notification('EXTERNAL_PURCHASE_TOKEN', 'UNREPORTED', {
        externalPurchaseToken: token,
      });
      expect((await world.notify(external)).status).toBe(200);
      const rows = await world.server.dataSource.query<{ kind: string; state: string }[]>(
        `SELECT kind, state FROM store_notifications
         WHERE kind IN ('TEST', 'EXTERNAL_PURCHASE_TOKEN', 'SOMETHING_NEW', 'REFUND_DECLINED')`,
      );
      expect(Object.fromEntries(rows.map(({ kind, state }) => [kind, state]))).toEqual({
        TEST: 'processed',
        EXTERNAL_PURCHASE_TOKEN: 'processed',
        SOMETHING_NEW: 'ignored_unknown_purchase',
        REFUND_DECLINED: 'ignored_unknown_purchase',
      });
    });

    it('fetches the rest from Apple if a notification is incomplete', async () => {
      await world.configure(world.keyFields);
      const user = newAppUserId();
      const account = world.store.account();
      const subscription = world.store.subscribe(account, monthly);
      await world.post(user, subscription.signed());
      world.store.buy(account, coins);
      world.clock.advanceMs(DAY_MS);
      await world.notify(subscription.upgrade(yearly));
      await world.server.app.get(StoreRefreshJob).drain();
      expect(await world.events(user)).toEqual([
        'INITIAL_PURCHASE',
        'PRODUCT_CHANGE',
        'RENEWAL',
        'NON_RENEWING_PURCHASE',
      ]);
    });
  });

  describe('credentials', () => {
    const check = (body: object = {}) =>
      world.backend.post(`${world.path}/apps/${world.appId}/actions/verify_credentials`, body);

    it('tries them with one harmless call, saved ones and others before they are saved', async () => {
      const missing = await check();
      expect(missing.body).toMatchObject({ status: 'invalid', valid: false, store: 'app_store' });
      expect(missing.body.message).toContain('subscription_private_key');
      const given = await check(world.keyFields);
      expect(given.body).toMatchObject({
        object: 'credentials_check',
        app_id: world.appId,
        status: 'valid',
        valid: true,
        key_id: 'KEY1234567',
        checked_at: world.clock.nowMs(),
      });
      expect((await check()).body.valid).toBe(false);
      await world.configure(world.keyFields);
      expect((await check()).body.valid).toBe(true);
      expect((await check({ subscription_key_id: 'OTHER' })).body).toMatchObject({
        status: 'invalid',
        valid: false,
      });
      expect((await check({ subscription_private_key: 'no key' })).body.status).toBe('invalid');
      expect((await check({ bundle_id: 'com.example.other' })).body.status).toBe('invalid');
      world.api.interfere = ({ environment }) => (environment === 'Production' ? unauthorized : undefined);
      expect((await check()).body.valid).toBe(true);
      world.api.interfere = () => serverError;
      expect((await check()).body).toMatchObject({ status: 'unreachable', valid: false });
    });

    it('never come back in an answer', async () => {
      await world.configure(world.keyFields);
      const answer = await check();
      expect(answer.text).not.toContain('PRIVATE KEY');
      expect((await check({ subscription_private_key: 'secret-text' })).text).not.toContain('secret-text');
    });

    it('answers 422 for stores without a check, 404 for unknown apps, 400 for bad fields', async () => {
      const app = await world.backend.post(`${world.path}/apps`, { name: 'Test', type: 'test_store' });
      const path = `${world.path}/apps/${app.body.id}/actions/verify_credentials`;
      expect((await world.backend.post(path, {})).status).toBe(422);
      expect(
        (await world.backend.post(`${world.path}/apps/unknown/actions/verify_credentials`, {})).status,
      ).toBe(404);
      const bad = await check({ subscription_key_id: 5 });
      expect([bad.status, bad.body.param]).toEqual([400, 'subscription_key_id']);
    });
  });

  describe('extensions', () => {
    const extensions = () => world.server.app.get(SubscriptionExtensionsService);
    const subscriptionOf = async (user: string) => {
      const customer = await world.server.app.get(CustomersService).find(world.projectId, user);
      const [row] = customer?.subscriptions ?? [];
      if (!row) throw new Error('no subscription');
      return row;
    };
    const write = () => ({ ...systemChange, projectId: world.projectId });
    const path = (): string => `${world.path}/apps/${world.appId}`;

    it('extends one subscription at once, and emits it once', async () => {
      await world.configure(world.keyFields);
      const user = newAppUserId();
      const subscription = bought();
      await world.post(user, subscription.signed());
      const endMs = Number(subscription.latest.expiresDate);
      world.clock.advanceMs(1_000);
      await extensions().extend(write(), await subscriptionOf(user), { by: { days: 10 }, reasonCode: 1 });
      expect((await world.subscription(user)).ends_at).toBe(endMs + 10 * DAY_MS);
      const call = world.api.calls.find(({ method }) => method === 'PUT');
      expect(call?.body).toMatchObject({ extendByDays: 10, extendReasonCode: 1 });
      world.clock.advanceMs(1_000);
      await world.notify(subscription.notification('RENEWAL_EXTENDED', null));
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'SUBSCRIPTION_EXTENDED']);
    });

    it("accepts them over REST v2 and v1, by days or until a time, within Apple's bounds", async () => {
      await world.configure(world.keyFields);
      const user = newAppUserId();
      const subscription = bought();
      await world.post(user, subscription.signed());
      const endMs = Number(subscription.latest.expiresDate);
      const { id } = await world.subscription(user);
      const v2 = (body: object, client = world.backend) =>
        client.post(`${world.path}/subscriptions/${id}/actions/extend`, body);
      const v1 = (body: object, name = subscription.originalTransactionId) =>
        world.backend.post(`/v1/subscribers/${user}/subscriptions/${name}/extend`, body);
      const reason = { extend_reason_code: 'other' };
      world.clock.advanceMs(1_000);
      const days = await v2({ extend_by_days: 10, ...reason });
      expect([days.status, days.body.ends_at]).toEqual([200, endMs + 10 * DAY_MS]);
      world.clock.advanceMs(1_000);
      const until = await v2({ extend_until_ms: endMs + 15 * DAY_MS - 3_600_000, ...reason });
      expect([until.status, until.body.ends_at]).toEqual([200, endMs + 15 * DAY_MS]);
      world.clock.advanceMs(1_000);
      const old = await v1({ extend_by_days: 5, extend_reason_code: 1 });
      expect(old.status).toBe(200);
      expect(Date.parse(old.body.subscriber.subscriptions.pro_monthly.expires_date)).toBe(
        Math.floor((endMs + 20 * DAY_MS) / 1000) * 1000,
      );
      expect(world.api.calls.filter(({ method }) => method === 'PUT').map(({ body }) => body)).toEqual([
        expect.objectContaining({ extendByDays: 10, extendReasonCode: 2 }),
        expect.objectContaining({ extendByDays: 5, extendReasonCode: 2 }),
        expect.objectContaining({ extendByDays: 5, extendReasonCode: 1 }),
      ]);
      expect(await world.events(user)).toEqual([
        'INITIAL_PURCHASE',
        'SUBSCRIPTION_EXTENDED',
        'SUBSCRIPTION_EXTENDED',
        'SUBSCRIPTION_EXTENDED',
      ]);
      for (const [body, param] of [
        [{ extend_by_days: 5 }, 'extend_reason_code'],
        [{ extend_by_days: 91, ...reason }, 'extend_by_days'],
        [{ extend_until_ms: endMs, ...reason }, 'extend_until_ms'],
        [{ extend_until_ms: endMs + 120 * DAY_MS, ...reason }, 'extend_by_days'],
        [reason, 'extend_by_days'],
      ] as const) {
        const bad = await v2(body);
        expect([bad.status, bad.body.param]).toEqual([400, param]);
      }
      expect((await v1({ extend_by_days: 91, extend_reason_code: 0 })).status).toBe(400);
      expect((await v1({ extend_by_days: 5, extend_reason_code: 0 }, 'unknown')).status).toBe(404);
      await world.configure(noKey);
      const keyless = await v1({ extend_by_days: 5, extend_reason_code: 0 });
      expect([keyless.status, keyless.body.code]).toEqual([400, 7101]);
      expect((await v2({ extend_by_days: 5, ...reason })).status).toBe(422);
      await world.configure(world.keyFields);
      expect((await v2({ extend_by_days: 5, ...reason }, reader)).status).toBe(403);
      world.api.interfere = () => ({ status: 403, body: { errorCode: 4030005, errorMessage: 'Too often.' } });
      expect((await v2({ extend_by_days: 5, ...reason })).body).toMatchObject({ type: 'store_error' });
      expect((await v1({ extend_by_days: 5, extend_reason_code: 0 })).status).toBe(400);
      world.api.interfere = () => serverError;
      const down = await v2({ extend_by_days: 5, ...reason });
      expect([down.status, down.body.retryable]).toEqual([503, true]);
      expect((await v1({ extend_by_days: 5, extend_reason_code: 0 })).status).toBe(503);
      for (const action of ['cancel', 'refund']) {
        const refused = await world.backend.post(`${world.path}/subscriptions/${id}/actions/${action}`);
        expect([action, refused.status]).toEqual([action, 422]);
        const v1Path = action === 'cancel' ? 'subscriptions' : 'transactions';
        const refusedV1 = await world.backend.post(
          `/v1/subscribers/${user}/${v1Path}/${subscription.originalTransactionId}/${action}`,
        );
        expect([action, refusedV1.status, refusedV1.body.code]).toEqual([action, 400, 7000]);
      }
    });

    it('refuses them with the reason, or lets the caller retry later', async () => {
      const user = newAppUserId();
      const subscription = bought();
      await world.post(user, subscription.signed());
      const extend = async (days = 10) =>
        extensions().extend(write(), await subscriptionOf(user), { by: { days }, reasonCode: 0 });
      await expect(extend()).rejects.toMatchObject({ status: 422, type: 'unprocessable_entity_error' });
      await world.configure(world.keyFields);
      await expect(extend(91)).rejects.toMatchObject({ status: 400 });
      world.api.interfere = () => ({ status: 403, body: { errorCode: 4030005, errorMessage: 'Too often.' } });
      await expect(extend()).rejects.toMatchObject({
        status: 422,
        type: 'store_error',
        message: expect.stringContaining('Too often'),
      });
      world.api.interfere = () => serverError;
      await expect(extend()).rejects.toMatchObject({ status: 503, type: 'store_error', retryable: true });
      world.clock.advanceMs(40 * DAY_MS);
      await expect(extend()).rejects.toMatchObject({ status: 422 });
      expect((await world.events(user)).includes('SUBSCRIPTION_EXTENDED')).toBe(false);
    });

    it('extends all subscribers of a product: requested, tracked, and completed', async () => {
      await world.configure(world.keyFields);
      const body = {
        product_id: world.products.monthly.id,
        extend_by_days: 7,
        extend_reason_code: 'service_issue_or_outage',
        storefront_country_codes: ['usa'],
      };
      const started = await world.backend.post(`${path()}/actions/mass_extend`, body);
      expect(started.status).toBe(202);
      expect(started.body).toMatchObject({
        object: 'subscription_mass_extension',
        app_id: world.appId,
        product_id: world.products.monthly.id,
        environment: 'production',
        complete: false,
        succeeded_count: null,
        storefront_country_codes: ['USA'],
      });
      const [order] = world.api.calls.filter(
        ({ method, path: called }) => method === 'POST' && called.includes('/extend/'),
      );
      expect(order?.body).toEqual({
        requestIdentifier: started.body.id,
        productId: 'pro_monthly',
        extendByDays: 7,
        extendReasonCode: 3,
        storefrontCountryCodes: ['USA'],
      });
      const url = `${path()}/mass_extensions/${started.body.id}`;
      expect((await world.backend.get(url)).body.complete).toBe(false);
      world.api.completeExtensions();
      const done = await world.backend.get(url);
      expect(done.body).toMatchObject({ complete: true, succeeded_count: 12, failed_count: 1 });
      world.api.interfere = () => serverError;
      expect((await world.backend.get(url)).body).toEqual(done.body);
      expect((await world.backend.get(`${path()}/mass_extensions/unknown`)).status).toBe(404);
    });

    it('repeats the same mass extension if no answer came', async () => {
      await world.configure(world.keyFields);
      const body = { product_id: 'pro_monthly', extend_by_days: 9, extend_reason_code: 'other' };
      const post = () => world.backend.post(`${path()}/actions/mass_extend`, body);
      const asked = (): unknown[] =>
        world.api.calls
          .filter(({ method, body: order }) => method === 'POST' && order?.extendByDays === 9)
          .map(({ body: order }) => order?.requestIdentifier);
      const { dataSource } = world.server;
      await dataSource.query(
        `CREATE FUNCTION break() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'disk on fire'; END $$;
         CREATE TRIGGER break BEFORE INSERT ON audit_logs FOR EACH ROW EXECUTE FUNCTION break()`,
      );
      try {
        await expect(post()).rejects.toThrow('500');
      } finally {
        await dataSource.query('DROP FUNCTION break() CASCADE');
      }
      const again = await post();
      expect(again.status).toBe(202);
      expect(asked()).toEqual([again.body.id, again.body.id]);
      expect((await world.backend.get(`${path()}/mass_extensions/${again.body.id}`)).body).toEqual(
        again.body,
      );

      const another = await post();
      expect(another.status).toBe(202);
      expect(another.body.id).not.toBe(again.body.id);

      world.api.interfere = () => serverError;
      expect((await post()).status).toBe(503);
      world.clock.advanceMs(2 * DAY_MS);
      world.api.interfere = () => undefined;
      const later = await post();
      expect(later.status).toBe(202);
      expect(new Set(asked()).size).toBe(4);
      expect(asked().at(-1)).toBe(later.body.id);
    });

    it("records the end of one from Apple's summary, too", async () => {
      await world.configure(world.keyFields);
      const body = {
        product_id: 'pro_monthly',
        extend_by_days: 3,
        extend_reason_code: 'other',
        environment: 'sandbox',
      };
      const started = await world.backend.post(`${path()}/actions/mass_extend`, body);
      const asked = world.api.calls.filter(({ path: called }) => called.includes('/extend/'));
      expect(asked.map(({ environment }) => environment)).toEqual(['Sandbox']);
      const summary = {
        requestIdentifier: started.body.id,
        environment: 'Sandbox',
        bundleId: BUNDLE_ID,
        appAppleId: APPLE_ID,
        productId: 'pro_monthly',
        succeededCount: 5,
        failedCount: 0,
      };
      await world.notify(world.store.notification('RENEWAL_EXTENSION', 'SUMMARY', { summary }));
      world.api.interfere = () => serverError;
      const done = await world.backend.get(`${path()}/mass_extensions/${started.body.id}`);
      expect(done.body).toMatchObject({ complete: true, succeeded_count: 5, failed_count: 0 });
    });

    it('refuses a mass extension: bad input, other stores, no key, Apple down, permissions', async () => {
      const valid = { product_id: 'pro_monthly', extend_by_days: 7, extend_reason_code: 'other' };
      const post = (body: object) => world.backend.post(`${path()}/actions/mass_extend`, body);
      for (const [field, value] of [
        ['product_id', undefined],
        ['extend_by_days', 0],
        ['extend_by_days', 91],
        ['extend_reason_code', 'because'],
        ['storefront_country_codes', ['USAA']],
        ['environment', 'staging'],
      ] as const) {
        const answer = await post({ ...valid, [field]: value });
        expect([answer.status, answer.body.param]).toEqual([400, field]);
      }
      expect((await post(valid)).status).toBe(422);
      await world.configure(world.keyFields);
      const unknown = await post({ ...valid, product_id: 'unknown' });
      expect([unknown.status, unknown.body.param]).toEqual([404, 'product_id']);
      world.api.interfere = () => serverError;
      expect((await post(valid)).body).toMatchObject({ type: 'store_error', retryable: true });
      world.api.interfere = () => unauthorized;
      expect((await post(valid)).status).toBe(422);
      const app = await world.backend.post(`${world.path}/apps`, { name: 'Test', type: 'test_store' });
      const elsewhere = await world.backend.post(
        `${world.path}/apps/${app.body.id}/actions/mass_extend`,
        valid,
      );
      expect(elsewhere.status).toBe(422);
      expect((await reader.post(`${path()}/actions/mass_extend`, valid)).status).toBe(403);
    });
  });
});
