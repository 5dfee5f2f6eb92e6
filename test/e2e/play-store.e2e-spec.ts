import { createHash, generateKeyPairSync } from 'node:crypto';
import { SignJWT } from 'jose';
import type { Answer } from '../support/api-client.js';
import { AUDIENCE, PACKAGE_NAME, type PlayWorld, PUSHER, startPlayWorld } from '../support/arrange-play.js';
import { playProducts } from '../support/fake-play/fake-play.js';
import { CLIENT_EMAIL, FakePlayServer } from '../support/fake-play/fake-play-server.js';
import { googleError, type PlayAnswer } from '../support/fake-play/play-answer.js';
import { startTestServer } from '../support/test-server.js';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const { monthly, yearly, basic, coins, lifetime } = playProducts;

describe('Google Play', () => {
  let world: PlayWorld;
  let count = 0;

  const newAppUserId = (): string => `user-${++count}`;
  const purchaseRows = async (): Promise<number> => {
    const tables = ['subscriptions', 'one_time_purchases', 'store_transactions', 'events'];
    const rows = await world.server.dataSource.query<{ count: string }[]>(
      `SELECT (${tables.map((table) => `(SELECT count(*) FROM ${table})`).join(' + ')}) AS count`,
    );
    return Number(rows[0]?.count);
  };
  const restored = {
    play_service_account_credentials_json: {} as object,
    pubsub_audience: AUDIENCE,
    pubsub_service_account: PUSHER,
    package_name: PACKAGE_NAME,
    track_new_purchases: false,
  };

  beforeAll(async () => {
    world = await startPlayWorld();
    restored.play_service_account_credentials_json = world.google.serviceAccount;
  });
  beforeEach(async () => {
    world.google.interfere = () => undefined;
    world.google.refuseTokens = null;
    world.google.hideCerts = false;
    await world.configure(restored);
    world.google.calls.length = 0;
  });
  afterAll(() => world.close());

  describe('receipts', () => {
    it('records a token, with its plan, price and country; a repeat adds nothing', async () => {
      const user = newAppUserId();
      const subscription = world.play.subscribe(monthly);
      const more = { presented_offering_identifier: 'sale' };
      const answer = await world.post(user, subscription.token, monthly, more);
      expect(answer.status).toBe(200);
      const end = new Date(subscription.expiryMs).toISOString().replace(/\.\d+/, '');
      expect(answer.body.subscriber.entitlements.pro).toMatchObject({
        expires_date: end,
        product_identifier: 'pro',
        product_plan_identifier: 'monthly',
      });
      expect(answer.body.subscriber.subscriptions.pro).toMatchObject({
        store: 'play_store',
        is_sandbox: false,
        period_type: 'normal',
        product_plan_identifier: 'monthly',
        price: { amount: 9.99, currency: 'USD' },
        store_transaction_id: subscription.latestOrderId,
      });
      expect(answer.body.purchased_products).toEqual({ pro: { should_consume: false } });
      const rows = await purchaseRows();
      expect((await world.post(user, subscription.token)).status).toBe(200);
      expect(await purchaseRows()).toBe(rows);
      const [row] = await world.subscriptions(user);
      expect(row).toMatchObject({
        status: 'active',
        environment: 'production',
        country: 'US',
        product_id: world.products.monthly.id,
        presented_offering_id: 'sale',
        total_revenue_in_usd: { gross: 9.99 },
      });
      for (const name of [subscription.token, subscription.latestOrderId]) {
        const found = await world.backend.get(
          `${world.path}/subscriptions?store_subscription_identifier=${encodeURIComponent(name)}`,
        );
        expect(found.body.items.map(({ id }: { id: string }) => id)).toEqual([row.id]);
      }
      const list = await world.backend.get(`${world.path}/subscriptions/${row.id}/transactions`);
      expect(list.body.items).toMatchObject([
        { id: subscription.latestOrderId, product_store_identifier: 'pro:monthly' },
      ]);
    });

    it('records purchases of testers as sandbox', async () => {
      const user = newAppUserId();
      await world.post(user, world.play.subscribe(monthly, { test: true }).token);
      const answer = await world.post(user, world.play.buy(lifetime, { test: true }).token, lifetime);
      expect(answer.body.subscriber.subscriptions.pro.is_sandbox).toBe(true);
      expect(answer.body.subscriber.non_subscriptions.pro_lifetime[0].is_sandbox).toBe(true);
    });

    it('fetches earlier payments with the first lookup', async () => {
      const user = newAppUserId();
      const subscription = world.play.subscribe(monthly);
      for (let month = 0; month < 5; month++) {
        world.clock.advanceMs(30 * DAY_MS);
        subscription.renew();
      }
      await world.post(user, subscription.token);
      const [row] = await world.subscriptions(user);
      expect(row.total_revenue_in_usd.gross).toBeCloseTo(6 * 9.99, 2);
      const recorded = await world.events(user);
      expect(recorded).toEqual(['INITIAL_PURCHASE', ...Array.from({ length: 5 }, () => 'RENEWAL')]);
    });

    it('consumables are to be consumed by the SDK, other products are not; pieces cost what they cost', async () => {
      const user = newAppUserId();
      const bought = world.play.buy(coins, { quantity: 3 });
      const consumable = await world.post(user, bought.token, coins);
      expect(consumable.body.purchased_products).toEqual({ coins_100: { should_consume: true } });
      const forever = await world.post(user, world.play.buy(lifetime).token, lifetime);
      expect(forever.body.purchased_products).toEqual({ pro_lifetime: { should_consume: false } });
      expect(forever.body.subscriber.entitlements.pro.expires_date).toBeNull();
      const list = await world.backend.get(`${world.path}/customers/${user}/purchases`);
      const coinsRow = list.body.items.find(
        (row: { store_purchase_identifier: string }) =>
          row.store_purchase_identifier === bought.purchase.orderId,
      );
      expect(coinsRow).toMatchObject({ quantity: 3, country: 'DE', revenue_in_usd: { gross: 2.97 } });
      expect(await world.events(user)).toEqual(['NON_RENEWING_PURCHASE', 'NON_RENEWING_PURCHASE']);
    });

    it('finds a product that the catalog names differently, or does not have', async () => {
      const user = newAppUserId();
      const bought = world.play.buy({ id: 'unknown', priceMicros: 1_000_000 });
      const answer = await world.post(user, bought.token, { id: 'unknown', priceMicros: 1_000_000 });
      expect(Object.keys(answer.body.subscriber.non_subscriptions)).toEqual(['unknown']);
      const subscription = world.play.subscribe(monthly);
      expect(
        (await world.post(user, subscription.token, coins)).body.subscriber.subscriptions.pro,
      ).toBeDefined();
    });

    it('replaces the plan at once with another: the new purchase takes over, whichever news comes first', async () => {
      for (const postFirst of [true, false]) {
        const user = newAppUserId();
        const old = world.play.subscribe(monthly);
        await world.post(user, old.token);
        world.clock.advanceMs(10 * DAY_MS);
        const next = old.replaceBy(yearly);
        if (!postFirst) await world.notify(old.token, 13);
        world.clock.advanceMs(1_000);
        const answer = await world.post(user, next.token, yearly);
        if (postFirst) await world.notify(old.token, 13);
        expect(answer.body.subscriber.entitlements.pro.product_plan_identifier).toBe('yearly');
        expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'PRODUCT_CHANGE', 'INITIAL_PURCHASE']);
        const rows = await world.subscriptions(user);
        const access = rows.map((row) => [row.product_id, row.gives_access]);
        expect(access).toContainEqual([world.products.monthly.id, false]);
        expect(access).toContainEqual([world.products.yearly.id, true]);
      }
    });

    it('replaces the plan later: one subscription, whatever of it is seen, reported and ordered', async () => {
      const user = newAppUserId();
      const old = world.play.subscribe(basic);
      await world.post(user, old.token, basic);
      world.clock.advanceMs(10 * DAY_MS);
      const next = old.replaceLaterBy(monthly);
      await world.notify(old.token, 13);
      const answer = await world.post(user, next.token, monthly);
      expect(Object.keys(answer.body.subscriber.entitlements)).toEqual([]);
      await world.tasks();
      expect([old, next].map(({ isAcknowledged }) => isAcknowledged)).toEqual([true, true]);
      const [running, ...others] = await world.subscriptions(user);
      expect(others).toEqual([]);
      expect(running).toMatchObject({
        product_id: world.products.basic.id,
        gives_access: true,
        auto_renewal_status: 'will_change_product',
        pending_changes: { product: world.products.monthly },
        total_revenue_in_usd: { gross: 4.99 },
      });
      // Both tokens name it, to who looks it up and to who gives orders.
      for (const { token } of [old, next]) {
        const query = `store_subscription_identifier=${encodeURIComponent(token)}`;
        const found = await world.backend.get(`${world.path}/subscriptions?${query}`);
        expect(found.body.items.map(({ id }: { id: string }) => id)).toEqual([running.id]);
      }
      const cancelled = await world.backend.post(`${world.path}/subscriptions/${running.id}/actions/cancel`);
      expect(cancelled.status).toBe(200);
      expect(next.state).toBe('CANCELED');
      next.restart();
      await world.notify(next.token, 7);
      world.clock.advanceMs(20 * DAY_MS);
      next.renew();
      await world.notify(next.token, 2);
      await world.post(user, old.token, basic);
      const rows = await world.subscriptions(user);
      expect(rows).toMatchObject([
        { id: running.id, product_id: world.products.monthly.id, auto_renewal_status: 'will_renew' },
      ]);
      expect(rows[0].total_revenue_in_usd.gross).toBeCloseTo(4.99 + 9.99, 2);
      const recorded = await world.events(user);
      expect(recorded.filter((type) => !type.includes('CANCEL'))).toEqual([
        'INITIAL_PURCHASE',
        'PRODUCT_CHANGE',
        'RENEWAL',
      ]);
      next.revoke();
      await world.tasks();
      expect((await world.subscriptions(user))[0]).toMatchObject({ id: running.id, gives_access: false });
    });

    it('moves a later plan with its subscription to who restores it', async () => {
      const [user, other] = [newAppUserId(), newAppUserId()];
      const old = world.play.subscribe(basic);
      await world.post(user, old.token, basic);
      const next = old.replaceLaterBy(monthly);
      await world.post(user, next.token, monthly);
      await world.post(other, next.token, monthly, { is_restore: true });
      expect([await world.subscriptions(user), await world.subscriptions(other)]).toMatchObject([
        [],
        [{ product_id: world.products.basic.id, gives_access: true }],
      ]);
      expect(await world.events(other)).toContain('TRANSFER');
    });

    it('gives access only through the newest of linked purchases, even for who restores an old one', async () => {
      const user = newAppUserId();
      const first = world.play.subscribe(monthly);
      world.clock.advanceMs(DAY_MS);
      const second = first.replaceBy(basic);
      world.clock.advanceMs(DAY_MS);
      const third = second.replaceBy(monthly);
      await world.post(user, third.token);
      await world.post(user, first.token);
      const rows = await world.subscriptions(user);
      expect(rows.filter((row) => row.gives_access)).toHaveLength(1);
      expect(rows).toHaveLength(3);
    });

    it('leaves an unpaid purchase with the SDK, and accepts it once paid', async () => {
      const user = newAppUserId();
      const subscription = world.play.subscribe(monthly, { pending: true });
      const product = world.play.buy(lifetime, { pending: true });
      for (const [token, what] of [
        [subscription.token, monthly],
        [product.token, lifetime],
      ] as const) {
        const answer = await world.post(user, token, what);
        expect([answer.status, answer.body.code]).toEqual([503, 7651]);
      }
      subscription.pay();
      expect((await world.post(user, subscription.token)).status).toBe(200);
    });

    it.each<[string, PlayAnswer, number, number]>([
      ['of an unknown purchase', googleError(404, 'purchaseTokenNotFound'), 400, 7103],
      ['that is no token', googleError(400, 'invalid', 'Invalid Value'), 400, 7103],
      ['of another app', googleError(400, 'purchaseTokenDoesNotMatchPackageName'), 400, 7103],
      ['that Google refuses for now', googleError(400, 'failedPrecondition'), 503, 7231],
      ['of a call that Google does not understand', googleError(400, 'badRequest'), 503, 7231],
      ['where Google does not find the call', googleError(404, 'notFound', 'No such method.'), 503, 7231],
      ['with an unknown refusal', googleError(418, 'teapot'), 503, 7231],
      ['that ended long ago', googleError(410, 'subscriptionPurchaseNoLongerAvailable'), 400, 7103],
      ['while access is refused', googleError(401, 'permissionDenied'), 503, 7107],
      ['while permissions are missing', googleError(403, 'permissionDenied'), 503, 7107],
      ['of an app that Google does not know', googleError(404, 'applicationNotFound'), 503, 7230],
      ['over the quota', googleError(403, 'quotaExceeded'), 503, 7229],
      ['too often', googleError(429, 'rateLimitExceeded'), 503, 7229],
      ['while Google fails', googleError(500, 'backendError'), 503, 7101],
      ['while Google is down', { status: 503, body: '<html>' }, 503, 7101],
      ['while something else answers', { status: 404, body: '<html>' }, 503, 7101],
      ['while Google writes nonsense', { status: 200, body: '{"lineItems": ' }, 503, 7101],
      ['while the line is cut', { status: 200, instead: 'reset' }, 503, 7101],
      [
        'while Google sends elsewhere',
        { status: 302, headers: { location: 'http://127.0.0.1:9/' } },
        503,
        7101,
      ],
    ])('handles a token %s', async (_, answer, status, code) => {
      const user = newAppUserId();
      const subscription = world.play.subscribe(monthly);
      const rows = await purchaseRows();
      world.google.interfere = () => answer;
      const refused = await world.post(user, subscription.token);
      expect([refused.status, refused.body.code]).toEqual([status, code]);
      if (status === 503) expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(30);
      expect(await purchaseRows()).toBe(rows);
      world.google.interfere = () => undefined;
      expect((await world.post(user, subscription.token)).status).toBe(200);
    });

    it('confines a token with path characters to its call', async () => {
      for (const token of ['../../orders/GPA.1', '..', 'a/b?c#d', 'x'.repeat(5_000)]) {
        const answer = await world.post(newAppUserId(), token);
        expect([answer.status, answer.body.code]).toEqual([400, 7103]);
      }
      expect(world.google.calls.every(({ path }) => path.startsWith('/purchases/'))).toBe(true);
    });

    it('keeps a purchase that ended long ago, although Google no longer reports it', async () => {
      const user = newAppUserId();
      const subscription = world.play.subscribe(monthly);
      await world.post(user, subscription.token);
      subscription.cancel();
      world.clock.advanceMs(31 * DAY_MS);
      subscription.expire();
      world.clock.advanceMs(70 * DAY_MS);
      const answer = await world.post(user, subscription.token);
      expect(answer.status).toBe(200);
      expect(Object.keys(answer.body.subscriber.subscriptions)).toEqual(['pro']);
      expect((await world.post(newAppUserId(), world.play.newToken())).status).toBe(400);
    });

    it('records twenty posts of one purchase at once as one purchase', async () => {
      const user = newAppUserId();
      const { token } = world.play.subscribe(monthly);
      const answers = await Promise.all(Array.from({ length: 20 }, () => world.post(user, token)));
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE']);
      expect(await world.subscriptions(user)).toHaveLength(1);
    });

    it('uses one access token for many receipts', async () => {
      const before = world.google.tokens;
      for (let index = 0; index < 3; index++) {
        await world.post(newAppUserId(), world.play.subscribe(monthly).token);
      }
      expect(world.google.tokens - before).toBeLessThanOrEqual(1);
    });
  });

  it('picks the app that has the subscription for a backend that does not name the plan', async () => {
    const settings = { play_store: { package_name: 'com.example.other' } };
    const other = await world.backend.post(`${world.path}/apps`, {
      name: 'Other app',
      type: 'play_store',
      ...settings,
    });
    await world.backend.post(`${world.path}/products`, {
      app_id: other.body.id,
      store_identifier: 'gold:monthly',
      type: 'subscription',
    });
    const post = (productId: string): Promise<Answer> =>
      world.backend.post(
        '/v1/receipts',
        { app_user_id: 'of-backend', fetch_token: 'unheard-of', product_ids: [productId] },
        { 'x-platform': 'android' },
      );
    // Only the first app has credentials.
    const [ours, theirs] = [await post('pro'), await post('gold')];
    expect([ours.status, ours.body.code, theirs.status, theirs.body.code]).toEqual([400, 7103, 503, 7107]);
  });

  describe('credentials', () => {
    const path = (): string => `${world.path}/apps/${world.appId}`;
    const verify = (body: object = {}) => world.backend.post(`${path()}/actions/verify_credentials`, body);
    const healthOf = async () => {
      const health = await world.backend.get(`${world.path}/setup_health`);
      return health.body.apps.find(({ id }: { id: string }) => id === world.appId);
    };

    it('tries them with one harmless call, saved ones and others before they are saved', async () => {
      const good = await verify();
      expect(good.body).toMatchObject({ status: 'valid', valid: true, client_email: CLIENT_EMAIL });
      // Purchases of other tests may be acknowledged meanwhile.
      const calls = world.google.calls.filter(({ path: called }) => !called.endsWith(':acknowledge'));
      expect(calls.map(({ method, path: called }) => [method, called])).toEqual([
        ['GET', '/purchases/voidedpurchases'],
      ]);
      const stranger = new FakePlayServer(world.play).serviceAccount;
      const others: [object, string][] = [
        [{ play_service_account_credentials_json: stranger }, 'invalid_grant'],
        [{ play_service_account_credentials_json: { client_email: CLIENT_EMAIL } }, 'private_key'],
        [{ play_service_account_credentials_json: { private_key: 'x' } }, 'client_email'],
        [{ package_name: 'com.example.other' }, 'package_name'],
      ];
      for (const [body, word] of others) {
        const answer = await verify(body);
        expect(answer.body).toMatchObject({ status: 'invalid', valid: false });
        expect(answer.body.message).toContain(word);
      }
      world.google.interfere = () => googleError(403, 'permissionDenied');
      expect((await verify()).body.message).toContain('View financial data');
      world.google.interfere = () => googleError(403, 'accessNotConfigured');
      expect((await verify()).body.message).toContain('Android Developer API is not turned on');
      world.google.interfere = () => googleError(503, 'backendError');
      expect((await verify()).body.status).toBe('unreachable');
      await world.configure({ play_service_account_credentials_json: null });
      expect((await verify()).body).toMatchObject({ status: 'invalid' });
    });

    it('keeps purchases waiting when Google refuses them, shows it in setup health, and recovers automatically', async () => {
      const user = newAppUserId();
      const { token } = world.play.subscribe(monthly);
      expect((await healthOf()).credentials_error).toBeNull();
      world.google.interfere = () => googleError(403, 'permissionDenied');
      const refused = await world.post(user, token);
      expect([refused.status, refused.body.code]).toEqual([503, 7107]);
      const since = world.clock.nowMs();
      const message = expect.stringContaining('"View financial data') as string;
      expect((await healthOf()).credentials_error).toEqual({ since, message });
      for (let hour = 0; hour < 3; hour++) {
        world.clock.advanceMs(60 * MINUTE_MS);
        await world.tasks();
        expect((await healthOf()).credentials_error).toMatchObject({ since });
      }
      world.google.interfere = () => undefined;
      world.clock.advanceMs(60 * MINUTE_MS);
      await world.tasks();
      expect((await healthOf()).credentials_error).toBeNull();
      expect((await world.post(user, token)).status).toBe(200);
    });

    it('accepts them when something else answers in the place of Google', async () => {
      const { token } = world.play.subscribe(monthly);
      world.google.interfere = () => ({ status: 403, body: '<html>Forbidden</html>' });
      const answer = await world.post(newAppUserId(), token);
      expect([answer.status, answer.body.code]).toEqual([503, 7101]);
      expect((await healthOf()).credentials_error).toBeNull();
    });

    it('fetches an access token that ends early again', async () => {
      await world.post(newAppUserId(), world.play.subscribe(monthly).token);
      world.google.revokeTokens();
      expect((await world.post(newAppUserId(), world.play.subscribe(monthly).token)).status).toBe(200);
    });

    it('keeps purchases waiting when they are missing', async () => {
      await world.configure({ play_service_account_credentials_json: null });
      const { token } = world.play.subscribe(monthly);
      const user = newAppUserId();
      const refused = await world.post(user, token);
      expect([refused.status, refused.body.code]).toEqual([503, 7107]);
      await world.configure(restored);
      expect((await world.post(user, token)).status).toBe(200);
      await verify();
      expect((await healthOf()).credentials_error).toBeNull();
    });

    it('tells refused credentials from a token endpoint that is down', async () => {
      const fresh = new FakePlayServer(world.play).serviceAccount;
      await world.configure({ play_service_account_credentials_json: fresh });
      const { token } = world.play.subscribe(monthly);
      const user = newAppUserId();
      expect((await world.post(user, token)).body.code).toBe(7107);
      world.google.refuseTokens = { status: 503 };
      expect((await world.post(user, token)).body.code).toBe(7101);
    });

    it('never come back in an answer', async () => {
      const app = await world.backend.get(path());
      const settings = await world.backend.get(`${path()}/store_settings`);
      expect(`${app.text}${settings.text}`).not.toContain('PRIVATE KEY');
      expect(settings.body.credentials.play_service_account.client_email).toBe(CLIENT_EMAIL);
    });
  });

  describe('acknowledgement', () => {
    // Only the test's own purchases count, because others may be due at the same time.
    const calls = (...tokens: string[]) =>
      world.google.calls.filter(({ path }) => tokens.some((token) => path.endsWith(`/${token}:acknowledge`)));

    it('follows the commit, once, of subscriptions and of what is not consumed', async () => {
      const user = newAppUserId();
      const subscription = world.play.subscribe(monthly);
      const forever = world.play.buy(lifetime);
      const consumed = world.play.buy(coins);
      await world.post(user, subscription.token);
      await world.post(user, forever.token, lifetime);
      await world.post(user, consumed.token, coins);
      await world.tasks();
      expect(subscription.isAcknowledged).toBe(true);
      expect(forever.purchase.acknowledgementState).toContain('ACKNOWLEDGED');
      expect(consumed.purchase.acknowledgementState).toContain('PENDING');
      const own = [subscription.token, forever.token, consumed.token];
      const kinds = calls(...own).map(({ path }) => path.split('/tokens/')[0]);
      expect(kinds.sort()).toEqual(['/purchases/products/pro_lifetime', '/purchases/subscriptions/pro']);
      await world.post(user, subscription.token);
      await world.tasks();
      expect(calls(...own)).toHaveLength(2);
    });

    it('retries until Google accepts it, even by another process', async () => {
      const user = newAppUserId();
      const subscription = world.play.subscribe(monthly);
      world.google.interfere = ({ path }) =>
        path.endsWith(':acknowledge') ? googleError(503, 'backendError') : undefined;
      await world.post(user, subscription.token);
      await world.tasks();
      for (const [tries, minutes] of [1, 5, 30, 60, 60].entries()) {
        world.clock.advanceMs(minutes * MINUTE_MS);
        await world.tasks();
        expect(calls(subscription.token)).toHaveLength(tries + 2);
      }
      world.google.interfere = () => undefined;
      world.clock.advanceMs(60 * MINUTE_MS);
      await world.tasks();
      expect(subscription.isAcknowledged).toBe(true);
    });

    it('counts as done if the SDK was faster', async () => {
      const subscription = world.play.subscribe(monthly);
      await world.post(newAppUserId(), subscription.token);
      subscription.isAcknowledged = true;
      await world.tasks();
      world.clock.advanceMs(10 * MINUTE_MS);
      await world.tasks();
      const left = await world.server.dataSource.query(
        `SELECT 1 FROM store_tasks WHERE kind = 'acknowledge_purchase' AND key = $1`,
        [subscription.token],
      );
      expect(left).toEqual([]);
    });
  });

  describe('notifications', () => {
    const pushed = (claims: object, header: object = {}, key?: Parameters<FakePlayServer['pushToken']>[2]) =>
      world.google.pushToken(
        { aud: AUDIENCE, email: PUSHER, email_verified: true, ...claims },
        { ...header },
        key,
      );

    it('answers every type with 200, including future ones, and the test message confirms the setup', async () => {
      const user = newAppUserId();
      const subscription = world.play.subscribe(monthly);
      await world.post(user, subscription.token);
      for (const type of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 17, 18, 19, 20, 22, 99]) {
        expect((await world.notify(subscription.token, type)).status).toBe(200);
      }
      for (const content of [
        { oneTimeProductNotification: { version: '1.0', notificationType: 1, purchaseToken: 'x', sku: 'y' } },
        { oneTimeProductNotification: { version: '1.0', notificationType: 2, purchaseToken: 'x', sku: 'y' } },
        { pendingRefundReviewNotification: { purchaseToken: 'x' } },
        { notificationOfTheFuture: { version: '1.0', purchaseToken: subscription.token } },
        { testNotification: { version: '1.0' } },
      ]) {
        expect((await world.push(content)).status).toBe(200);
      }
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE']);
      const health = await world.backend.get(`${world.path}/setup_health`);
      expect(health.body.apps[0].notification_status).toBe('ready');
    });

    it('counts once if it comes twice', async () => {
      const user = newAppUserId();
      const subscription = world.play.subscribe(monthly);
      await world.post(user, subscription.token);
      world.clock.advanceMs(30 * DAY_MS);
      subscription.renew();
      const content = {
        subscriptionNotification: { notificationType: 2, purchaseToken: subscription.token },
      };
      const reads = (): number =>
        world.google.calls.filter(({ path }) => path.endsWith(`/tokens/${subscription.token}`)).length;
      await world.push(content, { messageId: 'm-1' });
      const before = reads();
      expect(before).toBeGreaterThan(1);
      await world.push(content, { messageId: 'm-1' });
      expect(reads()).toBe(before);
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'RENEWAL']);
    });

    it('makes no call for purchases that were not posted, and applies once they are', async () => {
      const subscription = world.play.subscribe(monthly);
      await world.notify(subscription.token, 4);
      // The daily list of voided purchases may be due.
      expect(world.google.calls.filter(({ path }) => path.includes(subscription.token))).toEqual([]);
      const user = newAppUserId();
      await world.post(user, subscription.token);
      await world.process();
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE']);
    });

    it('records unknown purchases for the customer they name, if the app asks for that', async () => {
      await world.configure({ track_new_purchases: true });
      const named = newAppUserId();
      await world.sdk.get(`/v1/subscribers/${named}`);
      const account = createHash('sha256').update(named).digest('hex');
      const subscription = world.play.subscribe(monthly, { account });
      await world.notify(subscription.token, 4);
      expect(await world.events(named)).toEqual(['INITIAL_PURCHASE']);
      world.clock.advanceMs(DAY_MS);
      const next = subscription.replaceBy(yearly);
      await world.notify(next.token, 4);
      expect(await world.events(named)).toEqual(['INITIAL_PURCHASE', 'PRODUCT_CHANGE', 'INITIAL_PURCHASE']);
      const unnamed = world.play.subscribe(monthly);
      await world.notify(unnamed.token, 4);
      const [row] = await world.server.dataSource.query<{ name: string }[]>(
        `SELECT c.original_app_user_id AS name FROM subscriptions s JOIN customers c
         ON c.project_id = s.project_id AND c.id = s.customer_id WHERE s.store_key = $1`,
        [unnamed.token],
      );
      expect(row?.name).toMatch(/^\$RCAnonymousID:/);
    });

    it('does not create a customer for old purchases of a deleted one, but for a new purchase', async () => {
      await world.configure({ track_new_purchases: true });
      const user = newAppUserId();
      const subscription = world.play.subscribe(monthly, { account: 'erased-account' });
      await world.post(user, subscription.token);
      expect((await world.backend.delete(`${world.path}/customers/${user}`)).status).toBe(200);
      const owners = (token: string): Promise<unknown[]> =>
        world.server.dataSource.query(
          `SELECT c.original_app_user_id AS name FROM subscriptions s JOIN customers c
           ON c.project_id = s.project_id AND c.id = s.customer_id WHERE s.store_key = $1`,
          [token],
        );
      world.clock.advanceMs(DAY_MS);
      await world.notify(subscription.token, 3);
      expect(await owners(subscription.token)).toEqual([]);
      const next = world.play.subscribe(monthly, { account: 'erased-account' });
      await world.notify(next.token, 4);
      expect(await owners(next.token)).toEqual([
        { name: expect.stringMatching(/^\$RCAnonymousID:/) as string },
      ]);
      world.clock.advanceMs(30 * DAY_MS);
      subscription.renew();
      await world.notify(subscription.token, 2);
      expect(await owners(subscription.token)).toHaveLength(1);
    });

    it('ends access for the latest voided payment; an earlier one is only money', async () => {
      const user = newAppUserId();
      const subscription = world.play.subscribe(monthly);
      await world.post(user, subscription.token);
      world.clock.advanceMs(30 * DAY_MS);
      subscription.renew();
      await world.notify(subscription.token, 2);
      const voided = (orderId: string) =>
        world.push({
          voidedPurchaseNotification: {
            purchaseToken: subscription.token,
            orderId,
            productType: 1,
            refundType: 1,
          },
        });
      world.clock.advanceMs(DAY_MS);
      await voided(subscription.baseOrderId);
      let [row] = await world.subscriptions(user);
      expect([row.gives_access, row.total_revenue_in_usd.gross]).toEqual([true, 9.99]);
      world.clock.advanceMs(DAY_MS);
      subscription.revoke();
      await voided(subscription.latestOrderId);
      await world.notify(subscription.token, 12);
      await world.notify(subscription.token, 13);
      [row] = await world.subscriptions(user);
      expect([row.gives_access, row.total_revenue_in_usd.gross]).toEqual([false, 0]);
      const recorded = await world.events(user);
      expect(recorded.filter((type) => type.startsWith('CANCELLATION'))).toHaveLength(1);
      expect(recorded.filter((type) => type.startsWith('EXPIRATION'))).toHaveLength(1);
    });

    it.each([3, 9, undefined])(
      'takes nothing for a voided purchase of refund type %s that Google does not',
      async (refundType) => {
        const user = newAppUserId();
        const subscription = world.play.subscribe(monthly);
        const bought = world.play.buy(coins);
        await world.post(user, subscription.token);
        await world.post(user, bought.token, coins);
        world.clock.advanceMs(MINUTE_MS);
        const voided = (purchaseToken: string, orderId: string | undefined, productType: number) =>
          world.push({ voidedPurchaseNotification: { purchaseToken, orderId, productType, refundType } });
        await voided(subscription.token, subscription.latestOrderId, 1);
        await voided(bought.token, bought.purchase.orderId, 2);
        expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'NON_RENEWING_PURCHASE']);
        world.clock.advanceMs(MINUTE_MS);
        subscription.revoke();
        await voided(subscription.token, subscription.latestOrderId, 1);
        expect((await world.subscriptions(user))[0]).toMatchObject({
          gives_access: false,
          total_revenue_in_usd: { gross: 0 },
        });
      },
    );

    it.each(['9007199254740991', '99999999999999999999', String(Date.UTC(2150, 0, 1))])(
      'accepts an impossible time (%s) as now',
      async (eventTimeMillis) => {
        const user = newAppUserId();
        const subscription = world.play.subscribe(monthly);
        await world.post(user, subscription.token);
        world.clock.advanceMs(DAY_MS);
        subscription.revoke();
        const subscriptionNotification = {
          version: '1.0',
          notificationType: 12,
          purchaseToken: subscription.token,
        };
        expect((await world.push({ eventTimeMillis, subscriptionNotification })).status).toBe(200);
        const [row] = await world.subscriptions(user);
        expect([row.gives_access, row.ends_at]).toEqual([false, world.clock.nowMs()]);
        const expiration = (await world.events(user)).filter((type) => type.startsWith('EXPIRATION'));
        expect(expiration).toHaveLength(1);
      },
    );

    it('retries them while Google cannot be reached', async () => {
      const user = newAppUserId();
      const subscription = world.play.subscribe(monthly);
      await world.post(user, subscription.token);
      world.clock.advanceMs(30 * DAY_MS);
      subscription.renew();
      world.google.interfere = () => googleError(503, 'backendError');
      expect((await world.notify(subscription.token, 2)).status).toBe(200);
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE']);
      world.google.interfere = () => undefined;
      world.clock.advanceMs(MINUTE_MS);
      await world.process();
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'RENEWAL']);
    });

    it('refuses forged ones, and changes nothing', async () => {
      const user = newAppUserId();
      const subscription = world.play.subscribe(monthly);
      await world.post(user, subscription.token);
      world.clock.advanceMs(DAY_MS);
      const content = {
        subscriptionNotification: { notificationType: 12, purchaseToken: subscription.token },
      };
      const rows = await purchaseRows();
      const nowS = Math.floor(world.clock.nowMs() / 1000);
      const { privateKey: otherKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
      const claims = {
        aud: AUDIENCE,
        email: PUSHER,
        email_verified: true,
        iss: 'https://accounts.google.com',
      };
      const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
      const good = await pushed({});
      const [head = '', payload = '', signature = ''] = good.split('.');
      const confused = await new SignJWT({ ...claims, iat: nowS, exp: nowS + 60 })
        .setProtectedHeader({ alg: 'HS256', kid: 'push-1' })
        .sign(new TextEncoder().encode(world.google.pushPublicKeyPem));
      const forged: Record<string, string> = {
        'no token': '',
        'no JWT': 'abc',
        'two parts': `${head}.${payload}`,
        'other key': await pushed({}, {}, otherKey),
        'unknown kid': await pushed({}, { kid: 'push-2' }),
        'other audience': await pushed({ aud: 'https://elsewhere.example.com' }),
        'no audience': await pushed({ aud: undefined }),
        'other issuer': await pushed({ iss: 'https://accounts.example.com' }),
        'issuer that begins alike': await pushed({ iss: 'https://accounts.google.com.example.com' }),
        expired: await pushed({ iat: nowS - 7_200, exp: nowS - 120 }),
        'never expires': await pushed({ exp: undefined }),
        'made long ago': await pushed({ iat: nowS - 8_000 }),
        'made in the future': await pushed({ iat: nowS + 3_000, exp: nowS + 6_600 }),
        'other service account': await pushed({ email: 'other@example-project.iam.gserviceaccount.com' }),
        'unverified email': await pushed({ email_verified: false }),
        'no email': await pushed({ email: undefined }),
        'alg none': `${encoded({ alg: 'none', kid: 'push-1' })}.${payload}.`,
        'alg none, with a signature': `${encoded({ alg: 'none' })}.${payload}.${signature}`,
        'public key as secret': confused,
        'altered payload': `${head}.${encoded({ ...claims, iat: nowS, exp: nowS + 9_000 })}.${signature}`,
        'cut signature': `${head}.${payload}.${signature.slice(0, -4)}`,
        'own key in the header': await pushed(
          {},
          { jwk: { kty: 'RSA' }, jku: 'http://127.0.0.1:9/' },
          otherKey,
        ),
      };
      for (const [name, token] of Object.entries(forged)) {
        const answer = await world.push(content, { token });
        expect([name, answer.status, answer.body.code]).toEqual([name, 401, 7224]);
      }
      const url = `/v1/notifications/google/${world.appId}`;
      const raw = (body: string) =>
        world.server.http.send('POST', url, body, {
          'content-type': 'application/json',
          authorization: `Bearer ${good}`,
        });
      const message = (data: string) => JSON.stringify({ message: { data, messageId: 'm' } });
      const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');
      for (const body of [
        'not json',
        '[]',
        '{}',
        message('%%%'),
        message(Buffer.from('not json').toString('base64')),
        message(base64({ packageName: PACKAGE_NAME })),
        message(base64({ packageName: PACKAGE_NAME, testNotification: {}, ...content })),
        message(base64({ ...content })),
        JSON.stringify({ message: { data: base64({ packageName: PACKAGE_NAME, ...content }) } }),
      ]) {
        expect((await raw(body)).status).toBe(400);
      }
      const foreign = await world.push({ packageName: 'com.example.other', ...content });
      expect(foreign.status).toBe(200);
      expect(await purchaseRows()).toBe(rows);
      expect((await world.subscriptions(user))[0].gives_access).toBe(true);
      expect((await world.push(content, { token: good })).status).toBe(200);
    });

    it('waits while the keys of Google cannot be fetched', async () => {
      const other = await startPlayWorld();
      try {
        other.google.hideCerts = true;
        expect((await other.push({ testNotification: {} })).status).toBe(503);
        other.google.hideCerts = false;
        expect((await other.push({ testNotification: {} })).status).toBe(200);
      } finally {
        await other.close();
      }
    });

    it('treats those without an audience as hints: they take nothing away that Google does not', async () => {
      await world.configure({ pubsub_audience: null, pubsub_service_account: null });
      const user = newAppUserId();
      const subscription = world.play.subscribe(monthly);
      await world.post(user, subscription.token);
      world.clock.advanceMs(MINUTE_MS);
      expect((await world.notify(subscription.token, 12)).status).toBe(200);
      const voidedPurchaseNotification = {
        purchaseToken: subscription.token,
        orderId: subscription.latestOrderId,
        productType: 1,
        refundType: 1,
      };
      await world.push({ voidedPurchaseNotification });
      expect((await world.subscriptions(user))[0].gives_access).toBe(true);
      subscription.revoke();
      await world.notify(subscription.token, 12);
      expect((await world.subscriptions(user))[0].gives_access).toBe(false);
    });

    it('accepts fifty a second without an audience, by all servers together; Pub/Sub repeats the others', async () => {
      await world.configure({ pubsub_audience: null, pubsub_service_account: null });
      const { clock, server } = world;
      clock.advanceMs(1_000 - (clock.nowMs() % 1_000));
      const other = await startTestServer({ clock, databaseUrl: server.databaseUrl });
      try {
        const data = { version: '1.0', packageName: PACKAGE_NAME, testNotification: {} };
        const send = (index: number): Promise<Answer> => {
          const message = {
            data: Buffer.from(JSON.stringify(data)).toString('base64'),
            messageId: `flood-${index}`,
          };
          const { http } = index % 2 === 0 ? server : other;
          return http.post(`/v1/notifications/google/${world.appId}`, { message });
        };
        const answers = await Promise.all(Array.from({ length: 60 }, (_, index) => send(index)));
        const refused = answers.flatMap(({ status }, index) => (status === 200 ? [] : [index]));
        expect(refused).toHaveLength(10);
        const [first = 0] = refused;
        expect(answers[first]).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
        const kept = await server.dataSource.query<object[]>(
          `SELECT 1 FROM store_notifications WHERE dedupe_key LIKE 'flood-%' OR state = 'rejected' AND received_at = $1`,
          [new Date(clock.nowMs())],
        );
        expect(kept).toHaveLength(50);
        await world.configure(restored);
        expect((await world.push({ testNotification: {} })).status).toBe(200);
        await world.configure({ pubsub_audience: null, pubsub_service_account: null });
        clock.advanceMs(1_000);
        for (const index of refused) expect((await send(index)).status).toBe(200);
      } finally {
        await other.close();
      }
    });
  });

  describe('voided purchases', () => {
    it('finds them every ten minutes, in pages, even without a notification', async () => {
      const users = Array.from({ length: 5 }, newAppUserId);
      const bought = users.map(() => world.play.subscribe(monthly));
      const forever = world.play.buy(lifetime);
      const owner = newAppUserId();
      for (const [index, user] of users.entries()) await world.post(user, bought[index]?.token ?? '');
      await world.post(owner, forever.token, lifetime);
      await world.tasks();
      world.clock.advanceMs(5 * MINUTE_MS);
      for (const subscription of bought) subscription.revoke();
      world.play.refundProduct(forever);
      world.play.void('of-nobody', 'GPA.0');
      await world.tasks();
      expect((await world.subscriptions(users[0] ?? ''))[0].gives_access).toBe(true);
      world.clock.advanceMs(5 * MINUTE_MS);
      await world.tasks();
      for (const user of users) {
        expect(await world.events(user)).toEqual([
          'INITIAL_PURCHASE',
          'CANCELLATION/CUSTOMER_SUPPORT',
          'EXPIRATION/CUSTOMER_SUPPORT',
        ]);
      }
      expect(await world.events(owner)).toEqual(['NON_RENEWING_PURCHASE', 'CANCELLATION/CUSTOMER_SUPPORT']);
      world.clock.advanceMs(10 * MINUTE_MS);
      await world.tasks();
      expect(await world.events(owner)).toHaveLength(2);
      const scans = world.google.calls.filter(({ path }) => path === '/purchases/voidedpurchases');
      expect(scans.some(({ query }) => query.get('token') !== null)).toBe(true);
      expect(scans.every(({ query }) => query.get('type') === '1')).toBe(true);
    });

    it('refunds some of several pieces: the rest is kept, and the money is their share', async () => {
      const user = newAppUserId();
      const bought = world.play.buy(coins, { quantity: 4 });
      await world.post(user, bought.token, coins);
      world.clock.advanceMs(DAY_MS);
      world.play.refundProduct(bought, 1);
      await world.push({
        voidedPurchaseNotification: {
          purchaseToken: bought.token,
          orderId: bought.purchase.orderId,
          productType: 2,
          refundType: 2,
        },
      });
      const list = await world.backend.get(`${world.path}/customers/${user}/purchases`);
      expect(list.body.items[0]).toMatchObject({
        status: 'owned',
        quantity: 4,
        revenue_in_usd: { gross: 2.97 },
      });
      expect(await world.events(user)).toEqual(['NON_RENEWING_PURCHASE']);
    });

    it('reads the list further back after Google was down', async () => {
      await world.tasks();
      const user = newAppUserId();
      const subscription = world.play.subscribe(monthly);
      await world.post(user, subscription.token);
      world.google.interfere = ({ path }) =>
        path.includes('voided') ? googleError(503, 'backendError') : undefined;
      subscription.revoke();
      world.clock.advanceMs(10 * MINUTE_MS);
      await world.tasks();
      world.google.interfere = () => undefined;
      world.clock.advanceMs(5 * DAY_MS);
      await world.tasks();
      expect((await world.subscriptions(user))[0].gives_access).toBe(false);
    });
  });
});
