import { StoreTasksService } from '../../src/purchases/store-tasks/store-tasks.service.js';
import { SilentAppsJob } from '../../src/stores/shared/silent-apps.job.js';
import { StoreBudgetsService } from '../../src/stores/shared/store-budgets.service.js';
import { StoreRefreshJob } from '../../src/stores/shared/store-refresh.job.js';
import { type AppStoreWorld, BUNDLE_ID, startAppStoreWorld } from '../support/arrange-app-store.js';
import { fakeProducts } from '../support/fake-app-store/fake-app-store.js';
import {
  type ApiAnswer,
  type ApiCall,
  serverError,
  unauthorized,
} from '../support/fake-app-store/fake-server-api.js';
import { refreshAll } from '../support/refresh-all.js';
import type { FakeSubscription } from '../support/fake-app-store/fake-subscription.js';
import type { Answer, ApiClient, Json } from '../support/api-client.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const { monthly, coins } = fakeProducts;

describe('an app of the App Store, kept up to date', () => {
  let world: AppStoreWorld;
  let count = 0;

  const newAppUserId = (): string => `person-${++count}`;
  const bought = (environment: 'Production' | 'Sandbox' = 'Production'): FakeSubscription =>
    world.store.subscribe(world.store.account(environment), monthly);
  const callsTo = (part: string): ApiCall[] => world.api.calls.filter(({ path }) => path.includes(part));
  /** A receipt that only names a purchase. */
  const namedBy = (subscription: FakeSubscription): string => {
    const { transactionId, purchaseDate } = subscription.latest;
    const purchase = {
      transactionId: String(transactionId),
      originalTransactionId: subscription.originalTransactionId,
      productId: monthly.id,
      purchasedAtMs: Number(purchaseDate),
    };
    const { environment } = subscription.account;
    return world.store.appReceipt({
      purchases: [purchase],
      environment: environment === 'Sandbox' ? 'ProductionSandbox' : 'Production',
    });
  };

  beforeAll(async () => {
    world = await startAppStoreWorld();
  });
  beforeEach(async () => {
    world.api.interfere = () => undefined;
    world.api.missed.length = 0;
    await world.configure({ ...world.keyFields, track_new_purchases: false, refund_request_handling: null });
    world.clock.advanceMs(DAY_MS);
    await world.upkeep();
    world.api.calls.length = 0;
  });
  afterAll(() => world.close());

  const health = async (): Promise<Json> => {
    const answer = await world.backend.get(`${world.path}/setup_health`);
    return (answer.body.apps as Json[]).find(({ id }) => id === world.appId) ?? {};
  };

  describe('credentials', () => {
    it('keeps receipts waiting when Apple refuses them, shows the problem, and recovers automatically', async () => {
      const user = newAppUserId();
      const receipt = namedBy(bought());
      expect(await health()).toMatchObject({ credentials_configured: true, credentials_error: null });
      world.api.interfere = () => unauthorized;
      const refused = await world.post(user, receipt);
      expect([refused.status, refused.body.code]).toEqual([503, 7234]);
      const { credentials_error: shown } = await health();
      expect(shown.since).toBe(world.clock.nowMs());
      expect(shown.message).toMatch(/subscription_private_key, subscription_key_id, subscription_key_issuer/);
      world.clock.advanceMs(HOUR_MS);
      await world.server.app.get(StoreTasksService).drain();
      expect((await health()).credentials_error).not.toBeNull();
      world.api.interfere = () => undefined;
      world.clock.advanceMs(HOUR_MS);
      await world.server.app.get(StoreTasksService).drain();
      expect((await health()).credentials_error).toBeNull();
      expect((await world.post(user, receipt)).status).toBe(200);
    });

    it('shows an order that Apple refuses until it is accepted', async () => {
      const user = newAppUserId();
      await world.post(user, bought().signed());
      const { id } = await world.subscription(user);
      const extend = (): Promise<Answer> =>
        world.backend.post(`${world.path}/subscriptions/${id}/actions/extend`, {
          extend_by_days: 3,
          extend_reason_code: 'other',
        });
      world.api.interfere = () => unauthorized;
      expect((await extend()).status).toBe(422);
      expect((await health()).credentials_error.message).toContain('subscription_private_key');
      world.api.interfere = () => undefined;
      expect((await extend()).status).toBe(200);
      expect((await health()).credentials_error).toBeNull();
      await world.configure({ refund_request_handling: 'decline', refund_data_consent: 'all_customers' });
      const other = bought();
      await world.post(newAppUserId(), other.signed());
      world.api.interfere = () => unauthorized;
      await world.notify(other.askConsumption());
      expect((await health()).credentials_error).not.toBeNull();
      world.api.interfere = () => undefined;
      world.clock.advanceMs(HOUR_MS);
      await world.upkeep();
      expect((await health()).credentials_error).toBeNull();
    });

    it('ignores a refusal of production, which an app may not call before its release', async () => {
      const extendAll = (environment: string): Promise<Answer> =>
        world.backend.post(`${world.path}/apps/${world.appId}/actions/mass_extend`, {
          product_id: 'pro_monthly',
          extend_by_days: 3,
          extend_reason_code: 'other',
          environment,
        });
      world.api.interfere = () => unauthorized;
      expect((await extendAll('production')).status).toBe(422);
      expect((await health()).credentials_error).toBeNull();
      expect((await extendAll('sandbox')).status).toBe(422);
      expect((await health()).credentials_error).not.toBeNull();
      world.api.interfere = () => undefined;
      expect((await extendAll('production')).status).toBe(202);
      expect((await health()).credentials_error).toBeNull();
    });

    it('names missing ones; receipts count by their own signature meanwhile', async () => {
      const receipt = namedBy(bought());
      await world.configure({ subscription_key_issuer: null });
      const silent = world.store.appReceipt({
        environment: null,
        purchases: [
          { transactionId: '7', originalTransactionId: '7', productId: 'pro_monthly', purchasedAtMs: 1e12 },
        ],
      });
      const refused = await world.post(newAppUserId(), silent);
      expect([refused.status, refused.body.code]).toEqual([503, 7234]);
      expect((await health()).credentials_error.message).toContain('subscription_key_issuer');
      expect((await world.post(newAppUserId(), receipt)).status).toBe(200);
      expect(await health()).toMatchObject({ credentials_configured: false });
      const check = `${world.path}/apps/${world.appId}/actions/verify_credentials`;
      const verdict = await world.backend.post(check);
      expect(verdict.body.message).toBe('The app has no in-app purchase key (subscription_key_issuer).');
      await world.configure(world.keyFields);
      expect((await world.post(newAppUserId(), receipt)).status).toBe(200);
      world.clock.advanceMs(HOUR_MS);
      await world.server.app.get(StoreTasksService).drain();
      expect((await health()).credentials_error).toBeNull();
      expect(await health()).toMatchObject({ credentials_configured: true });
    });
  });

  it('settings tell how notifications fare, as setup health does', async () => {
    const settings = async () =>
      (await world.backend.get(`${world.path}/apps/${world.appId}/store_settings`)).body;
    const sentAtMs = world.clock.nowMs();
    const test = world.store.test();
    world.clock.advanceMs(1_000);
    await world.notify(test);
    const shown = {
      notification_status: 'ready',
      last_notification_at: sentAtMs,
      last_notification_received_at: world.clock.nowMs(),
    };
    expect(await settings()).toMatchObject({ ...shown, last_forward: null });
    const { body } = await world.backend.get(`${world.path}/setup_health`);
    expect(body.apps).toContainEqual(expect.objectContaining({ id: world.appId, ...shown }));
    await world.server.http.send('POST', `/v1/notifications/apple/${world.appId}`, '{"signedPayload":"x"}', {
      'content-type': 'application/json',
    });
    expect((await settings()).last_notification_error).toMatchObject({
      at: world.clock.nowMs(),
      type: 'rejected',
    });
  });

  describe('a Mac app with the bundle id of the iOS app', () => {
    let macSdk: ApiClient;

    beforeAll(async () => {
      const mac = { name: 'Mac app', type: 'mac_app_store', mac_app_store: { bundle_id: BUNDLE_ID } };
      const { body: app } = await world.backend.post(`${world.path}/apps`, mac);
      const keys = await world.backend.get(`${world.path}/apps/${app.id}/public_api_keys`);
      macSdk = world.server.http.withKey(keys.body.items[0].key).with({ 'x-platform': 'macOS' });
    });

    const postOnMac = (user: string, subscription: FakeSubscription): Promise<Answer> =>
      macSdk.post('/v1/receipts', { app_user_id: user, fetch_token: subscription.signed() });
    it('shows the same purchases, which count once', async () => {
      const user = newAppUserId();
      const subscription = bought();
      await world.post(user, subscription.signed());
      const answer = await postOnMac(user, subscription);
      expect(answer.status).toBe(200);
      expect(Object.keys(answer.body.subscriber.entitlements)).toEqual(['pro']);
      world.clock.advanceMs(31 * DAY_MS);
      subscription.renew();
      await postOnMac(user, subscription);
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'RENEWAL']);
      expect(await world.subscription(user)).toMatchObject({ store: 'app_store' });
    });

    it('gives them to no second customer, but by the rules of transfers', async () => {
      const [owner, other] = [newAppUserId(), newAppUserId()];
      const subscription = bought();
      await postOnMac(owner, subscription);
      expect(await world.subscription(owner)).toMatchObject({ store: 'mac_app_store' });
      expect((await world.post(other, subscription.signed())).status).toBe(200);
      expect(await world.events(other)).toEqual(['TRANSFER']);
      expect(await world.subscription(owner)).toBeUndefined();
      expect(await world.subscription(other)).toMatchObject({ store: 'mac_app_store' });
    });

    it('takes part in one purchase that both apps post at once', async () => {
      const users = [newAppUserId(), newAppUserId()];
      const subscription = bought();
      const [first, second] = users as [string, string];
      await Promise.all([world.post(first, subscription.signed()), postOnMac(second, subscription)]);
      const owned = await Promise.all(users.map((user) => world.subscription(user)));
      expect(owned.filter((one) => one !== undefined)).toHaveLength(1);
    });

    it('hears of them through the notifications of either app', async () => {
      const user = newAppUserId();
      const subscription = bought();
      await postOnMac(user, subscription);
      world.clock.advanceMs(1_000);
      await world.notify(subscription.cancel());
      expect(await world.subscription(user)).toMatchObject({
        store: 'mac_app_store',
        auto_renewal_status: 'will_not_renew',
      });
    });
  });

  describe('after this server was away', () => {
    it('processes missed notifications, page by page, each once', async () => {
      const user = newAppUserId();
      const weekly = { ...monthly, durationMs: 7 * DAY_MS };
      const subscription = world.store.subscribe(world.store.account(), weekly);
      await world.post(user, subscription.signed());
      for (let week = 0; week < 24; week++) {
        world.clock.advanceMs(7 * DAY_MS);
        world.miss(subscription.renew());
      }
      world.miss(subscription.cancel());
      world.api.calls.length = 0;
      world.clock.advanceMs(HOUR_MS);
      await world.upkeep();
      expect(callsTo('/notifications/history').length).toBeGreaterThanOrEqual(3);
      world.clock.advanceMs(5 * MINUTE_MS);
      await world.process();
      const recorded = await world.events(user);
      expect(recorded.filter((type) => type === 'RENEWAL')).toHaveLength(24);
      expect(recorded.filter((type) => type === 'CANCELLATION/UNSUBSCRIBE')).toHaveLength(1);
      const events = await world.backend.get(`${world.path}/customers/${user}/events?limit=100`);
      const renewals = (events.body.items as Json[])
        .map(({ body }) => body)
        .filter(({ type }) => type === 'RENEWAL')
        .sort((a, b) => a.sequence - b.sequence)
        .map(({ purchased_at_ms: at }) => at as number);
      expect(renewals).toEqual([...renewals].sort((a, b) => a - b));
      expect(new Set(renewals).size).toBe(24);
      world.clock.advanceMs(HOUR_MS);
      await world.upkeep();
      await world.process();
      expect(await world.events(user)).toEqual(recorded);
      const rows = await world.server.dataSource.query<{ state: string }[]>(
        'SELECT DISTINCT state FROM store_notifications WHERE subject = $1',
        [subscription.originalTransactionId],
      );
      expect(rows).toEqual([{ state: 'processed' }]);
    });

    it('continues a failed poll where the last good one ended, without forged and known notifications', async () => {
      const user = newAppUserId();
      const subscription = bought();
      await world.post(user, subscription.signed());
      world.clock.advanceMs(1_000);
      const cancelled = subscription.cancel();
      world.miss(cancelled);
      await world.notify(cancelled);
      world.clock.advanceMs(1_000);
      world.api.missed.push({
        environment: 'Production',
        sentAtMs: world.clock.nowMs(),
        body: JSON.stringify({ signedPayload: 'a.b.c' }),
      });
      world.miss(subscription.uncancel());
      world.api.interfere = ({ path }) => (path.includes('/notifications/') ? serverError : undefined);
      world.clock.advanceMs(HOUR_MS);
      await world.upkeep();
      world.api.interfere = () => undefined;
      world.clock.advanceMs(HOUR_MS);
      await world.upkeep();
      world.clock.advanceMs(5 * MINUTE_MS);
      await world.process();
      expect(await world.events(user)).toEqual([
        'INITIAL_PURCHASE',
        'CANCELLATION/UNSUBSCRIBE',
        'UNCANCELLATION',
      ]);
    });

    it('reads a separate history for the sandbox', async () => {
      const user = newAppUserId();
      const subscription = bought('Sandbox');
      await world.post(user, subscription.signed());
      world.clock.advanceMs(1_000);
      world.miss(subscription.cancel(), 'Sandbox');
      world.clock.advanceMs(HOUR_MS);
      await world.upkeep();
      world.clock.advanceMs(5 * MINUTE_MS);
      await world.process();
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'CANCELLATION/UNSUBSCRIBE']);
    });
  });

  describe('without notifications', () => {
    it('polls a subscription past its end until Apple reports its state', async () => {
      const user = newAppUserId();
      const subscription = bought();
      await world.post(user, subscription.signed());
      const endMs = Number(subscription.latest.expiresDate);
      world.clock.advanceMs(endMs - world.clock.nowMs() + 30_000);
      subscription.failToRenew();
      world.api.calls.length = 0;
      await world.upkeep();
      expect(callsTo(`/subscriptions/${subscription.originalTransactionId}`)).toEqual([]);
      world.clock.advanceMs(3 * MINUTE_MS);
      await world.upkeep();
      expect(callsTo(`/subscriptions/${subscription.originalTransactionId}`)).toHaveLength(1);
      await world.upkeep();
      world.clock.advanceMs(2 * MINUTE_MS);
      await world.upkeep();
      expect(callsTo(`/subscriptions/${subscription.originalTransactionId}`)).toHaveLength(1);
      subscription.renew();
      world.clock.advanceMs(HOUR_MS);
      await world.upkeep();
      expect(await world.events(user)).toEqual([
        'INITIAL_PURCHASE',
        'BILLING_ISSUE',
        'CANCELLATION/BILLING_ERROR',
        'EXPIRATION/BILLING_ERROR',
        'RENEWAL',
      ]);
      expect(callsTo(`/subscriptions/${subscription.originalTransactionId}`)).toHaveLength(2);
    });

    it('polls an app without notifications for a week whose credentials Apple accepts', async () => {
      const user = newAppUserId();
      const subscription = bought();
      await world.post(user, subscription.signed());
      const asked = async (): Promise<boolean> => {
        await world.server.app.get(SilentAppsJob).schedule();
        await world.server.app.get(StoreTasksService).drain();
        await refreshAll(world.server);
        return callsTo(`/subscriptions/${subscription.originalTransactionId}`).length > 0;
      };
      world.api.calls.length = 0;
      await world.notify(world.store.test());
      world.clock.advanceMs(7 * DAY_MS - HOUR_MS);
      expect(await asked()).toBe(false);
      await world.notify(world.store.test());
      world.clock.advanceMs(2 * HOUR_MS);
      expect(await asked()).toBe(false);
      await world.configure({ subscription_private_key: null });
      world.clock.advanceMs(7 * DAY_MS);
      expect(await asked()).toBe(false);
      await world.configure(world.keyFields);
      // Credentials that were refused without them work again.
      world.clock.advanceMs(HOUR_MS);
      await world.server.app.get(StoreTasksService).drain();
      world.clock.advanceMs(12 * HOUR_MS);
      await asked();
      // Each purchase at a moment of its own within the next twelve hours.
      world.clock.advanceMs(12 * HOUR_MS);
      expect(await asked()).toBe(true);
    });

    describe('what may have been given back', () => {
      const round = async (): Promise<void> => {
        await world.server.app.get(SilentAppsJob).schedule();
        await world.server.app.get(StoreTasksService).drain();
        world.clock.advanceMs(12 * HOUR_MS);
        await refreshAll(world.server);
      };
      const events = (user: string): Promise<string[]> => world.events(user);

      it('polls weekly: lifetime purchases, and lapsed ones', async () => {
        const user = newAppUserId();
        const account = world.store.account();
        const lifetime = world.store.buy(account, fakeProducts.lifetime, 'Non-Consumable');
        world.clock.advanceMs(MINUTE_MS);
        const older = world.store.buy(account, coins);
        const other = world.store.buy(world.store.account(), coins);
        for (const { transaction } of [lifetime, older, other]) {
          expect((await world.post(user, world.store.signed(transaction))).status).toBe(200);
        }
        const lapsed = bought();
        const lapsedUser = newAppUserId();
        await world.post(lapsedUser, lapsed.signed());
        await world.notify(lapsed.cancel());
        world.clock.advanceMs(31 * DAY_MS);
        await world.notify(lapsed.expire('VOLUNTARY'));
        world.clock.advanceMs(8 * DAY_MS);
        // The accounts of one customer come one after the other.
        await round();
        await round();
        world.api.calls.length = 0;
        world.clock.advanceMs(DAY_MS);
        await round();
        await round();
        const names = [lifetime, older, other].map(({ transaction }) => String(transaction.transactionId));
        expect(names.filter((name) => callsTo(`/history/${name}`).length > 0)).toEqual([]);
        const nowMs = world.clock.nowMs();
        const revoked = { revocationDate: nowMs, revocationReason: 0 };
        for (const { transaction } of [lifetime, other]) Object.assign(transaction, revoked);
        Object.assign(lapsed.latest, revoked);
        world.clock.advanceMs(7 * DAY_MS);
        await round();
        await round();
        expect(await events(user)).toEqual([
          ...Array<string>(3).fill('NON_RENEWING_PURCHASE'),
          ...Array<string>(2).fill('CANCELLATION/CUSTOMER_SUPPORT'),
        ]);
        expect((await events(lapsedUser)).at(-1)).toBe('CANCELLATION/CUSTOMER_SUPPORT');
        // All that an account bought comes with one look.
        expect(names.slice(0, 2).flatMap((name) => callsTo(`/history/${name}`))).toHaveLength(1);
      });

      it('polls where only the sandbox sends notifications, too', async () => {
        const user = newAppUserId();
        const subscription = bought();
        await world.post(user, subscription.signed());
        world.clock.advanceMs(8 * DAY_MS);
        await world.notify(world.store.test('Sandbox'));
        subscription.cancel();
        await round();
        await round();
        expect(await events(user)).toEqual(['INITIAL_PURCHASE', 'CANCELLATION/UNSUBSCRIBE']);
      });
    });

    it('months of silence are caught up with: each period once, in order', async () => {
      const user = newAppUserId();
      const subscription = bought();
      await world.post(user, subscription.signed());
      for (let month = 0; month < 6; month++) {
        world.clock.advanceMs(30 * DAY_MS);
        subscription.renew();
      }
      await world.upkeep();
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', ...Array<string>(6).fill('RENEWAL')]);
      const row = await world.subscription(user);
      expect(row).toMatchObject({ status: 'active', ends_at: Number(subscription.latest.expiresDate) });
      await world.upkeep();
      expect(await world.events(user)).toHaveLength(7);
    });

    it('shares the call limit of Apple between two servers, and pauses when Apple wants that', async () => {
      const budgets = world.server.app.get(StoreBudgetsService);
      const place = { projectId: world.projectId, appId: world.appId, environment: 'sandbox' as const };
      const store = { refreshesPerSecond: { production: 25, sandbox: 2.5 } };
      world.clock.advanceMs(10_000);
      const takes = await Promise.all(Array.from({ length: 9 }, () => budgets.reserve(store, place)));
      expect(takes.filter((waitMs) => waitMs === 0)).toHaveLength(5);
      expect(takes.filter((waitMs) => waitMs > 0)).toEqual([400, 400, 400, 400]);
      world.clock.advanceMs(400);
      expect(await budgets.reserve(store, place)).toBe(0);
      await budgets.block({}, place, 60_000);
      world.clock.advanceMs(20_000);
      expect(await budgets.reserve(store, place)).toBe(40_000);
      world.clock.advanceMs(40_000);
      expect(await budgets.reserve(store, place)).toBe(0);
    });
  });

  describe('while Apple is', () => {
    const outages: [string, () => ApiAnswer][] = [
      ['down', () => ({ status: 200, instead: 'reset' })],
      ['out of order', () => serverError],
      ['talking nonsense', () => ({ status: 200, body: '<html>' })],
      ['busy', () => ({ status: 429, headers: { 'retry-after': String(world.clock.nowMs() + 60_000) } })],
    ];

    it.each(outages)('%s for hours, no receipt is lost and none is refused for good', async (_, answer) => {
      const people = Array.from({ length: 8 }, () => ({ user: newAppUserId(), subscription: bought() }));
      world.api.interfere = answer;
      for (let hour = 0; hour < 3; hour++) {
        for (const { user, subscription } of people.slice(0, 4)) {
          const kept = await world.post(user, namedBy(subscription));
          expect([kept.status, kept.body.code]).toEqual([503, 7101]);
        }
        for (const { user, subscription } of people.slice(4)) {
          expect((await world.post(user, subscription.signed())).status).toBe(200);
        }
        world.clock.advanceMs(HOUR_MS);
        await world.server.app.get(StoreRefreshJob).drain();
      }
      world.api.interfere = () => undefined;
      // The SDK posts again what was not taken.
      world.clock.advanceMs(2 * MINUTE_MS);
      for (const { user, subscription } of people) {
        const taken = await world.post(user, namedBy(subscription));
        expect([taken.status, taken.body.subscriber?.entitlements.pro !== undefined]).toEqual([200, true]);
        expect(await world.events(user)).toEqual(['INITIAL_PURCHASE']);
      }
    });

    it('pauses soon while Apple fails, and retries automatically', async () => {
      world.api.interfere = () => ({ status: 200, instead: 'reset' });
      const receipts = Array.from({ length: 12 }, () => namedBy(bought()));
      for (const receipt of receipts) expect((await world.post(newAppUserId(), receipt)).status).toBe(503);
      expect(world.api.calls.length).toBeLessThan(12);
      world.api.calls.length = 0;
      expect((await world.post(newAppUserId(), receipts[0] ?? '')).status).toBe(503);
      expect(world.api.calls).toEqual([]);
      world.api.interfere = () => undefined;
      world.clock.advanceMs(MINUTE_MS);
      for (const receipt of receipts) expect((await world.post(newAppUserId(), receipt)).status).toBe(200);
    });
  });
});
