import { ChartsRollupJob } from '../../src/insights/charts/rollup/charts-rollup.job.js';
import { OverdueSubscriptionsJob } from '../../src/stores/shared/overdue-subscriptions.job.js';
import { type PlayWorld, startPlayWorld } from '../support/arrange-play.js';
import type { Json } from '../support/api-client.js';
import { googleError } from '../support/fake-play/play-answer.js';
import { type FakePlayPurchase, playProducts } from '../support/fake-play/fake-play.js';
import type {
  FakePlaySubscription,
  PlaySubscriptionOptions,
} from '../support/fake-play/fake-play-subscription.js';
import type { FakePlayProduct } from '../support/fake-play/google-values.js';
import { refreshAll } from '../support/refresh-all.js';
import type { LifeDriver } from '../support/store-lives/life.js';
import type { OneTimeDriver } from '../support/store-lives/one-time-life.js';
import { testLives } from '../support/store-lives/test-lives.js';
import { testOneTimeLives } from '../support/store-lives/test-one-time-lives.js';

const DAY_MS = 86_400_000;
const { monthly, yearly, plus, coins, lifetime } = playProducts;

/** Purchases that are on the customer's device, without replaced ones. The last one continues. */
interface Life {
  bought: FakePlaySubscription[];
  /** The price that the device shows. */
  price: number;
}

/** Google's pushes: types of notifications, or a voided payment. */
interface Sent {
  token: string;
  types: number[];
  atMs: number;
  voidedOrderId?: string;
  /** The app has another purchase. */
  bought?: { token: string; product: FakePlayProduct };
}

describe('lives of purchases in Google Play', () => {
  let world: PlayWorld;

  beforeAll(async () => {
    world = await startPlayWorld();
  });
  afterAll(() => world.close());

  const begin = (options: PlaySubscriptionOptions = {}): Life => ({
    bought: [world.play.subscribe(monthly, options)],
    price: options.trial ? 0 : options.intro ? 0.99 : 9.99,
  });
  const last = ({ bought }: Life): FakePlaySubscription => bought.at(-1) as FakePlaySubscription;
  const happens =
    (what: (subscription: FakePlaySubscription) => number[]) =>
    (life: Life): Sent => {
      const subscription = last(life);
      return { token: subscription.token, types: what(subscription), atMs: world.clock.nowMs() };
    };
  const buys =
    (product: FakePlayProduct, what: (old: FakePlaySubscription) => FakePlaySubscription, isNew = false) =>
    (life: Life): Sent => {
      const next = what(last(life));
      if (isNew) life.bought.push(next);
      else life.bought = [next];
      return {
        token: next.token,
        types: [4],
        atMs: world.clock.nowMs(),
        bought: { token: next.token, product },
      };
    };

  const driver: LifeDriver<Life, Sent> = {
    store: 'play_store',
    starts: {
      plain: () => begin(),
      trial: () => begin({ trial: true }),
      intro: () => begin({ intro: true }),
      prepaid: () => begin({ prepaid: true }),
    },
    happenings: {
      renew: happens((life) => life.renew()),
      renewEarly: happens((life) => life.renew()),
      recover: happens((life) => life.recover()),
      cancel: happens((life) => life.cancel()),
      cancelByDeveloper: happens((life) => life.cancel('developer')),
      uncancel: happens((life) => life.restart()),
      resubscribe: buys(monthly, () => world.play.subscribe(monthly), true),
      failWithGrace: happens((life) => life.fail(16)),
      failWithoutGrace: happens((life) => life.fail(0)),
      cancelInGrace: happens((life) => life.cancelInGrace()),
      endGrace: happens((life) => life.hold()),
      expire: happens((life) => life.expire()),
      expireUnpaid: happens((life) => life.expire()),
      expireForPrice: happens((life) => life.endForPrice()),
      schedulePause: happens((life) => life.schedulePause()),
      pause: happens((life) => life.pause(20)),
      resume: happens((life) => life.resume()),
      refund: happens((life) => life.revoke()),
      refundFirstPeriod(life) {
        const { token, orders, baseOrderId } = last(life);
        const [first] = orders;
        if (first) world.play.refundOrder(first);
        world.play.void(token, baseOrderId);
        return { token, types: [], atMs: world.clock.nowMs(), voidedOrderId: baseOrderId };
      },
      upgrade: buys(yearly, (old) => old.replaceBy(yearly)),
      crossgrade: buys(plus, (old) => old.replaceBy(plus)),
      planNextProduct: buys(yearly, (old) => old.replaceLaterBy(yearly)),
      extend: happens((life) => life.defer(14 * DAY_MS)),
      askForConsent: happens((life) => life.changePrice('OUTSTANDING')),
      consent: happens((life) => life.changePrice('CONFIRMED')),
    },
    async post({ bought, price }, user) {
      const answers = [];
      for (const { token } of bought) answers.push(await world.post(user, token, monthly, { price }));
      return answers.find(({ status }) => status !== 200) ?? { status: 200, text: '' };
    },
    async deliver({ token, types, atMs, voidedOrderId: orderId, bought }, user) {
      if (bought) expect((await world.post(user, bought.token, bought.product)).status).toBe(200);
      for (const type of types) {
        expect((await world.notify(token, type, atMs)).status).toBe(200);
        world.clock.advanceMs(1_000);
      }
      if (orderId === undefined) return;
      const voided = { purchaseToken: token, orderId, productType: 1, refundType: 1 };
      const content = { eventTimeMillis: String(atMs), voidedPurchaseNotification: voided };
      expect((await world.push(content)).status).toBe(200);
    },
  };

  testLives(() => world, driver);

  /** Purchases of a customer; the last one is tested. */
  type OneTime = { product: FakePlayProduct; bought: FakePlayPurchase }[];

  const lastBought = (life: OneTime): FakePlayPurchase => (life.at(-1) as OneTime[number]).bought;
  const starts =
    (product: FakePlayProduct, options: Parameters<typeof world.play.buy>[1] = {}) =>
    (): OneTime => [{ product, bought: world.play.buy(product, options) }];
  const notificationOf = (life: OneTime, notificationType: number): object => {
    const { product, bought } = life.at(-1) as OneTime[number];
    const one = { version: '1.0', notificationType, purchaseToken: bought.token, sku: product.id };
    return { eventTimeMillis: String(world.clock.nowMs()), oneTimeProductNotification: one };
  };
  const adds =
    (product: FakePlayProduct) =>
    (life: OneTime): object => {
      life.push(...starts(product)());
      return notificationOf(life, 1);
    };
  const refunds =
    (pieces?: number) =>
    (life: OneTime): object => {
      const { token, purchase } = lastBought(life);
      world.play.refundProduct({ token, purchase }, pieces);
      const refundType = pieces === undefined ? 1 : 2;
      const voided = { purchaseToken: token, orderId: purchase.orderId, productType: 2, refundType };
      return { eventTimeMillis: String(world.clock.nowMs()), voidedPurchaseNotification: voided };
    };

  testOneTimeLives<OneTime, object>(() => world, {
    store: 'play_store',
    coins: coins.id,
    lifetime: lifetime.id,
    starts: {
      coins: starts(coins),
      three: starts(coins, { quantity: 3 }),
      lifetime: starts(lifetime),
      pending: starts(coins, { pending: true }),
    },
    happenings: {
      buyCoins: adds(coins),
      buyLifetime: adds(lifetime),
      pay(life) {
        world.play.payProduct(lastBought(life));
        return notificationOf(life, 1);
      },
      dropPayment(life) {
        world.play.dropProduct(lastBought(life));
        return notificationOf(life, 2);
      },
      refund: refunds(),
      refundOne: refunds(1),
      chargeBack: refunds(),
    },
    async post(life, user) {
      const answers = [];
      for (const { product, bought } of life) answers.push(await world.post(user, bought.token, product));
      return answers.map(({ status }) => status);
    },
    async deliver(content) {
      expect((await world.push(content)).status).toBe(200);
      world.clock.advanceMs(1_000);
    },
  } satisfies OneTimeDriver<OneTime, object>);

  it('consumables are left to the app: only what is not consumed is acknowledged, no matter who reported it', async () => {
    const user = `buyer-${world.clock.nowMs()}`;
    const life = [...starts(coins)(), ...starts(lifetime)()];
    for (const { product, bought } of life) {
      expect((await world.post(user, bought.token, product)).status).toBe(200);
      expect((await world.push(notificationOf([{ product, bought }], 1))).status).toBe(200);
      world.clock.advanceMs(1_000);
    }
    await world.tasks();
    const done = life.map(({ bought }) => bought.purchase.acknowledgementState);
    expect(done).toEqual(['ACKNOWLEDGEMENT_STATE_PENDING', 'ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED']);
  });

  it('ends a pause of three months without a notification, too', async () => {
    const user = `pauser-${world.clock.nowMs()}`;
    const subscription = world.play.subscribe(monthly);
    await world.post(user, subscription.token);
    const upkeep = async (): Promise<void> => {
      await world.server.app.get(OverdueSubscriptionsJob).schedule();
      await world.tasks();
      await refreshAll(world.server);
    };
    world.clock.advanceMs(subscription.expiryMs - world.clock.nowMs() + 60_000);
    subscription.pause(90);
    world.clock.advanceMs(3_600_000);
    await upkeep();
    world.clock.advanceMs(90 * DAY_MS);
    subscription.resume();
    world.clock.advanceMs(DAY_MS);
    await upkeep();
    expect(await world.events(user)).toEqual([
      'INITIAL_PURCHASE',
      'EXPIRATION/SUBSCRIPTION_PAUSED',
      'RENEWAL',
    ]);
  });

  describe('without the permission to read orders', () => {
    beforeAll(() => {
      world.google.interfere = ({ path }) =>
        path.startsWith('/orders') ? googleError(401, 'permissionDenied') : undefined;
    });
    afterAll(() => {
      world.google.interfere = () => undefined;
    });

    testLives(() => world, driver, { delivered: ['as it happens'] });
  });

  /** The sandbox has no other subscriptions. */
  describe('MRR after a replacement that charges less than a whole period', () => {
    /** MRR in the overview, and at the end of the chart. */
    const mrr = async (): Promise<number[]> => {
      await world.server.app.get(ChartsRollupJob).run();
      const { body: overview } = await world.backend.get(
        `${world.path}/metrics/overview?environment=sandbox`,
      );
      const { body: chart } = await world.backend.get(`${world.path}/charts/mrr?environment=sandbox`);
      const now = (overview.metrics as Json[]).find(({ id }) => id === 'mrr');
      return [now?.value, (chart.values as Json[]).at(-1)?.value];
    };
    const paid = async (user: string): Promise<number> => {
      const { body } = await world.backend.get(`${world.path}/transactions?limit=1000`);
      const own = (body.items as Json[]).filter(({ customer_id: id }) => id === user);
      return own.reduce((sum, { price }) => sum + Math.round((price?.amount ?? 0) * 100), 0);
    };
    beforeEach(() => world.clock.advanceMs(400 * DAY_MS));
    afterEach(() => {
      world.google.interfere = () => undefined;
    });

    it.each<[string, { mode: string; chargeMicros: number }, isReadable: boolean, cents: number]>([
      ['an unread one', { mode: 'CHARGE_PRORATED_PRICE', chargeMicros: 45_000_000 }, false, 0],
      ['a free one', { mode: 'WITHOUT_PRORATION', chargeMicros: 0 }, true, 0],
      ['a free one whose order is unread', { mode: 'WITHOUT_PRORATION', chargeMicros: 0 }, false, 0],
      ['a prorated one', { mode: 'CHARGE_PRORATED_PRICE', chargeMicros: 45_000_000 }, true, 4500],
    ])('follows the new plan: %s', async (_, proration, isReadable, charged) => {
      const user = `changer-${world.clock.nowMs()}`;
      const bought = world.play.subscribe(monthly, { test: true });
      expect((await world.post(user, bought.token)).status).toBe(200);
      expect(await mrr()).toEqual([9.99, 9.99]);
      world.clock.advanceMs(10 * DAY_MS);
      if (!isReadable) {
        world.google.interfere = ({ path }) =>
          path.startsWith('/orders') ? googleError(401, 'permissionDenied') : undefined;
      }
      const next = bought.replaceBy(yearly, { test: true, proration });
      expect((await world.post(user, next.token, yearly)).status).toBe(200);
      expect(await mrr()).toEqual([6.67, 6.67]);
      // A notification knows nothing of the catalog.
      world.clock.advanceMs(DAY_MS);
      expect((await world.notify(next.token, 4)).status).toBe(200);
      expect(await mrr()).toEqual([6.67, 6.67]);
      expect(await paid(user)).toBe(999 + charged);
      world.clock.advanceMs(next.expiryMs - world.clock.nowMs());
      expect((await world.notify(next.token, next.renew()[0] ?? 0)).status).toBe(200);
      expect(await mrr()).toEqual([6.67, 6.67]);
      expect(await paid(user)).toBe(999 + charged + 7999);
    });

    it('follows the charge if the whole price was charged', async () => {
      const user = `changer-${world.clock.nowMs()}`;
      const bought = world.play.subscribe(monthly, { test: true });
      expect((await world.post(user, bought.token)).status).toBe(200);
      world.clock.advanceMs(10 * DAY_MS);
      const next = bought.replaceBy(plus, { test: true });
      expect((await world.post(user, next.token, plus)).status).toBe(200);
      expect(await mrr()).toEqual([12.99, 12.99]);
    });
  });
});
