import { type AppStoreWorld, startAppStoreWorld } from '../support/arrange-app-store.js';
import { type FakeOneTime, fakeProducts } from '../support/fake-app-store/fake-app-store.js';
import type {
  FakeAccount,
  FakeNotification,
  FakeSubscription,
} from '../support/fake-app-store/fake-subscription.js';
import type { Answer, Json } from '../support/api-client.js';
import type { LifeDriver } from '../support/store-lives/life.js';
import type { OneTimeDriver } from '../support/store-lives/one-time-life.js';
import { testLives } from '../support/store-lives/test-lives.js';
import { testOneTimeLives } from '../support/store-lives/test-one-time-lives.js';

const DAY_MS = 86_400_000;
const { monthly, yearly, plus, coins, lifetime } = fakeProducts;

describe('lives of purchases in the App Store', () => {
  let world: AppStoreWorld;

  beforeAll(async () => {
    world = await startAppStoreWorld();
  });
  afterAll(() => world.close());

  const begin = (
    options: { trial?: boolean; intro?: boolean } = {},
    account: Partial<FakeAccount> = {},
  ): FakeSubscription => world.store.subscribe(world.store.account('Production', account), monthly, options);

  const driver: LifeDriver<FakeSubscription, FakeNotification> = {
    store: 'app_store',
    starts: {
      plain: () => begin(),
      trial: () => begin({ trial: true }),
      intro: () => begin({ intro: true }),
      family: () => begin({}, { isFamilyMember: true }),
    },
    happenings: {
      renew: (life) => life.renew(),
      renewEarly: (life) => life.renew(),
      recover: (life) => life.renew(),
      cancel: (life) => life.cancel(),
      uncancel: (life) => life.uncancel(),
      resubscribe: (life) => life.resubscribe(),
      failWithGrace: (life) => life.failToRenew(16),
      failWithoutGrace: (life) => life.failToRenew(0),
      cancelInGrace: (life) => life.cancel(),
      endGrace: (life) => life.endGrace(),
      expire: (life) => life.expire('VOLUNTARY'),
      expireUnpaid: (life) => life.expire('BILLING_RETRY'),
      expireForPrice: (life) => life.expire('PRICE_INCREASE'),
      expireNotForSale: (life) => life.expire('PRODUCT_NOT_FOR_SALE'),
      refund: (life) => life.refund(),
      refundHalf: (life) =>
        life.refund(undefined, { revocationType: 'REFUND_PRORATED', revocationPercentage: 50_000 }),
      refundFirstPeriod: (life) => life.refund(life.transactions[0]),
      reverseRefund: (life) => life.reverseRefund(),
      askForRefund: (life) => life.askConsumption(),
      declineRefund: (life) => life.declineRefund(),
      stopSharing: (life) => life.revokeFamily(),
      shareAgain: (life) => life.shareAgain(),
      shareAgainSameId: (life) => life.shareAgain({ isSameId: true }),
      upgrade: (life) => life.upgrade(yearly),
      crossgrade: (life) => life.upgrade(plus),
      planNextProduct: (life) => life.downgrade(yearly),
      keepProduct: (life) => life.keepProduct(),
      extend: (life) => life.extend(14),
      askForConsent: (life) => life.askForConsent(),
      consent: (life) => life.consent(),
    },
    post: (life, user) => world.post(user, life.signed()),
    async deliver(notification) {
      expect((await world.notify(notification)).status).toBe(200);
    },
    showHistory: () => world.configure(world.keyFields),
  };

  testLives(() => world, driver);

  /** Purchases of an account; the last one is tested. */
  type OneTime = [FakeOneTime, ...FakeOneTime[]];

  const last = (life: OneTime): FakeOneTime => life.at(-1) as FakeOneTime;
  const buyCoins = (quantity = 1): FakeOneTime =>
    world.store.buy(world.store.account(), coins, 'Consumable', quantity);
  const buyLifetime = (account = world.store.account()): FakeOneTime =>
    world.store.buy(account, lifetime, 'Non-Consumable');
  const changes =
    (type: string, change: object = {}) =>
    (life: OneTime): FakeNotification => {
      Object.assign(last(life).transaction, change);
      return world.store.oneTimeNotification(last(life), type);
    };
  const revokes =
    (type: string, more: object = { revocationReason: 0 }) =>
    (life: OneTime): FakeNotification =>
      changes(type, { revocationDate: world.clock.nowMs(), ...more })(life);
  const adds =
    (buy: (account: FakeAccount) => FakeOneTime) =>
    (life: OneTime): FakeNotification => {
      life.push(buy(life[0].account));
      return changes('ONE_TIME_CHARGE')(life);
    };

  const oneTime: OneTimeDriver<OneTime, FakeNotification> = {
    store: 'app_store',
    coins: coins.id,
    lifetime: lifetime.id,
    starts: {
      coins: () => [buyCoins()],
      three: () => [buyCoins(3)],
      lifetime: () => [buyLifetime()],
      shared: () => [buyLifetime(world.store.account('Production', { isFamilyMember: true }))],
    },
    happenings: {
      buyCoins: adds((account) => world.store.buy(account, coins)),
      buyLifetime: adds(buyLifetime),
      refund: revokes('REFUND'),
      revokeForHalf: revokes('REFUND', { revocationType: 'REFUND_PRORATED', revocationPercentage: 50_000 }),
      reverseRefund: changes('REFUND_REVERSED', { revocationDate: undefined, revocationReason: undefined }),
      askForRefund: changes('CONSUMPTION_REQUEST'),
      declineRefund: changes('REFUND_DECLINED'),
      stopSharing: revokes('REVOKE', { revocationType: 'FAMILY_REVOKE' }),
    },
    async post(life, user) {
      const answers = [];
      for (const { transaction } of life)
        answers.push(await world.post(user, world.store.signed(transaction)));
      return answers.map(({ status }) => status);
    },
    async deliver(notification) {
      expect((await world.notify(notification)).status).toBe(200);
    },
  };

  testOneTimeLives(() => world, oneTime);

  describe('with the in-app purchase key', () => {
    beforeAll(() => world.configure(world.keyFields));

    testOneTimeLives(() => world, oneTime, { delivered: ['as it happens', 'in the end'] });

    it('finds a reversal without a notification in the history', async () => {
      const user = `buyer-${world.clock.nowMs()}`;
      const life: OneTime = [buyLifetime()];
      const statuses = async (): Promise<string[]> => {
        const { body } = await world.backend.get(`${world.path}/customers/${user}/purchases`);
        return body.items.map(({ status }: { status: string }) => status);
      };
      await oneTime.post(life, user);
      world.clock.advanceMs(DAY_MS);
      await world.notify(revokes('REFUND')(life));
      expect(await statuses()).toEqual(['refunded']);
      world.clock.advanceMs(DAY_MS);
      changes('REFUND_REVERSED', { revocationDate: undefined, revocationReason: undefined })(life);
      await oneTime.post(life, user);
      expect(await statuses()).toEqual(['owned']);
      expect((await world.events(user)).at(-1)).toBe('REFUND_REVERSED');
    });
  });

  const bought = async () => {
    const startMs = world.clock.nowMs();
    const subscription = begin();
    const user = `buyer-${startMs}`;
    await world.post(user, subscription.signed());
    return { startMs, subscription, user };
  };
  const moveTo = (startMs: number, day: number): void => {
    world.clock.advanceMs(Math.round(startMs + day * DAY_MS - world.clock.nowMs()));
  };

  describe('a refund notification', () => {
    const ledger = async (user: string): Promise<(number | null)[]> => {
      const rows: { amount_micros: string | null }[] = await world.server.dataSource.query(
        `SELECT amount_micros FROM store_transactions WHERE project_id = $1 AND subscription_id = $2
         ORDER BY recorded_at, id`,
        [world.projectId, (await world.subscription(user)).id],
      );
      return rows.map(({ amount_micros: amount }) => (amount === null ? null : Number(amount)));
    };
    const access = async (user: string) => (await world.subscription(user)).gives_access as boolean;
    /** Two items, of 9.99 each; the second one gets these refunds. */
    const itemsWith = (...refundAmounts: number[]): object => ({
      price: 19_980,
      advancedCommerceInfo: {
        items: [
          { SKU: 'sku.base', price: 9_990 },
          {
            SKU: 'sku.extra',
            price: 9_990,
            refunds: refundAmounts.map((refundAmount, n) => ({
              refundAmount,
              refundDate: world.clock.nowMs() - n,
              refundReason: 'FULFILLMENT_ISSUE',
              refundType: 'PRORATED',
            })),
          },
        ],
        period: 'P1M',
        requestReferenceId: '3db5c98d-8acf-4e29-831e-8e1f82f9f6e9',
      },
    });
    const sold = async (more: object = {}) => {
      const subscription = begin();
      Object.assign(subscription.latest, more);
      const user = `buyer-${world.clock.nowMs()}`;
      expect((await world.post(user, subscription.signed())).status).toBe(200);
      world.clock.advanceMs(DAY_MS);
      return { subscription, user };
    };

    it.each([
      ['of seats', 'SEATS'],
      ['without a subtype', null],
      ['of a kind that is not known', 'SOMETHING_NEW'],
    ])('%s whose transaction is not revoked moves no money and ends no access', async (_, subtype) => {
      const { subscription, user } = await sold();
      await world.notify(subscription.notification('REFUND', subtype));
      expect(await ledger(user)).toEqual([9_990_000]);
      expect(await access(user)).toBe(true);
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE']);
    });

    it('looks up the transaction at Apple without a revocation', async () => {
      await world.configure(world.keyFields);
      const { subscription, user } = await sold();
      const notification = subscription.notification('REFUND', null);
      Object.assign(subscription.latest, { revocationDate: world.clock.nowMs(), revocationReason: 1 });
      await world.notify(notification);
      world.clock.advanceMs(60_000);
      await world.upkeep();
      expect(await ledger(user)).toEqual([9_990_000, -9_990_000]);
      expect(await access(user)).toBe(false);
    });

    it('refunds one item of an Advanced Commerce subscription once; the subscription continues', async () => {
      const { subscription, user } = await sold(itemsWith());
      Object.assign(subscription.latest, itemsWith(5_000));
      const refund = subscription.notification('REFUND', null);
      for (let n = 0; n < 2; n++) await world.notify(refund);
      await world.notify(subscription.notification('REFUND', null));
      expect(await ledger(user)).toEqual([19_980_000, -5_000_000]);
      const [{ refunds: first }] = (subscription.latest.advancedCommerceInfo as Json).items.slice(-1);
      world.clock.advanceMs(DAY_MS);
      Object.assign(subscription.latest, itemsWith(4_990));
      (subscription.latest.advancedCommerceInfo as Json).items.at(-1).refunds.push(...first);
      await world.notify(subscription.notification('REFUND', null));
      expect(await ledger(user)).toEqual([19_980_000, -5_000_000, -4_990_000]);
      expect(await access(user)).toBe(true);
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE']);
      world.clock.advanceMs(DAY_MS);
      await world.notify(subscription.refund());
      world.clock.advanceMs(DAY_MS);
      await world.notify(subscription.reverseRefund());
      expect((await ledger(user)).slice(3)).toEqual([-9_990_000, 9_990_000]);
      expect(await access(user)).toBe(true);
    });

    it('row 155: returns each refund of an item once while the subscription continues', async () => {
      const refund = (refundAmount: number, refundDate: number) => ({
        refundAmount,
        refundDate,
        refundReason: 'OTHER',
        refundType: 'PRORATED',
      });
      const items = (...refunds: object[]): { price: number; advancedCommerceInfo: { items: Json[] } } => ({
        price: 15_000,
        advancedCommerceInfo: {
          items: [
            { SKU: 'a', price: 10_000 },
            { SKU: 'b', price: 5_000, ...(refunds.length > 0 && { refunds }) },
          ],
        },
      });
      const { subscription, user } = await sold(items());
      const first = refund(2_500, world.clock.nowMs());
      Object.assign(subscription.latest, items(first));
      await world.notify(subscription.notification('REFUND', null));
      expect(await ledger(user)).toEqual([15_000_000, -2_500_000]);
      // Row 156.
      world.clock.advanceMs(DAY_MS);
      await world.notify(subscription.notification('REFUND', null));
      expect(await ledger(user)).toHaveLength(2);
      const revoked = items(first, refund(2_500, world.clock.nowMs()));
      Object.assign(revoked.advancedCommerceInfo.items[1] ?? {}, { revocationDate: world.clock.nowMs() });
      Object.assign(subscription.latest, revoked);
      await world.notify(subscription.notification('REFUND', null));
      expect((await ledger(user)).slice(2)).toEqual([-2_500_000]);
      expect(await access(user)).toBe(true);
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE']);
    });

    it('treats a revocation for an unknown reason as a refund', async () => {
      const { subscription, user } = await sold();
      await world.notify(subscription.refund(undefined, { revocationReason: 7 }));
      world.clock.advanceMs(DAY_MS);
      await world.post(user, subscription.signed());
      expect(await ledger(user)).toEqual([9_990_000, -9_990_000]);
      expect(await access(user)).toBe(false);
    });

    it('needs a refund for an unknown revocation reason; access ends without one', async () => {
      const { subscription, user } = await sold();
      Object.assign(subscription.latest, { revocationDate: world.clock.nowMs(), revocationReason: 7 });
      await world.post(user, subscription.signed());
      expect(await ledger(user)).toEqual([9_990_000]);
      expect(await access(user)).toBe(false);
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'EXPIRATION/UNKNOWN']);
    });

    it('records an unknown amount for an unknown kind', async () => {
      const { subscription, user } = await sold();
      await world.notify(subscription.refund(undefined, { revocationType: 'SOMETHING_NEW' }));
      expect(await ledger(user)).toEqual([9_990_000, null]);
      expect(await access(user)).toBe(false);
    });
  });

  it("takes back the unused share of the period's credits for a refund, however often it is reported", async () => {
    const grant = { product_ids: [world.products.monthly.id], amount: 90 };
    const currency = { code: 'GEMS', name: 'Gems', product_grants: [grant] };
    expect((await world.backend.post(`${world.path}/virtual_currencies`, currency)).status).toBe(201);
    const { startMs, subscription, user } = await bought();
    moveTo(startMs, 10);
    const refund = subscription.refund();
    for (let n = 0; n < 3; n++) await world.notify(refund);
    const { body } = await world.sdk.get(`/v1/subscribers/${user}/virtual_currencies`);
    expect(body.virtual_currencies.GEMS.balance).toBe(30);
    const delivered = (await world.events(user)).filter((type) => type === 'VIRTUAL_CURRENCY_TRANSACTION');
    expect(delivered).toHaveLength(2);
    await world.backend.delete(`${world.path}/virtual_currencies/GEMS`);
  });

  it('lists a former product in customer info as over when the next one took over, but not a future one', async () => {
    const { startMs, subscription, user } = await bought();
    const entries = async (): Promise<Json> =>
      (await world.sdk.get(`/v1/subscribers/${user}`)).body.subscriber.subscriptions;
    const seconds = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+/, '');
    moveTo(startMs, 10);
    await world.notify(subscription.upgrade(plus));
    const upgraded = await entries();
    expect(Object.keys(upgraded).sort()).toEqual([monthly.id, plus.id]);
    expect(upgraded[monthly.id]).toMatchObject({
      purchase_date: seconds(startMs),
      original_purchase_date: seconds(startMs),
      expires_date: seconds(startMs + 10 * DAY_MS),
      unsubscribe_detected_at: seconds(startMs + 10 * DAY_MS),
      refunded_at: null,
      price: { amount: 9.99, currency: 'USD' },
    });
    expect(upgraded[plus.id]).toMatchObject({ unsubscribe_detected_at: null });
    moveTo(startMs, 20);
    await world.notify(subscription.downgrade(yearly));
    expect(Object.keys(await entries()).sort()).toEqual([monthly.id, plus.id]);
    moveTo(startMs, 25);
    await world.notify(subscription.upgrade(monthly));
    const back = await entries();
    expect(Object.keys(back).sort()).toEqual([monthly.id, plus.id]);
    expect(back[monthly.id]).toMatchObject({
      purchase_date: seconds(startMs + 25 * DAY_MS),
      unsubscribe_detected_at: null,
    });
    expect(back[plus.id]).toMatchObject({ expires_date: seconds(startMs + 25 * DAY_MS) });
    const { entitlements } = (await world.sdk.get(`/v1/subscribers/${user}`)).body.subscriber;
    expect(entitlements.pro).toMatchObject({ product_identifier: monthly.id });
  });

  it('takes the commission of the small business program from the day on which the app joined', async () => {
    const { startMs, subscription, user } = await bought();
    const join = (small_business_since: number | null): Promise<Answer> =>
      world.backend.post(`${world.path}/apps/${world.appId}`, { app_store: { small_business_since } });
    expect((await join(startMs + 30 * DAY_MS)).status).toBe(200);
    for (const month of [1, 2]) {
      moveTo(startMs, month * 30);
      await world.notify(subscription.renew());
    }
    await join(null);
    moveTo(startMs, 90);
    await world.notify(subscription.renew());
    const { body } = await world.backend.get(`${world.path}/customers/${user}/events`);
    const shares = body.items.reverse().map((event: Json) => event.body.commission_percentage);
    expect(shares).toEqual([0.3, 0.15, 0.15, 0.3]);
    const { total_revenue_in_usd: total } = await world.subscription(user);
    expect(total.commission).toBeCloseTo(9.99 * 0.9, 1);
  });

  it('lowers the commission once a year was paid for, in ledger, totals and events', async () => {
    const { startMs, subscription, user } = await bought();
    for (let month = 1; month <= 13; month++) {
      moveTo(startMs, month * 30);
      await world.notify(subscription.renew());
    }
    const { body } = await world.backend.get(`${world.path}/customers/${user}/events?limit=100`);
    const shares = body.items.reverse().map((event: { body: object }) => event.body);
    // The period that begins on day 360 is still of the first year.
    expect(shares.slice(0, 13)).toEqual(
      Array(13).fill(expect.objectContaining({ commission_percentage: 0.3, takehome_percentage: 0.7 })),
    );
    expect(shares[13]).toMatchObject({ commission_percentage: 0.15, takehome_percentage: 0.85 });
    const { total_revenue_in_usd: total } = await world.subscription(user);
    expect(total.commission).toBeCloseTo(9.99 * (13 * 0.3 + 0.15), 1);
  });
});
