import { jest } from '@jest/globals';
import { Paddle } from '@paddle/paddle-node-sdk';
import { StoreTasksService } from '../../src/purchases/store-tasks/store-tasks.service.js';
import { MissedPaddleEventsJob } from '../../src/stores/paddle/missed-paddle-events.job.js';
import { OpenSubscriptionsJob } from '../../src/stores/paddle/open-subscriptions.job.js';
import { StoreRefreshJob } from '../../src/stores/shared/store-refresh.job.js';
import { StoreRefreshesService } from '../../src/stores/shared/store-refreshes.service.js';
import type { Answer, Json } from '../support/api-client.js';
import { arrangeStoreApp } from '../support/arrange-store-app.js';
import {
  coins,
  extra,
  lifetime,
  monthly,
  paddleApp,
  type PaddleWorld,
  plus,
  startPaddleWorld,
  yearly,
} from '../support/arrange-paddle.js';
import { type FakeItem, FakePaddle, paddlePrices } from '../support/fake-paddle/fake-paddle.js';
import { paddleErrors } from '../support/fake-paddle/fake-paddle-api.js';
import { invoiceFigures } from '../support/invoice-figures.js';
import { refreshAll } from '../support/refresh-all.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

describe('Paddle', () => {
  let world: PaddleWorld;
  let count = 0;
  const newAppUserId = (): string => `user-${++count}`;
  const shortly = (): void => world.clock.advanceMs(2_000);

  beforeAll(async () => {
    world = await startPaddleWorld();
  });
  beforeEach(async () => {
    world.api.interfere = () => undefined;
    world.api.perMinute = null;
    world.clock.advanceMs(2 * MINUTE_MS);
    const { apiKey, webhookSecret } = world.paddle;
    await world.configure({
      track_new_purchases: false,
      paddle_api_key: apiKey,
      paddle_webhook_secret: webhookSecret,
      app_user_id_source: null,
      app_user_id_custom_data_key: null,
    });
  });
  afterAll(() => world.close());

  describe('receipts', () => {
    it('records a subscription; a repeat, and its webhook, change nothing', async () => {
      const user = newAppUserId();
      const life = world.paddle.subscribe();
      const first = await world.post(user, life.id, { product_id: monthly.product });
      expect(first.status).toBe(200);
      expect(first.body.subscriber.subscriptions[monthly.product]).toMatchObject({
        store: 'paddle',
        is_sandbox: false,
        period_type: 'normal',
        price: { amount: 9.99, currency: 'USD' },
        store_transaction_id: life.latest.id,
        management_url: expect.stringContaining(life.id),
      });
      // SDKs would join a plan to the product id.
      expect(first.body.subscriber.subscriptions[monthly.product]).not.toHaveProperty(
        'product_plan_identifier',
      );
      const again = await world.post(user, life.id);
      expect(again.body.subscriber.subscriptions).toEqual(first.body.subscriber.subscriptions);
      await world.notify(life.updated('created'));
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE']);
      expect(await world.subscription(user)).toMatchObject({
        status: 'active',
        environment: 'production',
        country: 'DE',
        // Paddle's own fee: 5 % and 50 cents.
        total_revenue_in_usd: { gross: 9.99, commission: 1 },
      });
    });

    it('records a transaction of a subscription as that subscription, and another as a purchase of each item', async () => {
      const user = newAppUserId();
      const life = world.paddle.subscribe();
      expect((await world.post(user, life.latest.id)).status).toBe(200);
      await world.post(user, life.id);
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE']);
      const buyer = newAppUserId();
      const sold = world.paddle.sell([
        { price: lifetime },
        { price: coins, quantity: 3 },
        { price: { ...coins, id: paddlePrices.extra.id } },
      ]);
      const { body } = await world.post(buyer, sold.id);
      expect(body.subscriber.entitlements.pro.expires_date).toBeNull();
      expect(body.subscriber.non_subscriptions[coins.product]).toHaveLength(2);
      expect(await world.events(buyer)).toEqual(Array(3).fill('NON_RENEWING_PURCHASE'));
      shortly();
      await world.notify(world.paddle.adjust(sold));
      expect(await world.events(buyer)).toEqual([
        ...Array<string>(3).fill('NON_RENEWING_PURCHASE'),
        ...Array<string>(3).fill('CANCELLATION/CUSTOMER_SUPPORT'),
      ]);
    });

    it('reads yen without a smaller unit', async () => {
      const { body } = await world.post(newAppUserId(), world.paddle.subscribe(paddlePrices.yen).id);
      expect(body.subscriber.subscriptions[monthly.product].price).toEqual({ amount: 1500, currency: 'JPY' });
    });

    it.each([
      ['another id', () => world.paddle.newId('ctm')],
      ['a path', () => 'sub_01/../../customers'],
      ['an id of another form', () => 'sub_123'],
      ['nothing of Paddle', () => 'test_1767323045123_8f14e45f'],
      ['an unknown subscription', () => world.paddle.newId('sub')],
      ['a canceled transaction', () => world.paddle.sell([{ price: coins }], { status: 'canceled' }).id],
      [
        'a subscription that ended before its first payment',
        () => {
          const life = world.paddle.subscribe(monthly, { status: 'past_due' });
          life.end();
          return life.id;
        },
      ],
    ])('%s can never be a purchase', async (_, token) => {
      const rows = await world.purchaseRows();
      const answer = await world.post(newAppUserId(), token());
      expect([answer.status, answer.body.code]).toEqual([400, 7103]);
      expect(await world.purchaseRows()).toBe(rows);
    });

    it.each(['draft', 'ready', 'past_due', 'billed'])('asks to post again what is %s', async (status) => {
      const user = newAppUserId();
      const sold = world.paddle.sell([{ price: coins }], { status });
      const answer = await world.post(user, sold.id);
      expect([answer.status, answer.body.code]).toEqual([503, 7651]);
      world.paddle.pay(sold);
      expect((await world.post(user, sold.id)).status).toBe(200);
    });

    it('asks to post again a payment for which Paddle has no subscription yet', async () => {
      const sold = world.paddle.sell([{ price: monthly }], { status: 'paid' });
      const answer = await world.post(newAppUserId(), sold.id);
      expect([answer.status, answer.body.code]).toEqual([503, 7651]);
    });

    it('accepts a sent invoice, and opens access when it is paid', async () => {
      const user = newAppUserId();
      const life = world.paddle.subscribe(monthly, { collection: 'manual', status: 'billed' });
      const answer = await world.post(user, life.id);
      expect([answer.status, answer.body.subscriber.entitlements]).toEqual([200, {}]);
      expect(await world.events(user)).toEqual([]);
      await world.notify(world.paddle.pay(life.latest));
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE']);
    });

    it.each([
      ['is down', paddleErrors.down],
      ['finds fault with the request', paddleErrors.badRequest],
      ['knows no such address', paddleErrors.noAddress],
      ['is behind a broken gateway', paddleErrors.badGateway],
      ['resets the connection', { status: 0, instead: 'reset' as const }],
      ['says no with a page', { status: 403, body: '<html>' }],
    ])('loses nothing while Paddle %s', async (_, failure) => {
      const user = newAppUserId();
      const { id } = world.paddle.subscribe();
      world.api.interfere = () => failure;
      const answer = await world.post(user, id);
      expect([answer.status, answer.body.code]).toEqual([503, 7101]);
      world.api.interfere = () => undefined;
      expect((await world.post(user, id)).status).toBe(200);
    });

    it('waits in its answer when Paddle asks to wait', async () => {
      world.api.interfere = () => paddleErrors.tooMany;
      const answer = await world.post(newAppUserId(), world.paddle.subscribe().id);
      expect([answer.status, answer.headers['retry-after']]).toEqual([503, '47']);
    });

    it('reads a longer history than Paddle lists at once in a job', async () => {
      const user = newAppUserId();
      const life = world.paddle.subscribe();
      for (let month = 0; month < 34; month++) {
        world.clock.advanceMs(30 * DAY_MS);
        life.renew();
      }
      expect((await world.post(user, life.id)).status).toBe(200);
      world.clock.advanceMs(20 * MINUTE_MS);
      await world.upkeep();
      const row = await world.subscription(user);
      const path = `${world.path}/subscriptions/${row.id}/transactions?limit=100`;
      expect((await world.backend.get(path)).body.items).toHaveLength(35);
    });
  });

  describe('the key', () => {
    const verify = (body: object): Promise<Answer> =>
      world.backend.post(`${world.path}/apps/${world.appId}/actions/verify_credentials`, body);

    it.each([
      ['revoked', paddleErrors.invalidToken, 'invalid_token'],
      ['malformed', paddleErrors.malformed, 'authentication_malformed'],
      ['without a permission', paddleErrors.forbidden, 'transaction.read'],
    ])(
      '%s: receipts are kept, setup health says why, and it recovers automatically',
      async (_, failure, why) => {
        const user = newAppUserId();
        const { id } = world.paddle.subscribe();
        world.api.interfere = () => failure;
        const answer = await world.post(user, id);
        expect([answer.status, answer.body.code]).toEqual([503, 7101]);
        expect(answer.text).not.toContain('ofTheFake');
        const { credentials_error: shown } = await world.health();
        expect(shown.message).toContain(why);
        world.api.interfere = () => undefined;
        expect((await world.post(user, id)).status).toBe(200);
        expect((await world.health()).credentials_error).toBeNull();
      },
    );

    it('reports whether it is good, of which environment, and what it may not read', async () => {
      expect((await verify({})).body).toMatchObject({ status: 'valid', store: 'paddle' });
      const bad = await verify({ paddle_api_key: `pdl_live_apikey_${'x'.repeat(53)}` });
      expect(bad.body).toMatchObject({ status: 'invalid', message: expect.stringContaining('403') });
      const all = world.api.permissions;
      world.api.permissions = all.filter((name) => name !== 'adjustment.read');
      expect((await verify({})).body).toMatchObject({
        status: 'invalid',
        message: 'The key lacks permissions: adjustment.read.',
      });
      world.api.permissions = all.map((name) => name.replace('.read', '.write'));
      expect((await verify({})).body.status).toBe('valid');
      world.api.permissions = all;
      world.api.environment = 'sandbox';
      expect((await verify({})).body).toMatchObject({
        status: 'invalid',
        message: "The key is of Paddle's sandbox environment.",
      });
      world.api.environment = 'production';
      world.api.interfere = () => paddleErrors.down;
      expect((await verify({})).body.status).toBe('unreachable');
      world.api.interfere = () => undefined;
      await world.configure({ paddle_api_key: null });
      expect((await verify({})).body.message).toContain('paddle_api_key');
      expect((await world.post(newAppUserId(), world.paddle.subscribe().id)).status).toBe(503);
    });

    it('reads objects where Paddle does not serve the root of its API', async () => {
      const all = world.api.permissions;
      world.api.hasRoot = false;
      try {
        expect((await verify({})).body.status).toBe('valid');
        world.api.permissions = [];
        expect((await verify({})).body).toMatchObject({
          status: 'invalid',
          message: expect.stringContaining('forbidden'),
        });
        const bad = await verify({ paddle_api_key: `pdl_live_apikey_${'x'.repeat(53)}` });
        expect(bad.body.status).toBe('invalid');
      } finally {
        world.api.permissions = all;
        world.api.hasRoot = true;
      }
    });

    it('tries both environments if it is from before 2025', async () => {
      const { apiKey } = world.paddle;
      try {
        world.paddle.apiKey = 'o'.repeat(50);
        world.api.environment = 'sandbox';
        const checked = await verify({ paddle_api_key: world.paddle.apiKey });
        expect(checked.body).toMatchObject({
          status: 'invalid',
          message: "The key is of Paddle's sandbox environment: set paddle_is_sandbox to true.",
        });
        await world.configure({ paddle_api_key: world.paddle.apiKey, paddle_is_sandbox: true });
        expect((await verify({})).body.status).toBe('valid');
        const user = newAppUserId();
        await world.post(user, world.paddle.subscribe().id);
        expect(await world.subscription(user)).toMatchObject({ environment: 'sandbox' });
      } finally {
        world.paddle.apiKey = apiKey;
        world.api.environment = 'production';
        await world.configure({ paddle_api_key: apiKey });
      }
    });

    it('makes a signed-in page of the customer portal, if it may', async () => {
      const user = newAppUserId();
      await world.post(user, world.paddle.subscribe().id);
      const row = await world.subscription(user);
      const page = (): Promise<Answer> =>
        world.backend.get(`${world.path}/subscriptions/${row.id}/authenticated_management_url`);
      expect((await page()).status).toBe(422);
      world.api.permissions = [...world.api.permissions, 'customer_portal_session.write'];
      const answer = await page();
      expect(answer.body.management_url).toMatch(/^https:\/\/customer-portal\.paddle\.com\/ctm_/);
      world.api.interfere = () => paddleErrors.down;
      expect((await page()).status).toBe(503);
    });

    it('cancels, refunds and extends nothing', async () => {
      const user = newAppUserId();
      await world.post(user, world.paddle.subscribe().id);
      const row = await world.subscription(user);
      const path = `${world.path}/subscriptions/${row.id}/actions`;
      for (const action of ['cancel', 'refund']) {
        expect((await world.backend.post(`${path}/${action}`, {})).status).toBe(422);
      }
      const extend = await world.backend.post(`${path}/extend`, { extend_by_days: 3 });
      expect(extend.status).toBe(422);
    });
  });

  describe('webhooks', () => {
    const statesOf = (): Promise<Json[]> =>
      world.server.dataSource.query(
        `SELECT state, kind FROM store_notifications WHERE app_id = $1 AND state <> 'rejected'
         ORDER BY received_at DESC, id DESC`,
        [world.appId],
      );

    it('applies when the receipt comes, once, without tracking', async () => {
      const user = newAppUserId();
      const life = world.paddle.subscribe();
      expect((await world.notify(life.updated('created'))).status).toBe(200);
      expect((await statesOf())[0]?.state).toBe('ignored_unknown_purchase');
      await world.post(user, life.id);
      await world.process();
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE']);
      expect((await statesOf())[0]?.state).toBe('processed');
    });

    it('uses custom_data for the customer of a tracked purchase, and never moves an owned one', async () => {
      await world.configure({ track_new_purchases: true });
      const user = newAppUserId();
      const customerId = world.paddle.newId('ctm');
      const life = world.paddle.subscribe(monthly, { customerId, customData: { app_user_id: user } });
      await world.notify(life.updated('created'));
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE']);
      const thief = newAppUserId();
      const moved = { ...life.object, custom_data: { app_user_id: thief } };
      world.api.interfere = ({ path }) =>
        path === `/subscriptions/${life.id}` ? { status: 200, body: { data: moved } } : undefined;
      await world.notify(life.updated());
      world.api.interfere = () => undefined;
      expect((await world.backend.get(`${world.path}/customers/${thief}`)).status).toBe(404);
      // Another purchase of the same Paddle customer goes the same way.
      const second = world.paddle.subscribe(plus, { customerId });
      await world.notify(second.updated('created'));
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'INITIAL_PURCHASE']);
    });

    it.each([
      ['no user', { app_user_id: 'null' }, null],
      ['no text', { app_user_id: 7 }, null],
      ['another field', { user: 'chosen-1' }, 'user'],
      ['nothing that counts', { app_user_id: 'chosen-2' }, 'anonymous'],
    ])('reads custom_data with %s', async (_, customData, setting) => {
      await world.configure({
        track_new_purchases: true,
        app_user_id_source: setting === 'anonymous' ? 'anonymous' : null,
        app_user_id_custom_data_key: setting === 'user' ? 'user' : null,
      });
      const life = world.paddle.subscribe(monthly, { customData });
      await world.notify(life.updated('created'));
      const found = await world.backend.get(
        `${world.path}/subscriptions?store_subscription_identifier=${life.latest.id}`,
      );
      const expected = setting === 'user' ? /^chosen-1$/ : /^\$RCAnonymousID:/;
      expect(found.body.items[0].customer_id).toMatch(expected);
    });

    it('uses custom_data of the first transaction if that of the subscription names no customer', async () => {
      await world.configure({ track_new_purchases: true });
      const user = newAppUserId();
      const life = world.paddle.subscribe(monthly, { customData: { campaign: 'spring' } });
      life.latest.custom_data = { app_user_id: user };
      await world.notify(life.updated('created'));
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE']);
    });

    it('assigns a charge beside the subscription to its owner', async () => {
      const user = newAppUserId();
      const life = world.paddle.subscribe();
      await world.post(user, life.id);
      const charge = life.charge(coins);
      await world.notify(world.paddle.event('transaction.completed', charge));
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'NON_RENEWING_PURCHASE']);
    });

    it('ends nothing in the first step of a renewal; its payment ninety minutes later is one RENEWAL', async () => {
      const user = newAppUserId();
      const life = world.paddle.subscribe();
      await world.post(user, life.id);
      world.clock.advanceMs(30 * DAY_MS);
      await world.notify(life.moveOn());
      const row = await world.subscription(user);
      expect([row.status, row.gives_access]).toEqual(['active', true]);
      world.clock.advanceMs(90 * MINUTE_MS);
      expect((await world.subscription(user)).gives_access).toBe(true);
      await world.notify(life.collect());
      await world.notify(life.updated());
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'RENEWAL']);
    });

    it('moves the paid end only with money', async () => {
      const user = newAppUserId();
      const life = world.paddle.subscribe();
      await world.post(user, life.id);
      const { current_period_ends_at: paidUntil } = await world.subscription(user);
      world.clock.advanceMs(30 * DAY_MS);
      await world.notify(life.moveOn());
      await world.notify(life.failCollection());
      expect(await world.subscription(user)).toMatchObject({
        status: 'in_grace_period',
        current_period_ends_at: paidUntil,
        ends_at: Number(paidUntil) + 30 * DAY_MS,
        total_revenue_in_usd: { gross: 9.99 },
      });
    });

    it('ignores a refund that waits for approval and is rejected', async () => {
      const user = newAppUserId();
      const life = world.paddle.subscribe();
      await world.post(user, life.id);
      await world.notify(world.paddle.adjust(life.latest, 'refund', { status: 'pending_approval' }));
      await world.notify(world.paddle.decide(life.latest, 'rejected'));
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE']);
    });

    it('counts the same event fifty times at once as one', async () => {
      const user = newAppUserId();
      const life = world.paddle.subscribe();
      await world.post(user, life.id);
      shortly();
      const { body } = life.cancel();
      const signature = world.paddle.signature(body);
      const answers = await Promise.all(Array.from({ length: 50 }, () => world.send(body, signature)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'CANCELLATION/UNSUBSCRIBE']);
    });

    it('makes one lookup for several events of one purchase', async () => {
      const user = newAppUserId();
      const life = world.paddle.subscribe();
      await world.post(user, life.id);
      world.api.interfere = () => paddleErrors.down;
      for (const event of [life.cancel(), life.updated(), world.paddle.pay(life.latest)]) {
        expect((await world.notify(event)).status).toBe(200);
      }
      world.api.interfere = () => undefined;
      world.clock.advanceMs(5 * MINUTE_MS);
      world.api.calls.length = 0;
      for (let event = 0; event < 3; event++) {
        await world.process();
        world.clock.advanceMs(MINUTE_MS);
      }
      // Two are processed at a time.
      expect(world.api.calls.filter(({ path }) => path.endsWith(life.id)).length).toBeLessThan(3);
      expect((await statesOf()).slice(0, 3).map(({ state }) => state)).toEqual(Array(3).fill('processed'));
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'CANCELLATION/UNSUBSCRIBE']);
    });

    it.each([
      ['simulated', { notification_id: 'ntfsim_01' }],
      ['simulated itself', { event_id: 'ntfsimevt_01' }],
    ])('%s events are kept and do nothing', async (_, more) => {
      const { body } = world.paddle.event('subscription.created', world.paddle.subscribe().object, more);
      expect((await world.send(body, world.paddle.signature(body))).status).toBe(200);
      expect((await statesOf())[0]?.state).toBe('ignored_type');
    });

    it.each(['customer.updated', 'product.created', 'subscription.imagined'])(
      '%s needs nothing',
      async (type) => {
        await world.notify(world.paddle.event(type, world.paddle.subscribe().object));
        expect((await statesOf())[0]).toEqual({ state: 'ignored_type', kind: type });
      },
    );

    describe('are refused', () => {
      const eventBody = (): string => world.paddle.subscribe().updated().body;
      const signed = (body: string, more = {}): string => world.paddle.signature(body, more);

      it.each<[string, (body: string) => [string, string | null]]>([
        ['with another secret', (body) => [body, signed(body, { secrets: ['pdl_ntfset_other'] })]],
        ['301 seconds old', (body) => [body, signed(body, { ageS: 301 })]],
        ['301 seconds ahead', (body) => [body, signed(body, { ageS: -301 })]],
        [
          'in upper case',
          (body) => [body, signed(body).replace(/h1=.*/, (hex) => `h1=${hex.slice(3).toUpperCase()}`)],
        ],
        ['written anew', (body) => [JSON.stringify(JSON.parse(body), null, 1), signed(body)]],
        ['without a header', (body) => [body, null]],
        ['without a signature', (body) => [body, signed(body).split(';')[0] ?? '']],
        ['with two times', (body) => [body, `ts=1;${signed(body)}`]],
        [
          'with many signatures',
          (body) => [body, signed(body, { secrets: Array(6).fill(world.paddle.webhookSecret) })],
        ],
      ])('%s', async (_, forged) => {
        const [body, signature] = forged(eventBody());
        const answer = await world.send(body, signature);
        expect([answer.status, answer.body.code]).toEqual([400, 7103]);
      });

      it('refuses webhooks of an app without a secret until it is saved', async () => {
        const body = eventBody();
        await world.configure({ paddle_webhook_secret: null });
        expect((await world.send(body, signed(body))).status).toBe(400);
        await world.configure({ paddle_webhook_secret: world.paddle.webhookSecret });
        expect((await world.send(body, signed(body))).status).toBe(200);
      });

      it('accepts either of two signatures during a rotation', async () => {
        const body = eventBody();
        const { webhookSecret } = world.paddle;
        for (const secrets of [
          ['pdl_ntfset_new', webhookSecret],
          [webhookSecret, 'pdl_ntfset_new'],
        ]) {
          expect((await world.send(body, signed(body, { secrets }))).status).toBe(200);
        }
      });
    });

    it('fetches missed webhooks from Paddle after an hour of silence', async () => {
      const user = newAppUserId();
      // Those of other tests are not to be read as well.
      world.paddle.events.length = 0;
      const life = world.paddle.subscribe();
      await world.post(user, life.id);
      await world.notify(life.updated('created'));
      life.cancel();
      world.clock.advanceMs(2 * HOUR_MS);
      await world.server.app.get(MissedPaddleEventsJob).schedule();
      await world.upkeep();
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'CANCELLATION/UNSUBSCRIBE']);
      world.api.calls.length = 0;
      await world.upkeep();
      expect(world.api.calls).toEqual([]);
    });
  });

  it('uses at most half of what Paddle allows in a storm of 429', async () => {
    const lives = Array.from({ length: 80 }, () => world.paddle.subscribe());
    await Promise.all(lives.map(({ id }) => world.post(newAppUserId(), id)));
    world.clock.advanceMs(2 * MINUTE_MS);
    const target = { projectId: world.projectId, appId: world.appId, environment: 'production' as const };
    await world.server.app.get(StoreRefreshesService).request(
      target,
      lives.map(({ id }) => id),
    );
    const refreshes = world.server.app.get(StoreRefreshJob);
    world.api.perMinute = 240;
    let most = 0;
    for (let second = 0; second < 70; second += 2) {
      await refreshes.drain();
      most = Math.max(most, world.api.recentCalls());
      world.clock.advanceMs(2_000);
    }
    // Two calls for each of sixty purchases, and the burst at the start.
    expect(most).toBeGreaterThan(100);
    expect(most).toBeLessThanOrEqual(124);
  });

  it('pauses all apps of the server when Paddle asks for it', async () => {
    const life = world.paddle.subscribe();
    await world.post(newAppUserId(), life.id);
    shortly();
    world.api.interfere = () => paddleErrors.tooMany;
    await world.notify(life.updated());
    world.api.interfere = () => undefined;
    const other = await arrangeStoreApp(world.server, paddleApp(world.paddle));
    const second = world.paddle.subscribe();
    await other.post(newAppUserId(), second.id);
    const target = { projectId: other.projectId, appId: other.appId, environment: 'production' as const };
    await world.server.app.get(StoreRefreshesService).request(target, [second.id]);
    world.api.calls.length = 0;
    world.clock.advanceMs(30_000);
    await world.upkeep();
    expect(world.api.calls).toEqual([]);
    world.clock.advanceMs(20_000);
    await world.upkeep();
    expect(world.api.calls.length).toBeGreaterThan(0);
  });

  describe('the daily walk', () => {
    /** The subscriptions that Paddle was asked about, each as often as it was. */
    const walked = async (hours: number, of: string[]): Promise<string[]> => {
      world.api.calls.length = 0;
      for (let hour = 0; hour < hours; hour++) {
        world.clock.advanceMs(HOUR_MS / 2);
        await world.upkeep();
        world.clock.advanceMs(HOUR_MS / 2);
        await refreshAll(world.server);
      }
      await world.upkeep();
      return of.flatMap((id) =>
        world.api.calls.filter(({ path }) => path === `/subscriptions/${id}`).map(() => id),
      );
    };

    it('asks about each open subscription once a day, in an app that gets webhooks too', async () => {
      const other = await arrangeStoreApp(world.server, paddleApp(world.paddle));
      const [open, paused, refunded, ended] = Array.from({ length: 4 }, () => world.paddle.subscribe(yearly));
      if (!open || !paused || !refunded || !ended) throw new Error('four were bought');
      paused.pause();
      world.paddle.adjust(refunded.latest);
      ended.end();
      const lives = [open, paused, refunded, ended];
      for (const { id } of lives) expect((await other.post(`owner-of-${id}`, id)).status).toBe(200);
      world.paddle.events.length = 0;
      await world.server.app.get(OpenSubscriptionsJob).schedule();
      const ids = lives.map(({ id }) => id);
      // A purchase that was just read is not requested again.
      expect(await walked(1, ids)).toEqual([]);
      open.cancel();
      // They are lost, also for Paddle's list.
      world.paddle.events.length = 0;
      expect(await walked(24, ids)).toEqual([open.id, paused.id, refunded.id]);
      expect(await other.events(`owner-of-${open.id}`)).toEqual([
        'INITIAL_PURCHASE',
        'CANCELLATION/UNSUBSCRIBE',
      ]);
    });

    it('leaves room for news: while many purchases wait, it adds none', async () => {
      const other = await arrangeStoreApp(world.server, paddleApp(world.paddle));
      expect((await other.post(newAppUserId(), world.paddle.subscribe(yearly).id)).status).toBe(200);
      const waiting = async (): Promise<number> => {
        const rows = await world.server.dataSource.query<{ count: string }[]>(
          'SELECT count(*) FROM store_refreshes WHERE app_id = $1',
          [other.appId],
        );
        return Number(rows[0]?.count);
      };
      await world.server.dataSource.query(
        `INSERT INTO store_refreshes (project_id, app_id, environment, purchase_key, due_at)
         SELECT $1, $2, 'production', 'sub_' || n, $3 FROM generate_series(1, 1800) n`,
        [other.projectId, other.appId, new Date(world.clock.nowMs() + 400 * DAY_MS)],
      );
      await world.server.app.get(OpenSubscriptionsJob).schedule();
      world.clock.advanceMs(25 * HOUR_MS);
      await world.server.app.get(StoreTasksService).drain();
      expect(await waiting()).toBe(1800);
      await world.server.dataSource.query('DELETE FROM store_refreshes WHERE app_id = $1', [other.appId]);
      world.clock.advanceMs(24 * HOUR_MS);
      await world.server.app.get(StoreTasksService).drain();
      expect(await waiting()).toBe(1);
    });
  });

  it('keeps sandbox and live apps of one project apart', async () => {
    const user = newAppUserId();
    const live = world.paddle.subscribe();
    await world.post(user, live.id);
    const sandbox = new FakePaddle(world.clock);
    const { apiKey } = world.paddle;
    try {
      world.paddle.apiKey = `pdl_sdbx_apikey_${'k'.repeat(53)}`;
      const app = await world.backend.post(`${world.path}/apps`, {
        name: 'Sandbox',
        type: 'paddle',
        paddle: { paddle_api_key: world.paddle.apiKey, paddle_webhook_secret: sandbox.webhookSecret },
      });
      expect(app.body.paddle.paddle_is_sandbox).toBe(true);
      const keys = await world.backend.get(`${world.path}/apps/${app.body.id}/public_api_keys`);
      const sdk = world.server.http.withKey(keys.body.items[0].key).with({ 'x-platform': 'paddle' });
      const other = world.paddle.subscribe(plus);
      const receipt = { app_user_id: user, fetch_token: other.id };
      const { body } = await sdk.post('/v1/receipts', receipt);
      expect(body.subscriber.subscriptions[plus.product].is_sandbox).toBe(true);
      expect(body.subscriber.subscriptions[monthly.product].is_sandbox).toBe(false);
    } finally {
      world.paddle.apiKey = apiKey;
    }
  });

  describe('money of a transaction', () => {
    const { premium, setUp, book, yen } = paddlePrices;
    const days = (count: number): void => world.clock.advanceMs(count * DAY_MS);
    const begun = async (items: FakeItem[], price = monthly) => {
      // Everything that other tests sold is over.
      days(100);
      const user = newAppUserId();
      const life = world.paddle.subscribe(price, { items });
      expect((await world.post(user, life.id)).status).toBe(200);
      return { user, life, now: () => invoiceFigures(world, user) };
    };
    const month = { price: monthly };

    it.each<[string, FakeItem[], object]>([
      [
        'a setup fee',
        [month, { price: setUp }],
        {
          prices: [['INITIAL_PURCHASE', 9.99]],
          ledger: ['proration 25', 'purchase 9.99'],
          paid: 34.99,
          mrr: 9.99,
        },
      ],
      [
        'a discount on everything',
        [
          { ...month, discount: 200 },
          { price: setUp, discount: 500 },
        ],
        {
          prices: [['INITIAL_PURCHASE', 7.99]],
          ledger: ['proration 20', 'purchase 7.99'],
          paid: 27.99,
          mrr: 7.99,
        },
      ],
      [
        'a tax on top',
        [
          { ...month, tax: 200 },
          { price: setUp, tax: 500 },
        ],
        {
          prices: [['INITIAL_PURCHASE', 11.99]],
          ledger: ['proration 30', 'purchase 11.99'],
          paid: 41.99,
          mrr: 11.99,
        },
      ],
      [
        'a tax that is included',
        [{ ...month, taxIncluded: 167 }],
        { prices: [['INITIAL_PURCHASE', 9.99]], ledger: ['purchase 9.99'], paid: 9.99, mrr: 9.99 },
      ],
      [
        'a product that the catalog sells once',
        [month, { price: book }],
        {
          prices: [
            ['INITIAL_PURCHASE', 9.99],
            ['NON_RENEWING_PURCHASE', 25],
          ],
          ledger: ['one_time 25', 'purchase 9.99'],
          paid: 34.99,
          mrr: 9.99,
        },
      ],
    ])('counts the recurring price alone beside %s', async (_, items, expected) => {
      const { now } = await begun(items);
      expect(await now()).toEqual(expected);
    });

    it('counts a discount that applies once in its own period only', async () => {
      const { life, now } = await begun([{ ...month, discount: 200 }]);
      days(30);
      await world.notify(life.renew());
      expect((await now()).prices.at(-1)).toEqual(['RENEWAL', 9.99]);
      expect((await now()).mrr).toBe(9.99);
    });

    it('counts a charge at a renewal as revenue alone', async () => {
      const { life, now } = await begun([month]);
      days(30);
      await world.notify(life.renewWith([{ price: setUp, amount: 5000 }]));
      expect(await now()).toEqual({
        prices: [
          ['INITIAL_PURCHASE', 9.99],
          ['RENEWAL', 9.99],
        ],
        ledger: ['proration 50', 'purchase 9.99', 'renewal 9.99'],
        paid: 69.98,
        mrr: 9.99,
      });
    });

    it('values an upgrade in the middle at the new price and books what was charged for it', async () => {
      const { life, now } = await begun([month]);
      days(15);
      await world.notify(life.exchangeProrated(premium));
      expect(await now()).toEqual({
        prices: [
          ['INITIAL_PURCHASE', 9.99],
          ['PRODUCT_CHANGE', 0],
        ],
        ledger: ['proration 5', 'purchase 9.99'],
        paid: 14.99,
        mrr: 19.99,
      });
      days(15);
      await world.notify(life.renew());
      expect((await now()).prices.at(-1)).toEqual(['RENEWAL', 19.99]);
      expect(await now()).toMatchObject({ paid: 34.98, mrr: 19.99 });
    });

    it('keeps the credit of a downgrade for the next renewal', async () => {
      const { life, now } = await begun([{ price: premium }], premium);
      days(15);
      await world.notify(life.exchangeProrated(monthly));
      expect(await now()).toMatchObject({ ledger: ['purchase 19.99'], paid: 19.99, mrr: 9.99 });
      days(15);
      await world.notify(life.renewWith([], 500));
      expect(await now()).toMatchObject({
        ledger: ['proration -5', 'purchase 19.99', 'renewal 9.99'],
        paid: 24.98,
        mrr: 9.99,
      });
    });

    it('divides a transaction in yen without decimals', async () => {
      const { now } = await begun([{ price: yen }, { price: setUp, amount: 3000 }], yen);
      expect(await now()).toMatchObject({
        prices: [['INITIAL_PURCHASE', 1500]],
        ledger: ['proration 3000', 'purchase 1500'],
      });
    });

    it('belongs to two purchases after a mixed checkout, however it is reported', async () => {
      const user = newAppUserId();
      const life = world.paddle.subscribe(monthly, { items: [month, { price: book }] });
      await world.notify(life.updated('created'));
      expect((await world.post(user, life.latest.id)).status).toBe(200);
      expect((await world.post(user, life.id)).status).toBe(200);
      await world.notify(world.paddle.event('transaction.completed', life.latest));
      const { subscriber } = (await world.sdk.get(`/v1/subscribers/${user}`)).body;
      expect(Object.keys(subscriber.non_subscriptions)).toEqual([book.product]);
      expect((await invoiceFigures(world, user)).prices).toEqual([
        ['INITIAL_PURCHASE', 9.99],
        ['NON_RENEWING_PURCHASE', 25],
      ]);
    });

    it.each<[string, { amount?: number; line?: number }, unknown[]]>([
      [
        'in full: both end',
        {},
        [
          ['CANCELLATION', -9.99],
          ['EXPIRATION', 0],
          ['CANCELLATION', -25],
        ],
      ],
      ['in part: nothing ends', { amount: 999 }, []],
      ['for the product: only that ends', { amount: 2500, line: 1 }, [['CANCELLATION', -25]]],
    ])('goes back to the right purchase when a mixed checkout is refunded %s', async (_, terms, ended) => {
      const { life, now } = await begun([month, { price: book }]);
      await world.notify(world.paddle.adjust(life.latest, 'refund', terms));
      const { prices, paid } = await now();
      expect(prices.slice(2)).toEqual(ended);
      expect(paid).toBeCloseTo(34.99 - (terms.amount ?? 3499) / 100, 2);
    });
  });

  it("returns what Paddle's own client reads from the fake", async () => {
    const { paddle, api } = world;
    const client = new Paddle(paddle.apiKey, { environment: api.url as never });
    const life = paddle.subscribe(monthly, { trialDays: 7, others: [extra] });
    const subscription = await client.subscriptions.get(life.id);
    expect([subscription.id, subscription.status, subscription.items.length]).toEqual([
      life.id,
      'trialing',
      2,
    ]);
    paddle.adjust(life.latest, 'refund', { amount: 1 });
    const [transaction] = await client.transactions
      .list({
        subscriptionId: [life.id],
        include: ['address', 'adjustment'],
        orderBy: 'billed_at[DESC]',
        perPage: 30,
      })
      .next();
    expect([transaction?.billingPeriod?.endsAt, transaction?.adjustments?.[0]?.action]).toEqual([
      paddle.time(Date.parse(transaction?.billingPeriod?.startsAt ?? '') + 7 * DAY_MS),
      'refund',
    ]);
    await expect(client.subscriptions.get(paddle.newId('sub'))).rejects.toMatchObject({ code: 'not_found' });
    const { body } = life.updated();
    // The client accepts five seconds of its own clock.
    const now = jest.spyOn(Date, 'now').mockReturnValue(world.clock.nowMs());
    const event = await client.webhooks.unmarshal(body, paddle.webhookSecret, paddle.signature(body));
    now.mockRestore();
    expect(event.eventType).toBe('subscription.updated');
  });
});
