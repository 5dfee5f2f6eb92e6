import Stripe from 'stripe';
import { StoreTasksService } from '../../src/purchases/store-tasks/store-tasks.service.js';
import { SilentAppsJob } from '../../src/stores/shared/silent-apps.job.js';
import { StoreRefreshJob } from '../../src/stores/shared/store-refresh.job.js';
import { StoreRefreshesService } from '../../src/stores/shared/store-refreshes.service.js';
import type { Json } from '../support/api-client.js';
import { startStripeWorld, type StripeWorld } from '../support/arrange-stripe.js';
import { type FakeEvent, fakePrices } from '../support/fake-stripe/fake-stripe.js';
import { stripeErrors } from '../support/fake-stripe/fake-stripe-api.js';

const DAY_MS = 86_400_000;
const { monthly, yearly, quarterly, yen, dinar, coins, lifetime } = fakePrices;

describe('Stripe', () => {
  let world: StripeWorld;
  let count = 0;
  const newAppUserId = (): string => `user-${++count}`;
  const resting = { track_new_purchases: false };

  beforeAll(async () => {
    world = await startStripeWorld();
  });
  beforeEach(async () => {
    world.api.interfere = () => undefined;
    const { secretKey, webhookSecret } = world.stripe;
    await world.configure({
      ...resting,
      stripe_secret_key: secretKey,
      stripe_webhook_secret: webhookSecret,
      stripe_account_id: null,
    });
  });
  afterAll(() => world.close());

  describe('receipts', () => {
    it('records a subscription; a repeat changes nothing', async () => {
      const user = newAppUserId();
      const { id, latest } = world.stripe.subscribe();
      const first = await world.post(user, id, {
        presented_offering_identifier: 'sale',
        product_id: 'prod_pro',
      });
      expect(first.status).toBe(200);
      expect(first.body.subscriber.subscriptions.prod_pro).toMatchObject({
        store: 'stripe',
        is_sandbox: false,
        period_type: 'normal',
        price: { amount: 9.99, currency: 'USD' },
        store_transaction_id: latest.id,
      });
      const rows = await world.purchaseRows();
      const again = await world.post(user, id);
      expect(again.body.subscriber.subscriptions).toEqual(first.body.subscriber.subscriptions);
      expect(await world.purchaseRows()).toBe(rows);
      expect(await world.subscription(user)).toMatchObject({
        status: 'active',
        environment: 'production',
        country: 'US',
        presented_offering_id: 'sale',
        total_revenue_in_usd: { gross: 9.99 },
      });
    });

    it('names no plan: SDKs would join it to the product id', async () => {
      const { body } = await world.post(newAppUserId(), world.stripe.subscribe().id);
      const { subscriptions, entitlements } = body.subscriber;
      expect(subscriptions.prod_pro).not.toHaveProperty('product_plan_identifier');
      expect(entitlements.pro).toMatchObject({ product_identifier: 'prod_pro' });
      expect(entitlements.pro).not.toHaveProperty('product_plan_identifier');
    });

    it('objects of test mode are of the sandbox', async () => {
      const user = newAppUserId();
      const life = world.stripe.subscribe(monthly, { livemode: false, trialDays: 7 });
      const { body } = await world.post(user, life.id);
      expect(body.subscriber.subscriptions.prod_pro).toMatchObject({
        is_sandbox: true,
        period_type: 'trial',
      });
      expect(await world.subscription(user)).toMatchObject({ status: 'trialing', environment: 'sandbox' });
    });

    it.each([
      ['without decimals', yen, 1500, 'JPY'],
      ['with two', monthly, 9.99, 'USD'],
      ['with three', dinar, 3.5, 'KWD'],
    ])('converts amounts of a currency %s', async (_, price, amount, currency) => {
      const { body } = await world.post(newAppUserId(), world.stripe.subscribe(price).id);
      expect(body.subscriber.subscriptions.prod_pro.price).toEqual({ amount, currency });
    });

    it.each(['usdc', 'xyz'])('keeps a currency outside ISO 4217 (%s) from SDKs', async (currency) => {
      const user = newAppUserId();
      const answer = await world.post(user, world.stripe.subscribe({ ...monthly, currency }).id);
      expect(answer.status).toBe(200);
      expect(answer.body.subscriber.subscriptions.prod_pro.price).toBeNull();
      const { session } = world.stripe.checkout([{ price: { ...coins, currency } }]);
      const bought = await world.post(user, session.id);
      expect(bought.body.subscriber.non_subscriptions.prod_coins[0].price).toBeNull();
      expect(bought.text).not.toContain(currency.toUpperCase());
    });

    it('records a checkout session that sold a subscription as that subscription', async () => {
      const user = newAppUserId();
      const { id } = world.stripe.subscribe();
      const { session } = world.stripe.checkout([{ price: monthly }], {
        mode: 'subscription',
        subscription: id,
      });
      expect((await world.post(user, session.id)).status).toBe(200);
      await world.post(user, id);
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE']);
    });

    it('records a checkout session that was paid once as a purchase of each of its items', async () => {
      const user = newAppUserId();
      const { session } = world.stripe.checkout([{ price: lifetime }, { price: coins, quantity: 3 }]);
      const { body } = await world.post(user, session.id);
      expect(body.subscriber.entitlements.pro.expires_date).toBeNull();
      expect(body.subscriber.non_subscriptions.prod_coins).toHaveLength(1);
      const { body: list } = await world.backend.get(`${world.path}/customers/${user}/purchases`);
      expect(list.items).toHaveLength(2);
      expect(await world.events(user)).toEqual(['NON_RENEWING_PURCHASE', 'NON_RENEWING_PURCHASE']);
      await world.post(user, session.id);
      expect(await world.events(user)).toHaveLength(2);
    });

    it('counts all items of a session, even those that Stripe shows only on request', async () => {
      const user = newAppUserId();
      const sold = Array.from({ length: 120 }, (_, index) => ({ price: index === 110 ? lifetime : coins }));
      const { session, charge } = world.stripe.checkout(sold);
      const { body } = await world.post(user, session.id);
      expect(body.subscriber.non_subscriptions.prod_coins).toHaveLength(119);
      expect(body.subscriber.entitlements.pro.expires_date).toBeNull();
      if (!charge) throw new Error('nothing was charged');
      await world.notify(world.stripe.refund(charge));
      const after = await world.sdk.get(`/v1/subscribers/${user}`);
      expect(after.body.subscriber.entitlements.pro).toBeUndefined();
    });

    it('records a free session as one, too', async () => {
      const user = newAppUserId();
      const { session } = world.stripe.checkout([{ price: { ...lifetime, amount: 0 } }]);
      expect((await world.post(user, session.id)).body.subscriber.entitlements.pro).toBeDefined();
    });

    it.each([
      ['another id', () => 'cus_123'],
      ['a path', () => 'sub_1/../../customers'],
      ['nothing of Stripe', () => 'test_1767323045123_8f14e45f'],
      ['an unknown subscription', () => 'sub_nobodyKnows'],
      ['an unknown session', () => 'cs_live_nobodyKnows'],
      [
        'a session that expired',
        () => world.stripe.checkout([{ price: coins }], { paid: false, status: 'expired' }).session.id,
      ],
      ['a session that sold nothing', () => world.stripe.checkout([], { mode: 'setup' }).session.id],
      [
        'a subscription that ended before anything was paid',
        () => {
          const life = world.stripe.subscribe(monthly, { incomplete: true });
          life.terminate('cancellation_requested');
          return life.id;
        },
      ],
      [
        'a subscription that was never paid',
        () => {
          const life = world.stripe.subscribe(monthly, { incomplete: true });
          life.object.status = 'incomplete_expired';
          return life.id;
        },
      ],
    ])('%s can never be a purchase', async (_, token) => {
      const rows = await world.purchaseRows();
      const answer = await world.post(newAppUserId(), token());
      expect([answer.status, answer.body.code]).toEqual([400, 7103]);
      expect(await world.purchaseRows()).toBe(rows);
    });

    it.each([
      [
        'a session that is still open',
        () => world.stripe.checkout([{ price: coins }], { paid: false, status: 'open' }).session.id,
      ],
      [
        'a session whose money is on its way',
        () => world.stripe.checkout([{ price: coins }], { paid: false }).session.id,
      ],
      ['a first invoice that is not paid', () => world.stripe.subscribe(monthly, { incomplete: true }).id],
    ])('%s is to be posted again', async (_, token) => {
      const answer = await world.post(newAppUserId(), token());
      expect([answer.status, answer.body.code]).toEqual([503, 7651]);
    });

    it.each([
      ['is down', stripeErrors.down],
      ['finds fault with the request', stripeErrors.badRequest],
      ['knows no such address', stripeErrors.noAddress],
      ['answers what is no JSON', stripeErrors.unavailable],
      ['resets the connection', { status: 0, instead: 'reset' as const }],
    ])('loses nothing while Stripe %s', async (_, failure) => {
      const user = newAppUserId();
      const { id } = world.stripe.subscribe();
      const rows = await world.purchaseRows();
      world.api.interfere = () => failure;
      const answer = await world.post(user, id);
      expect([answer.status, answer.body.code]).toEqual([503, 7101]);
      expect(await world.purchaseRows()).toBe(rows);
      world.api.interfere = () => undefined;
      expect((await world.post(user, id)).status).toBe(200);
    });

    it('leaves nothing behind after a failure in the middle', async () => {
      const { id } = world.stripe.subscribe();
      const rows = await world.purchaseRows();
      world.api.interfere = ({ path }) => (path === '/v1/charges' ? stripeErrors.down : undefined);
      expect((await world.post(newAppUserId(), id)).status).toBe(503);
      expect(await world.purchaseRows()).toBe(rows);
    });

    it('waits in its answer when Stripe asks to wait', async () => {
      world.api.interfere = () => stripeErrors.tooMany;
      const answer = await world.post(newAppUserId(), world.stripe.subscribe().id);
      expect([answer.status, answer.headers['retry-after']]).toEqual([503, '120']);
    });
  });

  describe('the secret key', () => {
    it.each([
      ['revoked', stripeErrors.revoked, '401'],
      ['without a permission', stripeErrors.forbidden, 'rak_charge_read'],
      ['of test mode, for what was sold in live mode', stripeErrors.liveWithTestKey, 'test mode key'],
      ['that is none but a publishable one', stripeErrors.publishable, 'publishable'],
    ])(
      '%s: receipts are kept, setup health says why, and it recovers automatically',
      async (_, failure, why) => {
        const user = newAppUserId();
        const { id } = world.stripe.subscribe();
        world.api.interfere = () => failure;
        const answer = await world.post(user, id);
        expect([answer.status, answer.body.code]).toEqual([503, 7101]);
        expect(answer.text).not.toContain('ofTheFake');
        const { credentials_error: shown } = await world.health();
        expect(shown).toEqual({ since: world.clock.nowMs(), message: expect.stringContaining(why) });
        world.api.interfere = () => undefined;
        expect((await world.post(user, id)).status).toBe(200);
        expect((await world.health()).credentials_error).toBeNull();
      },
    );

    it('keeps receipts when missing, too', async () => {
      await world.configure({ stripe_secret_key: null });
      const { id } = world.stripe.subscribe();
      const answer = await world.post(newAppUserId(), id);
      expect([answer.status, answer.body.code]).toEqual([503, 7101]);
      expect((await world.health()).credentials_error.message).toContain('stripe_secret_key');
    });

    it('delays notifications while refused, and loses none', async () => {
      const user = newAppUserId();
      const life = world.stripe.subscribe();
      await world.post(user, life.id);
      world.api.interfere = () => stripeErrors.revoked;
      expect((await world.notify(life.cancel())).status).toBe(200);
      expect((await world.health()).credentials_error).not.toBeNull();
      expect((await world.subscription(user)).auto_renewal_status).toBe('will_renew');
      world.api.interfere = () => undefined;
      world.clock.advanceMs(60_000);
      await world.process();
      expect((await world.subscription(user)).auto_renewal_status).toBe('will_not_renew');
      expect((await world.health()).credentials_error).toBeNull();
    });

    it('retries after a long refusal: waiting work is done when the key is accepted', async () => {
      const user = newAppUserId();
      const { session, charge } = world.stripe.checkout([{ price: lifetime }]);
      const life = world.stripe.subscribe();
      await world.post(user, session.id);
      await world.post(user, life.id);
      world.api.interfere = () => stripeErrors.revoked;
      if (!charge) throw new Error('nothing was paid');
      await world.notify(world.stripe.refund(charge));
      life.cancel();
      const target = { projectId: world.projectId, appId: world.appId, environment: 'production' as const };
      const refreshes = world.server.app.get(StoreRefreshJob);
      await world.server.app.get(StoreRefreshesService).request(target, [life.id]);
      for (let hours = 0; hours < 6 * 24; hours += 3) {
        world.clock.advanceMs(3 * 3_600_000);
        await world.process();
        await refreshes.drain();
      }
      const state = async (): Promise<string[]> => {
        const { body } = await world.backend.get(`${world.path}/customers/${user}/purchases`);
        return [body.items[0].status, (await world.subscription(user)).auto_renewal_status];
      };
      expect(await state()).toEqual(['owned', 'will_renew']);
      expect((await world.health()).credentials_error).not.toBeNull();
      world.api.interfere = () => undefined;
      // The server may have asked for the last time just now.
      world.clock.advanceMs(3_600_000);
      await world.server.app.get(StoreTasksService).drain();
      expect((await world.health()).credentials_error).toBeNull();
      await world.process();
      await refreshes.drain();
      expect(await state()).toEqual(['refunded', 'will_not_renew']);
    });

    it('passes harmless calls, saved or not', async () => {
      const verify = (body: object) =>
        world.backend.post(`${world.path}/apps/${world.appId}/actions/verify_credentials`, body);
      expect((await verify({})).body).toMatchObject({ status: 'valid', valid: true, store: 'stripe' });
      expect((await verify({ stripe_secret_key: 'rk_live_other' })).body.status).toBe('invalid');
      world.api.interfere = ({ path }) => (path === '/v1/charges' ? stripeErrors.forbidden : undefined);
      const { body } = await verify({});
      expect([body.status, body.message]).toEqual(['invalid', expect.stringContaining('rak_charge_read')]);
      world.api.interfere = () => stripeErrors.down;
      expect((await verify({})).body.status).toBe('unreachable');
      await world.configure({ stripe_secret_key: null });
      expect((await verify({})).body).toMatchObject({ status: 'invalid' });
    });
  });

  describe('require_secret_key_for_receipts', () => {
    afterAll(() => world.configure({ require_secret_key_for_receipts: null }));

    it('refuses the public key, records nothing and takes a secret key', async () => {
      const [owner, thief] = [newAppUserId(), newAppUserId()];
      const { id } = world.stripe.subscribe();
      const backend = world.backend.with({ 'x-platform': 'stripe' });
      const settings = async (): Promise<unknown> =>
        (await world.backend.get(`${world.path}/apps/${world.appId}`)).body.stripe;
      expect(await settings()).toMatchObject({ require_secret_key_for_receipts: false });
      expect((await world.health()).receipts_hint).toContain('require_secret_key_for_receipts');
      await world.configure({ require_secret_key_for_receipts: true });
      expect(await settings()).toMatchObject({ require_secret_key_for_receipts: true });
      expect((await world.health()).receipts_hint).toBeNull();
      const asked = world.api.calls.length;
      const refused = await world.post(thief, id);
      expect([refused.status, refused.body.code]).toEqual([403, 7662]);
      expect(refused.body.message).toContain('require_secret_key_for_receipts');
      expect(world.api.calls).toHaveLength(asked);
      expect((await world.backend.get(`${world.path}/customers/${thief}`)).status).toBe(404);
      const taken = await backend.post('/v1/receipts', { app_user_id: owner, fetch_token: id });
      expect(taken.body.subscriber.entitlements.pro).toBeDefined();
      expect((await world.post(thief, id)).status).toBe(403);
      expect(
        (await world.backend.get(`${world.path}/customers/${owner}/subscriptions`)).body.items,
      ).toHaveLength(1);
    });

    it('appears in the audit log', async () => {
      world.clock.advanceMs(1);
      await world.configure({ require_secret_key_for_receipts: false });
      const [row] = (await world.session.get(`${world.path}/audit_logs?limit=1`)).body.items;
      expect(row.additional_data.changed_fields).toEqual(['store_settings.require_secret_key_for_receipts']);
    });
  });

  describe('what happens to a subscription', () => {
    const begun = async (price = monthly, start = {}) => {
      const user = newAppUserId();
      const life = world.stripe.subscribe(price, start);
      await world.post(user, life.id);
      return { user, life };
    };

    it('gives access while a renewal is being collected', async () => {
      const { user, life } = await begun();
      world.clock.advanceMs(30 * DAY_MS);
      await world.notify(life.beginPeriod());
      expect(await world.subscription(user)).toMatchObject({ gives_access: true });
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE']);
      await world.notify(life.renew());
      expect(await world.subscription(user)).toMatchObject({ status: 'active', gives_access: true });
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'RENEWAL']);
    });

    it('changes the product at once for another price of the same length, and counts its cost', async () => {
      const { user, life } = await begun();
      world.clock.advanceMs(10 * DAY_MS);
      await world.notify(life.exchange({ ...yearly, days: 30 }, { dueNow: 500 }));
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'PRODUCT_CHANGE']);
      const row = await world.subscription(user);
      expect(row.total_revenue_in_usd.gross).toBeCloseTo(14.99, 2);
      const { body } = await world.sdk.get(`/v1/subscribers/${user}`);
      expect(body.subscriber.entitlements.pro.product_identifier).toBe('prod_gold');
      await world.notify(life.exchange(monthly));
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'PRODUCT_CHANGE', 'PRODUCT_CHANGE']);
    });

    it('counts another price of the same product as a change, too', async () => {
      const { user, life } = await begun();
      world.clock.advanceMs(10 * DAY_MS);
      await world.notify(life.changeTo(quarterly));
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'PRODUCT_CHANGE', 'RENEWAL']);
    });

    it('ends when it was seen that Stripe gave up early, however often it is asked', async () => {
      const { user, life } = await begun();
      world.clock.advanceMs(30 * DAY_MS);
      await world.notify(life.fail(10));
      world.clock.advanceMs(DAY_MS);
      await world.notify(life.giveUp());
      const { ends_at: end } = await world.subscription(user);
      world.clock.advanceMs(DAY_MS);
      await world.notify(life.updated());
      expect(await world.subscription(user)).toMatchObject({ ends_at: end, gives_access: false });
    });

    it('looks up a changed schedule by its subscription', async () => {
      const { user, life } = await begun();
      life.schedule(yearly);
      const schedule = { id: 'sub_sched_1', object: 'subscription_schedule', subscription: life.id };
      await world.notify(world.stripe.event('subscription_schedule.updated', schedule));
      const planned = await world.subscription(user);
      expect(planned.auto_renewal_status).toBe('will_change_product');
      expect(planned.pending_changes?.product).toMatchObject({
        object: 'product',
        store_identifier: yearly.product,
        state: 'active',
      });
      life.object.schedule = null;
      const released = { ...schedule, subscription: null, released_subscription: life.id };
      await world.notify(world.stripe.event('subscription_schedule.released', released));
      const kept = await world.subscription(user);
      expect([kept.auto_renewal_status, kept.pending_changes]).toEqual(['will_renew', undefined]);
    });

    it('extends a trial', async () => {
      const { user, life } = await begun(monthly, { trialDays: 7 });
      await world.notify(life.extendTrial(7));
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'SUBSCRIPTION_EXTENDED']);
      expect((await world.subscription(user)).status).toBe('trialing');
    });

    it('pauses: access until the end of what was paid, and again when it is resumed and paid', async () => {
      const { user, life } = await begun();
      const resumesAt = world.stripe.now() + 90 * 86_400;
      await world.notify(life.pause(resumesAt));
      expect(await world.subscription(user)).toMatchObject({
        auto_renewal_status: 'will_pause',
        gives_access: true,
      });
      world.clock.advanceMs(30 * DAY_MS + 1000);
      await world.notify(life.updated());
      expect(await world.subscription(user)).toMatchObject({ status: 'paused', gives_access: false });
      life.resume();
      await world.notify(life.renew());
      expect(await world.subscription(user)).toMatchObject({ status: 'active', gives_access: true });
      expect(await world.events(user)).toEqual([
        'INITIAL_PURCHASE',
        'SUBSCRIPTION_PAUSED',
        'EXPIRATION/SUBSCRIPTION_PAUSED',
        'RENEWAL',
      ]);
    });

    it('takes a disputed period back until the dispute is won; an inquiry takes nothing', async () => {
      const { user, life } = await begun();
      const { charge } = life;
      for (const harmless of ['warning_needs_response', 'prevented', 'a_status_of_the_future']) {
        await world.notify(world.stripe.dispute(charge, harmless));
        expect(await world.subscription(user)).toMatchObject({ gives_access: true });
        world.stripe.disputes.length = 0;
      }
      await world.notify(world.stripe.dispute(charge));
      const taken = { status: 'expired', gives_access: false, total_revenue_in_usd: { gross: 0 } };
      expect(await world.subscription(user)).toMatchObject(taken);
      await world.notify(world.stripe.closeDispute(charge, 'lost'));
      expect(await world.subscription(user)).toMatchObject(taken);
      await world.notify(world.stripe.closeDispute(charge, 'won'));
      expect(await world.subscription(user)).toMatchObject({
        status: 'active',
        gives_access: true,
        total_revenue_in_usd: { gross: 9.99 },
      });
      expect(await world.events(user)).toEqual([
        'INITIAL_PURCHASE',
        'CANCELLATION/CUSTOMER_SUPPORT',
        'EXPIRATION/CUSTOMER_SUPPORT',
        'REFUND_REVERSED',
      ]);
    });

    it('takes no more money than was paid for a dispute after a refund, or of an earlier period, and gives no access', async () => {
      const { user, life } = await begun();
      const { charge: first } = life;
      world.clock.advanceMs(30 * DAY_MS);
      await world.notify(life.renew());
      await world.notify(world.stripe.dispute(first));
      expect(await world.subscription(user)).toMatchObject({
        gives_access: true,
        total_revenue_in_usd: { gross: 9.99 },
      });
      await world.notify(life.refund());
      await world.notify(world.stripe.dispute(life.charge));
      const [row] = [await world.subscription(user)];
      expect(row).toMatchObject({ gives_access: false, total_revenue_in_usd: { gross: 0 } });
    });

    it('ends what a disputed payment bought, and restores it when the dispute is won', async () => {
      const user = newAppUserId();
      const { session, charge } = world.stripe.checkout([{ price: fakePrices.lifetime }]);
      if (!charge) throw new Error('nothing was paid');
      await world.post(user, session.id);
      const unlocked = async (): Promise<string[]> => {
        const { body } = await world.sdk.get(`/v1/subscribers/${user}`);
        return Object.keys(body.subscriber.entitlements);
      };
      await world.notify(world.stripe.dispute(charge));
      expect(await unlocked()).toEqual([]);
      await world.notify(world.stripe.closeDispute(charge, 'won'));
      expect(await unlocked()).toEqual(['pro']);
    });

    it('prefers a product named by its price to the product', async () => {
      const named = await world.backend.post(`${world.path}/products`, {
        app_id: world.appId,
        store_identifier: fakePrices.quarterly.id,
        type: 'subscription',
      });
      expect(named.status).toBe(201);
      const [user, other] = [newAppUserId(), newAppUserId()];
      await world.post(user, world.stripe.subscribe(fakePrices.quarterly).id);
      await world.post(other, world.stripe.subscribe(fakePrices.monthly).id);
      expect(await world.subscription(user)).toMatchObject({
        product_id: named.body.id,
        entitlements: { items: [] },
      });
      const { product_id: product } = await world.subscription(other);
      expect(product).not.toBe(named.body.id);
    });

    it('finds an item of a checkout by its price, too: entitlements, credits and refunds', async () => {
      const pack = { ...coins, id: 'price_coins_pack', amount: 999 };
      const named = await world.backend.post(`${world.path}/products`, {
        app_id: world.appId,
        store_identifier: pack.id,
        type: 'non_consumable',
        display_name: 'Pack of coins',
      });
      expect(named.status).toBe(201);
      const { body: entitlement } = await world.backend.post(`${world.path}/entitlements`, {
        lookup_key: 'pack',
        display_name: 'Pack',
      });
      await world.backend.post(`${world.path}/entitlements/${entitlement.id}/actions/attach_products`, {
        product_ids: [named.body.id],
      });
      await world.backend.post(`${world.path}/virtual_currencies`, {
        code: 'PACK',
        name: 'Coins',
        product_grants: [{ product_ids: [named.body.id], amount: 50 }],
      });
      const user = newAppUserId();
      const { session, charge } = world.stripe.checkout([{ price: pack }, { price: coins }]);
      const { body: info } = await world.post(user, session.id);
      expect(info.subscriber.entitlements).toEqual({
        pack: expect.objectContaining({ product_identifier: coins.product, expires_date: null }),
      });
      const shown: { display_name?: string }[] = info.subscriber.non_subscriptions.prod_coins;
      expect(shown.map(({ display_name: name }) => name)).toContain('Pack of coins');
      const customer = `${world.path}/customers/${user}`;
      const list = await world.backend.get(`${customer}/purchases`);
      const products = new Map(
        list.body.items.map((row: { store_purchase_identifier: string; product_id: string }) => [
          row.store_purchase_identifier,
          row.product_id,
        ]),
      );
      const payment = charge?.payment_intent ?? '';
      expect(products.get(payment)).toBe(named.body.id);
      expect([named.body.id, undefined, null]).not.toContain(products.get(`${payment}:1`));
      const { body: why } = await world.backend.get(`${customer}/access_explanation`);
      expect(JSON.stringify(why)).toContain(named.body.id);

      if (!charge) throw new Error('nothing was paid');
      await world.notify(world.stripe.refund(charge));
      const { body: wallet } = await world.sdk.get(`/v1/subscribers/${user}/virtual_currencies`);
      expect(wallet.virtual_currencies.PACK.balance).toBe(0);
      const events = await world.backend.get(`${customer}/events?limit=100`);
      const recorded = (events.body.items as Json[])
        .map(({ body }) => body)
        .filter(({ transaction_id: id }) => id === payment)
        .sort((one, other) => one.sequence - other.sequence)
        .map(({ type, entitlement_ids: ids, product_display_name: name }) => [type, ids ?? name]);
      expect(recorded).toEqual([
        ['NON_RENEWING_PURCHASE', ['pack']],
        ['VIRTUAL_CURRENCY_TRANSACTION', 'Pack of coins'],
        ['CANCELLATION', ['pack']],
        ['VIRTUAL_CURRENCY_TRANSACTION', 'Pack of coins'],
      ]);
    });

    it('changes only money for a partial refund', async () => {
      const { user, life } = await begun();
      await world.notify(life.refund(400));
      await world.notify(life.refund(100));
      const row = await world.subscription(user);
      expect(row).toMatchObject({ status: 'active', gives_access: true });
      expect(row.total_revenue_in_usd.gross).toBeCloseTo(4.99, 2);
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE']);
    });

    it('ends at once, without a refund', async () => {
      const { user, life } = await begun();
      world.clock.advanceMs(3 * DAY_MS);
      await world.notify(life.terminate('cancellation_requested'));
      expect(await world.subscription(user)).toMatchObject({ status: 'expired', gives_access: false });
      expect(await world.events(user)).toEqual([
        'INITIAL_PURCHASE',
        'CANCELLATION/UNSUBSCRIBE',
        'EXPIRATION/UNSUBSCRIBE',
      ]);
    });
  });

  it('refunds a payment of a session in part, then all of it', async () => {
    const user = newAppUserId();
    const { session, charge } = world.stripe.checkout([{ price: lifetime }]);
    await world.post(user, session.id);
    if (!charge) throw new Error('nothing was charged');
    await world.notify(world.stripe.refund(charge, 9_900));
    const list = () => world.backend.get(`${world.path}/customers/${user}/purchases`);
    const [partly] = (await list()).body.items;
    expect([partly.status, partly.revenue_in_usd.gross]).toEqual(['owned', 100]);
    await world.notify(world.stripe.refund(charge));
    const [wholly] = (await list()).body.items;
    expect([wholly.status, wholly.revenue_in_usd.gross]).toEqual(['refunded', 0]);
    expect(await world.events(user)).toEqual(['NON_RENEWING_PURCHASE', 'CANCELLATION/CUSTOMER_SUPPORT']);
  });

  it('polls weekly without webhooks for what may have been refunded', async () => {
    const user = newAppUserId();
    const sold = Array.from({ length: 3 }, () => world.stripe.checkout([{ price: lifetime }]));
    for (const { session } of sold) expect((await world.post(user, session.id)).status).toBe(200);
    world.clock.advanceMs(8 * DAY_MS);
    for (const { charge } of sold.slice(0, 2)) if (charge) world.stripe.refund(charge);
    for (let round = 0; round < 2; round++) {
      await world.server.app.get(SilentAppsJob).schedule();
      await world.server.app.get(StoreTasksService).drain();
      world.clock.advanceMs(DAY_MS / 2);
      await world.server.app.get(StoreRefreshJob).drain();
    }
    expect((await world.events(user)).slice(3)).toEqual(Array(2).fill('CANCELLATION/CUSTOMER_SUPPORT'));
  });

  describe('webhooks', () => {
    const inbox = () =>
      world.server.dataSource.query<{ kind: string; state: string; subject: string }[]>(
        `SELECT kind, state, subject FROM store_notifications WHERE state <> 'rejected'
         ORDER BY received_at DESC, id DESC`,
      );

    it('ignores the same event the second time', async () => {
      const user = newAppUserId();
      const life = world.stripe.subscribe();
      await world.post(user, life.id);
      const event = life.cancel();
      await world.notify(event);
      const rows = (await inbox()).length;
      world.api.calls.length = 0;
      expect((await world.notify(event)).status).toBe(200);
      expect([(await inbox()).length, world.api.calls.length]).toEqual([rows, 0]);
    });

    it.each([1e15, -5, 'soon'])('accepts events with an impossible time (%p)', async (created) => {
      const user = newAppUserId();
      const life = world.stripe.subscribe();
      await world.post(user, life.id);
      const event = JSON.parse(life.cancel().body);
      const body = JSON.stringify({ ...event, created });
      world.clock.advanceMs(1000);
      expect((await world.send(body, world.stripe.signature(body))).status).toBe(200);
      expect((await world.subscription(user)).auto_renewal_status).toBe('will_not_renew');
    });

    it('keeps receipts and events when Stripe answers with an impossible time', async () => {
      const user = newAppUserId();
      const life = world.stripe.subscribe();
      await world.post(user, life.id);
      const impossible = { ...life.now, canceled_at: 1e15 };
      world.api.interfere = ({ path }) =>
        path.startsWith('/v1/subscriptions/') ? { status: 200, body: impossible } : undefined;
      expect((await world.notify(life.updated())).status).toBe(200);
      const refused = await world.post(user, life.id);
      expect([refused.status, refused.body.code]).toEqual([503, 7101]);
      world.api.interfere = () => undefined;
      life.cancel();
      world.clock.advanceMs(3_600_000);
      await world.process();
      expect((await world.subscription(user)).auto_renewal_status).toBe('will_not_renew');
    });

    it('ignores an old event that comes late', async () => {
      const user = newAppUserId();
      const life = world.stripe.subscribe();
      await world.post(user, life.id);
      const old = life.cancel();
      await world.notify(life.uncancel());
      await world.notify(old);
      expect(await world.subscription(user)).toMatchObject({ auto_renewal_status: 'will_renew' });
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE']);
    });

    it('ignores claims in an event and asks Stripe', async () => {
      const user = newAppUserId();
      const life = world.stripe.subscribe();
      await world.post(user, life.id);
      const claim = { ...life.now, status: 'canceled', ended_at: world.stripe.now() };
      await world.notify(world.stripe.event('customer.subscription.deleted', claim));
      expect(await world.subscription(user)).toMatchObject({ status: 'active' });
    });

    it('keeps a purchase without an owner until it is posted', async () => {
      const user = newAppUserId();
      const life = world.stripe.subscribe();
      await world.notify(life.updated());
      expect((await inbox())[0]).toMatchObject({ state: 'ignored_unknown_purchase', subject: life.id });
      await world.post(user, life.id);
      await world.process();
      expect((await inbox()).find(({ subject }) => subject === life.id)?.state).toBe('processed');
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE']);
    });

    it('assigns it, with tracking on, to the customer known for the Stripe customer, else to a new one', async () => {
      await world.configure({ track_new_purchases: true });
      const user = newAppUserId();
      const first = world.stripe.subscribe();
      await world.post(user, first.id);
      const second = world.stripe.subscribe(yearly);
      second.object.customer = first.customer;
      await world.notify(second.updated());
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'INITIAL_PURCHASE']);
      const stranger = world.stripe.subscribe();
      await world.notify(stranger.updated());
      const rows = await world.server.dataSource.query(
        `SELECT c.original_app_user_id AS id FROM subscriptions s
         JOIN customers c ON c.project_id = s.project_id AND c.id = s.customer_id WHERE s.store_key = $1`,
        [stranger.id],
      );
      expect(rows).toEqual([{ id: expect.stringMatching(/^\$RCAnonymousID:[0-9a-f]{32}$/) }]);
    });

    it('accepts and ignores events of other kinds, and of things that are not sold by apps', async () => {
      const { charge } = world.stripe.checkout([{ price: coins }]);
      const events = [
        world.stripe.event('payout.paid', { id: 'po_1', object: 'payout' }),
        world.stripe.event('checkout.session.expired', {
          id: 'cs_1',
          object: 'checkout.session',
          status: 'expired',
        }),
        world.stripe.event('charge.refunded', { ...charge, id: 'ch_0', payment_intent: 'pi_ofNobody' }),
      ];
      for (const event of events) expect((await world.notify(event)).status).toBe(200);
      const states = (await inbox()).slice(0, 3).map(({ state }) => state);
      expect(states.sort()).toEqual(['ignored_type', 'ignored_type', 'ignored_unknown_purchase']);
    });

    it('answers them at once and processes them later while Stripe is down', async () => {
      const user = newAppUserId();
      const life = world.stripe.subscribe();
      await world.post(user, life.id);
      world.api.interfere = () => stripeErrors.down;
      expect((await world.notify(life.cancel())).status).toBe(200);
      expect((await inbox())[0]?.state).toBe('retrying');
      world.api.interfere = () => undefined;
      world.clock.advanceMs(60_000);
      await world.process();
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'CANCELLATION/UNSUBSCRIBE']);
    });

    describe('that are forged', () => {
      let event: FakeEvent;
      const signed = (options = {}) => world.stripe.signature(event.body, options);
      const hmac = (header: string): string => /v1=(\w+)/.exec(header)?.[1] ?? '';
      const swapped = (): string => event.body.replace('"will_be":"kept"', '"will_be":"lost"');

      beforeEach(() => {
        const life = world.stripe.subscribe();
        event = world.stripe.event('customer.subscription.updated', { ...life.now, will_be: 'kept' });
      });

      const forgeries: [string, () => [body: string, signature: string | null]][] = [
        ['without a signature', () => [event.body, null]],
        ['with an empty one', () => [event.body, '']],
        ['with noise for a signature', () => [event.body, 'v1=,t=,,=;']],
        ['with another secret', () => [event.body, signed({ secret: 'whsec_other' })]],
        ['with an empty secret', () => [event.body, signed({ secret: '' })]],
        ['with the secret key of the API', () => [event.body, signed({ secret: world.stripe.secretKey })]],
        ['altered', () => [swapped(), signed()]],
        ['written anew', () => [JSON.stringify(JSON.parse(event.body), null, 1), signed()]],
        ['with a byte more', () => [`${event.body}\n`, signed()]],
        ['301 seconds old', () => [event.body, signed({ ageS: 301 })]],
        ['301 seconds ahead', () => [event.body, signed({ ageS: -301 })]],
        [
          'old, dated anew',
          () => [event.body, signed({ ageS: 9_000 }).replace(/t=\d+/, `t=${world.stripe.now()}`)],
        ],
        ['with scheme v0 only', () => [event.body, signed({ scheme: 'v0' })]],
        [
          'with several signatures of which none fits',
          () => [event.body, `${signed({ secret: 'a' })},v1=${'0'.repeat(64)}`],
        ],
        ['in capitals', () => [event.body, signed().replace(hmac(signed()), hmac(signed()).toUpperCase())]],
        ['with the signature cut off', () => [event.body, signed().slice(0, -2)]],
        ['without a date', () => [event.body, `v1=${hmac(signed())}`]],
        [
          'with the signature of another event',
          () => [event.body, world.stripe.signature(world.stripe.event('payout.paid', { id: 'po_2' }).body)],
        ],
        ['that is no JSON', () => ['sub_1', world.stripe.signature('sub_1')]],
        ['that is no event', () => ['{"id":1}', world.stripe.signature('{"id":1}')]],
        [
          'that is about nothing',
          () => {
            const nothing = event.body.replace(/"object":\{.*\}\}/, '"object":null}');
            return [nothing, world.stripe.signature(nothing)];
          },
        ],
        ['that is empty', () => ['', world.stripe.signature(' ')]],
      ];

      it.each(forgeries)('%s: none is taken', async (_, forge) => {
        const before = await inbox();
        const [body, signature] = forge();
        world.api.calls.length = 0;
        const answer = await world.send(body, signature);
        expect([answer.status, answer.body.code]).toEqual([400, 7103]);
        expect(await inbox()).toEqual(before);
        expect(world.api.calls).toEqual([]);
      });

      it('refuses events of another account', async () => {
        await world.configure({ stripe_account_id: 'acct_mine' });
        const foreign = world.stripe.event(
          'customer.subscription.updated',
          { id: 'sub_1' },
          { account: 'acct_other' },
        );
        expect((await world.notify(foreign)).status).toBe(400);
      });

      it('refuses all without a webhook secret; with one, accepts one of several signatures that fits', async () => {
        await world.configure({ stripe_webhook_secret: null });
        expect((await world.notify(event)).status).toBe(400);
        await world.configure({ stripe_webhook_secret: world.stripe.webhookSecret });
        const both = `${signed({ secret: 'whsec_rolled' })},v1=${hmac(signed())}`;
        expect((await world.send(event.body, both)).status).toBe(200);
      });

      it('refuses them at the address of another app', async () => {
        const { body: other } = await world.backend.post(`${world.path}/apps`, {
          name: 'Other',
          type: 'stripe',
          stripe: { stripe_webhook_secret: 'whsec_of_the_other' },
        });
        const send = (id: string, store = 'stripe') =>
          world.server.http.send('POST', `/v1/notifications/${store}/${id}`, event.body, {
            'content-type': 'application/json',
            'stripe-signature': signed(),
          });
        expect((await send(other.id)).status).toBe(400);
        expect((await send('app_unknown')).status).toBe(404);
        expect((await send(world.appId, 'apple')).status).toBe(404);
      });

      it('agrees with the library on what is genuine', () => {
        const header = signed();
        const receivedAt = world.clock.nowMs();
        const secret = world.stripe.webhookSecret;
        expect(
          Stripe.webhooks.constructEvent(event.body, header, secret, 300, undefined, receivedAt).id,
        ).toBe(event.id);
      });
    });
  });

  describe('actions', () => {
    it('refuses them: they are left to the seller', async () => {
      const user = newAppUserId();
      const { id } = world.stripe.subscribe();
      await world.post(user, id);
      const row = await world.subscription(user);
      for (const action of ['cancel', 'refund']) {
        const answer = await world.backend.post(
          `${world.path}/subscriptions/${row.id}/actions/${action}`,
          {},
        );
        expect(answer.status).toBe(422);
      }
      for (const action of ['revoke', 'cancel']) {
        const name = action === 'revoke' ? 'prod_pro' : world.stripe.subscriptions.get(id)?.latest.id;
        const answer = await world.backend.post(
          `/v1/subscribers/${user}/subscriptions/${name}/${action}`,
          {},
        );
        expect([answer.status, answer.body.code]).toEqual([400, 7000]);
      }
    });
  });
});
