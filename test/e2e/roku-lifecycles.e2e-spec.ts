import { type RokuWorld, startRokuWorld } from '../support/arrange-roku.js';
import { type FakeRokuPurchase, rokuProducts } from '../support/fake-roku/fake-roku.js';
import type { FakeRokuSubscription, RokuMessage } from '../support/fake-roku/fake-roku-subscription.js';
import type { LifeDriver } from '../support/store-lives/life.js';
import type { OneTimeDriver } from '../support/store-lives/one-time-life.js';
import { testLives } from '../support/store-lives/test-lives.js';
import { testOneTimeLives } from '../support/store-lives/test-one-time-lives.js';

const { monthly, intro, yearly, coins, lifetime } = rokuProducts;

/** A customer's subscriptions; the last one continues. */
interface Life {
  all: FakeRokuSubscription[];
  planned: FakeRokuSubscription | null;
}

interface Sent {
  message: RokuMessage;
  bought?: FakeRokuSubscription;
}

describe('lives of purchases through Roku Pay', () => {
  let world: RokuWorld;

  beforeAll(async () => {
    world = await startRokuWorld();
  });
  afterAll(() => world.close());

  const begin = (...what: Parameters<RokuWorld['roku']['subscribe']>): Life => ({
    all: [world.roku.subscribe(...what)],
    planned: null,
  });
  const last = ({ all }: Life): FakeRokuSubscription => all.at(-1) as FakeRokuSubscription;
  const happens =
    (what: (subscription: FakeRokuSubscription) => RokuMessage) =>
    (life: Life): Sent => ({ message: what(last(life)) });
  const bought = (life: Life, next: FakeRokuSubscription): Sent => {
    life.all.push(next);
    return { message: next.bought(), bought: next };
  };
  /** The SDK posts every purchase of the account. */
  const postAll = async (user: string, { transactions, product }: FakeRokuSubscription) => {
    const more = product.id === intro.id ? { intro_duration: 'P1M' } : {};
    const answers = [];
    for (const { id } of transactions) answers.push(await world.post(user, id, more));
    return answers;
  };

  const driver: LifeDriver<Life, Sent> = {
    store: 'roku',
    starts: {
      plain: () => begin(),
      trial: () => begin(monthly, { trialDays: 7 }),
      intro() {
        const life = begin(intro);
        last(life).product = { ...intro, total: monthly.total };
        return life;
      },
    },
    happenings: {
      renew: happens((life) => life.renew()),
      recover: happens((life) => life.recover()),
      cancel: happens((life) => life.cancel()),
      uncancel: happens((life) => life.resubscribe()),
      resubscribe: (life) =>
        bought(life, world.roku.subscribe(monthly, { customerId: last(life).customerId })),
      failWithGrace: happens((life) => life.failCharge()),
      failWithoutGrace: happens((life) => life.failToHold()),
      expire: happens((life) => life.news('Cancellation')),
      expireUnpaid: happens((life) => life.news('Cancellation')),
      refund: happens((life) => life.refund(life.total, { isUnauthorized: true, of: life.latestId })),
      refundFirstPeriod: happens((life) => life.refund()),
      upgrade: (life) => bought(life, last(life).upgrade(yearly)),
      planNextProduct(life) {
        life.planned = last(life).downgrade(yearly);
        return { message: life.planned.downgradePlanned() };
      },
      keepProduct: (life) => ({ message: (life.planned as FakeRokuSubscription).withdraw() }),
      extend: happens((life) => life.extend(14)),
    },
    async post({ all, planned }, user) {
      const answers = [];
      for (const one of planned ? [...all, planned] : all) answers.push(...(await postAll(user, one)));
      return answers.find(({ status }) => status !== 200) ?? { status: 200, text: '' };
    },
    async deliver({ message, bought: next }, user) {
      if (next) expect((await postAll(user, next)).map(({ status }) => status)).toEqual([200]);
      expect((await world.notify(message)).status).toBe(200);
    },
  };

  testLives(() => world, driver);

  const adds =
    (product: typeof coins) =>
    (life: FakeRokuPurchase[]): RokuMessage => {
      life.push(world.roku.buy(product, { customerId: life[0]?.customerId }));
      return newsOf(life.at(-1) as FakeRokuPurchase, 'Sale');
    };
  const newsOf = (
    { id, customerId }: FakeRokuPurchase,
    transactionType: string,
    transactionId = id,
  ): RokuMessage => ({
    transactionType,
    transactionId,
    originalTransactionId: id,
    customerId,
    channelId: world.roku.channelId,
    eventDate: new Date(world.clock.nowMs()).toISOString(),
    responseKey: 'key',
  });
  const refunds =
    (share: number) =>
    (life: FakeRokuPurchase[]): RokuMessage => {
      const one = life.at(-1) as FakeRokuPurchase;
      const quantity = one.quantity;
      return newsOf(one, 'Refund', world.roku.refund(one.id, one.product.total * quantity * share));
    };

  testOneTimeLives<FakeRokuPurchase[], RokuMessage>(
    () => world,
    {
      store: 'roku',
      coins: coins.id,
      lifetime: lifetime.id,
      starts: {
        coins: () => [world.roku.buy(coins)],
        three: () => [world.roku.buy(coins, { quantity: 3 })],
        lifetime: () => [world.roku.buy(lifetime)],
      },
      happenings: {
        buyCoins: adds(coins),
        buyLifetime: adds(lifetime),
        refund: refunds(1),
        refundHalf: refunds(0.5),
      },
      async post(life, user) {
        const answers = [];
        for (const { id, product } of life)
          answers.push(await world.post(user, id, { product_id: product.id }));
        // Notifications that came before are processed now.
        await world.process();
        return answers.map(({ status }) => status);
      },
      async deliver(message) {
        expect((await world.notify(message)).status).toBe(200);
      },
    } satisfies OneTimeDriver<FakeRokuPurchase[], RokuMessage>,
    // Roku's answer about a purchase shows no refund; only notifications do.
    { delivered: ['as it happens', 'before the receipt', 'in disorder'] },
  );
});
