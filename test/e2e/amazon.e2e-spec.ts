import { StoreTasksService } from '../../src/purchases/store-tasks/store-tasks.service.js';
import { SilentAppsJob } from '../../src/stores/shared/silent-apps.job.js';
import { StoreRefreshJob } from '../../src/stores/shared/store-refresh.job.js';
import { StoreRefreshesService } from '../../src/stores/shared/store-refreshes.service.js';
import type { Json } from '../support/api-client.js';
import { type AmazonWorld, startAmazonWorld } from '../support/arrange-amazon.js';
import { amazonErrors, fakeSkus } from '../support/fake-amazon/fake-amazon.js';
import { type SnsFields, TOPIC } from '../support/fake-amazon/fake-sns.js';

const DAY_MS = 86_400_000;
const { monthly, yearly, coins, lifetime } = fakeSkus;

describe('the Amazon Appstore', () => {
  let world: AmazonWorld;
  let count = 0;
  const newAppUserId = (): string => `user-${++count}`;
  const post = (user: string, { userId, id }: { userId: string; id: string }, more: object = {}) =>
    world.post(user, id, { store_user_id: userId, ...more });
  const resting = { track_new_purchases: false, sns_topic_arn: null };

  beforeAll(async () => {
    world = await startAmazonWorld();
  });
  beforeEach(async () => {
    world.amazon.interfere = () => undefined;
    world.sns.interfere = () => undefined;
    await world.configure({ ...resting, shared_secret: world.amazon.secret });
  });
  afterAll(() => world.close());

  describe('receipts', () => {
    it("records a subscription by its term SKU, at the device's price; a repeat changes nothing", async () => {
      const user = newAppUserId();
      const life = world.amazon.subscribe();
      const shown = {
        product_id: 'pro_monthly',
        price: 4.99,
        currency: 'USD',
        presented_offering_identifier: 'sale',
      };
      const first = await post(user, life, shown);
      expect(first.status).toBe(200);
      expect(first.body.subscriber.subscriptions.pro_monthly).toMatchObject({
        store: 'amazon',
        is_sandbox: false,
        period_type: 'normal',
        store_transaction_id: life.id,
        price: { amount: 4.99, currency: 'USD' },
      });
      const rows = await world.purchaseRows();
      expect((await post(user, life, shown)).status).toBe(200);
      expect(await world.purchaseRows()).toBe(rows);
      expect(await world.subscription(user)).toMatchObject({
        status: 'active',
        country: 'US',
        presented_offering_id: 'sale',
      });
    });

    it('records every month of a subscription first seen after months, at the price of the first', async () => {
      const user = newAppUserId();
      const life = world.amazon.subscribe(monthly, 7);
      for (let month = 0; month < 5; month++) life.renew();
      world.clock.advanceMs(156 * DAY_MS);
      await post(user, life, { product_id: 'pro_monthly', price: 4.99, currency: 'USD' });
      const recorded = await world.events(user);
      expect(recorded.filter((type) => type === 'RENEWAL')).toHaveLength(5);
      expect((await world.subscription(user)).total_revenue_in_usd.gross).toBeCloseTo(5 * 4.99, 2);
    });

    it('gives access until the end of the current month if renewal was off when first seen', async () => {
      const user = newAppUserId();
      const life = world.amazon.subscribe();
      for (let month = 0; month < 3; month++) life.renew();
      life.setAutoRenew(false);
      expect(life.receipt.renewalDate).toBeNull();
      world.clock.advanceMs(100 * DAY_MS);
      await post(user, life);
      expect(await world.subscription(user)).toMatchObject({
        gives_access: true,
        auto_renewal_status: 'will_not_renew',
        ends_at: (life.receipt.purchaseDate as number) + 120 * DAY_MS,
      });
    });

    it('consumables and entitlements are one-time purchases; the first are to be consumed', async () => {
      const user = newAppUserId();
      const bought = world.amazon.buy(coins, 'CONSUMABLE');
      const forever = world.amazon.buy(lifetime, 'ENTITLED');
      const first = await post(
        user,
        { userId: bought.userId, id: bought.receipt.receiptId },
        { product_id: 'coins' },
      );
      expect(first.body.purchased_products).toEqual({ coins: { should_consume: true } });
      const second = await post(
        user,
        { userId: forever.userId, id: forever.receipt.receiptId },
        { product_id: 'lifetime' },
      );
      expect(second.body.purchased_products).toEqual({ lifetime: { should_consume: false } });
      expect(second.body.subscriber.entitlements.pro.expires_date).toBeNull();
      expect(await world.events(user)).toEqual(['NON_RENEWING_PURCHASE', 'NON_RENEWING_PURCHASE']);
    });

    it.each([
      ['of the sandbox', () => world.amazon.buy(lifetime, 'ENTITLED', true)],
      [
        'of a beta test',
        () => {
          const bought = world.amazon.buy(lifetime, 'ENTITLED');
          bought.receipt.betaProduct = true;
          return bought;
        },
      ],
      [
        'of a tester',
        () => {
          const bought = world.amazon.buy(lifetime, 'ENTITLED');
          bought.receipt.testTransaction = true;
          return bought;
        },
      ],
    ])('records a receipt %s as a sandbox purchase', async (_, buy) => {
      const { userId, receipt } = buy();
      const { body } = await post(newAppUserId(), { userId, id: receipt.receiptId });
      expect(body.subscriber.non_subscriptions.lifetime[0].is_sandbox).toBe(true);
    });

    it.each([
      ['an unknown receipt', () => ({ userId: 'amzn1.account.1', id: 'unknown' })],
      ['a path for a user', () => ({ userId: '..', id: 'unknown' })],
      ['a path for a receipt', () => ({ userId: 'amzn1.account.1', id: '../../../sandbox' })],
      [
        'a receipt of another user',
        () => ({ ...pick(world.amazon.subscribe()), userId: world.amazon.newUser() }),
      ],
      [
        'a receipt that is gone',
        () => {
          const life = world.amazon.subscribe();
          world.amazon.forget(life.id);
          return life;
        },
      ],
    ])('%s can never be a purchase', async (_, receipt) => {
      const rows = await world.purchaseRows();
      const answer = await post(newAppUserId(), receipt());
      expect([answer.status, answer.body.code]).toEqual([400, 7103]);
      expect(await world.purchaseRows()).toBe(rows);
    });

    it('rejects a receipt without its user as a bad request', async () => {
      const answer = await world.post(newAppUserId(), world.amazon.subscribe().id);
      expect([answer.status, answer.body.code]).toEqual([400, 7226]);
    });

    it.each([
      ['is down', amazonErrors.down, '30'],
      ['asks to wait', amazonErrors.tooMany, '90'],
      ['answers what is no JSON', amazonErrors.unreadable, '30'],
      ['answers with another receipt', { status: 200, body: { receiptId: 'other' } }, '30'],
      ['sends elsewhere', { status: 302, headers: { location: 'https://example.com' } }, '30'],
      ['answers with an unexpected status', { status: 418 }, '30'],
      ['is hidden by a proxy that answers 400', { status: 400, body: '<html>' }, '30'],
      ['is hidden by a gateway that answers 400', { status: 400, body: { message: 'Bad Request' } }, '30'],
      ['seems to answer 400, and says nothing', { status: 400, body: '' }, '30'],
      ['is hidden by a proxy that answers 410', { status: 410, body: '<html>' }, '30'],
      ['is hidden by a proxy that answers 497', { status: 497, body: 'HTTP to an HTTPS port' }, '30'],
      ['resets the connection', { status: 0, instead: 'reset' as const }, '30'],
    ])('loses nothing while Amazon %s', async (_, failure, wait) => {
      const user = newAppUserId();
      const life = world.amazon.subscribe();
      const rows = await world.purchaseRows();
      world.amazon.interfere = () => failure;
      const answer = await post(user, life);
      expect([answer.status, answer.body.code, answer.headers['retry-after']]).toEqual([503, 7101, wait]);
      expect(await world.purchaseRows()).toBe(rows);
      world.amazon.interfere = () => undefined;
      expect((await post(user, life)).status).toBe(200);
    });

    it('looks in the sandbox for a user whom production does not know', async () => {
      const { userId, receipt } = world.amazon.buy(lifetime, 'ENTITLED', true);
      const inSandbox = (path: string): boolean => path.startsWith('/sandbox');
      world.amazon.interfere = ({ path }) => (inSandbox(path) ? undefined : amazonErrors.user);
      const { body } = await post(newAppUserId(), { userId, id: receipt.receiptId });
      expect(body.subscriber.non_subscriptions.lifetime[0].is_sandbox).toBe(true);
      const refused = await post(newAppUserId(), { userId, id: 'unknown' });
      expect([refused.status, refused.body.code]).toEqual([400, 7103]);
      expect(refused.body.message).toContain('no such user');
      world.amazon.interfere = ({ path }) => (inSandbox(path) ? amazonErrors.down : amazonErrors.user);
      expect((await post(newAppUserId(), { userId, id: 'unknown' })).status).toBe(503);
    });

    it('reports a secret that is checked behind a proxy as neither good nor bad', async () => {
      world.amazon.interfere = () => ({ status: 400, body: '<html>' });
      const path = `${world.path}/apps/${world.appId}/actions/verify_credentials`;
      expect((await world.backend.post(path, {})).body.status).toBe('unreachable');
    });

    it('keeps an unknown receipt when only the sandbox fails', async () => {
      world.amazon.interfere = ({ path }) => (path.startsWith('/sandbox') ? amazonErrors.down : undefined);
      expect((await post(newAppUserId(), { userId: 'amzn1.account.1', id: 'unknown' })).status).toBe(503);
    });
  });

  describe('the shared secret', () => {
    it('keeps receipts when refused or missing, shows it in setup health, and recovers automatically', async () => {
      const user = newAppUserId();
      const life = world.amazon.subscribe();
      for (const shared_secret of ['2:wrong', null]) {
        await world.configure({ shared_secret });
        const answer = await post(user, life);
        expect([answer.status, answer.body.code]).toEqual([503, 7104]);
        expect((await world.health()).credentials_error.message).toContain('shared_secret');
      }
      await world.configure({ shared_secret: world.amazon.secret });
      expect((await post(user, life)).status).toBe(200);
      expect((await world.health()).credentials_error).toBeNull();
    });

    it.each([
      [
        'the SDK only asked for a receipt',
        (userId: string, id: string) =>
          world.sdk.get(`/v1/receipts/amazon/${userId}/${encodeURIComponent(id)}`),
      ],
      [
        'there was only a notification',
        (userId: string, id: string) =>
          world.notify(world.amazon.notification('SUBSCRIPTION_RENEWED', userId, id)),
      ],
    ])('shows in setup health as refused also when %s; it recovers the same way', async (_, ask) => {
      const { userId, id } = world.amazon.subscribe();
      world.amazon.interfere = () => amazonErrors.secret;
      await ask(userId, id);
      expect((await world.health()).credentials_error.message).toContain('shared_secret');
      world.amazon.interfere = () => undefined;
      await ask(userId, id);
      expect((await world.health()).credentials_error).toBeNull();
    });

    it('passes a harmless call, saved or not', async () => {
      const verify = (body: object) =>
        world.backend.post(`${world.path}/apps/${world.appId}/actions/verify_credentials`, body);
      expect((await verify({})).body).toMatchObject({ status: 'valid', valid: true, store: 'amazon' });
      expect((await verify({ shared_secret: '2:wrong' })).body.status).toBe('invalid');
      world.amazon.interfere = () => amazonErrors.down;
      expect((await verify({})).body.status).toBe('unreachable');
    });
  });

  describe('the receipt that the SDK asks for', () => {
    const get = (userId: string, id: string) =>
      world.sdk.get(`/v1/receipts/amazon/${userId}/${encodeURIComponent(id)}`);

    it("returns Amazon's own answer, with slashes in its id", async () => {
      const { userId, id } = world.amazon.subscribe();
      expect(id).toContain('/');
      const { status, body } = await get(userId, id);
      expect([status, body.termSku, body.receiptId]).toEqual([200, 'pro_monthly', id]);
      const { body: keys } = await world.backend.get(`${world.path}/apps/${world.appId}/public_api_keys`);
      const unencoded = await fetch(`${world.server.baseUrl}/v1/receipts/amazon/${userId}/${id}`, {
        headers: { authorization: `Bearer ${keys.items[0].key}`, 'x-platform': 'amazon' },
      });
      expect(await unencoded.json()).toEqual(body);
    });

    it('returns an error if there is none, or it cannot be fetched', async () => {
      const { userId, id } = world.amazon.subscribe();
      expect((await get(userId, 'unknown')).body.code).toBe(7103);
      world.amazon.interfere = () => amazonErrors.down;
      expect((await get(userId, id)).body.code).toBe(7101);
      await world.configure({ shared_secret: null });
      const answer = await get(userId, id);
      expect([answer.status, answer.body.code]).toEqual([503, 7104]);
    });
  });

  describe('what happens to a purchase', () => {
    it('ends the old subscription after an upgrade, without an expiration event', async () => {
      const user = newAppUserId();
      const old = world.amazon.subscribe();
      await post(user, old);
      world.clock.advanceMs(10 * DAY_MS);
      const fresh = world.amazon.subscribe(yearly, undefined, old.userId);
      const change = { notificationType: 'SUBSCRIPTION_MODIFIED_IMMEDIATE' };
      await world.configure({ track_new_purchases: true });
      old.end(4);
      await world.notify(
        fresh.change(change.notificationType, {}, { relatedReceipts: { cancelledReceiptId: old.id } }),
      );
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'INITIAL_PURCHASE', 'PRODUCT_CHANGE']);
      const { body } = await world.backend.get(`${world.path}/customers/${user}/subscriptions`);
      expect(body.items.map((row: { gives_access: boolean }) => row.gives_access).sort()).toEqual([
        false,
        true,
      ]);
    });

    it('converts a trial, even if Amazon reports its end only while it runs', async () => {
      const user = newAppUserId();
      const life = world.amazon.subscribe(monthly, 7);
      await post(user, life);
      world.clock.advanceMs(7 * DAY_MS);
      life.renew();
      await world.notify(
        life.change('SUBSCRIPTION_CONVERTED_FREE_TRIAL_TO_PAID', { freeTrialEndDate: null }),
      );
      const { body } = await world.backend.get(`${world.path}/customers/${user}/events?limit=10`);
      const recorded = body.items
        .map((row: Json) => row.body)
        .sort((a: Json, b: Json) => a.sequence - b.sequence);
      expect(recorded.map((row: Json) => [row.type, row.period_type, row.is_trial_conversion])).toEqual([
        ['INITIAL_PURCHASE', 'TRIAL', undefined],
        ['RENEWAL', 'NORMAL', true],
      ]);
    });

    it('terms at an introductory price stay such when it is over; other promotions are none', async () => {
      const [user, other] = [newAppUserId(), newAppUserId()];
      const promotion = (promotionType: string, promotionStatus: string) => ({
        promotions: [{ promotionType, promotionStatus }],
      });
      const introductory = (status: string) => promotion('Introductory Price - All Customers', status);
      const life = world.amazon.subscribe(monthly, 7);
      life.change('', introductory('Queued'));
      await post(user, life);
      const hear = async (days: number, status: string) => {
        world.clock.advanceMs(days * DAY_MS);
        life.change('', introductory(status));
        await world.notify(life.renew());
      };
      await hear(7, 'InProgress');
      expect((await post(user, life)).body.subscriber.subscriptions.pro_monthly.period_type).toBe('intro');
      await hear(30, 'InProgress');
      await hear(30, 'Completed');
      const list = await world.backend.get(`${world.path}/customers/${user}/events?limit=100`);
      const recorded = (list.body.items as Json[])
        .map(({ body }) => body)
        .sort((a, b) => a.sequence - b.sequence);
      expect(recorded.map(({ type, period_type: kind }) => [type, kind])).toEqual([
        ['INITIAL_PURCHASE', 'TRIAL'],
        ['RENEWAL', 'INTRO'],
        ['RENEWAL', 'INTRO'],
        ['RENEWAL', 'NORMAL'],
      ]);
      const lapsed = world.amazon.subscribe();
      lapsed.change('', promotion('Promotional Price - Lapsed Customers', 'InProgress'));
      const { body } = await post(other, lapsed);
      expect(body.subscriber.subscriptions.pro_monthly.period_type).toBe('normal');
    });

    it('ends an entitlement that Amazon took back, whether Amazon still shows it or not', async () => {
      for (const isGone of [false, true]) {
        const user = newAppUserId();
        const { userId, receipt } = world.amazon.buy(lifetime, 'ENTITLED');
        await post(user, { userId, id: receipt.receiptId });
        if (isGone) world.amazon.forget(receipt.receiptId);
        else receipt.cancelDate = world.clock.nowMs();
        world.clock.advanceMs(1000);
        await world.notify(world.amazon.notification('ENTITLEMENT_CANCELLED', userId, receipt.receiptId));
        expect(await world.events(user)).toEqual(['NON_RENEWING_PURCHASE', 'CANCELLATION/CUSTOMER_SUPPORT']);
        const { body } = await world.sdk.get(`/v1/subscribers/${user}`);
        expect(body.subscriber.entitlements.pro).toBeUndefined();
      }
    });

    it('takes nothing back for a notification that Amazon does not confirm', async () => {
      const user = newAppUserId();
      const { userId, receipt } = world.amazon.buy(lifetime, 'ENTITLED');
      await post(user, { userId, id: receipt.receiptId });
      const claim = (of: string) => world.amazon.notification('ENTITLEMENT_CANCELLED', of, receipt.receiptId);
      await world.notify(claim(world.amazon.newUser()));
      await world.notify(claim(userId));
      world.amazon.interfere = () => amazonErrors.invalid;
      await world.notify(claim(userId));
      world.amazon.interfere = () => ({ status: 410, body: '<html>' });
      await world.notify(claim(userId));
      expect(await world.events(user)).toEqual(['NON_RENEWING_PURCHASE']);
    });

    it('ends a purchase that Amazon took back, even if it is posted again', async () => {
      const [user, other] = [newAppUserId(), newAppUserId()];
      const { userId, receipt } = world.amazon.buy(lifetime, 'ENTITLED');
      const again = () => post(user, { userId, id: receipt.receiptId });
      expect((await again()).body.subscriber.entitlements.pro).toBeDefined();
      world.amazon.forget(receipt.receiptId);
      world.clock.advanceMs(1000);
      const answer = await again();
      expect([answer.status, answer.body.subscriber.entitlements.pro]).toEqual([200, undefined]);
      world.clock.advanceMs(1000);
      const rows = await world.purchaseRows();
      expect((await again()).status).toBe(200);
      expect(await world.purchaseRows()).toBe(rows);
      expect(await world.events(user)).toEqual(['NON_RENEWING_PURCHASE', 'CANCELLATION/CUSTOMER_SUPPORT']);

      const life = world.amazon.subscribe();
      await post(other, life);
      world.amazon.forget(life.id);
      world.clock.advanceMs(1000);
      const refused = await post(other, life);
      expect([refused.status, refused.body.code]).toEqual([400, 7103]);
      expect(await world.subscription(other)).toMatchObject({ gives_access: true });
    });

    it('polls weekly without notifications for what Amazon may have taken back', async () => {
      const user = newAppUserId();
      const account = world.amazon.newUser();
      const all = Array.from({ length: 4 }, () => world.amazon.buy(lifetime, 'ENTITLED', false, account));
      for (const { userId, receipt } of all) await post(user, { userId, id: receipt.receiptId });
      world.clock.advanceMs(8 * DAY_MS);
      const [gone, cancelled] = all;
      world.amazon.forget(gone?.receipt.receiptId ?? '');
      Object.assign(cancelled?.receipt ?? {}, { cancelDate: world.clock.nowMs() });
      const asked = world.amazon.calls.length;
      for (let round = 0; round < 4; round++) {
        await world.server.app.get(SilentAppsJob).schedule();
        await world.server.app.get(StoreTasksService).drain();
        world.clock.advanceMs(DAY_MS / 2);
        await world.server.app.get(StoreRefreshJob).drain();
      }
      const recorded = await world.events(user);
      expect(recorded.slice(4)).toEqual(Array(2).fill('CANCELLATION/CUSTOMER_SUPPORT'));
      const paths = world.amazon.calls.slice(asked).map(({ path }) => decodeURIComponent(path));
      const questions = all.map(
        ({ receipt }) => paths.filter((path) => path.endsWith(`/${receipt.receiptId}`)).length,
      );
      expect(questions).toEqual([1, 1, 1, 1]);
    });

    it('refreshes it later, for its owner', async () => {
      const user = newAppUserId();
      const life = world.amazon.subscribe();
      await post(user, life);
      world.clock.advanceMs(30 * DAY_MS);
      life.renew();
      const refreshes = world.server.app.get(StoreRefreshJob);
      const target = { projectId: world.projectId, appId: world.appId, environment: 'production' as const };
      await world.server.app.get(StoreRefreshesService).request(target, [life.id]);
      await refreshes.drain();
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'RENEWAL']);
    });
  });

  describe('notifications', () => {
    const inbox = () =>
      world.server.dataSource.query<{ kind: string; state: string; subject: string }[]>(
        `SELECT kind, state, subject FROM store_notifications WHERE state <> 'rejected'
         ORDER BY received_at DESC, id DESC`,
      );
    const known = async () => {
      const user = newAppUserId();
      const life = world.amazon.subscribe();
      await post(user, life);
      return { user, life };
    };

    it('confirms a subscription of this server to the topic, at Amazon', async () => {
      const answer = await world.send(world.sns.subscription());
      expect(answer.status).toBe(200);
      expect(world.sns.confirmed.at(-1)).toBe(TOPIC);
      expect((await inbox())[0]).toMatchObject({ kind: 'SubscriptionConfirmation', state: 'processed' });
    });

    it('shows the last confirmation token that the console needs', async () => {
      await world.send(world.sns.subscription());
      const Token = '51b2ff3edb475b7d91550e0ab6edf0c1';
      const SubscribeURL = `${world.sns.host}/?Action=ConfirmSubscription&TopicArn=${TOPIC}&Token=${Token}`;
      await world.send(world.sns.subscription({ Token, SubscribeURL }));
      const { body } = await world.backend.get(`${world.path}/apps/${world.appId}/store_settings`);
      expect([body.sns_topic_arn, body.sns_confirmation_token]).toEqual([TOPIC, Token]);
      expect(
        (await world.send(world.sns.subscription({ Token: 'x', TopicArn: `${TOPIC}-other` }))).status,
      ).toBe(400);
      const after = await world.backend.get(`${world.path}/apps/${world.appId}/store_settings`);
      expect(after.body.sns_confirmation_token).toBe(Token);
    });

    it('confirms it later while Amazon cannot be reached', async () => {
      const before = world.sns.confirmed.length;
      world.sns.interfere = ({ query }) => (query.has('Action') ? { status: 500 } : undefined);
      expect((await world.send(world.sns.subscription())).status).toBe(200);
      expect([world.sns.confirmed.length, (await inbox())[0]?.state]).toEqual([before, 'retrying']);
      world.sns.interfere = () => undefined;
      world.clock.advanceMs(60_000);
      await world.process();
      expect(world.sns.confirmed.length).toBe(before + 1);
    });

    it.each(['1', '2'])('accepts those signed in version %s', async (SignatureVersion) => {
      const { user, life } = await known();
      world.clock.advanceMs(1000);
      const message = life.setAutoRenew(false);
      const sent = world.sns.notification(message, { SignatureVersion, Subject: 'Amazon Appstore' });
      expect((await world.send(sent)).status).toBe(200);
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'CANCELLATION/UNSUBSCRIBE']);
    });

    it('ignores the same message the second time', async () => {
      const { life } = await known();
      const sent = world.sns.notification(life.setAutoRenew(false));
      await world.send(sent);
      const rows = (await inbox()).length;
      world.amazon.calls.length = 0;
      expect((await world.send(sent)).status).toBe(200);
      expect([(await inbox()).length, world.amazon.calls.length]).toEqual([rows, 0]);
    });

    it.each([1e17, -1])('accepts messages with an impossible time (%p)', async (timestamp) => {
      const { user, life } = await known();
      const claim = JSON.parse(life.setAutoRenew(false));
      await world.notify(JSON.stringify({ ...claim, timestamp }));
      expect((await inbox())[0]?.state).toBe('processed');
      expect(await world.subscription(user)).toMatchObject({ auto_renewal_status: 'will_not_renew' });
    });

    it('keeps receipts when Amazon answers with an impossible time', async () => {
      const { user, life } = await known();
      const { receipt } = life;
      const renewalDate = receipt.renewalDate;
      Object.assign(receipt, { renewalDate: 9e15 });
      const refused = await world.post(user, life.id, { store_user_id: life.userId });
      expect([refused.status, refused.body.code]).toEqual([503, 7101]);
      Object.assign(receipt, { renewalDate });
      expect((await world.post(user, life.id, { store_user_id: life.userId })).status).toBe(200);
    });

    it('ignores claims in a message and asks Amazon', async () => {
      const { user, life } = await known();
      await world.notify(world.amazon.notification('SUBSCRIPTION_EXPIRED', life.userId, life.id));
      expect(await world.subscription(user)).toMatchObject({ status: 'active' });
      await world.notify(world.amazon.notification('ENTITLEMENT_CANCELLED', life.userId, 'unknown'));
      expect((await inbox())[0]?.state).toBe('ignored_unknown_purchase');
    });

    it('keeps a purchase without an owner until it is posted; with tracking on it counts at once', async () => {
      const life = world.amazon.subscribe();
      await world.notify(life.setAutoRenew(false));
      expect((await inbox())[0]).toMatchObject({ state: 'ignored_unknown_purchase', subject: life.id });
      await post(newAppUserId(), life);
      await world.process();
      expect((await inbox()).find(({ subject }) => subject === life.id)?.state).toBe('processed');
      const { user, life: first } = await known();
      await world.configure({ track_new_purchases: true });
      const second = world.amazon.subscribe(yearly, undefined, first.userId);
      await world.notify(second.change('SUBSCRIPTION_PURCHASED', {}));
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'INITIAL_PURCHASE']);
    });

    it('answers them at once and processes them later while Amazon is down', async () => {
      const { user, life } = await known();
      world.amazon.interfere = () => amazonErrors.down;
      expect((await world.notify(life.setAutoRenew(false))).status).toBe(200);
      expect((await inbox())[0]?.state).toBe('retrying');
      world.amazon.interfere = () => undefined;
      world.clock.advanceMs(60_000);
      await world.process();
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'CANCELLATION/UNSUBSCRIBE']);
    });

    it('answers 503 while their certificate cannot be fetched', async () => {
      const SigningCertURL = world.sns.issue('/SimpleNotificationService-new.pem');
      const { life } = await known();
      const path = new URL(SigningCertURL).pathname;
      const sent = world.sns.signed({ ...world.sns.notification(life.renew()), SigningCertURL }, path);
      world.sns.interfere = () => ({ status: 503 });
      expect((await world.send(sent)).status).toBe(503);
      world.sns.interfere = () => ({ status: 0, instead: 'reset' });
      expect((await world.send(sent)).status).toBe(503);
      world.sns.interfere = () => undefined;
      expect((await world.send(sent)).status).toBe(200);
    });

    it('certificates are read once', async () => {
      const { life } = await known();
      await world.notify(life.setAutoRenew(false));
      world.sns.calls.length = 0;
      await world.notify(life.setAutoRenew(true));
      expect(world.sns.calls).toEqual([]);
    });

    it('accepts only the first topic, until the developer names another', async () => {
      const { life } = await known();
      const from = (TopicArn: string) => world.sns.notification(life.setAutoRenew(false), { TopicArn });
      expect((await world.send(from(TOPIC))).status).toBe(200);
      expect((await world.send(from(`${TOPIC}-other`))).status).toBe(400);
      expect((await world.send(world.sns.subscription({ TopicArn: `${TOPIC}-other` }))).status).toBe(400);
      await world.configure({ sns_topic_arn: `${TOPIC}-other` });
      expect((await world.send(from(`${TOPIC}-other`))).status).toBe(200);
      expect((await world.send(from(TOPIC))).status).toBe(400);
    });

    describe('that are forged', () => {
      const genuine = (more: SnsFields = {}): SnsFields =>
        world.sns.notification(
          world.amazon.notification('SUBSCRIPTION_RENEWED', 'amzn1.account.1', 'r1'),
          more,
        );
      const at = (SigningCertURL: string): SnsFields => world.sns.signed({ ...genuine(), SigningCertURL });
      const expired = { fromMs: Date.UTC(2020, 0, 1), toMs: Date.UTC(2021, 0, 1) };

      const forgeries: [string, () => SnsFields | string][] = [
        ['altered', () => ({ ...genuine(), Message: genuine().Message?.replace('r1', 'r2') ?? '' })],
        ['under another id', () => ({ ...genuine(), MessageId: 'f6a1e9b2-0000-4000-8000-000000000000' })],
        ['dated anew', () => ({ ...genuine(), Timestamp: '2026-01-01T00:00:00.000Z' })],
        ['moved to another topic', () => ({ ...genuine(), TopicArn: `${TOPIC}-other` })],
        ['with a subject put in', () => ({ ...genuine(), Subject: 'put in' })],
        [
          'turned into a confirmation',
          () => ({ ...world.sns.subscription(), ...genuine(), Type: 'SubscriptionConfirmation' }),
        ],
        ['without a signature', () => ({ ...genuine(), Signature: '' })],
        [
          'with a signature cut off',
          () => ({ ...genuine(), Signature: genuine().Signature?.slice(8) ?? '' }),
        ],
        [
          'in another order of fields',
          () =>
            world.sns.signed(genuine(), undefined, ['Type', 'TopicArn', 'Timestamp', 'MessageId', 'Message']),
        ],
        ['with another version', () => ({ ...genuine(), SignatureVersion: '1' })],
        ['with an unknown version', () => ({ ...genuine(), SignatureVersion: '3' })],
        [
          'with a certificate at another host',
          () => at('https://example.com/SimpleNotificationService-0123456789abcdef.pem'),
        ],
        [
          'with a host that only begins like it',
          () => at('https://sns.us-east-1.amazonaws.com.evil.example/a.pem'),
        ],
        ['with a host that only ends like it', () => at('https://evil-sns.us-east-1.amazonaws.com/a.pem')],
        ['with another service of Amazon', () => at('https://bucket.s3.us-east-1.amazonaws.com/a.pem')],
        ['with a bucket by the name of a region', () => at('https://sns.s3.amazonaws.com/a.pem')],
        ['with a certificate over http', () => at(world.sns.certificateUrl.replace('https', 'http'))],
        [
          'with a user in the address',
          () => at(world.sns.certificateUrl.replace('https://', 'https://sns.us-east-1.amazonaws.com@')),
        ],
        ['with another port', () => at(world.sns.certificateUrl.replace('.com/', '.com:8443/'))],
        ['with a query in the address', () => at(`${world.sns.certificateUrl}?a.pem`)],
        [
          'with a path that climbs',
          () => at(`${world.sns.host}/x/..${new URL(world.sns.certificateUrl).pathname}`),
        ],
        ['with a certificate that is none', () => at(`${world.sns.host}/none.pem`)],
        ['with a file that is no certificate', () => at(`${world.sns.host}/?Action=ConfirmSubscription`)],
        [
          'with a certificate that is over',
          () => {
            const SigningCertURL = world.sns.issue('/expired.pem', expired);
            return world.sns.signed({ ...genuine(), SigningCertURL }, '/expired.pem');
          },
        ],
        [
          'with the key of another certificate',
          () => {
            world.sns.issue('/another.pem');
            return world.sns.signed(genuine(), '/another.pem');
          },
        ],
        [
          'of another app',
          () =>
            world.sns.notification(
              JSON.stringify({ ...JSON.parse(genuine().Message ?? ''), appPackageName: 'com.other' }),
            ),
        ],
        ['that say nothing', () => world.sns.notification('{}')],
        ['that carry no JSON', () => world.sns.notification('hello')],
        ['that are no message', () => '{"Type":"Other"}'],
        ['that are no object', () => '[]'],
        ['that are no JSON', () => 'hello'],
        ['that are empty', () => ''],
        [
          'that would be confirmed elsewhere',
          () => world.sns.subscription({ SubscribeURL: 'https://example.com/?Action=ConfirmSubscription' }),
        ],
        [
          'that would be confirmed in this network',
          () =>
            world.sns.subscription({
              SubscribeURL: `http://127.0.0.1/?Action=ConfirmSubscription&TopicArn=${TOPIC}`,
            }),
        ],
        [
          'that would confirm another topic',
          () =>
            world.sns.subscription({
              SubscribeURL: `${world.sns.host}/?Action=ConfirmSubscription&TopicArn=other`,
            }),
        ],
        [
          'that would do something else',
          () =>
            world.sns.subscription({
              SubscribeURL: `${world.sns.host}/?Action=DeleteTopic&TopicArn=${TOPIC}`,
            }),
        ],
      ];

      it.each(forgeries)('%s: none is taken', async (_, forge) => {
        const before = await inbox();
        const confirmed = world.sns.confirmed.length;
        world.amazon.calls.length = 0;
        await world.configure({ sns_topic_arn: TOPIC });
        const answer = await world.send(forge());
        expect([answer.status, answer.body.code]).toEqual([400, 7103]);
        expect(await inbox()).toEqual(before);
        expect([world.amazon.calls.length, world.sns.confirmed.length]).toEqual([0, confirmed]);
      });
    });
  });
});

function pick({ userId, id }: { userId: string; id: string }): { userId: string; id: string } {
  return { userId, id };
}
