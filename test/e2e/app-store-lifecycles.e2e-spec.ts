import { type AppStoreWorld, startAppStoreWorld } from '../support/arrange-app-store.js';
import { fakeProducts } from '../support/fake-app-store/fake-app-store.js';
import type {
  FakeAccount,
  FakeNotification,
  FakeSubscription,
} from '../support/fake-app-store/fake-subscription.js';
import type { LifeDriver } from '../support/store-lives/life.js';
import { testLives } from '../support/store-lives/test-lives.js';

const DAY_MS = 86_400_000;
const { monthly, yearly, plus } = fakeProducts;

describe('lives of subscriptions in the App Store', () => {
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
      upgrade: (life) => life.upgrade(yearly),
      crossgrade: (life) => life.upgrade(plus),
      planNextProduct: (life) => life.downgrade(yearly),
      keepProduct: (life) => life.keepProduct(),
      extend: (life) => life.extend(14),
      askForConsent: (life) => life.askForConsent(),
      consent: (life) => life.consent(),
    },
    post: (life, user) => world.post(user, life.signed()),
    async tell(notification) {
      expect((await world.notify(notification)).status).toBe(200);
    },
    showHistory: () => world.configure(world.keyFields),
  };

  testLives(() => world, driver);

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

  it('a refund takes back the unused share of what came with the period, however often it is told', async () => {
    const grant = { product_ids: [world.products.monthly.id], amount: 90 };
    const currency = { code: 'GEMS', name: 'Gems', product_grants: [grant] };
    expect((await world.backend.post(`${world.path}/virtual_currencies`, currency)).status).toBe(201);
    const { startMs, subscription, user } = await bought();
    moveTo(startMs, 10);
    const refund = subscription.refund();
    for (let n = 0; n < 3; n++) await world.notify(refund);
    const { body } = await world.sdk.get(`/v1/subscribers/${user}/virtual_currencies`);
    expect(body.virtual_currencies.GEMS.balance).toBe(30);
    const told = (await world.events(user)).filter((type) => type === 'VIRTUAL_CURRENCY_TRANSACTION');
    expect(told).toHaveLength(2);
    await world.backend.delete(`${world.path}/virtual_currencies/GEMS`);
  });

  it('the commission is lower once a year was paid for, in ledger, totals and events', async () => {
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
