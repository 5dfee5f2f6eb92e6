import type { Answer, ApiClient } from '../support/api-client.js';
import { type PlayWorld, startPlayWorld } from '../support/arrange-play.js';
import { createSecretKey } from '../support/arrange.js';
import { playProducts } from '../support/fake-play/fake-play.js';
import { googleError } from '../support/fake-play/play-answer.js';
import type {
  FakePlaySubscription,
  PlaySubscriptionOptions,
} from '../support/fake-play/fake-play-subscription.js';

const DAY_MS = 86_400_000;
const { monthly, lifetime, coins } = playProducts;

describe('orders of backends to Google Play', () => {
  let world: PlayWorld;
  let reader: ApiClient;
  let count = 0;

  beforeAll(async () => {
    world = await startPlayWorld();
    const permissions = ['customer_information:subscriptions:read'];
    reader = (await createSecretKey(world.session, world.projectId, permissions)).client;
  });
  beforeEach(() => {
    world.google.interfere = () => undefined;
    world.google.calls.length = 0;
  });
  afterAll(() => world.close());

  const buy = async (options: PlaySubscriptionOptions = {}) => {
    const user = `user-${++count}`;
    const subscription = world.play.subscribe(monthly, options);
    await world.post(user, subscription.token);
    world.clock.advanceMs(DAY_MS);
    const [row] = await world.subscriptions(user);
    return { user, subscription, row: row };
  };
  const v2 = (id: string, action: string, body?: object): Promise<Answer> =>
    world.backend.post(`${world.path}/subscriptions/${id}/${action}`, body);
  const v1 = (user: string, path: string, body?: object): Promise<Answer> =>
    world.backend.post(`/v1/subscribers/${user}${path}`, body);
  /** Acknowledgements go their own way. */
  const actions = () =>
    world.google.calls.filter(({ method, path }) => method === 'POST' && !path.endsWith(':acknowledge'));
  const hear = async ({ token }: FakePlaySubscription, types: number[]): Promise<void> => {
    for (const type of types) {
      world.clock.advanceMs(1_000);
      await world.notify(token, type);
    }
  };

  describe('REST v2', () => {
    it('turns renewal off with cancel, emitted once, even if Google reports it again', async () => {
      const { user, subscription, row } = await buy();
      const answer = await v2(row.id, 'actions/cancel');
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({
        object: 'subscription',
        auto_renewal_status: 'will_not_renew',
        gives_access: true,
      });
      expect(actions()[0]?.body).toEqual({
        cancellationContext: { cancellationType: 'DEVELOPER_REQUESTED_STOP_PAYMENTS' },
      });
      await hear(subscription, [3]);
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'CANCELLATION/DEVELOPER_INITIATED']);
      const { length } = actions();
      expect((await v2(row.id, 'actions/cancel')).status).toBe(200);
      expect(actions()).toHaveLength(length);
      const [log] = (await world.backend.get(`${world.path}/audit_logs`)).body.items;
      expect(log).toMatchObject({ action_type: 'subscription_cancelled', target_identifier: row.id });
    });

    it('refunds the latest payment and ends access, emitted once whatever comes after', async () => {
      const { user, subscription, row } = await buy();
      const answer = await v2(row.id, 'actions/refund');
      expect(answer.body).toMatchObject({
        status: 'expired',
        gives_access: false,
        ends_at: world.clock.nowMs(),
        total_revenue_in_usd: { gross: 0 },
      });
      expect(actions().map(({ path, query }) => [path, query.get('revoke')])).toEqual([
        [`/orders/${subscription.latestOrderId}:refund`, 'true'],
      ]);
      await hear(subscription, [12, 13]);
      await world.tasks();
      expect(await world.events(user)).toEqual([
        'INITIAL_PURCHASE',
        'CANCELLATION/CUSTOMER_SUPPORT',
        'EXPIRATION/CUSTOMER_SUPPORT',
      ]);
      const again = await v2(row.id, 'actions/refund');
      expect([again.status, again.body.type]).toEqual([422, 'unprocessable_entity_error']);
    });

    it('refunds nothing of a trial', async () => {
      const { row } = await buy({ trial: true });
      expect((await v2(row.id, 'actions/refund')).status).toBe(422);
      expect(actions()).toEqual([]);
    });

    it('changes only money for one refunded payment: access and renewal continue', async () => {
      const { user, subscription, row } = await buy();
      const path = `transactions/${subscription.latestOrderId}/actions/refund`;
      const answer = await v2(row.id, path);
      expect(answer.body).toMatchObject({
        id: subscription.latestOrderId,
        effective_expiration_date: world.clock.nowMs(),
      });
      expect(actions()[0]?.query.get('revoke')).toBe('false');
      await hear(subscription, [9]);
      const [after] = await world.subscriptions(user);
      expect(after).toMatchObject({ gives_access: true, auto_renewal_status: 'will_renew' });
      expect(after?.total_revenue_in_usd.gross).toBe(0);
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE']);
      expect((await v2(row.id, path)).status).toBe(422);
      expect((await v2(row.id, 'transactions/GPA.0/actions/refund')).status).toBe(404);
    });

    it('moves the end with extend by days or to a time, a day to a year', async () => {
      const { user, subscription, row } = await buy();
      const byDays = await v2(row.id, 'actions/extend', { extend_by_days: 10 });
      expect(byDays.body.ends_at).toBe(row.ends_at + 10 * DAY_MS);
      const untilMs = row.ends_at + 20 * DAY_MS;
      const until = await v2(row.id, 'actions/extend', { extend_until_ms: untilMs });
      expect(until.body.ends_at).toBe(untilMs);
      await hear(subscription, [9]);
      expect(await world.events(user)).toEqual([
        'INITIAL_PURCHASE',
        'SUBSCRIPTION_EXTENDED',
        'SUBSCRIPTION_EXTENDED',
      ]);
      for (const body of [
        { extend_until_ms: untilMs },
        { extend_until_ms: untilMs + 1_000 },
        { extend_until_ms: untilMs + 400 * DAY_MS },
        { extend_by_days: 1, extend_until_ms: untilMs + DAY_MS },
        {},
      ]) {
        expect([body, (await v2(row.id, 'actions/extend', body)).status]).toEqual([body, 400]);
      }
    });

    it('retries extend once when the subscription changed meanwhile', async () => {
      const { user, row } = await buy();
      let conflicts = 1;
      world.google.interfere = ({ path }) =>
        path.endsWith(':defer') && conflicts-- > 0 ? googleError(409, 'aborted') : undefined;
      expect((await v2(row.id, 'actions/extend', { extend_by_days: 2 })).status).toBe(200);
      expect(actions()).toHaveLength(2);
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'SUBSCRIPTION_EXTENDED']);
    });

    it('removes a refunded one-time purchase, once, including consumables', async () => {
      for (const product of [lifetime, coins]) {
        const user = `user-${++count}`;
        const bought = world.play.buy(product);
        await world.post(user, bought.token, product);
        world.clock.advanceMs(1_000);
        const list = await world.backend.get(`${world.path}/customers/${user}/purchases`);
        const refund = () =>
          world.backend.post(`${world.path}/purchases/${list.body.items[0].id}/actions/refund`);
        const answer = await refund();
        expect([answer.status, answer.body.status]).toEqual([200, 'refunded']);
        await world.push({
          voidedPurchaseNotification: {
            purchaseToken: bought.token,
            orderId: bought.purchase.orderId,
            productType: 2,
            refundType: 1,
          },
        });
        expect(await world.events(user)).toEqual(['NON_RENEWING_PURCHASE', 'CANCELLATION/CUSTOMER_SUPPORT']);
        expect((await refund()).status).toBe(422);
      }
    });

    it('refuses to cancel or extend what is over', async () => {
      const { subscription, row } = await buy();
      subscription.cancel();
      world.clock.advanceMs(31 * DAY_MS);
      subscription.expire();
      await hear(subscription, [13]);
      expect((await v2(row.id, 'actions/cancel')).status).toBe(422);
      expect((await v2(row.id, 'actions/extend', { extend_by_days: 2 })).status).toBe(422);
      expect(actions()).toEqual([]);
    });

    it.each([
      ['refuses', googleError(400, 'invalid', 'Not like this.'), 422, 'store_error', false],
      ['knows it no more', googleError(410, 'gone'), 422, 'store_error', false],
      ['lets us do nothing', googleError(403, 'permissionDenied'), 422, 'unprocessable_entity_error', false],
      ['is down', googleError(503, 'backendError'), 503, 'store_error', true],
      ['is asked too often', googleError(429, 'rateLimitExceeded'), 503, 'store_error', true],
      ['is busy with it', googleError(409, 'conflict'), 503, 'store_error', true],
    ])('changes nothing while Google %s', async (_, refusal, status, type, retryable) => {
      const { user, subscription, row } = await buy();
      world.google.interfere = ({ method }) => (method === 'POST' ? refusal : undefined);
      for (const [action, body] of [
        ['actions/cancel', undefined],
        ['actions/refund', undefined],
        ['actions/extend', { extend_by_days: 2 }],
        [`transactions/${subscription.latestOrderId}/actions/refund`, undefined],
      ] as const) {
        const answer = await v2(row.id, action, body);
        expect([action, answer.status, answer.body.type, answer.body.retryable]).toEqual([
          action,
          status,
          type,
          retryable,
        ]);
      }
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE']);
    });

    it.each([
      ['the permission is missing', googleError(403, 'permissionDenied'), '"Manage orders'],
      ['no such app is known', googleError(404, 'applicationNotFound'), 'package_name'],
    ])('shows in setup health while %s, until Google accepts an order', async (_, refusal, words) => {
      const { row } = await buy();
      const error = async (): Promise<{ message: string } | null> =>
        (await world.backend.get(`${world.path}/setup_health`)).body.apps[0].credentials_error;
      world.google.interfere = () => refusal;
      expect((await v2(row.id, 'actions/cancel')).status).toBe(422);
      expect((await error())?.message).toContain(words);
      world.google.interfere = () => undefined;
      expect((await v2(row.id, 'actions/cancel')).status).toBe(200);
      expect(await error()).toBeNull();
    });

    it('needs the permission, and a purchase of the same project', async () => {
      const { row } = await buy();
      const refused = await reader.post(`${world.path}/subscriptions/${row.id}/actions/cancel`);
      expect(refused.status).toBe(403);
      const other = await world.backend.post(
        `/v2/projects/proj_other/subscriptions/${row.id}/actions/cancel`,
      );
      expect(other.status).toBe(404);
      expect(actions()).toEqual([]);
    });
  });

  describe('REST v1', () => {
    it('means the subscription of Google where one of another store has the same name and lasts longer', async () => {
      const { user, subscription } = await buy();
      const app = await world.backend.post(`${world.path}/apps`, { name: 'Elsewhere', type: 'test_store' });
      const { body: keys } = await world.backend.get(`${world.path}/apps/${app.body.id}/public_api_keys`);
      await world.backend.post(`${world.path}/products`, {
        app_id: app.body.id,
        store_identifier: monthly.id,
        type: 'subscription',
        subscription: { duration: 'P1Y' },
      });
      const bought = await world.server.http.withKey(keys.items[0].key).post('/v1/receipts', {
        app_user_id: user,
        fetch_token: `test_${world.clock.nowMs()}_elsewhere`,
        product_id: monthly.id,
      });
      expect(bought.status).toBe(200);
      const longer = '/subscriptions/pro';
      expect((await v1(user, `${longer}/defer`, { extend_by_days: 7 })).status).toBe(200);
      expect((await v1(user, `${longer}/revoke`)).status).toBe(200);
      expect(actions().map(({ path }) => path.split('/').at(-1))).toContain(`${subscription.token}:revoke`);
      const alone = await v1(
        user,
        `/subscriptions/${bought.body.subscriber.subscriptions.pro.store_transaction_id}/cancel`,
      );
      expect([alone.status, alone.body.code]).toEqual([400, 7000]);
    });

    it('cancels and refunds by any order id or token, revokes and defers by product', async () => {
      const cancelled = await buy();
      for (const name of [cancelled.subscription.token, cancelled.subscription.latestOrderId]) {
        const answer = await v1(cancelled.user, `/subscriptions/${name}/cancel`);
        expect(answer.status).toBe(200);
        expect(answer.body.subscriber.subscriptions.pro.unsubscribe_detected_at).not.toBeNull();
      }
      for (const product of ['pro', 'pro:monthly']) {
        const revoked = await buy();
        const answer = await v1(revoked.user, `/subscriptions/${product}/revoke`);
        expect(answer.body.subscriber.subscriptions.pro.refunded_at).not.toBeNull();
        expect((await world.subscriptions(revoked.user))[0].gives_access).toBe(false);
      }
      const refunded = await buy();
      const refund = `/transactions/${refunded.subscription.latestOrderId}/refund`;
      expect((await v1(refunded.user, refund)).status).toBe(200);
      expect((await world.subscriptions(refunded.user))[0].gives_access).toBe(false);
      const deferred = await buy();
      const byDays = await v1(deferred.user, '/subscriptions/pro/defer', { extend_by_days: 7 });
      expect(byDays.status).toBe(200);
      const expiry = deferred.row.ends_at + 30 * DAY_MS;
      const until = await v1(deferred.user, '/subscriptions/pro/defer', { expiry_time_ms: expiry });
      expect(Date.parse(until.body.subscriber.subscriptions.pro.expires_date)).toBe(
        Math.floor(expiry / 1000) * 1000,
      );
      expect((await v1(deferred.user, '/subscriptions/pro/defer', { expiry_time_ms: 1 })).status).toBe(400);
    });

    it('refunds a one-time purchase by its order', async () => {
      const user = `user-${++count}`;
      const bought = world.play.buy(lifetime);
      await world.post(user, bought.token, lifetime);
      const answer = await v1(user, `/transactions/${bought.purchase.orderId}/refund`);
      expect([answer.status, answer.body.subscriber.entitlements]).toEqual([200, {}]);
    });

    it('reports errors: the other store 7000, refused and without credentials 7101, away 503', async () => {
      const { user, subscription } = await buy();
      const extend = { extend_by_days: 3, extend_reason_code: 0 };
      const other = await v1(user, `/subscriptions/${subscription.latestOrderId}/extend`, extend);
      expect([other.status, other.body.code]).toEqual([400, 7000]);
      for (const [refusal, status] of [
        [googleError(400, 'invalid'), 400],
        [googleError(403, 'permissionDenied'), 400],
        [googleError(503, 'backendError'), 503],
      ] as const) {
        world.google.interfere = () => refusal;
        const answer = await v1(user, `/subscriptions/${subscription.token}/cancel`);
        expect([answer.status, answer.body.code]).toEqual([status, 7101]);
      }
      const unknown = await v1(user, '/subscriptions/GPA.0/cancel');
      expect([unknown.status, unknown.body.code]).toEqual([404, 7259]);
    });
  });
});
