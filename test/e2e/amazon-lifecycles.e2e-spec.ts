import { type AmazonWorld, startAmazonWorld } from '../support/arrange-amazon.js';
import {
  type FakeAmazonPurchase,
  type FakeAmazonSubscription,
  type FakeSku,
  fakeSkus,
} from '../support/fake-amazon/fake-amazon.js';
import type { LifeDriver } from '../support/store-lives/life.js';
import type { OneTimeDriver } from '../support/store-lives/one-time-life.js';
import { testLives } from '../support/store-lives/test-lives.js';
import { testOneTimeLives } from '../support/store-lives/test-one-time-lives.js';

const { monthly, yearly, coins, lifetime } = fakeSkus;
const prices: Record<string, number> = { [coins.productId]: 0.99, [lifetime.productId]: 199 };

/** A customer's receipts; the last one continues. */
type Life = FakeAmazonSubscription[];

interface Sent {
  message: string;
  bought?: FakeAmazonSubscription;
}

describe('lives of purchases in the Amazon Appstore', () => {
  let world: AmazonWorld;

  beforeAll(async () => {
    world = await startAmazonWorld();
  });
  afterAll(() => world.close());

  const begin = (trialDays?: number): Life => [world.amazon.subscribe(monthly, trialDays)];
  const last = (life: Life): FakeAmazonSubscription => life.at(-1) as FakeAmazonSubscription;
  const happens =
    (what: (subscription: FakeAmazonSubscription) => string) =>
    (life: Life): Sent => ({ message: what(last(life)) });
  const bought = (life: Life, sku: FakeSku, type: string, more?: object): Sent => {
    const next = world.amazon.subscribe(sku, undefined, last(life).userId);
    life.push(next);
    return { message: next.change(type, {}, more), bought: next };
  };
  const postOne = (user: string, { id, userId, receipt }: FakeAmazonSubscription) =>
    world.post(user, id, {
      store_user_id: userId,
      product_ids: [receipt.termSku],
      price: receipt.termSku === yearly.termSku ? 79.99 : 9.99,
      currency: 'USD',
    });

  const driver: LifeDriver<Life, Sent> = {
    store: 'amazon',
    starts: { plain: () => begin(), trial: () => begin(7) },
    happenings: {
      renew: happens((life) => life.renew()),
      recover: happens((life) => life.renew()),
      cancel: happens((life) => life.setAutoRenew(false)),
      uncancel: happens((life) => life.setAutoRenew(true)),
      resubscribe: (life) => bought(life, monthly, 'SUBSCRIPTION_PURCHASED'),
      failWithGrace: happens((life) => life.enterGrace(16)),
      expire: happens((life) => life.end(1)),
      expireUnpaid: happens((life) => life.end(2)),
      upgrade: (life) => {
        const old = last(life);
        old.end(4);
        const relatedReceipts = { cancelledReceiptId: old.id };
        return bought(life, yearly, 'SUBSCRIPTION_MODIFIED_IMMEDIATE', { relatedReceipts });
      },
      planNextProduct: happens((life) =>
        life.change('SUBSCRIPTION_MODIFIED_DEFERRED', { deferredSku: yearly.termSku }),
      ),
      keepProduct: happens((life) => life.change('SUBSCRIPTION_MODIFIED_DEFERRED', { deferredSku: null })),
    },
    async post(life, user) {
      const answers = [];
      for (const receipt of life) answers.push(await postOne(user, receipt));
      return answers.find(({ status }) => status !== 200) ?? { status: 200, text: '' };
    },
    async deliver({ message, bought: receipt }, user) {
      if (receipt) expect((await postOne(user, receipt)).status).toBe(200);
      expect((await world.notify(message)).status).toBe(200);
    },
  };

  testLives(() => world, driver);

  const buyCoins = (user?: string): FakeAmazonPurchase => world.amazon.buy(coins, 'CONSUMABLE', false, user);
  const buyLifetime = (user?: string): FakeAmazonPurchase =>
    world.amazon.buy(lifetime, 'ENTITLED', false, user);
  /** News of the last receipt. */
  const notificationOf = (life: FakeAmazonPurchase[], what: 'PURCHASED' | 'CANCELED'): string => {
    const { userId, receipt } = life.at(-1) as FakeAmazonPurchase;
    const kind = receipt.productType === 'CONSUMABLE' ? 'CONSUMABLE' : 'ENTITLEMENT';
    return world.amazon.notification(`${kind}_${what}`, userId, receipt.receiptId);
  };
  const adds =
    (buy: (user?: string) => FakeAmazonPurchase) =>
    (life: FakeAmazonPurchase[]): string => {
      life.push(buy(life[0]?.userId));
      return notificationOf(life, 'PURCHASED');
    };

  testOneTimeLives<FakeAmazonPurchase[], string>(() => world, {
    store: 'amazon',
    coins: coins.productId,
    lifetime: lifetime.productId,
    starts: { coins: () => [buyCoins()], lifetime: () => [buyLifetime()] },
    happenings: {
      buyCoins: adds(buyCoins),
      buyLifetime: adds(buyLifetime),
      refund(life) {
        Object.assign(life.at(-1)?.receipt ?? {}, { cancelDate: world.clock.nowMs() });
        return notificationOf(life, 'CANCELED');
      },
    },
    async post(life, user) {
      const answers = [];
      for (const { userId, receipt } of life) {
        const product_ids = [receipt.productId as string];
        const device = { store_user_id: userId, product_ids, price: prices[product_ids[0] ?? ''] };
        answers.push(await world.post(user, receipt.receiptId, { ...device, currency: 'USD' }));
      }
      return answers.map(({ status }) => status);
    },
    async deliver(message) {
      expect((await world.notify(message)).status).toBe(200);
    },
  } satisfies OneTimeDriver<FakeAmazonPurchase[], string>);
});
